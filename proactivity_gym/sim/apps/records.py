"""Records, which all apps are made of, and what their tools share: finding, reading, creating and amending them."""

import re
import reprlib
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import count
from typing import TypeVar

from proactivity_gym.sim.clock import Clock
from proactivity_gym.sim.tools import RecordId, RefusalError, Result, Tool, define
from proactivity_gym.sim.words import ActionClass

MOST_FOUND = 20
"""Index lines that a search returns."""

NEW = ""
"""The id of a record that `Records.create` has still to name."""

_WALL = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

Function = TypeVar("Function", bound=Callable[..., Result])


@dataclass(slots=True)
class Entry:
    """A mail, event, file, booking, ...: what a record is by now."""

    id: str
    app: str
    title: str
    text: str
    status: str = "info"
    at: int | None = None
    """Minute at which it appeared; None: it was there from the start."""
    due: int | None = None
    """Minute it is about."""
    fields: dict[str, object] = field(default_factory=dict[str, object])
    links: tuple[str, ...] = ()

    def copy(self) -> "Entry":
        """Return an independent copy."""
        return replace(self, fields=deepcopy(self.fields))


class Records:
    """The records of all apps: the state that tools work on."""

    __slots__ = ("_entries", "clock", "now")

    def __init__(self, clock: Clock) -> None:
        """Start at minute 0 with nothing."""
        self.clock = clock
        self.now = 0
        self._entries: dict[str, Entry] = {}

    def add(self, entry: Entry) -> None:
        """Let a record appear.

        Raises:
            ValueError: its id is taken.
        """
        if entry.id in self._entries:
            raise ValueError(f"there is already a record {entry.id!r}: give each record its own id")
        self._entries[entry.id] = entry

    def get(self, record_id: str) -> Entry:
        """Return the record of an id.

        Raises:
            KeyError: there is none.
        """
        return self._entries[record_id]

    def everything(self) -> list[Entry]:
        """Return all records, in the order in which they were added."""
        return list(self._entries.values())

    def sorted_by_id(self) -> list[Entry]:
        """Return all records."""
        return sorted(self._entries.values(), key=lambda entry: entry.id)

    def of(self, app: str) -> list[Entry]:
        """Return the records of an app, newest first: by appearance, then by what they are about, then by id."""
        found = [entry for entry in self.sorted_by_id() if entry.app == app]
        return sorted(found, key=_recency)

    def named(self, record_id: str, parameter: str, app: str | None = None) -> Entry:
        """Return the record that an argument names, of one app or of any.

        Raises:
            RefusalError: there is none.
        """
        entry = self._entries.get(record_id)
        if entry is None or app not in (None, entry.app):
            where = f" in {app}" if app else ""
            raise RefusalError(parameter, f"there is no record {reprlib.repr(record_id)}{where}: search for the right id")
        return entry

    def minute(self, wall: str, parameter: str) -> int:
        """Return the minute of a local date-time in an argument.

        Raises:
            RefusalError: it is written otherwise than 2027-03-11T07:10, or does not exist.
        """
        if not _WALL.fullmatch(wall):
            raise RefusalError(parameter, f"write the local date-time as 2027-03-11T07:10, not {reprlib.repr(wall)}")
        try:
            return self.clock.minute(datetime.fromisoformat(wall))
        except (ValueError, OverflowError) as error:
            raise RefusalError(parameter, f"{wall} does not exist: give another local date-time ({error})") from error

    def span(self, start: str, end: str) -> int:
        """Return the minute of `start`.

        Raises:
            RefusalError: `end` is not later, or one of them is no date-time.
        """
        first = self.minute(start, "start")
        if self.minute(end, "end") <= first:
            raise RefusalError("end", f"it must be later than start, {start}")
        return first

    def wall(self, minute: int | None) -> str | None:
        """Return a minute as local date-time."""
        if minute is None:
            return None
        return self.clock.local(minute).replace(tzinfo=None).isoformat(timespec="minutes")

    def create(self, entry: Entry) -> Result:
        """Add and name a new record, unless one just like it already stands: the same commit changes nothing twice."""
        for other in self.of(entry.app):
            if _stands_for(other, entry):
                return outcome(other, changed=False)
        entry.id = next(name for name in map(f"{entry.app}-{{}}".format, count(1)) if name not in self._entries)
        entry.at = self.now
        self.add(entry)
        return outcome(entry, changed=True)


