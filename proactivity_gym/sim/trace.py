"""The trace: the append-only record of an episode. Everything scored or drawn is computed from it."""

from collections.abc import Iterator
from enum import IntEnum
from typing import Any

Value = int | float | str | bool | None
Entry = tuple[int, str, dict[str, Value]]
"""Minute, name of what happened, and its particulars."""
Row = tuple[Any, ...]
"""An entry as it is recorded: minute, name, and the particulars in the order of FIELDS."""

SCHEMA = 1
"""Version of the names and particulars below, raised when one changes its meaning."""

NAMES = {
    "active": "a task's conditions were met (task)",
    "signal": "a signal took a slot (signal, slot, task, status)",
    "gone": "a signal left its slot (signal, slot)",
    "wait": "an action was refused and counted as waiting (error: its code)",
    "read": "a record was read (record)",
    "dismiss": "a signal was dismissed (signal, task, expected, evidence: share of it read)",
    "snooze": "a signal was put back (signal, task, timing, until)",
    "attempt": "an intervention of depth PREPARE or more (job, signal, task, depth, timing, expected, first, start, resource)",
    "start": "a job's work started or went on (job, task)",
    "pause": "a job's work paused (job, task)",
    "done": "a job's work ended (job, task, minutes, wrong)",
    "refused": "the permission ledger refused a job's actions (job, task)",
    "commit": "a job's actions took effect (job, task)",
    "credit": "an attempt reached what TC scores (job, task, tc, late)",
    "deliver": "an offer, notice or draft reached the user (job, task, focus)",
    "compete": "a job competed with the user (job, task, minutes, cause, counts: not excused)",
    "reaction": "the user reacted (job, task, topic, reaction)",
    "approved": "a task's offer was approved, and the ledger did not refuse it (task)",
    "trust": "the user noticed an attempt (job, level)",
    "waste": "work came to nothing (job, minutes)",
    "stated": "the user made a statement (statement)",
    "withdrawn": "delegation was withdrawn for a topic (topic)",
    "restored": "delegation was given back for a topic (topic)",
    "close": "a task closed (task, outcome)",
    "end": "the last minute came ()",
}


FIELDS: dict[str, tuple[str, ...]] = {
    "active": ("task",),
    "signal": ("signal", "slot", "task", "status"),
    "gone": ("signal", "slot"),
    "wait": ("error",),
    "read": ("record",),
    "dismiss": ("signal", "task", "expected", "evidence"),
    "snooze": ("signal", "task", "timing", "until"),
    "attempt": ("job", "signal", "task", "depth", "timing", "expected", "first", "start", "resource"),
    "start": ("job", "task"),
    "pause": ("job", "task"),
    "done": ("job", "task", "minutes", "wrong"),
    "refused": ("job", "task"),
    "commit": ("job", "task"),
    "credit": ("job", "task", "tc", "late"),
    "deliver": ("job", "task", "focus"),
    "compete": ("job", "task", "minutes", "cause", "counts"),
    "reaction": ("job", "task", "topic", "reaction"),
    "approved": ("task",),
    "trust": ("job", "level"),
    "waste": ("job", "minutes"),
    "stated": ("statement",),
    "withdrawn": ("topic",),
    "restored": ("topic",),
    "close": ("task", "outcome"),
    "end": (),
}
"""The particulars of each name, in the order of a row."""


class Trace:
    """An append-only list of entries, recorded as one flat list of cells and spelt out when somebody looks."""

    __slots__ = ("_entries", "_spelt", "cells")

    def __init__(self) -> None:
        """Start empty."""
        self.cells: list[Any] = []
        """All rows, one after the other: no object stays behind for an entry that the garbage collector would have to visit."""
        self._entries: list[Entry] = []
        self._spelt = 0
        """How many cells are spelt out."""

    @property
    def entries(self) -> list[Entry]:
        """The entries so far, in order."""
        cells, start = self.cells, self._spelt
        while start < len(cells):
            minute, name = cells[start : start + 2]
            start, first = start + 2 + len(FIELDS[name]), start + 2
            self._entries.append((minute, name, dict(zip(FIELDS[name], map(_plain, cells[first:start]), strict=True))))
        self._spelt = start
        return self._entries

    def __iter__(self) -> Iterator[Entry]:
        """Iterate over the entries in order."""
        return iter(self.entries)

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self.entries)


def row_of(entry: Entry) -> Row:
    """Return the row of an entry; particulars that it lacks are None."""
    minute, name, data = entry
    return minute, name, *map(data.get, FIELDS[name])


def _plain(value: Value) -> Value:
    """Return the number of a word."""
    return int(value) if isinstance(value, IntEnum) else value
