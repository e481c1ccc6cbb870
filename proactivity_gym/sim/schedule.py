"""What happens when: a heap of events keyed (minute, kind, sequence), beside the fixed events of the week."""

from enum import IntEnum
from heapq import heappop, heappush


class Kind(IntEnum):
    """Kinds of events. Their order is the order of events of one minute."""

    PHASE = 0
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


_AFTER_FIXED = 1 << 32
"""Sequence numbers start above every index, so that fixed events come first among equals."""


_LAST = (1 << 32, 0, 0)
"""A fixed event that never comes."""


class Schedule:
    """The coming events of an episode, in one order."""

    __slots__ = ("_fixed", "_heap", "_next", "_sequence")

    def __init__(self, fixed: list[Event]) -> None:
        """Start with the fixed events of a week, sorted."""
        self._fixed = [*fixed, _LAST]
        self._next = 0
        self._heap: list[tuple[int, int, int, int]] = []
        self._sequence = _AFTER_FIXED

    def push(self, minute: int, kind: Kind, index: int) -> None:
        """Add an event."""
        self._sequence += 1
        heappush(self._heap, (minute, kind, self._sequence, index))

    def pop(self, until: int) -> Event | None:
        """Take the next event that comes at or before a minute; fixed events come first among equals."""
        coming, heap = self._fixed[self._next], self._heap
        if heap and heap[0] < coming:
            if heap[0][0] > until:
                return None
            minute, kind, _, index = heappop(heap)
            return minute, kind, index
        if coming[0] > until:
            return None
        self._next += 1
        return coming
