"""The reference solution of a task in one week: its calls, and what of them is checked."""

from functools import lru_cache

from proactivity_gym.sim.checks import Expectation
from proactivity_gym.sim.texts import Filler, Scalar
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.tools import Call
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.world import Entry


@lru_cache(maxsize=64)
def filler(week: Week) -> Filler:
    """Return what fills the placeholders of a week's texts."""
    plan, scenario = week.plan, week.plan.scenario
    instants: dict[str, int] = {}
    for moment in scenario.moments:
        instants[moment.id] = plan.clock.minute(moment.at) + (week.shifts[moment.moves] if moment.moves else 0)
    for i, task in enumerate(scenario.tasks):
        instants[f"{task.id}.deadline"] = week.task_deadline[i]
    for i, record in enumerate(scenario.records):
        if record.at is not None:
            instants[f"{record.id}.at"] = week.record_at[i]
        if record.due is not None:
            instants[f"{record.id}.due"] = week.record_due[i]
    return Filler(plan.clock, week.values, instants)


def calls(week: Week, task: int) -> tuple[Call, ...]:
    """Return the calls that solve a task."""
    fill = filler(week)
    actions = week.plan.scenario.tasks[task].actions
    return tuple(Call(action.tool, {k: _value(fill, v) for k, v in action.args.items()}) for action in actions)


def expectations(week: Week, task: int) -> tuple[Expectation, ...]:
    """Return what the calls of a task are checked against."""
    fill = filler(week)
    found: list[Expectation] = []
    for action in week.plan.scenario.tasks[task].actions:
        args = {k: _value(fill, v) for k, v in action.args.items() if k not in action.free}
        contains = {k: tuple(fill.fill(p) for p in phrases) for k, phrases in action.contains.items()}
        avoids = {k: tuple(fill.fill(p) for p in phrases) for k, phrases in action.avoids.items()}
        found.append(Expectation(action.tool, args, frozenset(action.free), contains, avoids))
    return tuple(found)


def entry_of(week: Week, record: int) -> Entry:
    """Return a record as the world holds it."""
    fill = filler(week)
    source = week.plan.scenario.records[record]
    at, due = week.record_at[record], week.record_due[record]
    return Entry(
        id=source.id,
        app=source.app,
        title=fill.fill(source.title),
        text=fill.fill(source.text),
        status=source.status,
        at=at if at > -NEVER else None,
        due=due if due < NEVER else None,
        fields={key: _value(fill, value) for key, value in source.fields.items()},
        links=tuple(source.links),
    )


def _value(fill: Filler, value: Scalar | list[str]) -> object:
    return [fill.fill(item) for item in value] if isinstance(value, list) else fill.value(value)
