"""The tables of a week: what never differs between variations (Plan) and what does (Week).

Everything refers to everything by index. Minutes are since midnight of day 0; a missing instant is NEVER.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from proactivity_gym.sim.clock import Clock
from proactivity_gym.sim.delegation import Statement
from proactivity_gym.sim.difficulty import STANDARD, Level
from proactivity_gym.sim.forecast import Forecast, ResourceRow
from proactivity_gym.sim.schedule import Event
from proactivity_gym.sim.timeline import NEVER, Spans
from proactivity_gym.sim.words import ActionClass, Outcome, Phase, RecordStatus, Trigger

if TYPE_CHECKING:
    from proactivity_gym.sim.scenario import Persona, Scenario

NO_TASK = -1

REVIEW_SPAN_MIN = 2880
"""How far a daily review looks back and ahead."""

Amounts = tuple[str | int | float, ...]
"""Sums of money to be added up; a text is the placeholder of a drawn one."""

Requirement = tuple[int, frozenset[Outcome], bool]
"""Task, outcomes, and whether they are required (True) or excluded (False)."""


@dataclass(frozen=True, slots=True)
class SignalRow:
    """The unchanging part of a signal."""

    record: int
    task: int
    """Index of its task, or NO_TASK: noise."""
    app: int
    trigger: Trigger
    topic: int
    work_min: int
    review_min: int
    resource: int
    demand: int
    action_class: ActionClass
    amounts: Amounts
    reversible: bool
    links: tuple[int, ...]
    """Records that it is linked with, its own first."""
    surfaces: bool
    """Whether it takes a slot by itself; if not, only a review shows it."""


@dataclass(frozen=True, slots=True)
class TaskRow:
    """The unchanging part of a task."""

    id: str
    noop: bool
    request: bool
    value: int
    topic: int
    work_min: int
    resource: int
    demand: int
    action_class: ActionClass
    amounts: Amounts
    evidence: tuple[int, ...]
    resolved_by: int
    """Record that shows the matter settled in weeks that have it, or -1."""
    signals: tuple[int, ...]
    requirements: tuple[Requirement, ...]
    constrained: bool
    """Whether its actions have constraints on their texts."""


@dataclass(frozen=True, slots=True)
class WindowRow:
    """A decision window."""

    id: str
    urgent: int
    later: int
    primary: bool


@dataclass(frozen=True, slots=True)
class RecordRow:
    """The unchanging part of a record."""

    id: str
    status: RecordStatus
    requirements: tuple[Requirement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """One scenario and persona, in minutes and indices; shared by all of its weeks."""

    scenario: "Scenario"
    persona: "Persona"
    clock: Clock
    horizon: int
    records: tuple[RecordRow, ...]
    signals: tuple[SignalRow, ...]
    tasks: tuple[TaskRow, ...]
    resources: tuple[ResourceRow, ...]
    forecast: Forecast
    windows: tuple[WindowRow, ...]
    phases: tuple[tuple[int, Phase], ...]
    """Start of each phase, in order, without gap."""
    phase_starts: tuple[int, ...]
    free: Spans
    focus: Spans
    asleep: Spans
    awake: Spans
    dawns: tuple[int, ...]
    """First minute of each day."""
    reviews: tuple[int, ...]
    counts: tuple[tuple[int, int, int, int], ...]
    """Per topic: reactions of prior interactions."""
    latency_min: int

    def __deepcopy__(self, memo: dict[int, object]) -> "Plan":
        """Share it: it never changes."""
        return self

    def phase(self, minute: int) -> Phase:
        """Return the user's phase at a minute."""
        return self.phases[bisect_right(self.phase_starts, minute) - 1][1]


@dataclass(frozen=True, slots=True)
class UsageRow:
    """The user's own use of a resource in one week."""

    resource: int
    units: int
    start: int
    end: int
    """When it really ends."""
    stated_end: int
    stated: bool


