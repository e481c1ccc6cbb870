"""What has been said about delegation, as the observation tells it: in its table, and again in each signal's row."""

from array import array
from collections.abc import Set
from functools import lru_cache

from proactivity_gym.envs.ages import Ages, stated
from proactivity_gym.envs.layout import DELEGATION
from proactivity_gym.sim.delegation import ANY, Book
from proactivity_gym.sim.words import Depth

_WIDTH = len(DELEGATION)
_SAYABLE = (None, Depth.PREPARE, Depth.SUGGEST, Depth.EXECUTE)
_SAID = {said: (*[float(said == depth) for depth in _SAYABLE], 0.0) for said in _SAYABLE}

_ROWS_KEPT = 4096

Shown = tuple["array[float]", int, float | None]
"""The nine numbers, but for the age; where the age starts (see `ages`); the limit stated."""


class Told:
    """Keeps the table of delegation up to date, and the row of each topic at hand."""

    __slots__ = ("_ages", "_book", "_buffer", "_start", "shown")

    def __init__(self, book: Book, ages: Ages, buffer: "array[float]", start: int) -> None:
        """Start with an empty table at a place of the buffer."""
        self._book = book
        self._ages = ages
        self._buffer = buffer
        self._start = start
        self.shown: dict[int, Shown] = {}
        """What signals of a topic show, as far as it is worked out."""

    def update(self, topics: Set[int]) -> None:
        """Bring the rows of some topics up to the present."""
        book, shown = self._book, self.shown
        if ANY in topics:
            shown.clear()
        for topic in topics:
            start, row = self._start + topic * _WIDTH, book.rows[topic]
            numbers, age = _numbers(row and row[0], *book.counts[topic]), stated(row and row[1])
            self._buffer[start : start + _WIDTH] = numbers
            self._ages.told_topic(topic, age)
            if row is not None:
                shown[topic] = numbers, age, book.limit(topic)
            elif topic in shown:
                del shown[topic]

    def of(self, topic: int) -> "Shown":
        """Work out what a signal of a topic shows."""
        book = self._book
        row = book.stated(topic)
        found = self.shown[topic] = _numbers(row and row[0], *book.counts[topic]), stated(row and row[1]), book.limit(topic)
        return found


@lru_cache(_ROWS_KEPT)
def _numbers(said: Depth | None, *counts: int) -> "array[float]":
    """Return the nine numbers of a row, not to be changed; the age is left to `ages`."""
    return array("f", [*_SAID[said], *[count / 8 if count < 8 else 1.0 for count in counts]])
