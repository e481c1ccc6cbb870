from dataclasses import replace

import pytest

from proactivity_gym.sim.week import Plan, TaskRow, last_start
from tests.sim.tiny import plan_of


def plan_and_task(*hours: tuple[int, int]) -> tuple[Plan, TaskRow]:
    """Return the small plan with the opening hours of its first task's resource, and that task."""
    plan = plan_of()
    task = plan.tasks[0]
    spans = tuple(opens for opens, _ in hours), tuple(closes for _, closes in hours)
    rows = [replace(row, open=spans) if index == task.resource else row for index, row in enumerate(plan.resources)]
    return replace(plan, resources=tuple(rows)), task


@pytest.mark.parametrize(
    ("hours", "latest"),
    [
        (((0, 2880),), 620),  # open all the time: the work ends at the deadline
        (((500, 630),), 610),  # it must end before closing
        (((500, 560), (600, 610)), 540),  # the second opening is too short for it, so it must fit the first
        (((600, 610),), -1),  # no opening is long enough
        (((630, 700),), -1),  # too late
    ],
)
def test_the_last_start_lands_by_the_deadline_within_hours(hours: tuple[tuple[int, int], ...], latest: int) -> None:
    plan, task = plan_and_task(*hours)
    assert last_start(plan, 640, task, 20) == latest


def test_what_would_land_at_night_must_land_before() -> None:
    plan, task = plan_and_task((0, 2880))
    asleep, awake = plan.asleep
    night = next(index for index, start in enumerate(asleep) if start > 0)
    middle = (asleep[night] + awake[night]) // 2
    assert last_start(plan, middle, task, 20) == asleep[night] - 1 - 20
