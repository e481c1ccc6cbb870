from heapq import heappop

from hypothesis import given
from hypothesis import strategies as st

from proactivity_gym.sim.schedule import INDEX, Event, Kind, Schedule

END = 100

events = st.tuples(st.integers(0, 5), st.sampled_from(Kind), st.integers(0, 9))


def drain(schedule: Schedule, until: int = END) -> list[Event]:
    """Take everything up to a minute."""
    taken: list[Event] = []
    while schedule.heap[0][0] <= until:
        minute, kind, key = heappop(schedule.heap)
        taken.append((minute, kind, key & INDEX))
    return taken


def test_nothing_comes_of_nothing() -> None:
    assert drain(Schedule([])) == []


def test_minutes_come_in_order_and_kinds_within_a_minute() -> None:
    schedule = Schedule([(3, Kind.PHASE, 0), (3, Kind.REVIEW, 1), (7, Kind.RECORD, 2)])
    schedule.push(7, Kind.JOB_END, 3)
    schedule.push(3, Kind.ANSWER, 4)
    schedule.push(1, Kind.RETURN, 5)
    assert drain(schedule) == [
        (1, Kind.RETURN, 5),
        (3, Kind.PHASE, 0),
        (3, Kind.ANSWER, 4),
        (3, Kind.REVIEW, 1),
        (7, Kind.JOB_END, 3),
        (7, Kind.RECORD, 2),
    ]


def test_of_equals_fixed_ones_come_first_and_then_the_one_pushed_first() -> None:
    schedule = Schedule([(3, Kind.EXPIRY, 9)])
    for index in (8, 1, 5):
        schedule.push(3, Kind.EXPIRY, index)
    assert [index for _, _, index in drain(schedule)] == [9, 8, 1, 5]


def test_what_comes_later_waits() -> None:
    schedule = Schedule([(5, Kind.RECORD, 0)])
    schedule.push(4, Kind.RETURN, 1)
    assert drain(schedule, 3) == []
    assert drain(schedule, 4) == [(4, Kind.RETURN, 1)]
    assert drain(schedule, 5) == [(5, Kind.RECORD, 0)]


@given(st.lists(events), st.lists(events), st.lists(st.integers(0, 5)))
def test_all_comes_once_and_in_order_however_it_is_asked_for(
    fixed: list[tuple[int, Kind, int]], pushed: list[tuple[int, Kind, int]], stops: list[int]
) -> None:
    schedule = Schedule(sorted(fixed))
    for minute, kind, index in pushed:
        schedule.push(minute, kind, index)
    taken = [event for stop in [*sorted(stops), END] for event in drain(schedule, stop)]
    # Sorting is stable: fixed ones first, pushed ones in their order.
    assert taken == sorted([*sorted(fixed), *pushed], key=lambda event: event[:2])
