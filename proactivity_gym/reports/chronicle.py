"""A played week in words, day by day, from its tables and its trace."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from proactivity_gym.reports.portrait import day_name, when
from proactivity_gym.sim.scoring import Terms
from proactivity_gym.sim.solutions import filler
from proactivity_gym.sim.texts import Filler, show
from proactivity_gym.sim.trace import Entry, Value
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import ANY_TOPIC, Depth, Outcome, Reaction, SignalStatus, Timing

Data = Mapping[str, Value]


def chronicle(week: Week, entries: Iterable[Entry], author: bool = False) -> list[str]:
    """Return what happened, line by line.

    Args:
        week: the tables of the week.
        entries: the trace.
        author: tell hidden truth too: tasks, credits, trust.
    """
    told = dict(_SEEN) | (dict(_HIDDEN) if author else {})
    teller = _Teller(week, filler(week), {})
    lines: list[str] = []
    day = -1
    for minute, name, data in entries:
        if name == "attempt":
            teller.jobs[_int(data["job"])] = (_int(data["signal"]), Depth(_int(data["depth"])))
        line = told[name](teller, data) if name in told else ""
        if not line:
            continue
        today = (week.plan.clock.local(minute).date() - week.plan.scenario.start).days
        if today != day:
            day = today
            lines += ["", day_name(week, day)]
        lines.append(f"  {show(week.plan.clock, minute, 'time')}  {line}")
    return lines


def terms_lines(terms: Terms) -> list[str]:
    """Return the terms of an episode, one a line."""
    return [f"  {name:18}{'none' if value is None else f'{value:.3f}':>10}" for name, value in terms.items()]


@dataclass(frozen=True, slots=True)
class _Teller:
    """What it takes to put an entry into words."""

    week: Week
    fill: Filler
    jobs: dict[int, tuple[int, Depth]]
    """Signal and depth of each job so far."""

    def signal(self, index: int) -> str:
        record = self.week.plan.scenario.records[self.week.plan.signals[index].record]
        return f'{record.app} "{self.fill.fill(record.title)}"'

    def job(self, data: Data) -> str:
        return self.signal(self.jobs[_int(data["job"])][0])

    def topic(self, data: Data) -> str:
        return (ANY_TOPIC, *self.week.plan.scenario.topics)[_int(data["topic"])]

    def task(self, data: Data) -> str:
        return self.week.plan.tasks[_int(data["task"])].id


def _int(value: Value) -> int:
    return int(value or 0)


def _words(value: object) -> str:
    return str(value).lower().replace("_", " ")


def _arrived(teller: _Teller, data: Data) -> str:
    status = SignalStatus(_int(data["status"]))
    return f"{teller.signal(_int(data['signal']))}: {_words(status.name)}"


def _attempted(teller: _Teller, data: Data) -> str:
    depth, timing = Depth(_int(data["depth"])), Timing(_int(data["timing"]))
    start = when(teller.week, _int(data["start"]))
    return f"AGENT {depth.name} {timing.name}: {teller.signal(_int(data['signal']))}, work from {start}"


def _put_back(teller: _Teller, data: Data) -> str:
    timing, until = Timing(_int(data["timing"])), when(teller.week, _int(data["until"]))
    return f"AGENT puts back to {timing.name}, {until}: {teller.signal(_int(data['signal']))}"


def _delivered(teller: _Teller, data: Data) -> str:
    depth = teller.jobs[_int(data["job"])][1]
    made = {Depth.PREPARE: "draft found", Depth.SUGGEST: "offer delivered", Depth.EXECUTE: "notice delivered"}
    return f"{made.get(depth, 'delivered')}{' into focus' if data['focus'] else ''}: {teller.job(data)}"


def _said(teller: _Teller, data: Data) -> str:
    statement = teller.week.statements[_int(data["statement"])]
    return f'USER says: "{teller.fill.fill(statement.said)}"'


_SEEN: dict[str, Callable[[_Teller, Data], str]] = {
    "signal": _arrived,
    "dismiss": lambda teller, data: f"AGENT dismisses: {teller.signal(_int(data['signal']))}",
    "snooze": _put_back,
    "attempt": _attempted,
    "pause": lambda teller, data: f"work pauses: {teller.job(data)}",
    "done": lambda teller, data: f"work done: {teller.job(data)}",
    "deliver": _delivered,
    "reaction": lambda teller, data: f"USER {_words(Reaction(_int(data['reaction'])).name)}: {teller.job(data)}",
    "stated": _said,
    "withdrawn": lambda teller, data: f"USER takes delegation back: {teller.topic(data)}",
    "restored": lambda teller, data: f"USER gives delegation back: {teller.topic(data)}",
    "wait": lambda _, data: f"the agent's action counted as waiting: {data['error']}" if data.get("error") else "",
}
_HIDDEN: dict[str, Callable[[_Teller, Data], str]] = {
    "active": lambda teller, data: f"    task {teller.task(data)} is active",
    "credit": lambda teller, data: (
        f"    task {teller.task(data)} is credited {_number(data['tc'])}{' (late)' if data['late'] else ''}"
    ),
    "refused": lambda teller, data: f"    no permission for task {teller.task(data)}",
    "compete": lambda _, data: f"    competes with the user: {data['minutes']} min, {data['cause']}",
    "trust": lambda _, data: f"    trust is {_number(data['level'])}",
    "close": lambda teller, data: f"    task {teller.task(data)} closes: {_words(Outcome(_int(data['outcome'])).name)}",
}
"""One teller per name of the trace; what is not here is not told."""


def _number(value: Value) -> str:
    return f"{float(value or 0):.2f}"
