from typing import cast

import pytest

from proactivity_gym.sim.tools import ToolError
from proactivity_gym.sim.world import Entry, World
from tests.sim.apps.sample import CLOCK, listed, minute, sample


def found(world: World, query: str) -> list[object]:
    """Return the ids of mails that a search finds."""
    return listed(world, "mail.search", {"query": query})


def test_search_needs_every_word_anywhere_in_any_case() -> None:
    world = World(
        CLOCK,
        [
            Entry("one", "mail", "Flight to PORTO", "gate 5", fields={"sender": "TAP", "to": "me"}),
            Entry("two", "mail", "Flight", "to Faro", fields={"sender": "Straße"}),
            Entry("elsewhere", "files", "Flight", ""),
        ],
    )
    assert found(world, "flight porto") == ["one"]
    assert found(world, "tap GATE") == ["one"]
    assert found(world, "STRASSE") == ["two"]
    assert found(world, "two") == ["two"]
    assert found(world, "flight lisbon") == []
    assert found(world, "  ") == found(world, "flight") == ["one", "two"]


def test_search_shows_twenty_newest_first_and_counts_the_rest() -> None:
    world = World(CLOCK, [Entry(f"m{number:02}", "mail", "Hello", "", at=number) for number in range(23)])
    assert found(world, "hello") == [f"m{number:02}" for number in reversed(range(3, 23))]
    assert world.call("mail.search", {"query": "hello"})["left_off"] == 3


@pytest.mark.parametrize(
    ("at", "due", "when"),
    [
        (None, None, None),
        ("2027-03-09T08:00", None, "2027-03-09T08:00"),
        ("2027-03-09T08:00", "2027-03-11T07:10", "2027-03-11T07:10"),
        (None, "2027-03-11T07:10", "2027-03-11T07:10"),
    ],
)
def test_an_index_line(at: str | None, due: str | None, when: str | None) -> None:
    entry = Entry("x", "mail", "Title", "Text", "open", minute(at) if at else None, minute(due) if due else None)
    lines = World(CLOCK, [entry]).call("mail.search", {"query": ""})["records"]
    assert lines == [{"id": "x", "title": "Title", "when": when, "status": "open"}]


def test_read_shows_the_whole_record() -> None:
    assert sample().call("calendar.read", {"id": "meeting"}) == {
        "id": "meeting",
        "app": "calendar",
        "title": "Meeting",
        "text": "Budget",
        "status": "info",
        "at": None,
        "due": "2027-03-09T14:00",
        "fields": {"end": "2027-03-09T15:00", "people": ["Ana"]},
        "links": [],
    }


def test_what_read_shows_is_a_copy() -> None:
    world = sample()
    fields = cast("dict[str, list[str]]", world.call("calendar.read", {"id": "meeting"})["fields"])
    fields["people"].append("Eve")
    assert world.snapshot() == sample().snapshot()


@pytest.mark.parametrize("record_id", ["nobody", "letter", "", "MEETING", "\ud800"])
def test_read_finds_records_of_its_own_app_only(record_id: str) -> None:
    with pytest.raises(ToolError, match=r"calendar\.read: id: there is no record .* in calendar: search") as caught:
        sample().call("calendar.read", {"id": record_id})
    assert caught.value.parameter == "id"


def test_a_cancelled_event_does_not_stand_for_a_new_one() -> None:
    world = sample()
    event = {"title": "Dentist", "start": "2027-03-11T09:00", "end": "2027-03-11T10:00"}
    first = world.call("calendar.add", event)
    world.call("calendar.cancel", {"id": first["id"], "note": ""})
    again = world.call("calendar.add", event)
    assert (first["id"], again["id"], again["changed"]) == ("calendar-1", "calendar-2", True)


def test_a_booking_with_a_seat_still_stands_for_its_offer() -> None:
    world = sample()
    book = {"offer": "offer", "amount": 120.5}
    booking = world.call("travel.book", book)["id"]
    world.call("travel.check_in", {"booking": booking, "seat": "12A"})
    again = world.call("travel.book", book)
    assert (again["id"], again["changed"]) == (booking, False)
