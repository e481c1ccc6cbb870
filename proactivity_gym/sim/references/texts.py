"""Texts: every placeholder names something, and amounts of money are numbers."""

import re
from collections.abc import Iterator
from datetime import datetime

from proactivity_gym.sim import texts
from proactivity_gym.sim.references.outline import Outline
from proactivity_gym.sim.scenario import Scenario
from proactivity_gym.sim.tools import is_number

_AMOUNTS = ("record.signal.amount", "task.amount", "task.actions.args.amount", "persona.delegation.up_to")

_NAME = re.compile(r"[a-z][A-Za-z0-9_.-]*")
"""What a placeholder can name."""


def problems(outline: Outline) -> list[str]:
    """Return what is wrong with draws, placeholders and amounts."""
    uneven = list(_draws(outline))
    return uneven or [*_ambiguous(outline), *_placeholders(outline), *_amounts(outline)]


def values(scenario: Scenario) -> dict[str, list[texts.Scalar]]:
    """Return everything that each drawn value can be, by the name that placeholders use."""
    found: dict[str, list[texts.Scalar]] = {}
    for name, draw in scenario.draws.items():
        for option in draw.options:
            parts = option if isinstance(option, dict) else {"": option}
            for key, value in parts.items():
                found.setdefault(f"{name}.{key}" if key else name, []).append(value)
    return found


def instants(scenario: Scenario) -> dict[str, datetime]:
    """Return the instants that placeholders can name."""
    found = {moment.id: moment.at for moment in scenario.moments}
    found |= {f"{task.id}.deadline": task.deadline for task in scenario.tasks}
    found |= {f"{record.id}.at": record.at for record in scenario.records if record.at}
    return found | {f"{record.id}.due": record.due for record in scenario.records if record.due}


def _draws(outline: Outline) -> Iterator[str]:
    for name, draw in outline.scenario.draws.items():
        if len({frozenset(option) if isinstance(option, dict) else None for option in draw.options}) > 1:
            yield f"draw.{name}.options: they differ in their keys; give every option the same ones"
    for name in values(outline.scenario):
        if not _NAME.fullmatch(name):
            yield f"draw.{name}: no placeholder can name it; begin with a small letter, without spaces"


def _ambiguous(outline: Outline) -> Iterator[str]:
    for name in sorted(values(outline.scenario).keys() & instants(outline.scenario).keys()):
        yield f"draw.{name}: a moment, task or record has this name too; rename one of them"


def _placeholders(outline: Outline) -> Iterator[str]:
    drawn, moments = values(outline.scenario), instants(outline.scenario)
    for place, text in outline.of(str):
        if "@{" in text:
            for problem in texts.problems(text, drawn.__contains__, moments.__contains__):
                yield f"{place.path}: {problem}{'' if ';' in problem else '; mend the placeholder'}"
            if "@{" in texts.PLACEHOLDER.sub("", text):
                yield f"{place.path}: a placeholder is not well formed; write @{{name}} or @{{name:format}}"


def _amounts(outline: Outline) -> Iterator[str]:
    drawn = values(outline.scenario)
    for place in outline.places:
        if place.keys in _AMOUNTS:
            whole = texts.PLACEHOLDER.fullmatch(place.value) if isinstance(place.value, str) else None
            options = drawn.get(whole.group(1), [""]) if whole else [place.value]
            if not all(is_number(option) for option in options):
                yield f"{place.path}: {place.value!r} is no amount; write a number, or just one placeholder of numbers"
