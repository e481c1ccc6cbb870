"""From a scenario and a persona to the plan of their weeks: names become indices, wall times become minutes."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, time

from proactivity_gym.sim.clock import Clock
from proactivity_gym.sim.forecast import Forecast, ResourceRow
from proactivity_gym.sim.scenario import Condition, Hours, Persona, Record, Rhythm, Scenario, Signal, Task
from proactivity_gym.sim.timeline import Spans, Use, complement, merge, overlap
from proactivity_gym.sim.week import (
    NO_TASK,
    Amounts,
    Plan,
    RecordRow,
    Requirement,
    SignalRow,
    TaskRow,
    WindowRow,
)
from proactivity_gym.sim.words import MAX_TOPICS, ActionClass, Outcome, Phase, RecordStatus, Trigger
from proactivity_gym.sim.world import APPS, TOOLS

NIGHT_MIN = 180
"""A sleep at least this long has a review at its end and one before it."""
EVENING_MIN = 30
"""How long before sleep the evening review comes."""

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_REACTIONS = ("approve", "decline", "too-deep", "too-timid")


def build(scenario: Scenario, persona: Persona) -> Plan:
    """Return the plan of a scenario's weeks with one persona. The scenario must be free of problems (`references`)."""
    clock = Clock(scenario.zone, scenario.start)
    horizon = clock.at(scenario.days, time())
    asleep = _spans(clock, scenario, [r for r in scenario.rhythms if r.phase == "sleep" and persona.id in r.personas])
    awake = complement(asleep, horizon)
    focus = _spans(clock, scenario, [r for r in scenario.rhythms if r.phase == "focus" and persona.id in r.personas])
    focus = overlap(focus, awake)
    free = overlap(complement(focus, horizon), awake)
    names = _Names(scenario)
    tasks = tuple(_task(names, task) for task in scenario.tasks)
    resources = _resources(clock, scenario, horizon)
    phases = _phases(free, focus, asleep)
    return Plan(
        scenario=scenario,
        persona=persona,
        clock=clock,
        horizon=horizon,
        records=tuple(_record(names, record) for record in scenario.records),
        signals=_signals(names, tasks),
        tasks=tasks,
        resources=resources,
        forecast=Forecast(resources, _stated_uses(names, clock), free, asleep, horizon),
        windows=tuple(WindowRow(w.id, names.tasks[w.urgent], names.tasks[w.later], w.primary) for w in scenario.windows),
        phases=phases,
        phase_starts=tuple(start for start, _ in phases),
        free=free,
        focus=focus,
        asleep=asleep,
        awake=awake,
        dawns=tuple(clock.at(day, time()) for day in range(scenario.days)),
        reviews=_reviews(free, asleep, clock, scenario),
        counts=_counts(scenario, persona),
        latency_min=persona.latency_min,
    )


