"""Lint: expected depths follow from statements that the agent can have read."""

from collections.abc import Iterator

from proactivity_gym.reports.findings import Places, Report, Study
from proactivity_gym.reports.plays import fates, play
from proactivity_gym.sim.delegation import ANY, Statement
from proactivity_gym.sim.week import Week, total

_SAY = "write a sentence from which topic, classes, limit and depth follow"


def check(study: Study, report: Report) -> None:
    """Report statements without words, and depths that are stated only after a task's facts are out."""
    for persona in study.scenario.personas:
        for number, statement in enumerate(persona.delegations):
            if not statement.said.strip():
                report(f"persona {persona.id}", f"delegation.{number}.said: it has no words: {_SAY}")
    places = Places()
    for persona, label, week in study.each():
        for complaint in _untimely(week):
            places.add(complaint, persona, label)
    places.report(report)


def deciding(week: Week, task: int, now: int) -> Statement | None:
    """Return the statement that decides a task's expected depth at a minute; None: none covers it."""
    row = week.plan.tasks[task]
    amount = total(row.amounts, week.values)
    for topic in (row.topic, ANY):
        for said in reversed(week.statements):
            if said.at <= now < said.until and said.covers(topic, row.action_class, amount):
                return said
    return None


def known_at(week: Week, task: int) -> int:
    """Return when a task is known and its facts are out."""
    first = min((max(0, week.record_at[week.plan.signals[s].record]) for s in week.plan.tasks[task].signals), default=0)
    return max(first, week.task_ready[task])


def _untimely(week: Week) -> Iterator[tuple[str, str]]:
    for task, fate in fates(play(week)).items():
        row = week.plan.tasks[task]
        if fate.decided_at is None or week.task_noop[task]:
            continue
        if deciding(week, task, fate.decided_at) is not deciding(week, task, known_at(week, task)):
            yield (
                f"task {row.id}",
                "another statement comes to decide its depth after its facts are out: state it earlier, or later",
            )
