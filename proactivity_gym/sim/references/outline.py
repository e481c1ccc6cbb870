"""The outline of a scenario: every value that it states, with the path that names it in complaints."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple, TypeVar, cast

from proactivity_gym.sim.scenario import Scenario, Table

T = TypeVar("T", bound=Table)
V = TypeVar("V")


class Place(NamedTuple):
    """A value and where it stands."""

    path: str
    """For people: `task.0 (form).evidence.1`."""
    keys: str
    """The same without numbers and ids: `task.evidence`."""
    value: object


class Outline:
    """All places of a scenario, from the outside to the inside, in the order of the format."""

    __slots__ = ("_by_kind", "places", "scenario")

    def __init__(self, scenario: Scenario) -> None:
        """Walk through a scenario once."""
        self.scenario = scenario
        self.places: list[Place] = []
        self._by_kind: dict[type, list[Place]] = {}
        self._walk("", "", scenario)

    def tables(self, kind: type[T]) -> Iterator[tuple[str, T]]:
        """Yield every table of a kind with its path."""
        for place, table in self.of(kind):
            yield place.path, table

    def of(self, kind: type[V]) -> Iterator[tuple[Place, V]]:
        """Yield every value of just a kind after its place."""
        for place in self._by_kind.get(kind, ()):
            yield place, cast("V", place.value)

    def _walk(self, path: str, keys: str, value: object) -> None:
        place = Place(path, keys, value)
        self.places.append(place)
        self._by_kind.setdefault(type(value), []).append(place)
        for step, key, part in _parts(value):
            self._walk(f"{path}.{step}" if path else step, f"{keys}.{key}" if keys and key else keys or key, part)


def _parts(value: object) -> list[tuple[str, str, object]]:
    """Return the stated parts of a value: step of the path, key (none for an entry of a list) and the part."""
    if isinstance(value, dict):
        return [(key, key, part) for key, part in cast("dict[str, object]", value).items()]
    if isinstance(value, list):
        named = [(str(i), getattr(part, "id", None), part) for i, part in enumerate(cast("list[object]", value))]
        return [(f"{i} ({name})" if name else i, "", part) for i, name, part in named]
    return [(key, key, part) for name, key in _keys(type(value)) if (part := getattr(value, name)) is not None]


@cache
def _keys(kind: type) -> list[tuple[str, str]]:
    """Return, for each field of a kind of table, its name in code and in the file; other kinds have none."""
    fields = kind.model_fields if issubclass(kind, Table) else {}
    return [(name, info.alias or name) for name, info in fields.items()]
