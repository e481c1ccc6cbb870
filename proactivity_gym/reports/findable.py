"""Lint: the records that a task's solution names by id are ones that its evidence leads to."""

from collections.abc import Iterator
from typing import cast

from proactivity_gym.reports.findings import Places, Report, Study
from proactivity_gym.sim.solutions import expectations
from proactivity_gym.sim.week import Week


def check(study: Study, report: Report) -> None:
    """Report ids in solutions that nobody can know who has read the evidence and what it links to."""
    places = Places()
    for persona, label, week in study.each():
        for index, task in enumerate(week.plan.tasks):
            for message in _unknown(week, index):
                places.add((f"task {task.id}", message), persona, label)
    places.report(report)


def _unknown(week: Week, task: int) -> Iterator[str]:
    if week.task_noop[task]:
        return
    known = _known(week, task)
    for tool, parameter, name in _named(week, task):
        if name not in known:
            yield (
                f"{tool} takes the record {name} as `{parameter}`, to which no evidence leads: "
                "add it to `evidence`, or to the `links` of a record there"
            )


def _known(week: Week, task: int) -> set[str]:
    """Return the ids of the evidence, of the signals' records, and of all that these link to."""
    row = week.plan.tasks[task]
    read = {*week.task_evidence[task], *(week.plan.signals[signal].record for signal in row.signals)}
    records = [week.plan.scenario.records[index] for index in read]
    return {record.id for record in records}.union(*(record.links for record in records))


def _named(week: Week, task: int) -> Iterator[tuple[str, str, str]]:
    """Yield tool, parameter and id of the records among the arguments of a solution."""
    ids = {record.id for record in week.plan.scenario.records}
    for wanted in expectations(week, task):
        for parameter, value in wanted.args.items():
            values = cast("list[object]", value) if isinstance(value, list) else [value]
            yield from ((wanted.tool, parameter, name) for name in values if isinstance(name, str) and name in ids)
