"""D1 and rows B04, B05, B08, B11, B12 of the reliability table: every id keeps the contract of Gymnasium and its users."""

import copy
import math
import warnings
from itertools import islice
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common import env_checker as sb3

from proactivity_gym.envs.layout import SHAPES
from proactivity_gym.sim.interventions import EMPTY_SLOT, ERRORS
from proactivity_gym.sim.scoring import TERMS
from tests.conformance.drivers import IDS, ROTATED, SINGLE, bare, likely_actions, random_actions, steps

TAKEN_BY_OTHERS = {"episode", "final_obs", "final_info", "terminal_observation", "TimeLimit.truncated"}


@pytest.mark.parametrize("env_id", IDS)
def test_gymnasium_finds_nothing_to_complain_about(env_id: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(bare(env_id), skip_render_check=True)


@pytest.mark.parametrize("env_id", IDS)
def test_stable_baselines3_finds_nothing_to_complain_about(env_id: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sb3.check_env(bare(env_id), warn=True, skip_render_check=True)


def test_the_observation_has_only_parts_that_every_algorithm_takes() -> None:
    for env_id in IDS:
        space = bare(env_id).observation_space
        assert isinstance(space, spaces.Dict)
        assert {type(space[name]) for name in SHAPES} == {spaces.Box}
        assert {part.dtype for part in space.sample().values()} == {np.dtype(np.float32)}
        assert set(space) == set(SHAPES)


@pytest.mark.parametrize("env_id", IDS)
def test_info_has_the_same_keys_at_every_step_and_none_that_wrappers_use(env_id: str) -> None:
    env = bare(env_id, variation="test")
    _, info = env.reset(seed=4)
    keys = set(info)
    assert keys == {"terms", "action_error"}
    assert not keys & TAKEN_BY_OTHERS
    assert not any(key.startswith("_") for key in keys)
    for *_, told in steps(env, random_actions(4)):
        assert set(told) == keys
        assert set(told["terms"]) == set(TERMS)
        assert told["action_error"] is None or told["action_error"] in ERRORS


@pytest.mark.parametrize("env_id", IDS)
def test_the_week_ends_as_terminated_and_never_as_truncated(env_id: str) -> None:
    env = gym.make(env_id)
    assert env.spec is not None
    assert env.spec.max_episode_steps is None
    env.reset(seed=0)
    played = list(steps(env, iter(lambda: (0, 0, 0), None)))
    assert [transition[2] for transition in played] == [False] * (len(played) - 1) + [True]
    assert not any(transition[3] for transition in played)
    assert played[-1][0]["clock"][4] == 1.0, "the last observation is of the last minute"
    with pytest.raises(gym.error.ResetNeeded):
        env.step((0, 0, 0))


@pytest.mark.parametrize("env_id", IDS)
def test_observations_at_both_ends_of_an_episode_lie_in_their_space(env_id: str) -> None:
    env = bare(env_id, variation="train")
    first, _ = env.reset(seed=1)
    last = list(steps(env, likely_actions(1)))[-1][0]
    for observation in (first, last):
        assert observation in env.observation_space
        assert all(math.isfinite(number) for part in observation.values() for number in part.tolist())


@pytest.mark.parametrize("env_id", SINGLE)
def test_the_mask_is_reachable_through_wrappers_and_is_brute_force_truth(env_id: str) -> None:
    class Own(gym.ObservationWrapper[object, Any, object]):
        def observation(self, observation: object) -> object:
            return observation

    env = Own(gym.make(env_id))
    env.reset(seed=0)
    for action in islice(likely_actions(7), 12):
        masks = env.get_wrapper_attr("action_masks")()
        assert masks.shape == (17 + 4 + 4,)
        assert masks.dtype == np.bool_
        assert masks[0]
        assert masks[17:].all()
        tried = [copy.deepcopy(env.unwrapped).step((target, 0, 0))[4]["action_error"] for target in range(17)]
        assert [error != EMPTY_SLOT for error in tried] == masks[:17].tolist()
        env.step(action)


@pytest.mark.parametrize(("scenario", "persona"), ROTATED)
def test_text_is_told_only_if_asked_for(scenario: str, persona: str) -> None:
    env = bare(f"ProactivityGym/{scenario}-Persona{persona}-v0", text=True)
    _, info = env.reset(seed=0)
    assert info["text"] == env.text()
    assert env.step((0, 0, 0))[4]["text"] == env.text()
