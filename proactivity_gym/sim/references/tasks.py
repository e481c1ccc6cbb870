"""Tasks, signals, windows and personas: what they say fits together."""

from collections import Counter
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from proactivity_gym.sim.references.outline import Outline
from proactivity_gym.sim.scenario import Persona, Record, Signal, Task, Window
from proactivity_gym.sim.words import ANY_TOPIC

_OF_NOISE = ("topic", "work_min", "review_min", "resource", "action_class")
"""Features that a signal without a task must state."""

_OF_TASK = (*_OF_NOISE, "demand", "amount", "reversible")
"""Features that a signal has from its task."""


def problems(outline: Outline) -> list[str]:
    """Return what does not fit together."""
    return [
        *_signals(outline),
        *_records(outline),
        *_kinds(outline),
        *_demands(outline),
        *_resolutions(outline),
        *_chances(outline),
        *_cycle(outline),
        *_windows(outline),
        *_primary(outline),
        *_personas(outline),
    ]


def _signals(outline: Outline) -> Iterator[str]:
    for path, signal in outline.tables(Signal):
        for name in _OF_TASK:
            key = Signal.model_fields[name].alias or name
            stated = getattr(signal, name) is not None
            if signal.task and stated:
                yield f"{path}.{key}: a signal with a task has this from the task; remove it"
            elif not signal.task and not stated and name in _OF_NOISE:
                yield f"{path}.{key}: a signal without a task states it itself; add it"


def _records(outline: Outline) -> Iterator[str]:
    needed = {name for task in outline.scenario.tasks for name in (*task.evidence, task.resolved_by)}
    for path, record in outline.tables(Record):
        tied = record.id in needed or (record.signal and record.signal.task)
        if record.chance < 1 and tied:
            yield f"{path}.chance: a task needs this record in every week; remove the chance"
        if record.signal and record.topic:
            yield f"{path}.topic: the record has a signal, whose topic counts; remove it"


def _kinds(outline: Outline) -> Iterator[str]:
    shown = {record.signal.task for record in outline.scenario.records if record.signal}
    for path, task in outline.tables(Task):
        if task.kind == "noop" and task.actions:
            yield f"{path}.actions: where nothing is to be done, nothing is right; remove them or change the kind"
        if task.kind != "noop" and not task.actions:
            yield f"{path}.actions: the right solution is missing; add actions, or make it a noop"
        if task.kind != "noop" and task.looks:
            yield f"{path}.looks: its actions show how it looks; remove it"
        if task.id not in shown:
            yield f"{path}.id: no record's signal names the task; add `signal = {{ task = {task.id!r} }}` to one"


def _demands(outline: Outline) -> Iterator[str]:
    capacity = {resource.id: resource.capacity for resource in outline.scenario.resources}
    for kind in (Task, Signal):
        for path, entry in outline.tables(kind):
            most = capacity.get(entry.resource or "")
            if most is not None and (entry.demand or 1) > most:
                yield f"{path}.demand: {entry.demand} is above the capacity of {entry.resource!r}; take at most {most}"


def _resolutions(outline: Outline) -> Iterator[str]:
    uses = Counter(task.resolved_by for task in outline.scenario.tasks)
    evidence = {name for task in outline.scenario.tasks for name in task.evidence}
    for path, task in outline.tables(Task):
        if task.resolved_by and task.kind == "noop":
            yield f"{path}.resolved_by: a noop needs no record that settles it; remove it"
        if task.resolved_by and uses[task.resolved_by] > 1:
            yield f"{path}.resolved_by: {task.resolved_by!r} settles another task too; give each its own record"
        if task.resolved_by in evidence:
            yield f"{path}.resolved_by: most weeks do not have {task.resolved_by!r}; remove it from the evidence"
        if bool(task.resolved_by) != (task.resolved_chance > 0):
            yield f"{path}.resolved_chance: it goes with resolved_by; set both, or none"


def _chances(outline: Outline) -> Iterator[str]:
    """A task that some weeks lack takes its signals with it: nothing that every week has may rest on them."""
    scenario = outline.scenario
    competing = {name for window in scenario.windows for name in (window.urgent, window.later)}
    for path, task in outline.tables(Task):
        if task.chance == 1:
            continue
        if task.id in competing:
            yield f"{path}.chance: it competes in a window, which every week has; remove the chance"
        own = {record.id for record in scenario.records if record.signal and record.signal.task == task.id}
        for other in scenario.tasks:
            if other.id != task.id and (shared := sorted(own & set(other.evidence))):
                yield f"{path}.chance: {other.id!r} has its signal {shared[0]!r} as evidence; remove the chance"


def _cycle(outline: Outline) -> Iterator[str]:
    graph = {task.id: [c.task for c in task.requires + task.excludes] for task in outline.scenario.tasks}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        ring = " <- ".join(error.args[1])
        yield f"task ({error.args[1][0]}): it depends on its own outcome: {ring}; remove one of the conditions"


def _windows(outline: Outline) -> Iterator[str]:
    urgent = Counter(window.urgent for window in outline.scenario.windows)
    later = Counter(window.later for window in outline.scenario.windows)
    noops = {task.id for task in outline.scenario.tasks if task.kind == "noop"}
    for path, window in outline.tables(Window):
        if window.urgent == window.later:
            yield f"{path}.later: it is the urgent task; name another"
        for key, name, counts in (("urgent", window.urgent, urgent), ("later", window.later, later)):
            if counts[name] > 1:
                yield f"{path}.{key}: another window has {name!r} as {key} too; give each its own"
            if name in noops:
                yield f"{path}.{key}: {name!r} is a noop, which competes for nothing; name another task"


def _primary(outline: Outline) -> Iterator[str]:
    for path, _ in [entry for entry in outline.tables(Window) if entry[1].primary][1:]:
        yield f"{path}.primary: another window is primary; keep one"


def _personas(outline: Outline) -> Iterator[str]:
    for path, persona in outline.tables(Persona):
        if not any(said.topic == ANY_TOPIC and said.at is None for said in persona.delegations):
            yield f"{path}.delegation: nothing covers `any` before the week; add a statement on it without `at`"
