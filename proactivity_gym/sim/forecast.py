"""What can be foreseen of the resources: the user's own use as stated, and when work would fit in beside it.

Weeks differ in when the user's uses really end, never in what is stated of them: one forecast serves all weeks of a plan.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from proactivity_gym.sim.timeline import NEVER, Spans, Use, free_spans, inside, last_in, overlap, rest, starts_for


class When(IntEnum):
    """When work may be done."""

    FREE = 0
    """It starts while the user is free."""
    ASLEEP = 1
    """All of it lies inside one sleep."""
    ANY_TIME = 2


_FREE, _ASLEEP = When.FREE, When.ASLEEP


@dataclass(frozen=True, slots=True)
class ResourceRow:
    """The unchanging part of a resource."""

    id: str
    capacity: int
    stock: bool
    preemptible: bool
    resets: tuple[int, ...]
    open: Spans


class Forecast:
    """The resources of a plan as stated beforehand."""

    __slots__ = ("_asleep", "_chances", "_free", "_horizon", "_rows", "_starts", "_steps", "changes", "uses")

    def __init__(
        self, rows: Sequence[ResourceRow], uses: Sequence[list[Use]], free: Spans, asleep: Spans, horizon: int
    ) -> None:
        """Take the resources, the stated uses of each, and when the user is free and when asleep, until the horizon."""
        self._rows = rows
        self._free, self._asleep, self._horizon = free, asleep, horizon
        self.uses = uses
        """Stated uses of each resource."""
        self.changes = sorted(
            {minute for stated in uses for start, end, _ in stated for minute in (start, end)}
            | {minute for row in rows for minutes in row.open for minute in minutes}
            | {NEVER}
        )
        """Minutes at which what is foreseen to be free of any resource changes."""
        self._steps = [_steps(stated) for stated in uses]
        self._starts: dict[tuple[int, int, int, int], Spans] = {}
        self._chances: dict[tuple[int, int, int, int], tuple[int, int]] = {}

    def free_at(self, resource: int, minute: int) -> int:
        """Return the units of a resource that are foreseen to be free at a minute (none after the week)."""
        row = self._rows[resource]
        if minute >= self._horizon or not inside(row.open, minute):
            return 0
        minutes, levels = self._steps[resource]
        return max(0, row.capacity - levels[bisect_right(minutes, minute)])

    def starts(self, resource: int, demand: int, work_min: int, when: When) -> Spans:
        """Return the minutes at which work can start, the agent's own jobs left aside.

        Args:
            resource: index of the resource it takes.
            demand: units it takes.
            work_min: minutes it lasts; the whole of it must find the resource free.
            when: when it may be done.
        """
        key = (resource, demand, work_min, when)
        spans = self._starts.get(key)
        if spans is None:
            spans = self._starts[key] = self.starts_beside(self.uses[resource], resource, (demand, work_min, when))
        return spans

    def last_chance(self, resource: int, demand: int, work_min: int, by: int) -> tuple[int, int]:
        """Return the last starts, while the user is free and while they sleep, of work that lands by a deadline (-1: none).

        It lands at a free moment; without a deadline the end of the week takes its place. The rest is as in `starts`.
        """
        key = (resource, demand, work_min, by)
        found = self._chances.get(key)
        if found is None:
            landing = last_in(self._free, min(by, self._horizon - 1)) - work_min
            idle = last_in(self.starts(resource, demand, work_min, _FREE), landing)
            found = self._chances[key] = idle, last_in(self.starts(resource, demand, work_min, _ASLEEP), landing)
        return found

    def starts_beside(self, uses: list[Use], resource: int, job: tuple[int, int, When], now: int = 0) -> Spans:
        """Return the minutes from now on at which a job (demand, minutes of work, when) can start beside the given uses."""
        demand, work_min, when = job
        row = self._rows[resource]
        coming = [use for use in uses if use[1] > now]
        room = overlap(free_spans(coming, row.capacity - demand, self._horizon), rest(row.open, now))
        if when == _ASLEEP:
            return starts_for(overlap(room, rest(self._asleep, now)), work_min)
        starts = starts_for(room, work_min)
        return overlap(starts, rest(self._free, now)) if when == _FREE else starts


def _steps(uses: list[Use]) -> tuple[list[int], list[int]]:
    """Return the minutes at which the units taken change, and the units before each and after the last."""
    changes = sorted([(start, units) for start, _, units in uses] + [(end, -units) for _, end, units in uses])
    levels = [0]
    for _, units in changes:
        levels.append(levels[-1] + units)
    return [minute for minute, _ in changes], levels
