"""Lint: every conditional task and record comes about, on the oracle's path or when an earlier task is left undone."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from proactivity_gym.reports.findings import Report, Study
from proactivity_gym.reports.plays import fates, play
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.week import Requirement, Week

Course = tuple[frozenset[int], frozenset[int]]
"""Tasks left undone, and tasks dismissed; all others are the oracle's."""

ORACLE: Course = (frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class _Reached:
    """What came about in one play."""

    tasks: frozenset[int]
    records: frozenset[int]


def check(study: Study, report: Report) -> None:
    """Report dead branches."""
    dead_tasks, dead_records = _everything(study)
    for week in _telling_weeks(study, dead_records):
        tasks, records = _reached(week)
        dead_tasks -= tasks
        dead_records -= records
    message = "it never comes about: not on the oracle's path, nor when tasks it depends on are left undone or dismissed"
    for index in sorted(dead_tasks):
        report(f"task {study.scenario.tasks[index].id}", message)
    for index in sorted(dead_records):
        report(f"record {study.scenario.records[index].id}", message)


def _telling_weeks(study: Study, records: set[int]) -> Iterator[Week]:
    """Yield weeks that hold between them whatever can come about; records that no week of the study has are let off.

    The written weeks hold everything but records that show a task resolved: these want a week that has them.
    """
    for persona in study.weeks:
        yield study.written(persona)
    for index in sorted(records):
        having = [week for _, _, week in study.each() if week.record_at[index] < NEVER]
        if not having:
            records.discard(index)
        elif index in records and study.written(having[0].plan.persona.id).record_at[index] >= NEVER:
            yield having[0]


def _everything(study: Study) -> tuple[set[int], set[int]]:
    """Return the tasks, and the records that depend on something."""
    plan = next(iter(study.each()))[2].plan
    return set(range(len(plan.tasks))), {i for i, record in enumerate(plan.records) if record.requirements}


def _reached(week: Week) -> tuple[set[int], set[int]]:
    """Return the tasks and conditional records that come about in a week on some course."""
    rows = week.plan
    conditions = [task.requirements for task in rows.tasks] + [record.requirements for record in rows.records]
    tasks: set[int] = set()
    records: set[int] = set()
    tried: set[Course] = set()
    open_courses: list[Course] = [ORACLE]
    while open_courses:
        course = open_courses.pop()
        tried.add(course)
        reached = _play(week, course)
        news = (reached.tasks - tasks) | (reached.records - records)
        tasks |= reached.tasks
        records |= reached.records
        if news or course == ORACLE:
            open_courses += [c for c in _variants(course, conditions, reached.tasks) if c not in tried]
    return tasks, records


def _variants(course: Course, conditions: Iterable[tuple[Requirement, ...]], active: frozenset[int]) -> Iterator[Course]:
    """Yield courses in which the tasks of one set of conditions go wrong too."""
    for requirements in conditions:
        blamed = frozenset(task for task, _, _ in requirements) & active
        if blamed:
            yield course[0] | blamed, course[1] - blamed
            yield course[0] - blamed, course[1] | blamed


def _play(week: Week, course: Course) -> _Reached:
    episode = play(week, *course)
    return _Reached(frozenset(fates(episode)), frozenset(episode.present))
