"""Every function against the plain reading of its docstring, minute by minute."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from proactivity_gym.sim.timeline import (
    NEVER,
    Spans,
    Use,
    complement,
    free_spans,
    index_of,
    inside,
    last_in,
    merge,
    next_in,
    next_start,
    overlap,
    starts_for,
)

HORIZON = 60

minutes = st.integers(-5, HORIZON + 5)


def paired(cuts: list[int]) -> Spans:
    """Make spans of sorted minutes: in, out, in, out."""
    return cuts[0 : len(cuts) // 2 * 2 : 2], cuts[1::2]


spans = st.lists(st.integers(0, HORIZON), max_size=12, unique=True).map(sorted).map(paired)
stretch = st.tuples(minutes, minutes).map(lambda ends: (min(ends), max(ends) + 1))
uses = st.lists(st.tuples(stretch, st.integers(1, 3)).map(lambda use: (*use[0], use[1])), max_size=6)


def members(these: Spans) -> set[int]:
    """List the minutes inside spans."""
    return {minute for start, end in zip(*these, strict=True) for minute in range(start, end)}


def tidy(these: Spans) -> bool:
    """Tell whether spans are sorted, not empty and do not touch."""
    edges = [edge for span in zip(*these, strict=True) for edge in span]
    return all(before < after for before, after in pairwise(edges))


@given(spans, spans)
def test_overlap(a: Spans, b: Spans) -> None:
    both = overlap(a, b)
    assert members(both) == members(a) & members(b)
    assert tidy(both)


@given(spans, st.integers(1, 12))
def test_starts_for(these: Spans, length: int) -> None:
    held = members(these)
    fitting = {minute for minute in held if all(minute + k in held for k in range(length))}
    assert members(starts_for(these, length)) == fitting


@given(spans, minutes)
def test_next_in(these: Spans, minute: int) -> None:
    assert next_in(these, minute) == min((m for m in members(these) if m >= minute), default=NEVER)


@given(spans, minutes)
def test_last_in(these: Spans, minute: int) -> None:
    assert last_in(these, minute) == max((m for m in members(these) if m <= minute), default=-1)


@given(spans, minutes)
def test_next_start(these: Spans, minute: int) -> None:
    assert next_start(these, minute) == min((start for start in these[0] if start > minute), default=NEVER)


@given(spans, minutes)
def test_inside(these: Spans, minute: int) -> None:
    assert inside(these, minute) == (minute in members(these))


@given(uses, st.integers(-1, 4))
def test_free_spans(taken: list[Use], room: int) -> None:
    free = free_spans(taken, room, HORIZON)
    expected = {m for m in range(HORIZON) if sum(n for start, end, n in taken if start <= m < end) <= room}
    assert members(free) == expected
    assert tidy(free)


@given(spans)
def test_complement(these: Spans) -> None:
    rest = complement(these, HORIZON)
    assert members(rest) == set(range(HORIZON)) - members(these)
    assert tidy(rest)


@given(st.lists(st.integers(1, HORIZON), max_size=8, unique=True), st.integers(0, HORIZON))
def test_index_of(inner: list[int], minute: int) -> None:
    starts = sorted({0, *inner})
    index = index_of(starts, minute)
    assert starts[index] <= minute
    assert index + 1 == len(starts) or minute < starts[index + 1]


@given(st.lists(st.tuples(minutes, minutes), max_size=8))
def test_merge(stretches: list[tuple[int, int]]) -> None:
    merged = merge(stretches)
    assert members(merged) == {minute for start, end in stretches for minute in range(start, end)}
    assert tidy(merged)
