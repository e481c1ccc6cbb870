from typing import Any

import gymnasium as gym
import pytest

from proactivity_gym.baselines import policy
from proactivity_gym.baselines.policy import WAIT, Action
from tests.conformance.drivers import IDS, bare
from tests.sim.tiny import PATH as TINY


def test_the_policies_are_those_of_the_documentation() -> None:
    assert policy.names() == sorted(
        ["noop", "dismiss", "prepare", "suggest", "execute", "spam", "defer", "random", "rules", "oracle"]
    )


def test_a_name_that_is_none_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"'nobody': choose one of defer, dismiss, .*suggest"):
        policy.make("nobody", bare(IDS[0]))


@pytest.mark.parametrize("name", policy.names())
def test_a_policy_plays_legal_actions_through_wrappers_and_again_the_same(name: str) -> None:
    env = gym.make("ProactivityGym/Mixed-v0", variation="train", scenario=str(TINY), persona="A")
    player = policy.make(name, env)
    assert policy.play(player, env, 3) == policy.play(player, env, 3) == policy.play(policy.make(name, env), env, 3)


@pytest.mark.parametrize("name", policy.names())
def test_a_policy_is_never_refused(name: str) -> None:
    env = bare(IDS[0])
    player = policy.make(name, env)
    observation, info = env.reset(seed=1)
    player.reset(observation, info, 1, env.read)
    over, codes = False, list[Any]()
    while not over:
        action = player.act(observation, info)
        assert action in env.action_space or env.action_space.contains(list(action)) or len(action) == 3
        observation, _, over, _, info = env.step(action)
        codes.append(info["action_error"])
    assert set(codes) <= {None, "no-such-time", "job-in-progress", "no-attempts-left"}


class Recorder:
    """Waits and keeps what it is given."""

    def __init__(self) -> None:
        self.started: list[tuple[int, Any]] = []

    def reset(self, observation: policy.Observation, info: Any, seed: int, read: policy.Read) -> None:  # noqa: ANN401
        """Start an episode."""
        self.started.append((seed, read("mail.search", {"query": ""})))

    def act(self, observation: policy.Observation, info: Any) -> Action:  # noqa: ANN401
        """Wait."""
        return WAIT


def test_a_policy_of_one_s_own_gets_the_seed_and_a_way_to_read() -> None:
    env = bare(IDS[0])
    player = Recorder()
    paid, info = policy.play(player, env, 5)
    assert paid == info["terms"]["J"] == 0.0
    assert player.started[0][0] == 5
    assert isinstance(player.started[0][1], dict)
