"""Times: all of them exist, and lie where they can matter, in every variation of the week."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta

from proactivity_gym.sim.clock import Clock
from proactivity_gym.sim.references.outline import Outline
from proactivity_gym.sim.scenario import Delegation, Record, Task, Usage


def problems(outline: Outline) -> list[str]:
    """Return what is wrong with times."""
    scenario = outline.scenario
    try:
        clock = Clock(scenario.zone, scenario.start)
        horizon = clock.at(scenario.days, time())
    except (KeyError, ValueError, OSError):  # zoneinfo raises any of them, after what the key looks like
        return [f"zone: there is no time zone {scenario.zone!r}; write one such as Europe/Lisbon"]
    except OverflowError:
        return [f"start: {scenario.start} is too far from today; choose a date of this century"]
    impossible = [*_impossible(outline, clock), *_broken_minutes(outline)]
    if impossible:
        return impossible
    week = _Minutes(outline, clock, horizon)
    return [
        *_dates(outline),
        *_usages(week),
        *_records(week),
        *_branches(week),
        *_tasks(week),
        *_statements(week),
    ]


class _Minutes:
    """A scenario in minutes."""

    def __init__(self, outline: Outline, clock: Clock, horizon: int) -> None:
        self.outline = outline
        self.clock = clock
        self.horizon = horizon
        self.tasks = {task.id: task for task in outline.scenario.tasks}
        self._shifts = {group.id: [0, *group.shift] for group in outline.scenario.groups}

    def earliest(self, wall: datetime, moves: str | None) -> int:
        """Return the first minute to which an instant shifts."""
        return self.clock.minute(wall) + min(self._shifts.get(moves or "", [0]))

    def latest(self, wall: datetime, moves: str | None) -> int:
        """Return the last minute to which an instant shifts."""
        return self.clock.minute(wall) + max(self._shifts.get(moves or "", [0]))

    def strays(self, wall: datetime, moves: str | None = None) -> bool:
        """Tell whether an instant may come to lie outside [0, horizon)."""
        return self.earliest(wall, moves) < 0 or self.latest(wall, moves) >= self.horizon

    def may_precede(self, record: Record, task: Task) -> bool:
        """Tell whether a record may appear before a task's deadline; what is in one group keeps its order."""
        if record.at is None:
            return True
        if record.moves == task.moves:
            return record.at < task.deadline
        return self.earliest(record.at, record.moves) < self.latest(task.deadline, task.moves)

    def may_miss(self, at: datetime, moves: str | None, task: Task) -> bool:
        """Tell whether what appears at an instant may do so only at or after a task's deadline."""
        if moves == task.moves:
            return at >= task.deadline
        return self.latest(at, moves) >= self.earliest(task.deadline, task.moves)


def _impossible(outline: Outline, clock: Clock) -> Iterator[str]:
    for place, wall in outline.of(datetime):
        try:
            clock.minute(wall)
        except (ValueError, OverflowError) as error:
            yield f"{place.path}: {error}; write another time"


def _broken_minutes(outline: Outline) -> Iterator[str]:
    for place, clock in outline.of(time):
        if clock.second or clock.microsecond:
            yield f"{place.path}: {clock} is no whole minute; write it as {clock:%H:%M}:00"


def _dates(outline: Outline) -> Iterator[str]:
    """Check the single days of rhythms and opening hours; a night may begin on the day before the week."""
    start, days = outline.scenario.start, outline.scenario.days
    first, last = start - timedelta(days=1), start + timedelta(days=days - 1)
    singles = [place for place in outline.places if place.keys in ("rhythm.days", "resource.hours.days")]
    for place in singles:
        if isinstance(place.value, date) and not first <= place.value <= last:
            yield f"{place.path}: {place.value} is outside the week; choose a day up to {last}"


def _usages(week: _Minutes) -> Iterator[str]:
    for path, usage in week.outline.tables(Usage):
        if usage.end <= usage.start:
            yield f"{path}.end: it is not after the start; write a later time"
        if week.strays(usage.start):
            yield f"{path}.start: {usage.start} is outside the week; let it begin within the week"


def _records(week: _Minutes) -> Iterator[str]:
    for path, record in week.outline.tables(Record):
        signal = record.signal
        if signal is None or record.at is None:
            continue
        if signal.trigger != "agent" and week.strays(record.at, record.moves):
            yield f"{path}.at: {record.at} is outside the week, perhaps when shifted; move it into the week"
        task = week.tasks.get(signal.task or "")
        if task and week.may_miss(record.at, record.moves, task):
            yield f"{path}.at: the deadline of {task.id!r} may pass before {record.at}; let it appear earlier"
        if signal.task is None and signal.by and signal.by <= record.at:
            yield f"{path}.signal.by: it is not after the record appears, {record.at}; write a later time"


def _branches(week: _Minutes) -> Iterator[str]:
    """Check that what depends on an outcome comes when there is one: an earlier task's deadline is over by then."""
    for path, record in week.outline.tables(Record):
        task = week.tasks.get((record.signal and record.signal.task) or "")
        conditions = [*record.requires, *record.excludes, *(task.requires + task.excludes if task else [])]
        for name in sorted({condition.task for condition in conditions}):
            earlier = week.tasks.get(name)
            if earlier and week.may_precede(record, earlier):
                yield f"{path}.at: the outcome of {name!r} is open before its deadline; let it appear at or after it"


def _tasks(week: _Minutes) -> Iterator[str]:
    for path, task in week.outline.tables(Task):
        late = week.latest(task.deadline, task.moves) > week.horizon
        if week.earliest(task.deadline, task.moves) <= 0 or late:
            yield f"{path}.deadline: {task.deadline} is outside the week, perhaps when shifted; move it into the week"


def _statements(week: _Minutes) -> Iterator[str]:
    for path, said in week.outline.tables(Delegation):
        if said.at and week.strays(said.at):
            yield f"{path}.at: {said.at} is outside the week; leave it out for what was said before the week"
        since = week.clock.minute(said.at) if said.at else 0
        if said.until and week.clock.minute(said.until) <= since:
            yield f"{path}.until: it is over before it begins to count; write a later time"
