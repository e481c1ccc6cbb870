"""What happens when: a heap of events keyed (minute, kind, sequence), which starts as the fixed events of the week."""

from enum import IntEnum
from heapq import heappush


class Kind(IntEnum):
    """Kinds of events. Their order is the order of events of one minute."""

    PHASE = 0
    """The user's phase changes: the first time of a day, or while something waits to be delivered; others pass unheard."""
    USE_END = 1
    USE_START = 2
    RESOURCE = 3
    JOB_END = 4
    READ = 5
    ANSWER = 6
    JOB_START = 7
    STATEMENT = 8
    LAPSE = 9
    DEADLINE = 10
    EXPIRY = 11
    RECORD = 12
    REVIEW = 13
    RETURN = 14


Event = tuple[int, int, int]
"""Minute, kind and an index whose meaning depends on the kind."""


FIRST, FURTHER = 1, 0
"""Indices of changes of phase: the first one of a day, and others."""

INDEX = (1 << 40) - 1
"""Mask of the index in the third number of an item of the heap."""

_STEP = INDEX + 1
_NEVER = (1 << 32, 0, 0)
"""An item that never comes: the heap is never empty."""


class Schedule:
    """The coming events of an episode, in one order."""

    __slots__ = ("_order", "heap")

    def __init__(self, fixed: list[Event]) -> None:
        """Start with the fixed events of a week, sorted."""
        self.heap = [*fixed, _NEVER]
        """Minute, kind, and index with what orders equals above it: fixed events come first, then the one pushed first."""
        self._order = 0

    def push(self, minute: int, kind: int, index: int) -> None:
        """Add an event; its kind is the bare number, which costs less to compare and to keep than the word."""
        self._order += _STEP
        heappush(self.heap, (minute, kind, self._order + index))
