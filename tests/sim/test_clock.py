from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proactivity_gym.sim.clock import Clock

wall = datetime.fromisoformat

LISBON = Clock("Europe/Lisbon", date(2027, 3, 8))

CHANGES = [
    # zone, day of the change, hours it has
    ("Europe/Lisbon", date(2027, 3, 28), 23),
    ("Europe/Lisbon", date(2027, 10, 31), 25),
    ("Australia/Sydney", date(2027, 10, 3), 23),
    ("Australia/Sydney", date(2027, 4, 4), 25),
    ("Asia/Tokyo", date(2027, 4, 4), 24),
]


def test_minutes_count_from_midnight_of_day_0() -> None:
    assert LISBON.minute(wall("2027-03-08T00:00")) == 0
    assert LISBON.minute(wall("2027-03-08T07:10")) == 430
    assert LISBON.minute(wall("2027-03-07T23:59")) == -1
    assert LISBON.at(1, time(9)) == 1440 + 540
    assert LISBON.date(1) == date(2027, 3, 9)


def test_a_minute_is_shown_in_local_time_with_its_weekday() -> None:
    local = LISBON.local(1440 + 540)
    assert local.isoformat() == "2027-03-09T09:00:00+00:00"
    assert f"{local:%A}" == "Tuesday"
    assert [LISBON.date(day).weekday() for day in range(8)] == [0, 1, 2, 3, 4, 5, 6, 0]


@pytest.mark.parametrize(("zone", "day", "hours"), CHANGES)
def test_a_day_of_changing_clocks_has_its_real_length(zone: str, day: date, hours: int) -> None:
    clock = Clock(zone, day)
    assert clock.at(1, time()) == hours * 60
    assert clock.minute(datetime.combine(day + timedelta(days=1), time())) == hours * 60


@pytest.mark.parametrize(("zone", "day", "hours"), CHANGES)
def test_tomorrow_at_nine_is_nine_on_any_day(zone: str, day: date, hours: int) -> None:
    tomorrow = Clock(zone, day).at(1, time(9))
    assert tomorrow == (hours + 9) * 60
    assert Clock(zone, day).local(tomorrow).replace(tzinfo=None) == datetime.combine(day + timedelta(days=1), time(9))


@pytest.mark.parametrize(
    ("zone", "skipped"),
    [
        ("Europe/Lisbon", wall("2027-03-28T01:30")),
        ("Australia/Sydney", wall("2027-10-03T02:30")),
    ],
)
def test_a_time_that_clocks_skip(zone: str, skipped: datetime) -> None:
    clock = Clock(zone, skipped.date())
    with pytest.raises(ValueError, match=f"does not exist in {zone}: clocks go forward over it"):
        clock.minute(skipped)
    moved = clock.local(clock.at(0, skipped.time())).replace(tzinfo=None)
    assert moved == skipped + timedelta(hours=1)


@pytest.mark.parametrize(
    ("zone", "twice"),
    [
        ("Europe/Lisbon", wall("2027-10-31T01:30")),
        ("Australia/Sydney", wall("2027-04-04T02:30")),
    ],
)
def test_a_time_that_comes_twice_is_the_first(zone: str, twice: datetime) -> None:
    clock = Clock(zone, twice.date())
    first = clock.minute(twice)
    assert first == twice.hour * 60 + 30
    assert clock.at(0, twice.time()) == first
    assert clock.local(first + 60).replace(tzinfo=None) == twice


@pytest.mark.parametrize(
    "other",
    [
        datetime(2027, 3, 8, 7, tzinfo=UTC),
        datetime(2027, 3, 8, 7, tzinfo=timezone(timedelta(hours=1))),
        wall("2027-03-08T07:00:30"),
        wall("2027-03-08T07:00:00.000001"),
    ],
)
def test_only_local_times_in_whole_minutes_are_taken(other: datetime) -> None:
    with pytest.raises(ValueError, match="must be a local date-time without offset, in whole minutes"):
        LISBON.minute(other)


def test_an_unknown_zone_is_refused() -> None:
    with pytest.raises(KeyError):
        Clock("Europe/Lisboa", date(2027, 3, 8))


@given(st.sampled_from([zone for zone, _, _ in CHANGES]), st.integers(-10_000, 500_000))
def test_local_and_minute_are_inverse_but_for_the_second_of_equal_times(zone: str, minute: int) -> None:
    clock = Clock(zone, date(2027, 3, 8))
    local = clock.local(minute)
    again = clock.minute(local.replace(tzinfo=None))
    assert again == minute - 60 * local.fold
