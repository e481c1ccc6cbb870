from typing import Any, cast

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.wrappers import FlattenObservation

from proactivity_gym.wrappers import FlatActions
from proactivity_gym.wrappers.flat_actions import ACTIONS, flatten, unflatten
from tests.wrappers.worlds import EDUCATION, WAIT, tiny


def test_numbers_by_hand() -> None:
    assert ACTIONS == 257
    assert flatten(0, 3, 3) == 0
    assert flatten(1, 0, 0) == 1
    assert flatten(2, 2, 1) == 1 + 16 + 8 + 1
    assert flatten(16, 3, 3) == 256


def test_every_number_is_another_action() -> None:
    actions = [tuple(cast("Any", unflatten(number)).tolist()) for number in range(ACTIONS)]
    assert len(set(actions)) == ACTIONS
    assert actions[0] == WAIT
    assert [flatten(*action) for action in actions] == list(range(ACTIONS))


@pytest.mark.parametrize("action", [26, 26.0, np.int64(26), np.uint8(26), np.array(26), np.array([26])])
def test_every_form_of_a_number_is_understood(action: object) -> None:
    assert cast("Any", unflatten(action)).tolist() == [2, 2, 1]


@pytest.mark.parametrize(
    "action", [-1, 257, 1.5, True, None, "26", [26], np.array([1, 2, 3]), float("nan"), float("inf"), np.array([])]
)
def test_what_is_no_number_of_the_space_counts_as_waiting(action: object) -> None:
    assert unflatten(action) is None
    env, other = FlatActions(tiny()), tiny()
    env.reset(seed=0)
    other.reset(seed=0)
    observation, _, _, _, info = env.step(action)
    assert info["action_error"] == "malformed-action"
    assert all(np.array_equal(observation[key], value) for key, value in other.step(WAIT)[0].items())


def test_it_does_what_the_three_numbers_do() -> None:
    env, other = FlatActions(gym.make(EDUCATION)), gym.make(EDUCATION)
    generator = np.random.default_rng(3)
    env.reset(seed=1)
    other.reset(seed=1)
    over = False
    while not over:
        number = int(generator.choice(np.flatnonzero(env.action_masks())))
        left, right = env.step(number), other.step(unflatten(number))
        over = left[2]
        assert left[1:] == right[1:]


def test_masks_leave_out_empty_slots_alone() -> None:
    env = FlatActions(tiny())
    env.reset(seed=0)
    assert np.flatnonzero(env.action_masks()).tolist() == [0]
    env.step(0)
    masks = env.action_masks()
    assert masks.dtype == np.bool_
    assert np.flatnonzero(masks).tolist() == list(range(17))
    inner = env.env.get_wrapper_attr("action_masks")()
    assert all(masks[flatten(t, d, m)] == inner[t] for t in range(1, 17) for d in range(4) for m in range(4))


def test_actions_of_another_kind_are_refused() -> None:
    with pytest.raises(ValueError, match="wrap with it once"):
        FlatActions(FlatActions(tiny()))


def test_dqn_learns_on_flat_observations() -> None:
    from stable_baselines3 import DQN

    env = FlattenObservation(FlatActions(gym.make(EDUCATION)))
    model: Any = DQN("MlpPolicy", env, learning_starts=20, buffer_size=200, device="cpu", seed=0)
    model.learn(60)
    action, _ = model.predict(env.reset(seed=0)[0])
    assert env.action_space.contains(action.item())
    assert env.step(action)[4]["action_error"] is None or int(action) > 0


def test_maskable_ppo_meets_no_empty_slot() -> None:
    from sb3_contrib import MaskablePPO

    env = FlatActions(gym.make(EDUCATION))
    model: Any = MaskablePPO("MultiInputPolicy", env, n_steps=32, batch_size=16, n_epochs=1, device="cpu", seed=0)
    model.learn(32)
    observation, _ = env.reset(seed=0)
    for _ in range(40):
        action, _ = model.predict(observation, action_masks=env.action_masks())
        observation, _, over, _, info = env.step(action)
        assert info["action_error"] != "empty-slot"
        if over:
            break
