"""B13: each declared mode gives what it declares, twice the same, and changes nothing."""

import copy
from itertools import islice
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from proactivity_gym.envs import render
from proactivity_gym.envs.env import ProactivityEnv
from tests.conformance.drivers import ROTATED, bare, digest, episode, likely_actions

MODES = ProactivityEnv.metadata["render_modes"]


def played(scenario: str, persona: str, mode: str | None) -> ProactivityEnv:
    """Return an environment in the middle of a week."""
    env = ProactivityEnv(scenario, persona, render_mode=mode)
    env.reset(seed=1)
    for action in islice(likely_actions(1), 30):
        if env.step(action)[2]:
            env.reset(seed=1)
    return env


def test_the_modes_are_those_that_are_declared() -> None:
    assert tuple(MODES) == render.MODES


@pytest.mark.parametrize(("scenario", "persona"), ROTATED)
@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_a_mode_gives_the_same_twice_and_changes_nothing(scenario: str, persona: str, mode: str) -> None:
    env = played(scenario, persona, mode)
    before = copy.deepcopy(env)
    pictures: list[Any] = [env.render(), env.render(), before.render()]
    if mode == "ansi":
        assert all(isinstance(picture, str) and picture.strip() for picture in pictures)
        assert len(set(pictures)) == 1
    else:
        assert all(picture.dtype == np.uint8 and picture.ndim == 3 and picture.shape[2] == 3 for picture in pictures)
        assert all(np.array_equal(picture, pictures[0]) for picture in pictures)
    assert env.np_random.bit_generator.state == before.np_random.bit_generator.state
    assert digest(episode(env, None, likely_actions(2))) == digest(episode(before, None, likely_actions(2)))


def test_human_mode_prints_at_every_reset_and_step_and_returns_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    env = ProactivityEnv(*ROTATED[0], render_mode="human")
    env.reset(seed=0)
    first = capsys.readouterr().out
    env.step((0, 0, 0))
    second = capsys.readouterr().out
    assert first.strip()
    assert second.strip()
    assert first != second
    assert env.render() is None


def test_a_picture_changes_as_the_week_goes_on() -> None:
    env = ProactivityEnv(*ROTATED[0], render_mode="rgb_array")
    env.reset(seed=0)
    first = env.render()
    assert list(islice(episode(env, 0, likely_actions(0)), 1))
    assert not np.array_equal(first, env.render())


@pytest.mark.parametrize("mode", ["rgb", "svg", "", "ANSI"])
def test_a_mode_that_is_not_declared_is_refused_when_making(mode: str) -> None:
    with pytest.raises(ValueError, match="render_mode"):
        ProactivityEnv(*ROTATED[0], render_mode=mode)


def test_rendering_without_a_mode_says_what_to_do() -> None:
    env = bare("ProactivityGym/Mixed-v0")
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


def test_gymnasium_s_wrappers_take_the_pictures() -> None:
    env: Any = gym.make("ProactivityGym/Mixed-v0", render_mode="rgb_array")
    env.reset(seed=0)
    assert env.render().shape[2] == 3
