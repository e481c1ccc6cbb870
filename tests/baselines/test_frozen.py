"""One choice is the rules', the others stay the policy's."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from proactivity_gym.baselines import frozen, policy
from proactivity_gym.baselines.policy import WAIT, Action, Observation, Read
from proactivity_gym.baselines.rules import Rules
from proactivity_gym.baselines.slot_actor import Array
from proactivity_gym.sim.words import Depth, Timing
from proactivity_gym.wrappers.flat_actions import flatten
from tests.baselines.test_rules import observation
from tests.baselines.zoos import ENV_ID, entry, opened
from tests.cli.pgym import pgym, refused, rows_of

SUGGEST_IDLE = observation({})
"""On its one signal, in slot 1, the rules suggest at the next idle moment."""


class Says:
    """Always says the same, and ranks one action highest."""

    def __init__(self, action: Action) -> None:
        self.action, self.begun = action, 0

    def reset(self, observation: Observation, info: Mapping[str, Any], seed: int, read: Read) -> None:
        self.begun += 1

    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        return self.action

    def logits(self, observation: Observation) -> Array:
        found = np.zeros(257, np.float32)
        found[flatten(*self.action)] = 1
        return found


def acts(choice: str, says: Action, seen: Observation = SUGGEST_IDLE) -> Action:
    return frozen.freeze(choice, Says(says)).act(seen, {})


@pytest.mark.parametrize("choice", ["depth", "timing"])
@pytest.mark.parametrize("says", [WAIT, (1, Depth.NOOP, Timing.NOW), (9, Depth.EXECUTE, Timing.SLEEP)])
def test_waiting_dismissing_and_empty_slots_stay(choice: str, says: Action) -> None:
    assert acts(choice, says) == says


def test_depth_is_the_rules_where_something_is_taken_up() -> None:
    assert acts("depth", (1, Depth.EXECUTE, Timing.SLEEP)) == (1, Depth.SUGGEST, Timing.SLEEP)
    prepare = observation({"delegation: last stated: prepare": 1})
    assert acts("depth", (1, Depth.EXECUTE, Timing.NOW), prepare) == (1, Depth.PREPARE, Timing.NOW)
    assert acts("depth", (1, Depth.NOOP, Timing.SLEEP)) == (1, Depth.NOOP, Timing.SLEEP)


def test_depth_is_told_of_what_the_rules_would_leave() -> None:
    settled = observation({"already resolved, as read": 1})
    assert acts("depth", (1, Depth.EXECUTE, Timing.NOW), settled) == (1, Depth.SUGGEST, Timing.NOW)


def test_timing_is_the_rules() -> None:
    assert acts("timing", (1, Depth.EXECUTE, Timing.SLEEP)) == (1, Depth.EXECUTE, Timing.IDLE)
    urgent = observation({"a deadline is stated": 1, "fits before the stated deadline if IDLE": 0})
    assert acts("timing", (1, Depth.EXECUTE, Timing.SLEEP), urgent) == (1, Depth.EXECUTE, Timing.NOW)
    assert acts("timing", (1, Depth.NOOP, Timing.DUE)) == (1, Depth.NOOP, Timing.IDLE)


def test_targets_are_the_rules() -> None:
    assert acts("targets", (1, Depth.EXECUTE, Timing.SLEEP)) == (1, Depth.EXECUTE, Timing.SLEEP)
    preferred_elsewhere = acts("targets", (2, Depth.EXECUTE, Timing.SLEEP))
    assert preferred_elsewhere == (1, Depth.PREPARE, Timing.NOW), "all alike: the first pair"
    settled = observation({"already resolved, as read": 1})
    assert acts("targets", (1, Depth.EXECUTE, Timing.SLEEP), settled) == (1, Depth.NOOP, Timing.NOW)
    drafted = observation({"status is fresh": 0, "status is drafted": 1})
    assert acts("targets", (1, Depth.EXECUTE, Timing.SLEEP), drafted) == WAIT


def test_an_episode_starts_for_the_policy_too() -> None:
    says = Says(WAIT)
    frozen.freeze("depth", says).reset(SUGGEST_IDLE, {}, 0, lambda _tool, _arguments: {})
    assert says.begun == 1


@pytest.mark.parametrize("choice", ["depth", "timing"])
def test_the_rules_with_the_rules_choice_are_the_rules(choice: str) -> None:
    env = gym.make(ENV_ID, variation="test")
    made = policy.make(f"frozen:{choice}:rules", env)
    assert [policy.play(made, env, seed) for seed in range(3)] == [policy.play(Rules(), env, seed) for seed in range(3)]


def test_names_that_are_none_are_refused() -> None:
    env = gym.make(ENV_ID)
    for name, said in (
        ("frozen:mood:rules", "one of depth, timing, targets"),
        ("frozen:depth", "write frozen:CHOICE:POLICY"),
        ("frozen:targets:rules", "only a model of the zoo"),
        ("frozen:depth:nobody", "no policy is called 'nobody'"),
    ):
        with pytest.raises(ValueError, match=said):
            policy.make(name, env)
        assert said.removeprefix("no policy is called ") in refused(pgym("run", "--policy", name, "--ids", ENV_ID))


def test_pgym_run_plays_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(tmp_path, monkeypatch, Some=entry())
    names = [f"frozen:{choice}:zoo:Some" for choice in frozen.CHOICES]
    named = [part for name in names for part in ("--policy", name)]
    rows = rows_of(pgym("run", *named, "--ids", ENV_ID, "--seeds", "0", "--json").stdout)
    assert [(row["policy"], row["status"]) for row in rows] == [(name, "completed") for name in names]
