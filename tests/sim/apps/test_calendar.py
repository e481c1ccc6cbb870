from datetime import date

import pytest

from proactivity_gym.sim.clock import Clock
from proactivity_gym.sim.tools import ToolError
from proactivity_gym.sim.world import Entry, World
from tests.sim.apps.sample import CLOCK, listed, minute, sample


def events(world: World, day: str) -> list[object]:
    """Return the ids of a day's events."""
    return listed(world, "calendar.day", {"date": day})


def test_a_day_lists_what_touches_it_by_start() -> None:
    world = World(
        CLOCK,
        [
            Entry("trip", "calendar", "Trip", "", due=minute("2027-03-10T20:00"), fields={"end": "2027-03-12T00:00"}),
            Entry("late", "calendar", "Late", "", due=minute("2027-03-11T18:00"), fields={"end": "2027-03-11T19:00"}),
            Entry("early", "calendar", "Early", "", "cancelled", due=minute("2027-03-11T08:00")),
            Entry("point", "calendar", "Point", "", due=minute("2027-03-10T08:00")),
            Entry("someday", "calendar", "Someday", ""),
            Entry("mail", "mail", "Mail", "", due=minute("2027-03-11T08:00")),
        ],
    )
    assert events(world, "2027-03-09") == []
    assert events(world, "2027-03-10") == ["point", "trip"]
    assert events(world, "2027-03-11") == ["trip", "early", "late"]
    assert events(world, "2027-03-12") == []


def test_events_at_one_time_have_one_order() -> None:
    first, second = Entry("a", "calendar", "", "", due=60), Entry("b", "calendar", "", "", due=60)
    assert events(World(CLOCK, [first, second]), "2027-03-08") == events(World(CLOCK, [second, first]), "2027-03-08")


@pytest.mark.parametrize("day", ["2027-02-30", "2027-3-11", "20270311", "2027-W10-4", "", "tomorrow", "0000-01-01"])
def test_impossible_days_are_refused(day: str) -> None:
    with pytest.raises(ToolError, match=r"calendar\.day: date: "):
        sample().call("calendar.day", {"date": day})


def test_add_puts_an_event_in_the_day() -> None:
    world = sample()
    made = world.call("calendar.add", {"title": "Dentist", "start": "2027-03-11T09:00", "end": "2027-03-11T10:00"})
    entry = world.get("calendar-1")
    assert (made["id"], entry.title, entry.due) == ("calendar-1", "Dentist", minute("2027-03-11T09:00"))
    assert entry.fields == {"end": "2027-03-11T10:00"}
    assert events(world, "2027-03-11") == ["calendar-1"]


def test_move_changes_start_and_end() -> None:
    world = sample()
    move = {"id": "meeting", "start": "2027-03-10T09:00", "end": "2027-03-10T10:00"}
    assert world.call("calendar.move", move)["status"] == "changed"
    entry = world.get("meeting")
    assert (entry.due, entry.fields["end"], entry.status) == (minute("2027-03-10T09:00"), "2027-03-10T10:00", "changed")
    assert entry.fields["people"] == ["Ana"]


def test_a_move_to_where_it_stands_is_none() -> None:
    world = sample()
    stay = {"id": "meeting", "start": "2027-03-09T14:00", "end": "2027-03-09T15:00"}
    assert world.call("calendar.move", stay)["changed"] is False
    assert world.snapshot() == sample().snapshot()


def test_cancel_keeps_the_first_note() -> None:
    world = sample()
    world.call("calendar.cancel", {"id": "meeting", "note": "I am ill."})
    again = world.call("calendar.cancel", {"id": "meeting", "note": "Sorry."})
    assert (again["status"], again["changed"]) == ("cancelled", False)
    assert world.get("meeting").fields["note"] == "I am ill."


@pytest.mark.parametrize(
    ("start", "end", "parameter"),
    [
        ("2027-03-11T10:00", "2027-03-11T09:00", "end"),
        ("2027-03-11T10:00", "2027-03-11T10:00", "end"),
        ("2027-03-11 10:00", "2027-03-11T11:00", "start"),
        ("2027-03-11T10:00:00", "2027-03-11T11:00", "start"),
        ("2027-03-11T10:00Z", "2027-03-11T11:00", "start"),
        ("2027-03-11T10:00+01:00", "2027-03-11T11:00", "start"),
        ("2027-02-29T10:00", "2027-03-11T11:00", "start"),
        ("2027-03-11T10:00", "2027-03-11T25:00", "end"),
        ("2027-03-11T10:00", "٢٠٢٧-03-11T11:00", "end"),
        ("2027-03-28T01:30", "2027-03-28T03:00", "start"),
        ("2027-03-11T10:00", "", "end"),
    ],
)
@pytest.mark.parametrize(("tool", "more"), [("add", {"title": "Dentist"}), ("move", {"id": "meeting"})])
def test_impossible_times_are_refused(tool: str, more: dict[str, object], start: str, end: str, parameter: str) -> None:
    world = sample()
    with pytest.raises(ToolError) as caught:
        world.call(f"calendar.{tool}", {**more, "start": start, "end": end})
    assert caught.value.parameter == parameter
    assert world.snapshot() == sample().snapshot()


def test_times_off_the_calendar_are_refused() -> None:
    world = World(Clock("Asia/Tokyo", date(2027, 3, 8)))
    with pytest.raises(ToolError, match="at: 0001-01-01T00:00 does not exist"):
        world.call("reminders.set", {"title": "Begin", "at": "0001-01-01T00:00"})
