"""The outline of a scenario: every value in it with the path that names it in complaints."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar, cast

from proactivity_gym.sim.scenario import Scenario, Table

T = TypeVar("T", bound=Table)


@dataclass(frozen=True, slots=True)
class Place:
    """A value and where it stands."""

    path: str
    """For people: `task.0 (form).evidence.1`."""
    keys: str
    """The same without numbers and ids: `task.evidence`."""
    value: object


class Outline:
    """All places of a scenario, from the outside to the inside, in the order of the format."""

    __slots__ = ("places", "scenario")

    def __init__(self, scenario: Scenario) -> None:
        """Walk through a scenario once."""
        self.scenario = scenario
        self.places = tuple(_within(Place("", "", scenario)))

    def tables(self, kind: type[T]) -> Iterator[tuple[str, T]]:
        """Yield every table of a kind with its path."""
        for place in self.places:
            if isinstance(place.value, kind):
                yield place.path, place.value


def _within(place: Place) -> Iterator[Place]:
    yield place
    for step, key, value in _parts(place.value):
        keys = f"{place.keys}.{key}" if place.keys and key else place.keys or key
        yield from _within(Place(f"{place.path}.{step}" if place.path else step, keys, value))


def _parts(value: object) -> Iterator[tuple[str, str, object]]:
    """Yield the parts of a value: step of the path, key (none for an entry of a list) and the part."""
    if isinstance(value, Table):
        for name, info in type(value).model_fields.items():
            yield info.alias or name, info.alias or name, getattr(value, name)
    elif isinstance(value, dict):
        for key, part in cast("dict[str, object]", value).items():
            yield key, key, part
    elif isinstance(value, list):
        for i, part in enumerate(cast("list[object]", value)):
            name = getattr(part, "id", None)
            yield f"{i} ({name})" if name else str(i), "", part
