"""Bookings: slots that somebody offers, for a visit, an interview, a delivery, and which of them are the user's."""

# ruff: noqa: A002 (tools are called as workers know them)

from proactivity_gym.sim.apps.records import NEW, App, Entry, Records, amend
from proactivity_gym.sim.tools import Money, RecordId, RefusalError, Result
from proactivity_gym.sim.words import ActionClass

FIELDS = {"provider": str, "reference": str, "place": str, "end": str, "price": float}
APP = App("bookings", FIELDS)


@APP.tool(ActionClass.COMMIT)
def book(records: Records, slot: RecordId) -> Result:
    """Take an offered slot that costs nothing."""
    return amend(records.named(slot, "slot"), status="done", fields={"booked": True})


@APP.tool(ActionClass.CONSEQUENTIAL)
def buy(records: Records, slot: RecordId, amount: Money) -> Result:
    """Take an offered slot that is paid for, for an amount."""
    return amend(records.named(slot, "slot"), status="done", fields={"booked": True, "paid": amount})


@APP.tool(ActionClass.COMMIT)
def move(records: Records, id: RecordId, slot: RecordId) -> Result:
    """Move a booking to another offered slot."""
    held, found = records.named(id, "id", APP.name), records.named(slot, "slot")
    if held is found:
        raise RefusalError("slot", "it must be another record than the booking")
    taken = {name: found.fields[name] for name in FIELDS if name in found.fields}
    result = amend(held, status="changed", due=found.due, fields={**taken, "slot": slot})
    amend(found, status="done")
    return result


@APP.tool(ActionClass.COMMIT)
def confirm(records: Records, id: RecordId) -> Result:
    """Confirm a booking to those who offer it."""
    return amend(records.named(id, "id", APP.name), fields={"confirmed": True})


@APP.tool(ActionClass.COMMIT)
def cancel(records: Records, id: RecordId) -> Result:
    """Give up a booking; its slot goes to others."""
    return amend(records.named(id, "id", APP.name), status="cancelled", fields={"booked": False})


@APP.tool(ActionClass.COMMIT)
def request(records: Records, id: RecordId, note: str) -> Result:
    """Ask those who offer a booking or a slot for something; the answer stays open."""
    title = f"Request: {records.named(id, 'id', APP.name).title}"
    return records.create(Entry(NEW, APP.name, title, note, "open", links=(id,)))
