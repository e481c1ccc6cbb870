"""The world: what is true in all apps at one minute, and the tools that read and change it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from types import MappingProxyType

from proactivity_gym.sim.apps import BY_NAME
from proactivity_gym.sim.apps.records import Entry, Records
from proactivity_gym.sim.clock import Clock
from proactivity_gym.sim.tools import Result, Tool, ToolError, kind_of

__all__ = ["APPS", "TOOLS", "Entry", "World", "field_problems", "is_tool_made"]

APPS = tuple(BY_NAME)
"""The name of every app; observations number them in this order."""

TOOLS: Mapping[str, Tool] = MappingProxyType({name: tool for app in BY_NAME.values() for name, tool in app.tools.items()})
"""Every tool by its name."""

_TOOL_MADE = re.compile(f"(?:{'|'.join(APPS)})-[0-9]+")


class World:
    """Records, a present, and tools. What has been added is visible; whoever owns the world adds and tells the time."""

    __slots__ = ("_records",)

    def __init__(self, clock: Clock, entries: Iterable[Entry] = ()) -> None:
        """Start at minute 0 with some records, which belong to the world from then on.

        Raises:
            ValueError: two of them share an id, or one names no app.
        """
        self._records = Records(clock)
        for entry in entries:
            self.add(entry)

    @property
    def clock(self) -> Clock:
        """The clock that shows local times."""
        return self._records.clock

    @property
    def now(self) -> int:
        """The present minute, at which tools create records."""
        return self._records.now

    @now.setter
    def now(self, minute: int) -> None:
        self._records.now = minute

    def add(self, entry: Entry) -> None:
        """Let a record appear.

        Raises:
            ValueError: its id is taken, or there is no such app.
        """
        if entry.app not in APPS:
            raise ValueError(f"record {entry.id!r}: there is no app {entry.app!r}: use one of {', '.join(APPS)}")
        self._records.add(entry)

    def get(self, record_id: str) -> Entry:
        """Return a record.

        Raises:
            KeyError: there is none of this id.
        """
        return self._records.get(record_id)

    def everything(self) -> list[Entry]:
        """Return the records of all apps, in the order of their appearing."""
        return self._records.everything()

    def entries(self, app: str) -> list[Entry]:
        """Return the records of an app, newest first: by appearance, then by what they are about, then by id."""
        return self._records.of(app)

    def call(self, tool: str, arguments: Mapping[str, object]) -> Result:
        """Use a tool. A commit done twice changes nothing the second time: `changed` in the result says so.

        Raises:
            ToolError: the call was refused and changed nothing.
        """
        if tool not in TOOLS:
            raise ToolError(tool, None, f"there is no such tool: use one of {', '.join(TOOLS)}")
        return TOOLS[tool].run(self._records, arguments)

    def fork(self) -> "World":
        """Return an independent copy, for calls that are only proposed."""
        twin = World(self.clock, (entry.copy() for entry in self._records.sorted_by_id()))
        twin.now = self.now
        return twin

    def snapshot(self) -> dict[str, object]:
        """Return the whole state, equal for equal worlds and fit for JSON; times are minutes."""
        records = [{**asdict(entry), "links": list(entry.links)} for entry in self._records.sorted_by_id()]
        return {"now": self.now, "records": records}


def is_tool_made(record_id: str) -> bool:
    """Whether an id is of the form that tools give (mail-1): records that come later must keep away from it."""
    return _TOOL_MADE.fullmatch(record_id) is not None


def field_problems(app: str, fields: Mapping[str, object]) -> list[str]:
    """Return what is wrong with the fields of a written record, once its placeholders are filled in."""
    if app not in APPS:
        return [f"there is no app {app!r}: use one of {', '.join(APPS)}"]
    known = BY_NAME[app].fields
    kinds = {name: kind_of(annotation) for name, annotation in known.items()}
    unknown = [
        f"{name}: records of {app} have no such field: remove it or use one of {', '.join(known) or 'none'}"
        for name in fields
        if name not in kinds
    ]
    return unknown + [
        f"{name}: it must be {kind.words}, not {fields[name]!r}"
        for name, kind in kinds.items()
        if name in fields and not kind.fits(fields[name])
    ]
