"""The arguments of the environment: what they may be, and what they become."""

from collections.abc import Mapping, Sequence
from importlib.metadata import entry_points
from operator import index
from typing import Any, cast

import numpy as np

from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.scoring import Weights
from proactivity_gym.sim.work import Worker

_FORMS = {"imperfect": "imperfect (or imperfect:0.3)", "llm": "llm:MODEL.toml"}
"""How to write workers that take a setting."""


def one_of(name: str, value: object, allowed: Sequence[str]) -> str:
    """Return a value that must be one of a few words.

    Raises:
        ValueError: it is none of them.
    """
    if isinstance(value, str) and value in allowed:
        return value
    raise ValueError(f"{name}={value!r}: choose one of {', '.join(allowed)}")


def choices_of(scenario: str, persona: str) -> list[tuple[str, str]]:
    """Return the pairs of scenario and persona that a reset draws from.

    Raises:
        ScenarioError: one of them cannot be used.
    """
    for name, value in (("scenario", scenario), ("persona", persona)):
        if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance] (gym.make checks no types)
            raise ValueError(f"{name}={value!r}: give a text, several with commas")
    sources = catalogue.names() if scenario == catalogue.MIXED else _parts(scenario)
    choices = [(source, each) for source in sources for each in _parts(persona)]
    if scenario != catalogue.MIXED:
        for choice in choices:
            catalogue.written_week(*choice)
    return choices


def weights_of(value: object) -> Weights:
    """Return weights from three numbers (tc, ta, tr), a mapping of them, or `Weights`.

    Raises:
        ValueError: they are no weighting.
    """
    if isinstance(value, Weights):
        return value
    try:
        given: Any = value
        parts = given if isinstance(value, Mapping) else dict(zip(("tc", "ta", "tr"), given, strict=True))
        numbers: dict[str, float] = {str(name): float(part) for name, part in parts.items()}
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"weights={value!r}: {error}: give three numbers (tc, ta, tr) or a mapping of them") from error
    if numbers.keys() != {"tc", "ta", "tr"}:
        raise ValueError(f"weights={value!r}: give three numbers (tc, ta, tr) or a mapping of them")
    return Weights(**numbers)


def _parts(value: str) -> list[str]:
    return [part.strip() for part in value.split(",")] if "," in value else [value]


def number_in(options: Mapping[str, Any] | None, name: str) -> int | None:
    """Return a whole number given in the options of a reset, or None.

    Raises:
        ValueError: it is no whole number of at least 0, or the options are no mapping.
    """
    if options is not None and not isinstance(cast("object", options), Mapping):
        raise ValueError(f"options={options!r}: give a mapping, as in {{'week': 3}}")
    if not options or name not in options:
        return None
    value = options[name]
    try:
        number = -1 if isinstance(value, (bool, np.bool_)) else index(value)
    except TypeError:
        number = -1
    if number < 0:
        raise ValueError(f"options[{name!r}]={value!r}: give a whole number of at least 0")
    return number


def worker_in(options: Mapping[str, Any] | None) -> Worker | None:
    """Return a worker given in the options of a reset, or None.

    Raises:
        ValueError: it is no worker.
    """
    worker = options.get("worker") if options else None
    if worker is not None and not (callable(getattr(worker, "read", None)) and callable(getattr(worker, "work", None))):
        raise ValueError(f"options['worker']={worker!r}: give an object with the methods read and work, or name one by worker=")
    return worker


def make_worker(name: str, generator: np.random.Generator) -> Any:
    """Return a worker by its name; None is the reference worker, which the simulation carries itself.

    Raises:
        ValueError: no worker has this name.
    """
    if name == "reference":
        return None
    found = entry_points(group="proactivity_gym.workers")
    kind, _, setting = name.partition(":") if isinstance(cast("object", name), str) else ("", "", "")
    for entry in found:
        if entry.name == kind:
            return entry.load()(setting, generator)
    known = ", ".join(_FORMS.get(each, each) for each in sorted(entry.name for entry in found))
    raise ValueError(f"worker={name!r}: choose one of reference, {known}")