class _Names:
    """Indices of everything a scenario names."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.records = {record.id: i for i, record in enumerate(scenario.records)}
        self.tasks = {task.id: i for i, task in enumerate(scenario.tasks)}
        self.resources = {resource.id: i for i, resource in enumerate(scenario.resources)}
        self.topics = topic_rows(scenario)
        self.signals = [r.id for r in scenario.records if r.signal] + [
            r.id for r in scenario.records if not r.signal and (r.at or r.due)
        ]


def topic_rows(scenario: Scenario) -> dict[str, int]:
    """Return the row of each topic; `any` is the first."""
    return {"any": 0} | {topic: i + 1 for i, topic in enumerate(scenario.topics)}


def _spans(clock: Clock, scenario: Scenario, entries: Sequence[Rhythm | Hours]) -> Spans:
    """Return when recurring stretches apply, cut to the episode."""
    horizon = clock.at(scenario.days, time())
    found: list[tuple[int, int]] = []
    for entry in entries:
        for day in range(-1, scenario.days):
            if applies(entry.days, clock.date(day)):
                start = clock.at(day, entry.start)
                end = clock.at(day + (entry.end <= entry.start), entry.end)
                found.append((max(start, 0), min(end, horizon)))
    return merge(found)


def applies(days: Sequence[str | date], day: date) -> bool:
    """Tell whether a list of weekdays or dates (empty: every day) holds a date."""
    return not days or day in days or _WEEKDAYS[day.weekday()] in days


def _phases(free: Spans, focus: Spans, asleep: Spans) -> tuple[tuple[int, Phase], ...]:
    stretches = [(start, Phase.FREE) for start in free[0]]
    stretches += [(start, Phase.FOCUS) for start in focus[0]]
    stretches += [(start, Phase.SLEEP) for start in asleep[0]]
    return tuple(sorted(stretches))


def _reviews(free: Spans, asleep: Spans, clock: Clock, scenario: Scenario) -> tuple[int, ...]:
    """Return the minutes of the daily reviews: wake-up, start of the day's longest gap, half an hour before sleep."""
    found: set[int] = set()
    for start, end in zip(*asleep, strict=True):
        if end - start >= NIGHT_MIN or start == 0:
            found.add(end)
            found.add(start - EVENING_MIN)
    for day in range(scenario.days):
        dawn, dusk = clock.at(day, time()), clock.at(day + 1, time())
        gaps = [(min(e, dusk) - s, -s) for s, e in zip(*free, strict=True) if dawn <= s < dusk]
        if gaps:
            found.add(-max(gaps)[1])
    horizon = clock.at(scenario.days, time())
    return tuple(sorted(minute for minute in found if 0 <= minute < horizon))


def _requirements(names: _Names, entry: Record | Task) -> tuple[Requirement, ...]:
    def row(condition: Condition, required: bool) -> Requirement:
        return names.tasks[condition.task], frozenset(Outcome[o.upper()] for o in condition.outcome), required

    return tuple(row(c, True) for c in entry.requires) + tuple(row(c, False) for c in entry.excludes)


def _record(names: _Names, record: Record) -> RecordRow:
    requirements = _requirements(names, record)
    if record.signal and record.signal.task:
        requirements += _requirements(names, names.scenario.tasks[names.tasks[record.signal.task]])
    return RecordRow(record.id, RecordStatus[record.status.upper()], requirements)


def _task(names: _Names, task: Task) -> TaskRow:
    effects = [TOOLS[action.tool].effect for action in task.actions]
    seems = [ActionClass[task.looks.upper()]] if task.looks else [ActionClass.DRAFT]
    amounts = [a.args["amount"] for a in task.actions if "amount" in a.args]
    return TaskRow(
        id=task.id,
        noop=task.kind == "noop",
        request=task.kind == "request",
        value=task.value,
        topic=names.topics[task.topic],
        work_min=task.work_min,
        resource=names.resources[task.resource],
        demand=task.demand,
        action_class=max(effects or seems),
        amounts=_amounts(amounts or [task.amount]),
        evidence=tuple(names.records[e] for e in task.evidence),
        resolved_by=names.records[task.resolved_by] if task.resolved_by else -1,
        signals=tuple(i for i, owner in enumerate(names.signals) if _task_of(names, owner) == task.id),
        requirements=_requirements(names, task),
        constrained=any(action.contains or action.avoids for action in task.actions),
    )


def _amounts(amounts: Iterable[object]) -> Amounts:
    return tuple(a for a in amounts if isinstance(a, (str, int, float)))


def _task_of(names: _Names, record: str) -> str | None:
    signal = names.scenario.records[names.records[record]].signal
    return signal.task if signal else None


def _signals(names: _Names, tasks: Sequence[TaskRow]) -> tuple[SignalRow, ...]:
    rows: list[SignalRow] = []
    spoken = [r for r in names.scenario.records if r.signal]
    for record_id in names.signals:
        record = names.scenario.records[names.records[record_id]]
        task = _task_of(names, record_id)
        if task:
            rows.append(_signal_of_task(names, record, names.tasks[task], tasks))
        elif record.signal:
            rows.append(_noise(names, record, record, tasks))
        else:
            rows.append(_noise(names, record, _model(names, record, spoken, len(rows)), tasks))
    return tuple(rows)


