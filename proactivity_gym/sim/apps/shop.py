"""Shop: items on sale or in stock, the private shopping list, orders and returns."""

# ruff: noqa: A002 (tools are called as workers know them)

from proactivity_gym.sim.apps.records import NEW, App, Entry, Records, amend
from proactivity_gym.sim.tools import Money, Quantity, RecordId, Result
from proactivity_gym.sim.words import ActionClass

FIELDS = {"seller": str, "price": float, "quantity": float, "unit": str, "reference": str}
APP = App("shop", FIELDS)


@APP.tool(ActionClass.DRAFT)
def note(records: Records, item: RecordId, quantity: Quantity) -> Result:
    """Put an item on the private shopping list; nothing is ordered."""
    title = f"To buy: {records.named(item, 'item').title}"
    return records.create(Entry(NEW, APP.name, title, "", fields={"quantity": quantity, "private": True}, links=(item,)))


@APP.tool(ActionClass.COMMIT)
def hold(records: Records, item: RecordId, quantity: Quantity) -> Result:
    """Have the seller put an item aside, without buying it."""
    title = f"Put aside: {records.named(item, 'item').title}"
    return records.create(Entry(NEW, APP.name, title, "", "open", fields={"quantity": quantity}, links=(item,)))


@APP.tool(ActionClass.CONSEQUENTIAL)
def order(records: Records, item: RecordId, quantity: Quantity, amount: Money) -> Result:
    """Order and pay for an item, for an amount in all."""
    found = records.named(item, "item")
    fields = {name: found.fields[name] for name in ("seller", "unit") if name in found.fields}
    fields |= {"quantity": quantity, "price": amount}
    return records.create(Entry(NEW, APP.name, f"Order: {found.title}", "", "done", fields=fields, links=(item,)))


@APP.tool(ActionClass.COMMIT)
def change(records: Records, id: RecordId, quantity: Quantity) -> Result:
    """Change the quantity of an order that has not left yet, or of what is put aside."""
    entry = records.named(id, "id", APP.name)
    stays = entry.fields.get("quantity") == quantity
    return amend(entry, status=None if stays else "changed", fields={"quantity": quantity})


@APP.tool(ActionClass.COMMIT)
def cancel(records: Records, id: RecordId) -> Result:
    """Cancel an order that has not left yet, or what is put aside."""
    return amend(records.named(id, "id", APP.name), status="cancelled")


@APP.tool(ActionClass.COMMIT)
def send_back(records: Records, id: RecordId, reason: str) -> Result:
    """Announce to the seller that an order comes back."""
    entry = records.named(id, "id", APP.name)
    result = records.create(Entry(NEW, APP.name, f"Return: {entry.title}", reason, "open", links=(id,)))
    amend(entry, status="changed")
    return result


@APP.tool(ActionClass.COMMIT)
def stock(records: Records, id: RecordId, quantity: Quantity) -> Result:
    """Set how many of an item the user's own shelf, fridge or shop has."""
    return amend(records.named(id, "id", APP.name), fields={"quantity": quantity})