def amend(
    entry: Entry,
    *,
    status: str | None = None,
    text: str | None = None,
    due: int | None = None,
    fields: Mapping[str, object] | None = None,
) -> Result:
    """Change what is given of a record, and say whether that made a difference."""
    before = entry.copy()
    entry.text = entry.text if text is None else text
    entry.status = entry.status if status is None else status
    entry.due = entry.due if due is None else due
    entry.fields.update(fields or {})
    return outcome(entry, changed=entry != before)


def outcome(entry: Entry, *, changed: bool) -> Result:
    """Return what a tool answers that creates or amends a record."""
    note = "done" if changed else "already so: nothing was changed"
    return {"id": entry.id, "title": entry.title, "status": entry.status, "changed": changed, "note": note}


def index_line(records: Records, entry: Entry) -> Result:
    """Return what a list shows of a record; `when` is the time it is about or else that of its appearance."""
    when = records.wall(entry.at if entry.due is None else entry.due)
    return {"id": entry.id, "title": entry.title, "when": when, "status": entry.status}


@dataclass(frozen=True, slots=True)
class App:
    """An app: the fields that its records may have (name -> annotation), and its tools."""

    name: str
    fields: Mapping[str, object]
    tools: dict[str, Tool] = field(default_factory=dict[str, Tool])

    def __post_init__(self) -> None:
        """Define the two reads that every app has."""

        def search(records: Records, query: str) -> Result:
            """List up to 20 records, newest first, that contain every word of the query; an empty query fits all."""
            words = query.casefold().split()
            found = [entry for entry in records.of(self.name) if all(word in _content(entry) for word in words)]
            lines = [index_line(records, entry) for entry in found[:MOST_FOUND]]
            return {"records": lines, "left_off": len(found) - len(lines)}

        def read(records: Records, id: RecordId) -> Result:  # noqa: A002 (workers know it so)
            """Show a whole record; times are local."""
            entry = records.named(id, "id", self.name)
            shown = {"id": entry.id, "app": entry.app, "title": entry.title, "text": entry.text, "status": entry.status}
            times = {"at": records.wall(entry.at), "due": records.wall(entry.due)}
            return {**shown, **times, "fields": deepcopy(entry.fields), "links": list(entry.links)}

        self.tool(ActionClass.READ)(search)
        self.tool(ActionClass.READ)(read)

    def tool(self, effect: ActionClass) -> Callable[[Function], Function]:
        """Return a decorator that makes a function a tool of this app."""

        def register(function: Function) -> Function:
            tool = define(self.name, effect, function)
            self.tools[tool.name] = tool
            return function

        return register


def checked_day(day: str, parameter: str) -> str:
    """Return the date in an argument.

    Raises:
        RefusalError: it is written otherwise than 2027-03-11, or does not exist.
    """
    if not _DAY.fullmatch(day):
        raise RefusalError(parameter, f"write the date as 2027-03-11, not {reprlib.repr(day)}")
    try:
        return date.fromisoformat(day).isoformat()
    except ValueError as error:
        raise RefusalError(parameter, f"{day} does not exist: give another date ({error})") from error


def _recency(entry: Entry) -> tuple[bool, int, bool, int]:
    """A key that sorts newest first: by appearance, then by what they are about; without a time comes last."""
    return (entry.at is None, -(entry.at or 0), entry.due is None, -(entry.due or 0))


def _content(entry: Entry) -> str:
    """All words of a record, for searching."""
    return "\n".join([entry.id, entry.title, entry.text, *map(str, entry.fields.values())]).casefold()


def _stands_for(old: Entry, new: Entry) -> bool:
    """Whether a record is what `new` would be. Fields may have been added since, as a seat to a booking."""
    same = (old.title, old.text, old.due) == (new.title, new.text, new.due) and old.status in (new.status, "changed")
    fields = all(name in old.fields and old.fields[name] == value for name, value in new.fields.items())
    return same and fields and set(new.links) <= set(old.links)
