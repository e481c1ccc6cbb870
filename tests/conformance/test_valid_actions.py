"""D2, B04, B38: whatever is drawn from the action space, every step is in order."""

import pytest

from proactivity_gym.baselines.policy import Action
from tests.conformance.drivers import IDS
from tests.conformance.fuzzing import fault_of_info, fuzz, shrink

SEEDS = 20
STEPS = 100_000 // (SEEDS * len(IDS)) + 1


@pytest.mark.parametrize(("number", "env_id"), list(enumerate(IDS)))
def test_no_drawn_action_breaks_anything(number: int, env_id: str) -> None:
    variation = ("test", "train", "written")[number % 3]
    user = ("deterministic", "stochastic")[number % 2]
    worker = ("reference", "imperfect:0.4")[number % 4 == 1]
    assert fuzz(env_id, SEEDS, STEPS, variation=variation, user=user, worker=worker) == SEEDS * STEPS


def test_the_shortest_culprit_is_found() -> None:
    actions: list[Action] = [(1, 1, 1), (2, 2, 2), (3, 3, 3)]
    assert shrink(actions, lambda tried: (2, 2, 2) in tried) == [(0, 0, 0), (2, 2, 2), (0, 0, 0)]


def test_a_fault_is_seen() -> None:
    assert fault_of_info({"terms": {}, "action_error": None}) is not None
