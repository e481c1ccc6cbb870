"""The observation tells what is expected, by several columns together and not without delegation (design, section 6)."""

from itertools import combinations

import numpy as np
import pytest

from proactivity_gym.envs.layout import WIDTH
from tests.conformance.drivers import SCENARIOS
from tests.conformance.observing import DELEGATION, Sample, accuracy, arrivals, sample, told_apart

TRAIN, TEST = 30, 15
"""Weeks of each persona."""
ENOUGH, PAIR_AT_MOST, BLIND_BELOW = 0.90, 0.75, 0.60
SHORTCUT_BELOW = 0.85
"""Area under the curve of a classifier that tells needs from noise and NOOP cases before anything was read."""


@pytest.fixture(scope="module", params=SCENARIOS)
def samples(request: pytest.FixtureRequest) -> tuple[Sample, Sample]:
    return sample(request.param, "train", TRAIN), sample(request.param, "test", TEST)


def test_there_are_cases_of_every_depth(samples: tuple[Sample, Sample]) -> None:
    for one in samples:
        assert set(one.depths.tolist()) == {1, 2, 3}
        assert len(one.tasks) >= 7


def test_a_signal_s_row_suffices_to_decide_it(samples: tuple[Sample, Sample]) -> None:
    assert accuracy(*samples, list(range(WIDTH))) >= ENOUGH


def test_no_two_columns_suffice(samples: tuple[Sample, Sample]) -> None:
    rows = samples[0].rows
    informative = [i for i in range(WIDTH) if len(np.unique(rows[:, i])) > 1]
    distinct = list({rows[:, i].tobytes(): i for i in informative}.values())
    best = max((accuracy(*samples, [one, other]), one, other) for one, other in combinations(distinct, 2))
    assert best[0] <= PAIR_AT_MOST


def test_without_delegation_it_cannot_be_told(samples: tuple[Sample, Sample]) -> None:
    assert accuracy(*samples, [i for i in range(WIDTH) if i not in DELEGATION]) < BLIND_BELOW


def test_a_signal_alone_does_not_tell_whether_something_should_be_done() -> None:
    """One linear classifier for the whole catalogue, fitted on weeks of `train`, judged on weeks of `test`."""
    assert 0.5 < told_apart(arrivals("train", 6), arrivals("test", 6)) < SHORTCUT_BELOW