def _model(names: _Names, record: Record, spoken: Sequence[Record], number: int) -> Record:
    """Return the record whose features a silent one takes on when a review shows it: a linked one, or any."""
    linked = [names.scenario.records[names.records[link]] for link in record.links]
    near = [r for r in linked if r.signal]
    return near[0] if near else spoken[number % len(spoken)]


def _links(names: _Names, record: Record) -> tuple[int, ...]:
    return (names.records[record.id], *(names.records[link] for link in record.links))


def _signal_of_task(names: _Names, record: Record, index: int, tasks: Sequence[TaskRow]) -> SignalRow:
    task = tasks[index]
    trigger = record.signal.trigger if record.signal else "agent"
    review_min = names.scenario.tasks[index].review_min
    linked = (names.records[record.id], *(e for e in task.evidence if e != names.records[record.id]))
    return SignalRow(
        record=names.records[record.id],
        task=index,
        app=APPS.index(record.app),
        trigger=Trigger[trigger.upper()],
        topic=task.topic,
        work_min=task.work_min,
        review_min=review_min,
        resource=task.resource,
        demand=task.demand,
        action_class=task.action_class,
        amounts=task.amounts,
        reversible=names.scenario.tasks[index].reversible,
        links=linked,
        surfaces=trigger != "agent",
    )


def _noise(names: _Names, record: Record, model: Record, tasks: Sequence[TaskRow]) -> SignalRow:
    """Return the row of a signal with no task behind it; `model` is the record whose features it has."""
    task = _task_of(names, model.id)
    like = _signal_of_task(names, model, names.tasks[task], tasks) if task else _signal_of_noise(names, model)
    own = record.signal.trigger if record.signal else "agent"
    return replace(
        like,
        record=names.records[record.id],
        task=NO_TASK,
        app=APPS.index(record.app),
        trigger=Trigger[own.upper()],
        topic=names.topics[record.topic] if record.topic else like.topic,
        links=_links(names, record),
        surfaces=own != "agent",
    )


def _signal_of_noise(names: _Names, record: Record) -> SignalRow:
    """Return the row of a record whose signal says itself how it looks."""
    signal = record.signal or Signal()
    return SignalRow(
        record=names.records[record.id],
        task=NO_TASK,
        app=APPS.index(record.app),
        trigger=Trigger[signal.trigger.upper()],
        topic=names.topics[signal.topic or "any"],
        work_min=signal.work_min or 15,
        review_min=signal.review_min or 5,
        resource=names.resources[signal.resource or names.scenario.resources[0].id],
        demand=signal.demand or 1,
        action_class=ActionClass[(signal.action_class or "draft").upper()],
        amounts=_amounts([signal.amount]),
        reversible=signal.reversible is not False,
        links=_links(names, record),
        surfaces=signal.trigger != "agent",
    )


def _resources(clock: Clock, scenario: Scenario, horizon: int) -> tuple[ResourceRow, ...]:
    rows: list[ResourceRow] = []
    for resource in scenario.resources:
        always: Spans = ([0], [horizon])
        hours = _spans(clock, scenario, resource.hours) if resource.hours else always
        resets = tuple(sorted(clock.minute(reset) for reset in resource.resets))
        stock = resource.kind == "stock"
        rows.append(ResourceRow(resource.id, resource.capacity, stock, resource.preemptible, resets, hours))
    return tuple(rows)


def _stated_uses(names: _Names, clock: Clock) -> list[list[Use]]:
    """Return the user's own use of each resource, as stated."""
    found: list[list[Use]] = [[] for _ in names.scenario.resources]
    for usage in names.scenario.usages:
        if usage.stated:
            found[names.resources[usage.resource]].append((clock.minute(usage.start), clock.minute(usage.end), usage.units))
    return found


def _counts(scenario: Scenario, persona: Persona) -> tuple[tuple[int, int, int, int], ...]:
    rows = topic_rows(scenario)
    counts = [[0, 0, 0, 0] for _ in range(MAX_TOPICS)]
    for prior in persona.priors:
        counts[rows[prior.topic]][_REACTIONS.index(prior.reaction)] += 1
    return tuple((a, b, c, d) for a, b, c, d in counts)
