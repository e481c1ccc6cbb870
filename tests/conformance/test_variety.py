"""Varied weeks differ in structure, not in numbers alone: what comes up, what is settled, what is scarce."""

from functools import cache

import pytest

from proactivity_gym.reports.balance import depths
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.week import Week
from tests.conformance.drivers import CASES

SEEDS = 400
EACH, ALL = 50, 10_000
"""Kinds of weeks asked of each id, and of all of them together."""


@cache
def kinds(scenario: str, persona: str) -> tuple[int, int]:
    """Return of how many kinds the weeks of an id are: by tasks, settlement and windows, and by depths and own use too."""
    weeks = [catalogue.week(scenario, persona, "train", seed) for seed in range(SEEDS)]
    return len({_tasks(week) for week in weeks}), len({(_tasks(week), _scarce(week)) for week in weeks})


def _tasks(week: Week) -> tuple[object, ...]:
    return week.reference_tasks, tuple(week.task_noop), week.reference_windows


def _scarce(week: Week) -> tuple[object, ...]:
    uses = tuple((row.resource, row.units, row.start, row.end) for row in week.usages)
    return uses, tuple(depths(week).values()), tuple(week.signal_amount)


@pytest.mark.parametrize(("scenario", "persona"), CASES)
def test_an_id_has_fifty_kinds_of_weeks(scenario: str, persona: str) -> None:
    assert kinds(scenario, persona)[0] >= EACH


def test_all_ids_have_ten_thousand() -> None:
    assert sum(kinds(*case)[1] for case in CASES) >= ALL
