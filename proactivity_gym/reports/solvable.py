"""Lint: the oracle solves every task of every week in time, and interrupts nobody without need."""

from collections.abc import Iterator, Mapping

from proactivity_gym.reports.findings import Places, Report, Study
from proactivity_gym.reports.plays import Fate, fates, play
from proactivity_gym.sim import variation
from proactivity_gym.sim.difficulty import EASY, HARD
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.forecast import When
from proactivity_gym.sim.planner import lands
from proactivity_gym.sim.timeline import next_in
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import Depth, Timing

Complaint = tuple[str, str]

LEVELLED = 4
"""Varied weeks that are looked at for each level of difficulty but the standard."""


def check(study: Study, report: Report) -> None:
    """Report tasks that the oracle does not solve."""
    places, known = Places(), set[tuple[str, Complaint]]()
    for persona, label, week in study.each():
        for complaint in complaints(play(week)):
            known.add((persona, complaint))
            places.add(complaint, persona, label)
    for persona, label, week in _levelled(study):
        for complaint in complaints(play(week)):
            if (persona, complaint) not in known:
                places.add(complaint, persona, label)
    places.report(report)


def _levelled(study: Study) -> Iterator[tuple[str, str, Week]]:
    """Yield persona, label and week at the other levels of difficulty: the written one, and the first varied ones."""
    for persona, weeks in study.weeks.items():
        base, varied = weeks["written"], min(len(weeks) - 1, LEVELLED)
        for level in (EASY, HARD):
            yield persona, f"written, {level.name}", variation.written(base.plan, level)
            for seed in range(1, varied + 1):
                yield persona, f"test {seed}, {level.name}", variation.vary(base, "test", seed, level)


def complaints(episode: Episode) -> Iterator[Complaint]:
    """Yield where and why an episode of the oracle earns less than 100 on TC, TA or TR-D."""
    week, found = episode.week, fates(episode)
    names = [task.id for task in week.plan.tasks]
    for index in sorted(week.reference_tasks ^ found.keys()):
        came = (
            "comes up though it is not on the reference path"
            if index in found
            else "is on the reference path but never comes up"
        )
        yield f"task {names[index]}", f"it {came}: look at its conditions and at when its records appear"
    for index, fate in found.items():
        for message in of_task(week, index, fate):
            yield f"task {names[index]}", message
    terms = episode.tally.terms()
    if terms["TA"] not in (None, 100.0):
        yield from of_windows(week, found)
    yield from _interruptions(episode, found)


def of_task(week: Week, index: int, fate: Fate) -> Iterator[str]:
    """Yield why a task earns less than all."""
    if fate.decided_at is None:
        noop = week.task_noop[index]
        yield (
            "it is never dismissed: its facts are out only after its signals have gone"
            if noop
            else "it is never taken up: no moment is left, after its facts are out, that delivers by its deadline"
        )
        return
    if fate.tc is None:
        late = " (it comes too late)" if fate.late else ""
        yield f"nothing is delivered by its deadline, though taken up as {_how(fate)}{late}"
    elif fate.tc < 1:
        yield f"it earns only {fate.tc:.2f} of its value: work starts before its facts are out, or evidence is unread"
    if fate.chosen != fate.expected and fate.expected is not None:
        yield f"it is taken up as {_how(fate)} where {fate.expected.name} is expected"
    if fate.competed:
        yield f"its work or its offer competes with the user, taken up as {_how(fate)}"


def _how(fate: Fate) -> str:
    parts = (fate.chosen, fate.timing)
    return " ".join(part.name for part in parts if part is not None)


def of_windows(week: Week, found: Mapping[int, Fate]) -> Iterator[Complaint]:
    """Yield where and why a window of the reference path is not met."""
    for index in sorted(week.reference_windows):
        row = week.plan.windows[index]
        urgent, later = (found.get(task, Fate()) for task in (row.urgent, row.later))
        if urgent.timing != Timing.NOW:
            yield f"window {row.id}", "its urgent task is not taken NOW inside the window"
        if later.start is None or urgent.decided_at is None or later.start <= urgent.decided_at:
            yield f"window {row.id}", "its later task is not deferred to after the window"


def _interruptions(episode: Episode, found: dict[int, Fate]) -> Iterator[Complaint]:
    """Yield tasks whose offer the oracle brings into focus though the next gap would have done."""
    week = episode.week
    for _, name, data in episode.trace:
        if name != "deliver" or not data["focus"]:
            continue
        job = episode.jobs.all[int(data["job"] or 0)]
        row, decided_at = job.row, found.get(job.row.task, Fate()).decided_at
        if decided_at is None or job.depth != Depth.SUGGEST:
            continue
        work = week.signal_work[job.signal]
        gap = next_in(week.plan.forecast.starts(row.resource, row.demand, work, When.FREE), decided_at)
        if lands(week.plan, job.depth, Timing.IDLE, gap + work) <= week.task_deadline[row.task]:
            where = f"task {week.plan.tasks[row.task].id}"
            yield where, "its reference path needs an approval in focus though the next gap would be in time"
