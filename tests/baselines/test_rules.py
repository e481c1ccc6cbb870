from collections.abc import Mapping

import numpy as np
import pytest

from proactivity_gym.baselines import policy
from proactivity_gym.baselines.policy import WAIT
from proactivity_gym.baselines.rules import Rules
from proactivity_gym.envs.layout import COLUMN, SHAPES, WIDTH
from proactivity_gym.sim.words import Depth, Timing
from tests.conformance.bounds import earned
from tests.conformance.drivers import SINGLE, bare

READ: dict[str, float] = {
    "present": 1,
    "status is fresh": 1,
    "share of linked records read": 1,
    "records linked / 8": 0.25,
    "fits before the stated deadline if IDLE": 1,
    "fits before the stated deadline if SLEEP": 1,
    "facts out, as read": 1,
    "class is commit": 1,
    "delegation: last stated: suggest": 1,
}
"""A matter that needs something done, read, with time to spare."""
CASES: dict[str, tuple[dict[str, float], tuple[int, int, int]]] = {
    "what is needed is offered in the next gap": ({}, (1, Depth.SUGGEST, Timing.IDLE)),
    "what is settled is dropped": ({"already resolved, as read": 1}, (1, Depth.NOOP, Timing.NOW)),
    "what is unread is put back": ({"share of linked records read": 0}, (1, Depth.NOOP, Timing.IDLE)),
    "what is asked for is not put back": (
        {"share of linked records read": 0, "asked for": 1},
        (1, Depth.SUGGEST, Timing.IDLE),
    ),
    "what cannot wait is taken now": (
        {"a deadline is stated": 1, "fits before the stated deadline if IDLE": 0},
        (1, Depth.SUGGEST, Timing.NOW),
    ),
    "what fits only at night waits for it": ({"fits before the stated deadline if IDLE": 0}, (1, Depth.SUGGEST, Timing.SLEEP)),
    "what may be done is done": ({"delegation: last stated: execute": 1}, (1, Depth.EXECUTE, Timing.IDLE)),
    "what is above the limit is offered": (
        {"delegation: last stated: execute": 1, "an amount is at stake": 1, "amount / stated limit / 2": 0.9},
        (1, Depth.SUGGEST, Timing.IDLE),
    ),
    "what is to be prepared is": ({"delegation: last stated: prepare": 1}, (1, Depth.PREPARE, Timing.IDLE)),
    "a finished job is left alone": ({"status is fresh": 0, "status is drafted": 1}, WAIT),
}


def observation(changes: Mapping[str, float]) -> policy.Observation:
    """Return an observation whose first slot holds a signal."""
    made = {name: np.zeros(length, np.float32) for name, length in SHAPES.items()}
    for name, number in {**READ, **changes}.items():
        made["signals"].reshape(16, WIDTH)[0, COLUMN[name]] = number
    return made


@pytest.mark.parametrize("case", CASES)
def test_a_rule_of_thumb(case: str) -> None:
    changes, wanted = CASES[case]
    assert Rules().act(observation(changes), {}) == wanted


def test_it_waits_when_nothing_is_open() -> None:
    assert Rules().act({name: np.zeros(length, np.float32) for name, length in SHAPES.items()}, {}) == WAIT


@pytest.mark.parametrize("env_id", SINGLE)
def test_it_earns_more_than_any_trivial_policy_and_less_than_the_oracle(env_id: str) -> None:
    mine = earned(env_id, "rules", 3).mean("J") or 0.0
    for name in ("noop", "dismiss", "prepare", "suggest", "execute", "spam", "defer", "random"):
        assert mine > (earned(env_id, name, 3).mean("J") or 0.0)
    assert mine < 1.0


def test_it_sees_observations_and_nothing_else() -> None:
    env = bare(SINGLE[0])
    seen, info = env.reset(seed=0)
    player = policy.make("rules", env)
    player.reset(seen, info, 0, env.read)
    assert player.act(seen, {}) == Rules().act(seen, {})
