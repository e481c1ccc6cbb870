import pytest

from proactivity_gym.sim.tools import ToolError
from tests.sim.apps.sample import sample


def test_the_shopping_list_is_private() -> None:
    world = sample()
    world.call("shop.note", {"item": "oats", "quantity": 2})
    made = world.get("shop-1")
    assert (made.title, made.status, made.links) == ("To buy: Oats", "info", ("oats",))
    assert made.fields == {"quantity": 2, "private": True}


def test_what_is_put_aside_is_not_ordered() -> None:
    world = sample()
    world.call("shop.hold", {"item": "oats", "quantity": 2})
    made = world.get("shop-1")
    assert (made.title, made.status, made.fields, made.links) == ("Put aside: Oats", "open", {"quantity": 2}, ("oats",))


def test_an_order_knows_seller_quantity_and_amount() -> None:
    world = sample()
    world.call("shop.order", {"item": "oats", "quantity": 2.5, "amount": 7.5})
    made = world.get("shop-1")
    assert (made.title, made.status, made.links) == ("Order: Oats", "done", ("oats",))
    assert made.fields == {"seller": "Horta", "unit": "kg", "quantity": 2.5, "price": 7.5}
    assert world.get("oats").fields["quantity"] == 4


def test_an_item_may_be_offered_by_mail() -> None:
    world = sample()
    world.call("shop.order", {"item": "letter", "quantity": 1, "amount": 9})
    assert world.get("shop-1").fields == {"quantity": 1, "price": 9}


def test_an_order_is_changed_and_cancelled() -> None:
    world = sample()
    world.call("shop.order", {"item": "oats", "quantity": 2, "amount": 6})
    order = world.get("shop-1")
    assert world.call("shop.change", {"id": "shop-1", "quantity": 2})["changed"] is False
    assert order.status == "done"
    world.call("shop.change", {"id": "shop-1", "quantity": 1})
    assert (order.status, order.fields["quantity"]) == ("changed", 1)
    world.call("shop.cancel", {"id": "shop-1"})
    assert order.status == "cancelled"


def test_a_cancelled_order_may_be_made_again() -> None:
    world = sample()
    order: dict[str, object] = {"item": "oats", "quantity": 2, "amount": 6}
    world.call("shop.order", order)
    world.call("shop.cancel", {"id": "shop-1"})
    again = world.call("shop.order", order)
    assert (again["id"], again["changed"]) == ("shop-2", True)


def test_a_return_is_announced() -> None:
    world = sample()
    world.call("shop.send_back", {"id": "oats", "reason": "Weevils"})
    made = world.get("shop-1")
    assert (made.title, made.text, made.status, made.links) == ("Return: Oats", "Weevils", "open", ("oats",))
    assert world.get("oats").status == "changed"


def test_stock_is_set_and_may_be_nothing() -> None:
    world = sample()
    world.call("shop.stock", {"id": "oats", "quantity": 0})
    assert (world.get("oats").fields["quantity"], world.get("oats").status) == (0, "info")


@pytest.mark.parametrize(
    ("tool", "arguments", "parameter"),
    [
        ("note", {"item": "none", "quantity": 1}, "item"),
        ("hold", {"item": "none", "quantity": 1}, "item"),
        ("order", {"item": "none", "quantity": 1, "amount": 1}, "item"),
        ("change", {"id": "letter", "quantity": 1}, "id"),
        ("cancel", {"id": "letter"}, "id"),
        ("send_back", {"id": "none", "reason": ""}, "id"),
        ("stock", {"id": "letter", "quantity": 1}, "id"),
    ],
)
def test_unknown_records_are_refused(tool: str, arguments: dict[str, object], parameter: str) -> None:
    world = sample()
    with pytest.raises(ToolError, match=rf"shop\.{tool}: {parameter}: there is no record"):
        world.call(f"shop.{tool}", arguments)
    assert world.snapshot() == sample().snapshot()


def test_less_than_nothing_is_refused() -> None:
    with pytest.raises(ToolError, match=r"shop\.stock: quantity: it must be a number \(quantity\), at least 0"):
        sample().call("shop.stock", {"id": "oats", "quantity": -1})
