"""What a model wrote down for later turns. The user's own words stand apart from what the model concluded.

A note counts as stated only if the user is on record with it: whatever else claims that the user said something (a stranger's
mail, the model itself) is kept as inferred.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from proactivity_gym.sim.safe_text import quoted

MOST_NOTES = 12
"""Of each kind; the oldest go first."""
LONGEST_NOTE = 200

STATED = "Stated by the user, word for word:"
INFERRED = "Inferred by you, which may be wrong:"


@dataclass
class Memory:
    """Notes of one episode, oldest first."""

    stated: list[str] = field(default_factory=list[str])
    inferred: list[str] = field(default_factory=list[str])

    def take(self, stated: Iterable[str], inferred: Iterable[str], said: str) -> None:
        """Take new notes, given all that the user is on record with."""
        known = _plain(said)
        for note in map(_short, stated):
            kept = self.stated if _plain(note) in known else self.inferred
            _add(kept, note)
        for note in map(_short, inferred):
            _add(self.inferred, note)

    def lines(self) -> list[str]:
        """Return the notes as a prompt shows them."""
        return [*_part(STATED, self.stated), *_part(INFERRED, self.inferred)] or ["none"]


def _part(title: str, notes: list[str]) -> list[str]:
    return [title, *(f"- {quoted(note)}" for note in notes)] if notes else []


def _add(notes: list[str], note: str) -> None:
    if note and note not in notes:
        notes.append(note)
        del notes[:-MOST_NOTES]


def _short(note: str) -> str:
    return " ".join(note.split())[:LONGEST_NOTE].rstrip()


def _plain(text: str) -> str:
    return " ".join(text.replace('\\"', '"').casefold().split())
