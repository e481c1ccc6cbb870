"""The trace: the append-only record of an episode. Everything scored or drawn is computed from it."""

from collections.abc import Iterator

Value = int | float | str | bool | None
Entry = tuple[int, str, dict[str, Value]]
"""Minute, name of what happened, and its particulars."""

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


class Trace:
    """An append-only list of entries."""

    __slots__ = ("entries",)

    def __init__(self) -> None:
        """Start empty."""
        self.entries: list[Entry] = []

    def __iter__(self) -> Iterator[Entry]:
        """Iterate over the entries in order."""
        return iter(self.entries)

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self.entries)
