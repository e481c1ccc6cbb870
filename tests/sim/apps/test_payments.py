import pytest

from proactivity_gym.sim.tools import ToolError
from proactivity_gym.sim.world import Entry, World
from tests.sim.apps.sample import CLOCK, sample

PAY: dict[str, object] = {"payee": "Garage Lima", "amount": 120.5, "reference": "2027-81"}


def test_a_payment_is_recorded_and_settles_its_bill() -> None:
    world = sample()
    world.call("payments.pay", PAY)
    paid = world.get("payments-1")
    assert (paid.title, paid.status, paid.fields, paid.links) == ("Payment to Garage Lima", "done", PAY, ("bill",))
    assert world.get("bill").status == "done"


@pytest.mark.parametrize("change", [{"payee": "Garage Lime"}, {"amount": 120.51}, {"reference": "2027-82"}])
def test_another_payment_leaves_the_bill(change: dict[str, object]) -> None:
    world = sample()
    world.call("payments.pay", PAY | change)
    assert (world.get("payments-1").links, world.get("bill").status) == ((), "open")


def test_what_the_user_paid_is_not_paid_again() -> None:
    paid = Entry("mine", "payments", "Paid by me", "", "done", fields={**PAY, "amount": 120.50, "account": "main"})
    world = World(CLOCK, [paid])
    before = world.snapshot()
    result = world.call("payments.pay", PAY)
    assert (result["id"], result["changed"]) == ("mine", False)
    assert "already" in str(result["note"])
    assert world.snapshot() == before


def test_a_cancelled_bill_stays_cancelled() -> None:
    world = sample()
    world.get("bill").status = "cancelled"
    world.call("payments.pay", PAY)
    assert (world.get("payments-1").links, world.get("bill").status) == ((), "cancelled")


def test_a_request_stays_open() -> None:
    world = sample()
    world.call("payments.request", {"payer": "Rui", "amount": 18.5, "reference": "GIFT"})
    asked = world.get("payments-1")
    assert (asked.title, asked.status) == ("Asked of Rui", "open")
    assert asked.fields == {"payer": "Rui", "amount": 18.5, "reference": "GIFT"}


def test_a_claim_is_open_until_handed_in() -> None:
    world = sample()
    world.call("payments.claim", {"title": "Trip", "amount": 80, "receipts": ["letter", "bill"]})
    entry = world.get("payments-1")
    assert (entry.title, entry.status, entry.fields, entry.links) == (
        "Trip",
        "open",
        {"amount": 80},
        ("letter", "bill"),
    )
    world.call("payments.submit", {"claim": "payments-1", "amount": 75})
    assert (entry.status, entry.fields) == ("done", {"amount": 75})


@pytest.mark.parametrize(
    ("tool", "arguments", "parameter"),
    [
        ("claim", {"title": "Trip", "amount": 80, "receipts": ["letter", "none"]}, "receipts"),
        ("submit", {"claim": "none", "amount": 1}, "claim"),
    ],
)
def test_unknown_records_are_refused(tool: str, arguments: dict[str, object], parameter: str) -> None:
    with pytest.raises(ToolError, match=f"{parameter}: there is no record 'none'"):
        sample().call(f"payments.{tool}", arguments)
