"""Arithmetic of minutes: spans of free time, and the first or last minute inside them.

`Spans` are two equally long sorted lists, starts and ends, of disjoint half-open stretches [start, end).
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

NEVER = 1 << 30
"""A minute after every episode: nothing of the kind comes."""

Spans = tuple[list[int], list[int]]
Use = tuple[int, int, int]
"""Start, end and units of something that is taken."""


def overlap(a: Spans, b: Spans) -> Spans:
    """Return the minutes that lie in both."""
    starts: list[int] = []
    ends: list[int] = []
    others = zip(*b, strict=True)
    other_start, other_end = next(others, (NEVER, NEVER))
    for start, end in zip(*a, strict=True):
        while other_end <= end:
            if start < other_end:
                starts.append(start if start > other_start else other_start)
                ends.append(other_end)
            other_start, other_end = next(others, (NEVER, NEVER))
        if other_start < end:
            starts.append(start if start > other_start else other_start)
            ends.append(end)
    return starts, ends


def rest(spans: Spans, minute: int) -> Spans:
    """Return the spans that are not over at a minute."""
    first = bisect_right(spans[1], minute)
    return spans[0][first:], spans[1][first:]


def starts_for(spans: Spans, length: int) -> Spans:
    """Return the minutes at which a stretch of `length` minutes can start and still lie inside one span."""
    kept = [(start, end - length + 1) for start, end in zip(*spans, strict=True) if end - start >= length]
    return [start for start, _ in kept], [end for _, end in kept]


def next_in(spans: Spans, minute: int) -> int:
    """Return the first minute at or after `minute` inside the spans, or NEVER."""
    i = bisect_right(spans[1], minute)
    if i == len(spans[1]):
        return NEVER
    start = spans[0][i]
    return start if start > minute else minute


def last_in(spans: Spans, minute: int) -> int:
    """Return the last minute at or before `minute` inside the spans, or -1."""
    i = bisect_right(spans[0], minute) - 1
    if i < 0:
        return -1
    last = spans[1][i] - 1
    return last if last < minute else minute


def next_start(spans: Spans, minute: int) -> int:
    """Return the first start of a span after `minute`, or NEVER."""
    i = bisect_right(spans[0], minute)
    return spans[0][i] if i < len(spans[0]) else NEVER


def inside(spans: Spans, minute: int) -> bool:
    """Tell whether a minute lies inside the spans."""
    i = bisect_right(spans[0], minute) - 1
    return i >= 0 and minute < spans[1][i]


def free_spans(uses: Sequence[Use], room: int, horizon: int) -> Spans:
    """Return the minutes of [0, horizon) in which the units taken leave at most `room` taken.

    Args:
        uses: what is taken; uses may overlap.
        room: units that may be taken by others.
        horizon: end of time.
    """
    changes: list[tuple[int, int]] = []
    for start, end, units in uses:
        changes.append((start, units))
        changes.append((end, -units))
    changes.sort()
    starts: list[int] = []
    ends: list[int] = []
    taken, since = 0, 0
    for minute, units in changes:
        if taken <= room and since < min(minute, horizon):
            _append(starts, ends, since, min(minute, horizon))
        taken += units
        since = max(minute, 0)
    if taken <= room and since < horizon:
        _append(starts, ends, since, horizon)
    return starts, ends


def _append(starts: list[int], ends: list[int], start: int, end: int) -> None:
    if ends and ends[-1] == start:
        ends[-1] = end
    else:
        starts.append(start)
        ends.append(end)


def crowded_minutes(uses: Sequence[Use], room: int, start: int, end: int) -> int:
    """Return in how many minutes of [start, end) the units taken together exceed `room`, which is not negative."""
    if all(until <= start for _, until, _ in uses):
        return 0
    spare: Spans = overlap(free_spans(uses, room, end), ([start], [end])) if start < end else ([], [])
    return end - start - sum(e - s for s, e in zip(*spare, strict=True))


def complement(spans: Spans, horizon: int) -> Spans:
    """Return the minutes of [0, horizon) outside the spans."""
    return free_spans([(start, end, 1) for start, end in zip(*spans, strict=True)], 0, horizon)


def index_of(starts: Sequence[int], minute: int) -> int:
    """Return the index of the stretch that holds a minute, for stretches that follow each other without gap."""
    return bisect_right(starts, minute) - 1


def merge(spans: Iterable[tuple[int, int]]) -> Spans:
    """Return the union of stretches given in any order."""
    starts: list[int] = []
    ends: list[int] = []
    for start, end in sorted(spans):
        if ends and start <= ends[-1]:
            ends[-1] = max(ends[-1], end)
        elif start < end:
            starts.append(start)
            ends.append(end)
    return starts, ends
