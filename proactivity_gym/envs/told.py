"""What has been said about delegation, as the observation tells it: in its table, and again in each signal's row."""

from array import array

from proactivity_gym.envs.layout import DELEGATION
from proactivity_gym.sim.delegation import ANY, BEFORE, Book
from proactivity_gym.sim.words import Depth

_EIGHT_DAYS = 11520.0
_WIDTH = len(DELEGATION)

AGE = DELEGATION.index("days since it was stated / 8")

_Shown = tuple["array[float]", int, float | None]
"""The nine numbers; where in the buffer stands the age that is still to be written into them, or -1; the limit stated."""


class Told:
    """Keeps the table of delegation up to date, and the row of each topic at hand."""

    __slots__ = ("_book", "_buffer", "_shown", "_start")

    def __init__(self, book: Book, buffer: "array[float]", start: int) -> None:
        """Start with an empty table at a place of the buffer."""
        self._book = book
        self._buffer = buffer
        self._start = start
        self._shown: dict[int, _Shown] = {}

    def update(self, now: int) -> None:
        """Bring the table up to the present."""
        book = self._book
        for topic in book.changed:
            start = self._start + topic * _WIDTH
            self._buffer[start : start + _WIDTH] = _numbers(book.rows[topic], book.counts[topic])
            self._shown.pop(topic, None)
        if ANY in book.changed:
            self._shown.clear()
        buffer, first = self._buffer, self._start + AGE
        for topic, at in book.ageing.items():
            age = (now - at) / _EIGHT_DAYS
            buffer[first + topic * _WIDTH] = age if age < 1.0 else 1.0

    def of(self, topic: int) -> "_Shown":
        """Return what a signal of a topic shows."""
        found = self._shown.get(topic)
        if found is None:
            book = self._book
            source = topic if book.rows[topic] is not None else ANY
            age_at = self._start + source * _WIDTH + AGE if source in book.ageing else -1
            numbers = _numbers(book.stated(topic), book.counts[topic])
            found = self._shown[topic] = (numbers, age_at, book.limit(topic))
        return found


def _numbers(stated: tuple[Depth, int] | None, counts: list[int]) -> "array[float]":
    """Return the nine numbers of a row; what was stated before the week is as old as can be."""
    numbers = [0.0, 0.0, 0.0, 0.0, 0.0]
    if stated is None:
        numbers[0] = 1.0
    else:
        depth, at = stated
        numbers[depth] = 1.0
        numbers[AGE] = float(at == BEFORE)
    return array("f", numbers + [count / 8 if count < 8 else 1.0 for count in counts])
