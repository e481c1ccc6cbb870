import pytest

from proactivity_gym.sim.tools import ToolError
from tests.sim.apps.sample import sample


def test_money_moves_between_own_accounts() -> None:
    world = sample()
    world.call("bank.move", {"source": "savings", "target": "purse", "amount": 200})
    made = world.get("bank-1")
    assert (made.title, made.status) == ("Moved: Savings to Current account", "done")
    assert (made.fields, made.links) == ({"amount": 200}, ("savings", "purse"))


def test_there_and_back_are_two_moves() -> None:
    world = sample()
    world.call("bank.move", {"source": "savings", "target": "purse", "amount": 200})
    back = world.call("bank.move", {"source": "purse", "target": "savings", "amount": 200})
    assert (back["id"], back["changed"]) == ("bank-2", True)


def test_an_account_is_no_target_for_itself() -> None:
    with pytest.raises(ToolError, match=r"bank\.move: target: it must be another account"):
        sample().call("bank.move", {"source": "purse", "target": "purse", "amount": 1})


def test_a_card_is_limited_and_blocked() -> None:
    world = sample()
    card = world.get("card")
    world.call("bank.limit", {"card": "card", "amount": 800})
    assert (card.status, card.fields["limit"]) == ("changed", 800)
    world.call("bank.block", {"card": "card"})
    assert card.fields == {"account": "purse", "limit": 800, "blocked": True}


def test_the_limit_that_stands_is_no_change() -> None:
    world = sample()
    world.get("card").fields["limit"] = 800
    assert world.call("bank.limit", {"card": "card", "amount": 800})["changed"] is False
    assert world.get("card").status == "info"


def test_a_mandate_is_revoked() -> None:
    world = sample()
    assert world.call("bank.revoke", {"mandate": "mandate"})["status"] == "cancelled"


@pytest.mark.parametrize("charge", ["charge", "bill"])
def test_a_dispute_is_open_and_marks_the_charge(charge: str) -> None:
    world = sample()
    world.call("bank.dispute", {"charge": charge, "amount": 61.2, "reason": "I was not there."})
    made = world.get("bank-1")
    assert (made.title, made.text) == (f"Dispute: {world.get(charge).title}", "I was not there.")
    assert (made.status, made.fields, made.links) == ("open", {"amount": 61.2}, (charge,))
    assert world.get(charge).status == "changed"


@pytest.mark.parametrize(
    ("tool", "arguments", "parameter"),
    [
        ("move", {"source": "bill", "target": "purse", "amount": 1}, "source"),
        ("move", {"source": "purse", "target": "bill", "amount": 1}, "target"),
        ("block", {"card": "letter"}, "card"),
        ("limit", {"card": "letter", "amount": 1}, "card"),
        ("revoke", {"mandate": "none"}, "mandate"),
        ("dispute", {"charge": "none", "amount": 1, "reason": ""}, "charge"),
    ],
)
def test_unknown_records_are_refused(tool: str, arguments: dict[str, object], parameter: str) -> None:
    world = sample()
    with pytest.raises(ToolError, match=rf"bank\.{tool}: {parameter}: there is no record"):
        world.call(f"bank.{tool}", arguments)
    assert world.snapshot() == sample().snapshot()
