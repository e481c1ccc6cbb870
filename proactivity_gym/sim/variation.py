"""Variation: a seed turns the written week into a week of its kind.

`written` is the week as its author wrote it; `vary` moves, stretches, resolves and draws. Streams are disjoint by
construction: the stream's number is part of the generator's seed.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

import numpy as np

from proactivity_gym.sim import usages, week_events
from proactivity_gym.sim.clock import Clock
from proactivity_gym.sim.delegation import BEFORE, Statement, expected_depth
from proactivity_gym.sim.difficulty import STANDARD, Level
from proactivity_gym.sim.plan import topic_rows
from proactivity_gym.sim.scenario import Draw
from proactivity_gym.sim.tables import tables_of
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.week import Plan, Requirement, Week, total
from proactivity_gym.sim.words import ActionClass, Depth, Outcome

STREAMS = {"train": 1, "test": 2}
"""Numbers of the streams of varied weeks; `written` has none."""

T = TypeVar("T")

_REFERENCE_OUTCOME = {
    Depth.NOOP: Outcome.DISMISSED,
    Depth.PREPARE: Outcome.DRAFTED,
    Depth.SUGGEST: Outcome.APPROVED,
    Depth.EXECUTE: Outcome.EXECUTED,
}


def written(plan: Plan, level: Level = STANDARD) -> Week:
    """Return the week as it was written, or what a level makes of it."""
    scenario, clock = plan.scenario, plan.clock
    values = _values(scenario.draws, [0.0] * len(scenario.draws))
    week = Week(
        plan=plan,
        values=values,
        shifts={group.id: 0 for group in scenario.groups},
        record_at=[_minute(clock, r.at, BEFORE) for r in scenario.records],
        record_due=[_minute(clock, r.due, NEVER) for r in scenario.records],
        signal_by=[_stated(plan, row.record) for row in plan.signals],
        signal_expires=[],
        signal_work=[row.work_min for row in plan.signals],
        signal_amount=[0.0] * len(plan.signals),
        task_deadline=[clock.minute(task.deadline) for task in scenario.tasks],
        task_ready=[],
        task_noop=[row.noop for row in plan.tasks],
        task_evidence=[row.evidence for row in plan.tasks],
        statements=_statements(plan, values),
        usages=usages.stated(plan),
        level=level,
    )
    if level is not STANDARD:
        _set_level(week)
    for task in plan.tasks:
        if task.resolved_by >= 0:
            week.record_at[task.resolved_by] = NEVER
    _finish(week, [((5 * i + 2) % 17) / 17 for i in range(len(plan.signals))])
    return week


def vary(base: Week, stream: str, seed: int, level: Level = STANDARD) -> Week:
    """Return a varied week.

    Args:
        base: the written week, of level `standard`.
        stream: `train` or `test`.
        seed: any non-negative integer; the same one gives the same week.
        level: how difficult it is.
    """
    plan, scenario = base.plan, base.plan.scenario
    drawn = _drawn(
        (STREAMS[stream], seed),
        groups=len(scenario.groups),
        draws=len(scenario.draws),
        work=len(plan.tasks),
        resolved=len(plan.tasks),
        usage=len(scenario.usages),
        noise=len(plan.records),
        expiry=len(plan.signals),
        tasks=len(plan.tasks),
    )
    week = Week(
        plan=plan,
        values=_values(scenario.draws, drawn["draws"]),
        shifts={g.id: _pick(g.shift, u) for g, u in zip(scenario.groups, drawn["groups"], strict=True)},
        record_at=base.record_at.copy(),
        record_due=base.record_due.copy(),
        signal_by=base.signal_by.copy(),
        signal_expires=[],
        signal_work=base.signal_work.copy(),
        signal_amount=base.signal_amount.copy(),
        task_deadline=base.task_deadline.copy(),
        task_ready=[],
        task_noop=base.task_noop.copy(),
        task_evidence=base.task_evidence.copy(),
        statements=base.statements,
        varied=True,
        steady_events=base.steady_events,
        usages=usages.overrun(base, drawn["usage"], level),
        level=level,
    )
    _shift(week)
    _stretch(week, drawn["work"])
    _thin_noise(week, drawn["noise"])
    _resolve(week, drawn["resolved"], drawn["tasks"])
    if any(isinstance(delegation.up_to, str) for delegation in plan.persona.delegations):
        week.statements = _statements(plan, week.values)
    _finish(week, drawn["expiry"])
    return week


def _drawn(seed: tuple[int, int], **sizes: int) -> dict[str, list[float]]:
    """Return a row of numbers in [0, 1) for each name, as long as asked.

    One generator draws them all, in the order given: a reset pays for one seeding.
    """
    numbers = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed))).random(sum(sizes.values())).tolist()
    rows: dict[str, list[float]] = {}
    start = 0
    for name, size in sizes.items():
        rows[name] = numbers[start : start + size]
        start += size
    return rows


def _pick(options: Sequence[T], u: float) -> T:
    return options[int(u * len(options))]


def _minute(clock: Clock, wall: datetime | None, missing: int) -> int:
    return missing if wall is None else clock.minute(wall)


def _stated(plan: Plan, record: int) -> int:
    signal = plan.scenario.records[record].signal
    return _minute(plan.clock, signal.by if signal else None, NEVER)


def _values(draws: dict[str, Draw], us: Sequence[float]) -> dict[str, str | int | float]:
    values: dict[str, str | int | float] = {}
    for (name, draw), u in zip(draws.items(), us, strict=True):
        option = _pick(draw.options, u)
        if isinstance(option, dict):
            values.update({f"{name}.{key}": value for key, value in option.items()})
        else:
            values[name] = option
    return values


def _shift(week: Week) -> None:
    """Move what names a group: records with what they are about, stated and true deadlines."""
    tables = tables_of(week.plan)
    for instants, moves in (
        (week.record_at, tables.records),
        (week.record_due, tables.records),
        (week.signal_by, tables.signals),
        (week.task_deadline, tables.tasks),
    ):
        for index, group in moves:
            if BEFORE < instants[index] < NEVER:
                instants[index] += week.shifts[group]


def _set_level(week: Week) -> None:
    """Give a written week what its level chooses where a varied one draws; of the noise, every second one may stay away."""
    week.usages = usages.overrun(week, [0.0] * len(week.usages), week.level)
    _stretch(week, [0.0] * len(week.plan.tasks))
    if week.level.noise < 1:
        for index, _ in tables_of(week.plan).chances[1::2]:
            week.record_at[index] = NEVER


def _stretch(week: Week, us: Sequence[float]) -> None:
    for i, (task, u) in enumerate(zip(week.plan.scenario.tasks, us, strict=True)):
        minutes = max(1, round(task.work_min * week.level.stretch(task.stretch, u)))
        for signal in week.plan.tasks[i].signals:
            week.signal_work[signal] = minutes


def _thin_noise(week: Week, us: Sequence[float]) -> None:
    factor = week.level.noise
    for index, chance in tables_of(week.plan).chances:
        if us[index] >= chance * factor:
            week.record_at[index] = NEVER


def _resolve(week: Week, us: Sequence[float], there: Sequence[float]) -> None:
    """Settle tasks; then keep tasks from coming up: what calls for them is missing, and what would settle them."""
    scenario, rows = week.plan.scenario, week.plan.tasks
    for i in tables_of(week.plan).resolvable:
        if us[i] < scenario.tasks[i].resolved_chance:
            record = scenario.records[rows[i].resolved_by]
            at = _minute(week.plan.clock, record.at, BEFORE)
            week.record_at[rows[i].resolved_by] = at + (week.shifts[record.moves] if record.moves and record.at else 0)
            week.task_noop[i] = True
            week.task_evidence[i] = (*rows[i].evidence, rows[i].resolved_by)
    for i, chance in tables_of(week.plan).optional:
        if there[i] >= chance:
            for record in (*tables_of(week.plan).carriers[i], *([rows[i].resolved_by] if rows[i].resolved_by >= 0 else [])):
                week.record_at[record] = NEVER


def _finish(week: Week, us: Sequence[float]) -> None:
    """Derive what follows from the rest: readiness, expiries, amounts, statements, events and the reference path."""
    plan = week.plan
    at = week.record_at
    week.task_ready = [max(0, *[at[record] for record in evidence]) for evidence in week.task_evidence]
    for index in tables_of(plan).priced if week.varied else range(len(plan.signals)):
        week.signal_amount[index] = total(plan.signals[index].amounts, week.values)
    first = [min([at[record] for record in records], default=NEVER) for records in tables_of(plan).carriers]
    week.signal_expires = _expiries(week, first, us)
    week.candidates = [i for i, row in enumerate(plan.signals) if not row.surfaces and at[row.record] < NEVER]
    if not week.varied:
        week.steady_events = week_events.steady(week)
    week.events = week_events.all_of(week)
    _reference(week, first)


def _expiries(week: Week, first: Sequence[int], us: Sequence[float]) -> list[int]:
    """Return when each signal closes by itself: a task's at its deadline, noise after a time as tasks have.

    `first` says when the first signal of each task appears.
    """
    deadlines, record_at = week.task_deadline, week.record_at
    lives = sorted([max(30, d - a if a > 0 else d) for d, a in zip(deadlines, first, strict=True) if a < NEVER])
    expires: list[int] = []
    for row, by, u in zip(week.plan.signals, week.signal_by, us, strict=True):
        if row.task >= 0:
            by = deadlines[row.task]  # noqa: PLW2901 (the true deadline takes the place of the stated one)
        elif by >= NEVER:
            at = record_at[row.record]
            by = lives[int(u * len(lives))] + (at if at > 0 else 0)  # noqa: PLW2901 (and so does a drawn one)
        expires.append(by)
    return expires


def _statements(plan: Plan, values: dict[str, str | int | float]) -> tuple[Statement, ...]:
    rows = topic_rows(plan.scenario)
    found: list[Statement] = []
    for d in plan.persona.delegations:
        found.append(
            Statement(
                topic=rows[d.topic],
                classes=frozenset(ActionClass[c.upper()] for c in d.classes),
                up_to=None if d.up_to is None else total((d.up_to,), values),
                depth=Depth[d.depth.upper()],
                at=_minute(plan.clock, d.at, BEFORE),
                until=_minute(plan.clock, d.until, NEVER),
                said=d.said,
            )
        )
    return tuple(sorted(found, key=lambda s: s.at))


def _reference(week: Week, first: Sequence[int]) -> None:
    """Note the reference path: what the oracle does under the deterministic user, each task at its expected depth.

    `first` says when the first signal of each task appears.
    """
    plan = week.plan
    outcomes: dict[int, Outcome] = {}
    active: set[int] = set()
    attempts = 0
    for i in sorted(range(len(plan.tasks)), key=first.__getitem__):
        task = plan.tasks[i]
        if first[i] >= NEVER or not met(task.requirements, outcomes):
            continue
        active.add(i)
        depth = Depth.NOOP
        if not week.task_noop[i]:
            amount = week.signal_amount[task.signals[0]]
            ready = max(first[i], week.task_ready[i])
            depth = expected_depth(week.statements, task.topic, task.action_class, amount, ready)
            attempts += 1
        outcomes[i] = _REFERENCE_OUTCOME[depth]
    week.reference_tasks = frozenset(active)
    needed = {i for i in active if not week.task_noop[i]}
    week.reference_windows = frozenset(i for i, w in enumerate(plan.windows) if {w.urgent, w.later} <= needed)
    week.reference_attempts = attempts


def met(requirements: Sequence[Requirement], outcomes: dict[int, Outcome]) -> bool:
    """Tell whether conditions on the outcomes of earlier tasks are met."""
    return not requirements or all(
        (outcomes.get(task, Outcome.OPEN) in wanted) == required for task, wanted, required in requirements
    )