@dataclass(slots=True, eq=False)
class Week:
    """One variation of a plan. Nothing in it changes once it is drawn, but for its cache."""

    plan: Plan
    values: dict[str, str | int | float]
    """Drawn values by placeholder."""
    shifts: dict[str, int]
    """Minutes by which each group moves."""
    record_at: list[int]
    """When each record appears; 0 or less: there from the start; NEVER: not in this week."""
    record_due: list[int]
    signal_by: list[int]
    """Stated deadline of each signal."""
    signal_expires: list[int]
    signal_work: list[int]
    signal_amount: list[float]
    task_deadline: list[int]
    task_ready: list[int]
    """When the facts of each task are out."""
    task_noop: list[bool]
    task_evidence: list[tuple[int, ...]]
    statements: tuple[Statement, ...]
    usages: tuple[UsageRow, ...]
    varied: bool = False
    """Whether it was drawn rather than written, and so is hardly ever played twice."""
    level: Level = STANDARD
    steady_events: list[Event] = field(default_factory=list[Event])
    """What happens of itself in every week of the plan, in order."""
    events: list[Event] = field(default_factory=list[Event])
    """What happens of itself in this one, in order."""
    candidates: list[int] = field(default_factory=list[int])
    """Signals that reviews may show."""
    reference_tasks: frozenset[int] = frozenset()
    """Tasks on the reference path."""
    reference_windows: frozenset[int] = frozenset()
    reference_attempts: int = 0
    linked: dict[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]])
    ends: dict[int, int] = field(default_factory=dict[int, int])
    by_at: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    """When the record of a candidate appears, when what it is about is due, and the candidate, in this order."""
    by_due: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    """When what a candidate's record is about is due, when it appears, and the candidate, in this order."""
    rankings: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    """Per review: candidates in its span, nearest first; filled as reviews come."""

    def __deepcopy__(self, memo: dict[int, object]) -> "Week":
        """Share it: only its cache changes, and that holds what follows from the rest."""
        return self

    def links(self, signal: int) -> tuple[int, ...]:
        """Return the records that a signal is linked with, oldest first; a task's evidence is among them."""
        found = self.linked.get(signal)
        if found is None:
            row = self.plan.signals[signal]
            linked = {*row.links, *self.task_evidence[row.task]} if row.task >= 0 else set(row.links)
            found = tuple(sorted(sorted(linked), key=self.record_at.__getitem__) if len(linked) > 1 else linked)
            self.linked[signal] = found
        return found

    def window_end(self, window: int) -> int:
        """Return the last start at which the urgent task of a decision window, taken NOW, lands by its deadline (-1: none)."""
        found = self.ends.get(window)
        if found is None:
            task = self.plan.windows[window].urgent
            found = last_start(self.plan, self.task_deadline[task], self.plan.tasks[task], work_of(self, task))
            self.ends[window] = found
        return found

    def last_chance(self, signal: int) -> tuple[int, int]:
        """Return until when work on a signal, deferred to IDLE or to SLEEP, would still meet its stated deadline (-1: never).

        By the forecast; without a stated deadline the end of the week takes its place.
        """
        row = self.plan.signals[signal]
        return self.plan.forecast.last_chance(row.resource, row.demand, self.signal_work[signal], self.signal_by[signal])

    def ranking(self, review: int) -> list[int]:
        """Return the candidates of a review (its minute), nearest first: due ahead or changed before, within two days.

        Those that closed by themselves are not among them.
        """
        found = self.rankings.get(review)
        if found is None:
            found = self._rank(review)
            self.rankings[review] = found
        return found

    def _rank(self, review: int) -> list[int]:
        if not self.by_at:
            records = [(index, self.plan.signals[index].record) for index in self.candidates]
            self.by_at = sorted((self.record_at[record], self.record_due[record], index) for index, record in records)
            self.by_due = sorted((due, at, index) for at, due, index in self.by_at if due < NEVER)
        since, until = review - REVIEW_SPAN_MIN, review + REVIEW_SPAN_MIN
        fresh = self.by_at[bisect_left(self.by_at, (since,)) : bisect_left(self.by_at, (review + 1,))]
        ahead = self.by_due[bisect_left(self.by_due, (review,)) : bisect_left(self.by_due, (until + 1,))]
        near = [(due - review if review <= due < 2 * review - at else review - at, index) for at, due, index in fresh]
        near += [(due - review if due < 2 * review - at else review - at, index) for due, at, index in ahead if at < since]
        near.sort()
        return [index for _, index in near if self.signal_expires[index] > review]


def total(amounts: Amounts, values: dict[str, str | int | float]) -> float:
    """Return the sum of amounts of money; a placeholder `@{name}` takes the drawn value."""
    return float(sum(float(values[a[2:-1]]) if isinstance(a, str) else a for a in amounts)) if amounts else 0.0


def work_of(week: Week, task: int) -> int:
    """Return the minutes of work of a task in this week."""
    signals = week.plan.tasks[task].signals
    return week.signal_work[signals[0]] if signals else week.plan.tasks[task].work_min


def last_start(plan: Plan, deadline: int, task: TaskRow, work_min: int) -> int:
    """Return the last minute at which work on a task, taken NOW, still lands by its deadline (-1: never)."""
    landing, (asleep, awake) = deadline, plan.asleep
    night = bisect_right(asleep, landing) - 1
    if night >= 0 and landing < awake[night]:
        landing = asleep[night] - 1
    latest, (opens, closes) = landing - work_min, plan.resources[task.resource].open
    span = bisect_right(opens, latest) - 1
    while span >= 0 and closes[span] - opens[span] < work_min:
        span -= 1
    return min(latest, closes[span] - work_min) if span >= 0 else -1
