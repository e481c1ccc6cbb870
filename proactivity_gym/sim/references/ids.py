"""Ids: each given once, and none named that is not given."""

from collections.abc import Collection, Iterable
from difflib import get_close_matches

from proactivity_gym.sim.references.outline import Outline, Place
from proactivity_gym.sim.scenario import Scenario
from proactivity_gym.sim.words import ANY_TOPIC
from proactivity_gym.sim.world import APPS, TOOLS, is_tool_made

_GIVEN = ("persona.id", "resource.id", "group.id", "moment.id", "record.id", "task.id", "window.id", "topics")
"""Keys whose values must differ."""

_NAMED = {
    "usage.resource": "resource",
    "moment.moves": "group",
    "record.app": "app",
    "record.links": "record",
    "record.moves": "group",
    "record.topic": "topic",
    "record.signal.task": "task",
    "record.signal.topic": "topic",
    "record.signal.resource": "resource",
    "record.requires.task": "task",
    "record.excludes.task": "task",
    "task.topic": "topic",
    "task.session": "session",
    "task.resource": "resource",
    "task.evidence": "record",
    "task.resolved_by": "record",
    "task.moves": "group",
    "task.requires.task": "task",
    "task.excludes.task": "task",
    "task.actions.tool": "tool",
    "window.urgent": "task",
    "window.later": "task",
    "persona.delegation.topic": "topic or `any`",
    "persona.prior.topic": "topic or `any`",
}
"""Keys that name something, and what."""

_MOST_LISTED = 16


def problems(outline: Outline) -> list[str]:
    """Return what is wrong with ids."""
    found = [place for place, _ in outline.of(str)]
    return [*_repeated(found), *_reserved(found), *_unknown(outline.scenario, found)]


def _repeated(found: Iterable[Place]) -> list[str]:
    first: dict[tuple[str, object], str] = {}
    complaints: list[str] = []
    for place in found:
        if place.keys in _GIVEN and first.setdefault((place.keys, place.value), place.path) != place.path:
            before = first[place.keys, place.value]
            complaints.append(f"{place.path}: {place.value!r} is taken by {before}; choose another")
    return complaints


def _reserved(found: Iterable[Place]) -> list[str]:
    complaints: list[str] = []
    for place in found:
        if place.keys == "topics" and place.value == ANY_TOPIC:
            complaints.append(f"{place.path}: {ANY_TOPIC!r} is always there; remove it")
        if place.keys == "record.id" and is_tool_made(str(place.value)):
            complaints.append(f"{place.path}: tools give ids such as {place.value!r}; choose another")
    return complaints


def _unknown(scenario: Scenario, found: Iterable[Place]) -> list[str]:
    known: dict[str, Collection[str]] = {
        "app": APPS,
        "group": [group.id for group in scenario.groups],
        "record": [record.id for record in scenario.records],
        "resource": [resource.id for resource in scenario.resources],
        "session": list(scenario.sessions),
        "task": [task.id for task in scenario.tasks],
        "tool": list(TOOLS),
        "topic": scenario.topics,
        "topic or `any`": [ANY_TOPIC, *scenario.topics],
    }
    return [
        f"{place.path}: there is no {_NAMED[place.keys]} {place.value!r}; {_instead(str(place.value), names)}"
        for place in found
        if place.keys in _NAMED and place.value not in (names := known[_NAMED[place.keys]])
    ]


def _instead(name: str, known: Collection[str]) -> str:
    """Say what may have been meant."""
    close = get_close_matches(name, known, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"use one of {', '.join(known)}" if 0 < len(known) <= _MOST_LISTED else "add it, or mend its spelling"
