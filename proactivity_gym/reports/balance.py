"""Lint: house rules for how much of what a scenario holds, so that no shortcut pays (docs/authoring.md)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from proactivity_gym.reports.findings import Report, Study
from proactivity_gym.reports.sayings import deciding, known_at
from proactivity_gym.sim.delegation import ANY
from proactivity_gym.sim.scenario import Scenario, Task
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import Depth

MOST_OF_A_DEPTH = 0.45
"""Share of an id's cases that may expect the same depth."""
EXCEPTIONS = 0.30
"""Share of cases whose depth is not the one last stated for the topic."""
DIFFERING = 0.5
"""Share of tasks for which the personas do not all expect the same."""
NOOP_VALUE = (0.12, 0.24)
"""Share of NOOP tasks in all value."""


@dataclass(frozen=True, slots=True)
class Range:
    """How many of something there should be."""

    least: int
    most: int | None = None

    def misses(self, count: int) -> bool:
        """Tell whether a count is outside."""
        return count < self.least or (self.most is not None and count > self.most)

    def __str__(self) -> str:
        """Say it in words."""
        return f"at least {self.least}" if self.most is None else f"{self.least} to {self.most}"


def check(study: Study, report: Report) -> None:
    """Report what there is too little or too much of."""
    for what, count, wanted in _counts(study.scenario):
        if wanted.misses(count):
            report("scenario", f"{count} {what}: {wanted} are wanted")
    for message in _value(study.scenario):
        report("scenario", message)
    for message in _windows(study.scenario):
        report("scenario", message)
    for persona in study.weeks:
        for message in _of_persona(study, persona):
            report(f"persona {persona}", message)
    for message in _differing(study):
        report("scenario", message)


def _counts(scenario: Scenario) -> Iterator[tuple[str, int, Range]]:
    kinds = Counter(task.kind for task in scenario.tasks)
    two = sum(task.kind == "latent" and len(task.evidence) >= 2 for task in scenario.tasks)
    conditional = sum(bool(entry.requires or entry.excludes) for entry in (*scenario.tasks, *scenario.records))
    signals = [record for record in scenario.records if record.signal]
    noise = [record for record in signals if record.signal and not record.signal.task]
    resolvable = [task for task in scenario.tasks if _resolves_well(scenario, task)]
    yield "days", scenario.days, Range(7, 10)
    yield "tasks", len(scenario.tasks), Range(10, 19)
    yield "requests", kinds["request"], Range(3)
    yield "latent needs", kinds["latent"], Range(4)
    yield "latent needs with evidence in two records", two, Range(2)
    yield "NOOP tasks", kinds["noop"], Range(3)
    yield "conditional branches", conditional, Range(2)
    yield "windows", len(scenario.windows), Range(4)
    yield "tasks with `resolved_by` that no window or condition needs", len(resolvable), Range(3)
    yield "records of noise", len(noise), Range(15, 25)
    yield "draws", len(scenario.draws), Range(4, 12)


def _resolves_well(scenario: Scenario, task: Task) -> bool:
    needed = {w.urgent for w in scenario.windows} | {w.later for w in scenario.windows}
    needed |= {c.task for entry in (*scenario.tasks, *scenario.records) for c in entry.requires}
    return task.resolved_by is not None and task.id not in needed and 0.15 <= task.resolved_chance <= 0.3


def _value(scenario: Scenario) -> Iterator[str]:
    share = sum(t.value for t in scenario.tasks if t.kind == "noop") / sum(t.value for t in scenario.tasks)
    if not NOOP_VALUE[0] <= share <= NOOP_VALUE[1]:
        yield f"NOOP tasks hold {share:.0%} of the value: {NOOP_VALUE[0]:.0%} to {NOOP_VALUE[1]:.0%} are wanted"


