"""What has been said about delegation, as the observation tells it: in its table, and again in each signal's row."""

from array import array

from proactivity_gym.envs.layout import DELEGATION
from proactivity_gym.sim.delegation import ANY, BEFORE, Book
from proactivity_gym.sim.words import Depth

_EIGHT_DAYS = 11520.0
_WIDTH = len(DELEGATION)

AGE = DELEGATION.index("days since it was stated / 8")


class Told:
    """Keeps the table of delegation up to date, and the row of each topic at hand."""

    __slots__ = ("_book", "_buffer", "_rows", "_start", "ages")

    def __init__(self, book: Book, buffer: "array[float]", start: int) -> None:
        """Start with an empty table at a place of the buffer."""
        self._book = book
        self._buffer = buffer
        self._start = start
        self._rows: dict[int, array[float]] = {}
        self.ages: dict[int, float] = {}
        """Age of what was stated in the week, by the topic it was stated for."""

    def update(self, now: int) -> None:
        """Bring the table up to the present."""
        book = self._book
        for topic in book.changed:
            start = self._start + topic * _WIDTH
            self._buffer[start : start + _WIDTH] = _numbers(book.rows[topic], book.counts[topic])
            self._rows.pop(topic, None)
        if ANY in book.changed:
            self._rows.clear()
        for topic, at in book.ageing.items():
            age = (now - at) / _EIGHT_DAYS
            self.ages[topic] = self._buffer[self._start + topic * _WIDTH + AGE] = age if age < 1.0 else 1.0

    def row(self, topic: int) -> "array[float]":
        """Return the nine numbers that a signal of a topic shows; an age that grows is still to be written into them."""
        found = self._rows.get(topic)
        if found is None:
            found = self._rows[topic] = _numbers(self._book.stated(topic), self._book.counts[topic])
        return found

    def source(self, topic: int) -> int:
        """Return the topic for which was stated what a signal of a topic shows, if its age grows; else -1."""
        shown = topic if self._book.rows[topic] is not None else ANY
        return shown if shown in self._book.ageing else -1


def _numbers(stated: tuple[Depth, int] | None, counts: list[int]) -> "array[float]":
    """Return the nine numbers of a row; what was stated before the week is as old as can be."""
    numbers = [0.0, 0.0, 0.0, 0.0, 0.0]
    if stated is None:
        numbers[0] = 1.0
    else:
        depth, at = stated
        numbers[depth] = 1.0
        numbers[AGE] = float(at == BEFORE)
    return array("f", numbers + [min(1.0, count / 8) for count in counts])
