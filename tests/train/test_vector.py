"""Environments side by side show, pay and end as each does on its own."""

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from stable_baselines3.common.env_checker import check_env

from proactivity_gym.baselines.learned_view import masks_of, row_of, row_space
from proactivity_gym.envs.layout import TOTAL
from proactivity_gym.train.vector import RowVecEnv
from proactivity_gym.wrappers import FlatActions

COUNT, STEPS = 3, 400


def make(flat: bool) -> gym.Env[Any, Any]:
    env = gym.make("ProactivityGym/Travel-PersonaA-v0", variation="train")
    return FlatActions(env) if flat else env


@pytest.mark.parametrize("flat", [True, False])
def test_it_is_the_environments_one_by_one(flat: bool) -> None:
    many: Any = RowVecEnv([make(flat) for _ in range(COUNT)])
    single = make(flat)
    many.seed(5)
    rows: Any = many.reset()
    alone = [make(flat) for _ in range(COUNT)]
    seen = [env.reset(seed=5 + index)[0] for index, env in enumerate(alone)]
    single.action_space.seed(0)
    ended = 0
    for _ in range(STEPS):
        assert np.array_equal(rows, [row_of(each) for each in seen])
        masks = [env.get_wrapper_attr("action_masks")() for env in alone]
        assert np.array_equal(many.action_masks(), masks)
        actions = np.array([single.action_space.sample() for _ in range(COUNT)])
        stepped: Any = many.step(actions)
        rows, rewards, dones, infos = stepped
        for index, env in enumerate(alone):
            seen[index], reward, over, _, info = env.step(actions[index])
            assert (np.float32(reward), over) == (rewards[index], dones[index])
            if over:
                ended += 1
                assert np.array_equal(infos[index]["terminal_observation"], row_of(seen[index]))
                assert infos[index]["episode"]["r"] == pytest.approx(info["terms"]["J"])
                seen[index] = env.reset()[0]
    assert ended > COUNT
    finished, taken = many.drained()
    assert len(finished) == ended
    assert len(taken) == COUNT * STEPS
    assert sum(episode["length"] for episode in finished) <= COUNT * STEPS


def test_rows_of_several_frames_go_on_with_what_was_seen_before() -> None:
    single: Any = RowVecEnv([make(True)])
    stacked: Any = RowVecEnv([make(True)], frames=3)
    assert stacked.observation_space == row_space(3)
    single.seed(5)
    stacked.seed(5)
    rows = stacked.reset()
    seen: list[Any] = [np.zeros(TOTAL), np.zeros(TOTAL), single.reset()[0]]
    single.action_space.seed(0)
    ended = 0
    for _ in range(STEPS):
        assert np.array_equal(rows[0], np.concatenate(seen[:-4:-1]))
        assert np.array_equal(single.action_masks(), stacked.action_masks())
        action = np.array([single.action_space.sample()])
        alone = single.step(action)
        rows, _, over, infos = stacked.step(action)
        if over[0]:
            ended += 1
            last = alone[3][0]["terminal_observation"]
            assert np.array_equal(infos[0]["terminal_observation"], np.concatenate([last, *seen[:-3:-1]]))
            seen = [np.zeros(TOTAL), np.zeros(TOTAL)]
        seen.append(alone[0][0])
    assert ended > 1


def test_a_reset_forgets_what_was_seen_before() -> None:
    stacked: Any = RowVecEnv([make(True)], frames=2)
    stacked.reset()
    assert stacked.step(np.array([0]))[0][0, TOTAL:].any()
    assert not stacked.reset()[0, TOTAL:].any()


def test_the_library_reaches_the_environments() -> None:
    many = RowVecEnv([make(True), make(True)])
    many.reset()
    assert many.get_attr("week_seed", [1]) == [many.envs[1].get_wrapper_attr("week_seed")]
    assert many.env_is_wrapped(FlatActions) == [True, True]
    assert len(many.env_method("text")) == 2
    many.set_attr("week_seed", 7, 0)
    assert many.get_attr("week_seed", 0) == [7]
    many.close()


def test_a_row_is_in_its_space_and_masks_empty_slots() -> None:
    env = make(True)
    observation, _ = env.reset(seed=1)
    row = row_of(observation)
    assert row_space().contains(row)
    assert np.array_equal(masks_of(row[None], env.action_space)[0], env.get_wrapper_attr("action_masks")())
    check_env(env)