def _windows(scenario: Scenario) -> Iterator[str]:
    if not scenario.windows:
        return
    primary = [w.id for w in scenario.windows if w.primary]
    if primary != [scenario.windows[0].id]:
        yield f"primary windows: {', '.join(primary) or 'none'}: the first window, and no other, is wanted"
    scarce = {w.scarce for w in scenario.windows}
    if len(scarce) < min(3, len(scenario.windows)):
        yield f"the windows are short of {', '.join(sorted(scarce))} alone: let what is scarce differ"
    longer = sum(_stated(scenario, w.urgent) > _stated(scenario, w.later) for w in scenario.windows)
    if 3 * longer < len(scenario.windows):
        yield (
            f"in {longer} of {len(scenario.windows)} windows the urgent task has the longer stated deadline: a third is wanted"
        )


def _stated(scenario: Scenario, task: str) -> float:
    """Return the soonest stated deadline of a task, as a time stamp; without one it is the longest of all."""
    stated = [r.signal.by for r in scenario.records if r.signal and r.signal.task == task and r.signal.by]
    return min((by.toordinal() * 1440 + by.hour * 60 + by.minute for by in stated), default=float(NEVER))


def _of_persona(study: Study, persona: str) -> Iterator[str]:
    weeks = list(study.weeks[persona].values())
    counts = Counter(depth for week in weeks for depth in depths(week).values())
    for depth, count in sorted(counts.items()):
        if count > MOST_OF_A_DEPTH * counts.total():
            share = count / counts.total()
            yield f"{depth.name} is expected in {share:.0%} of its cases: at most {MOST_OF_A_DEPTH:.0%} are wanted"
    fewest = min(len(week.reference_windows) for week in weeks)
    if fewest < 3:
        yield f"only {fewest} windows are active in some week: at least 3 are wanted"
    written = study.written(persona)
    acted = {task: depth for task, depth in depths(written).items() if depth != Depth.NOOP}
    exceptions = sum(_last_stated(written, task) != depth for task, depth in acted.items())
    if exceptions < EXCEPTIONS * len(acted):
        yield (
            f"in {exceptions} of {len(acted)} cases the depth differs from the one last stated for the topic: "
            f"{EXCEPTIONS:.0%} are wanted"
        )
    delegations = next(p for p in study.scenario.personas if p.id == persona).delegations
    if not any(statement.at for statement in delegations):
        yield "no statement is made within the week: at least one is wanted"
    for statement in written.statements:
        if statement.at >= 0 and any(s <= statement.at < e for s, e in zip(*written.plan.asleep, strict=True)):
            yield f"a statement is made in the user's sleep: {statement.said!r}"


def depths(week: Week) -> dict[int, Depth]:
    """Return the expected depth of each case on the reference path of a week."""
    found: dict[int, Depth] = {}
    for task in sorted(week.reference_tasks):
        statement = deciding(week, task, known_at(week, task))
        found[task] = Depth.NOOP if week.task_noop[task] else statement.depth if statement else Depth.SUGGEST
    return found


def _last_stated(week: Week, task: int) -> Depth | None:
    """Return the depth last stated for a task's topic, or else for `any`, whatever it covers."""
    now = known_at(week, task)
    said = [s for s in week.statements if s.at <= now < s.until]
    own = [s for s in said if s.topic == week.plan.tasks[task].topic] or [s for s in said if s.topic == ANY]
    return own[-1].depth if own else None


def _differing(study: Study) -> Iterator[str]:
    if len(study.weeks) < 2:
        return
    by_task: dict[int, set[Depth]] = {}
    for persona in study.weeks:
        for task, depth in depths(study.written(persona)).items():
            by_task.setdefault(task, set()).add(depth)
    acted = [found for found in by_task.values() if found != {Depth.NOOP}]
    differ = sum(len(found) > 1 for found in acted)
    if differ < DIFFERING * len(acted):
        yield f"the personas expect different depths in {differ} of {len(acted)} tasks: {DIFFERING:.0%} are wanted"
