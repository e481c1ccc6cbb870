import pytest

from proactivity_gym.sim.tools import ToolError
from proactivity_gym.sim.world import Entry
from tests.sim.apps.sample import minute, sample


def test_book_makes_a_booking_of_an_offer() -> None:
    world = sample()
    world.call("travel.book", {"offer": "offer", "amount": 118})
    booking = world.get("travel-1")
    assert (booking.title, booking.status, booking.due) == ("Later flight", "done", minute("2027-03-11T11:00"))
    assert booking.fields == {"provider": "TAP", "place": "Porto", "reference": "QX9", "price": 118}
    assert booking.links == ("offer",)
    assert world.get("offer").status == "done"


def test_an_offer_may_come_by_mail() -> None:
    world = sample()
    world.call("travel.book", {"offer": "letter", "amount": 0})
    assert world.get("travel-1").fields == {"reference": "letter", "price": 0}


def test_rebook_changes_booking_and_offer() -> None:
    world = sample()
    world.call("travel.rebook", {"booking": "flight", "offer": "offer", "amount": 30})
    flight = world.get("flight")
    assert (flight.status, flight.due) == ("changed", minute("2027-03-11T11:00"))
    assert flight.fields == {"provider": "TAP", "reference": "QX9", "price": 90, "paid": 30}
    assert world.get("offer").status == "done"


def test_an_offer_without_time_leaves_that_of_the_booking() -> None:
    world = sample()
    world.call("travel.rebook", {"booking": "flight", "offer": "letter", "amount": 0})
    assert world.get("flight").due == minute("2027-03-11T07:10")
    assert world.get("flight").fields["reference"] == "letter"


def test_a_booking_is_no_offer_for_itself() -> None:
    with pytest.raises(ToolError, match=r"travel\.rebook: offer: it must be another record"):
        sample().call("travel.rebook", {"booking": "flight", "offer": "flight", "amount": 1})


def test_cancel() -> None:
    world = sample()
    assert world.call("travel.cancel", {"booking": "flight"})["status"] == "cancelled"


def test_a_request_is_open() -> None:
    world = sample()
    world.call("travel.request", {"booking": "flight", "note": "Aisle, please"})
    entry = world.get("travel-1")
    assert entry == Entry(
        "travel-1", "travel", "Request: Flight to Porto", "Aisle, please", "open", world.now, links=("flight",)
    )


def test_check_in_takes_a_seat() -> None:
    world = sample()
    world.call("travel.check_in", {"booking": "flight", "seat": "12A"})
    world.call("travel.check_in", {"booking": "flight", "seat": "14C"})
    assert (world.get("flight").fields["seat"], world.get("flight").status) == ("14C", "info")


@pytest.mark.parametrize(
    ("tool", "arguments", "parameter"),
    [
        ("book", {"offer": "none", "amount": 1}, "offer"),
        ("rebook", {"booking": "none", "offer": "offer", "amount": 1}, "booking"),
        ("rebook", {"booking": "flight", "offer": "none", "amount": 1}, "offer"),
        ("cancel", {"booking": "letter"}, "booking"),
        ("request", {"booking": "none", "note": ""}, "booking"),
        ("check_in", {"booking": "none", "seat": ""}, "booking"),
    ],
)
def test_unknown_records_are_refused(tool: str, arguments: dict[str, object], parameter: str) -> None:
    world = sample()
    with pytest.raises(ToolError, match=rf"travel\.{tool}: {parameter}: there is no record"):
        world.call(f"travel.{tool}", arguments)
    assert world.snapshot() == sample().snapshot()
