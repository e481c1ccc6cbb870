"""Decision windows: what was done in them, and what temporal allocation is worth.

A window runs from the moment both of its tasks are known to the last start at which the urgent one, taken NOW, still lands by
its deadline. It is won when the urgent task's first attempt is NOW, inside the window and before any other NOW job on the
scarce thing, and the other task was explicitly put off to a start after the window and nothing of it started earlier.
"""

from dataclasses import dataclass

from proactivity_gym.sim.trace import Row
from proactivity_gym.sim.week import Week, WindowRow
from proactivity_gym.sim.words import Timing

_NOW = Timing.NOW


@dataclass(slots=True)
class WindowCase:
    """One decision window."""

    row: WindowRow
    resource: int
    """What the urgent task needs: the scarce thing that no other NOW job may take before it."""
    end: int
    counts: bool
    """Whether it lies on the reference path: it is paid."""
    real: bool
    """Whether there is something to do in both tasks."""
    now: bool | None = None
    """Whether the urgent task was taken right; None: not taken yet."""
    spoiled: bool = False
    decided: bool = False
    early: bool = False
    quality: float = 0.0
    """Continuation quality: 1, 0.5 or 0."""

    @property
    def later(self) -> bool:
        """Whether the other task was explicitly deferred."""
        return self.decided and not self.early

    @property
    def hit(self) -> bool:
        """Whether both decisions were right."""
        return bool(self.now) and self.later


class WindowTally:
    """The windows of an episode so far."""

    __slots__ = ("_attempts", "_by_later", "_by_task", "_closed", "_competed", "_paid", "cases", "settled", "stale", "unknown")

    def __init__(self, week: Week) -> None:
        """Start with nothing known."""
        plan, noop = week.plan, week.task_noop
        self.cases = [
            WindowCase(
                row=row,
                resource=plan.tasks[row.urgent].resource,
                end=week.window_end(index),
                counts=index in week.reference_windows,
                real=not noop[row.urgent] and not noop[row.later],
            )
            for index, row in enumerate(plan.windows)
        ]
        self._by_later = {case.row.later: case for case in self.cases}
        self._by_task: dict[int, list[WindowCase]] = {}
        for case in self.cases:
            for task in (case.row.urgent, case.row.later):
                self._by_task.setdefault(task, []).append(case)
        self.unknown = set(self._by_task)
        """Tasks of windows of which no signal was shown yet."""
        self._closed: set[int] = set()
        self._paid = len(week.reference_windows)
        self._attempts = max(1, week.reference_attempts)
        self._competed: set[int] = set()
        """Jobs that competed and are not excused."""
        self.settled: list[WindowCase] = []
        self.stale = True
        """Whether what is settled, or how, changed since somebody set this to False."""

    def known(self, task: int) -> None:
        """Take note that a signal of an unknown task was shown."""
        self.unknown.discard(task)
        self._settle(task)

    def deferred(self, task: int, minute: int, start: int) -> None:
        """Take note that a task was put off, at a minute, to a start."""
        case = self._by_later.get(task)
        if case is not None and minute <= case.end <= start:
            case.decided = self.stale = True

    def attempted(self, row: Row) -> None:
        """Take note of an attempt, a row of the trace."""
        minute, _, _, _, task, _, timing, _, _, start, _ = row
        self.deferred(task, minute, start)
        for case in self.cases:
            if case.now is None and (timing == _NOW or case.row.urgent == task):
                self._consider(case, row)

    def _consider(self, case: WindowCase, row: Row) -> None:
        minute, _, _, _, task, _, timing, _, first, _, resource = row
        running = self.unknown.isdisjoint((case.row.urgent, case.row.later))
        if case.row.urgent == task:
            case.now = timing == _NOW and running and first and minute <= case.end and not case.spoiled
            self.stale = True
        elif timing == _NOW and running and case.resource == resource:
            case.spoiled = True

    def started(self, task: int, minute: int) -> None:
        """Take note that work on a task started."""
        case = self._by_later.get(task)
        if case is not None and minute < case.end:
            case.early = self.stale = True

    def done(self, task: int, job: int, late: bool) -> None:
        """Take note that an attempt on a task got to where TC scores it."""
        case = self._by_later.get(task)
        if case is not None:
            case.quality = max(case.quality, 0.5 if late or job in self._competed else 1.0)
            self.stale = True

    def compete(self, job: int) -> None:
        """Take note that a job, not excused, competed."""
        self._competed.add(job)
        self.stale = True

    def closed(self, task: int) -> None:
        """Take note that a task closed."""
        self._closed.add(task)
        self._settle(task)

    def _settle(self, task: int) -> None:
        """Settle the windows of a task whose tasks are both known and whose later one is closed."""
        for case in self._by_task.get(task, ()):
            pair = case.row.urgent, case.row.later
            if case.real and self.unknown.isdisjoint(pair) and case.row.later in self._closed and case not in self.settled:
                self.settled.append(case)
                self.stale = True

    def paid(self) -> float | None:
        """Return S_TA in [0, 1]: now x later x CQ over the reference path's windows, less for jobs that competed."""
        if not self._paid:
            return None
        won = 0.0
        for case in self.settled:
            if case.counts and case.hit:
                won += case.quality
        q = min(1.0, len(self._competed) / self._attempts)
        return won / self._paid * (1 - q / 2)
