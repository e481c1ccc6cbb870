import pytest

from proactivity_gym.sim.tools import ToolError
from proactivity_gym.sim.world import Entry
from tests.sim.apps.sample import minute, sample


def test_a_slot_is_booked_and_given_up() -> None:
    world = sample()
    world.call("bookings.book", {"slot": "visit"})
    visit = world.get("visit")
    assert (visit.status, visit.fields) == ("done", {"provider": "Caldas", "booked": True})
    world.call("bookings.cancel", {"id": "visit"})
    assert (visit.status, visit.fields["booked"]) == ("cancelled", False)


def test_a_paid_slot_remembers_the_amount() -> None:
    world = sample()
    world.call("bookings.buy", {"slot": "visit", "amount": 35})
    assert world.get("visit").status == "done"
    assert world.get("visit").fields == {"provider": "Caldas", "booked": True, "paid": 35}


def test_a_slot_may_come_by_mail() -> None:
    world = sample()
    world.call("bookings.book", {"slot": "letter"})
    assert (world.get("letter").status, world.get("letter").fields["booked"]) == ("done", True)


def test_move_takes_the_slot_s_time_and_details() -> None:
    world = sample()
    assert world.call("bookings.move", {"id": "visit", "slot": "evening"})["status"] == "changed"
    visit = world.get("visit")
    assert (visit.title, visit.due) == ("Boiler visit", minute("2027-03-11T18:00"))
    expected = {"provider": "Caldas", "reference": "V2", "place": "At home", "end": "2027-03-11T19:00", "slot": "evening"}
    assert visit.fields == expected
    assert world.get("evening").status == "done"


def test_a_slot_without_time_leaves_that_of_the_booking() -> None:
    world = sample()
    world.call("bookings.move", {"id": "visit", "slot": "letter"})
    assert (world.get("visit").due, world.get("visit").fields["slot"]) == (minute("2027-03-10T08:00"), "letter")


def test_a_booking_is_no_slot_for_itself() -> None:
    with pytest.raises(ToolError, match=r"bookings\.move: slot: it must be another record"):
        sample().call("bookings.move", {"id": "visit", "slot": "visit"})


def test_confirm_leaves_the_status() -> None:
    world = sample()
    world.call("bookings.confirm", {"id": "visit"})
    assert (world.get("visit").status, world.get("visit").fields["confirmed"]) == ("open", True)


def test_a_request_is_open() -> None:
    world = sample()
    world.call("bookings.request", {"id": "visit", "note": "Ring twice"})
    expected = Entry("bookings-1", "bookings", "Request: Boiler visit", "Ring twice", "open", world.now, links=("visit",))
    assert world.get("bookings-1") == expected


@pytest.mark.parametrize(
    ("tool", "arguments", "parameter"),
    [
        ("book", {"slot": "none"}, "slot"),
        ("buy", {"slot": "none", "amount": 1}, "slot"),
        ("move", {"id": "letter", "slot": "evening"}, "id"),
        ("move", {"id": "visit", "slot": "none"}, "slot"),
        ("confirm", {"id": "letter"}, "id"),
        ("cancel", {"id": "flight"}, "id"),
        ("request", {"id": "none", "note": ""}, "id"),
    ],
)
def test_unknown_records_are_refused(tool: str, arguments: dict[str, object], parameter: str) -> None:
    world = sample()
    with pytest.raises(ToolError, match=rf"bookings\.{tool}: {parameter}: there is no record"):
        world.call(f"bookings.{tool}", arguments)
    assert world.snapshot() == sample().snapshot()
