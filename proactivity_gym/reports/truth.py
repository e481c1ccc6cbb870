"""The hidden truth of a scenario, for its author: tasks, windows, branches and noise."""

from collections.abc import Mapping

from proactivity_gym.reports.balance import depths
from proactivity_gym.reports.portrait import when
from proactivity_gym.sim.scenario import Condition, Record, Task
from proactivity_gym.sim.solutions import calls
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.week import Week, last_start, total, work_of


def truth(weeks: Mapping[str, Week]) -> list[str]:
    """Return what nobody but the author may see, line by line.

    Args:
        weeks: the written week of each persona.
    """
    week = next(iter(weeks.values()))
    expected = {persona: depths(each) for persona, each in weeks.items()}
    lines: list[str] = []
    for kind in ("request", "latent", "noop"):
        lines += ["", f"TASKS: {kind}"]
        for index, task in enumerate(week.plan.scenario.tasks):
            if task.kind == kind:
                by_persona = {persona: found[index].name for persona, found in expected.items() if index in found}
                lines += _task(week, index, task, by_persona)
    return lines + _windows(week) + _branches(week) + _noise(week)


def _task(week: Week, index: int, task: Task, expected: Mapping[str, str]) -> list[str]:
    row = week.plan.tasks[index]
    amount = total(row.amounts, week.values)
    deep = ", ".join(f"{persona} {depth}" for persona, depth in expected.items()) or "off the reference path"
    stated = [when(week, week.signal_by[s]) for s in row.signals if week.signal_by[s] < NEVER]
    known = ", ".join(f"{week.plan.records[week.plan.signals[s].record].id}" for s in row.signals)
    money = f", amount {amount:g}" if amount else ""
    head = f"  {task.id}: {task.title} (value {task.value}, {task.topic}, {row.action_class.name.lower()}{money})"
    lines = [
        head,
        f"      expected: {deep}",
        f"      deadline {when(week, week.task_deadline[index])}, stated {', '.join(stated) or 'none'}; "
        f"facts out {when(week, week.task_ready[index])}; {work_of(week, index)} min of {task.resource}",
        f"      signals {known or 'none'}; evidence {', '.join(task.evidence)}",
    ]
    lines += [f"      does {call.tool} {dict(call.arguments)}" for call in calls(week, index)]
    if task.resolved_by:
        lines.append(f"      settled by {task.resolved_by} in {task.resolved_chance:.0%} of varied weeks")
    return [*lines, *_conditions(task), f"      why: {task.why}"]


def _conditions(entry: Task | Record) -> list[str]:
    def told(conditions: list[Condition]) -> str:
        return " and ".join(f"{c.task} {' or '.join(c.outcome)}" for c in conditions)

    only = [f"      only if {told(entry.requires)}"] if entry.requires else []
    return only + ([f"      not if {told(entry.excludes)}"] if entry.excludes else [])


def _windows(week: Week) -> list[str]:
    lines = ["", "WINDOWS"]
    for row, window in zip(week.plan.windows, week.plan.scenario.windows, strict=True):
        end = last_start(week.plan, week.task_deadline[row.urgent], week.plan.tasks[row.urgent], work_of(week, row.urgent))
        head = f"  {window.id}{' (primary)' if window.primary else ''}: {window.urgent} now, {window.later} later"
        lines += [f"{head}; scarce: {window.scarce}; until {when(week, end)}", f"      why: {window.why}"]
    return lines


def _branches(week: Week) -> list[str]:
    records = [record for record in week.plan.scenario.records if record.requires or record.excludes]
    lines = ["", "RECORDS THAT COME ON ONE BRANCH ONLY"]
    for record in records:
        lines += [f"  {record.id}: {record.title}", *_conditions(record)]
    return lines if records else []


def _noise(week: Week) -> list[str]:
    noise = [r for r in week.plan.scenario.records if r.signal and not r.signal.task]
    return ["", "NOISE", *(f"  {r.id}: {r.title} ({r.chance:.0%} of varied weeks)" for r in noise)]
