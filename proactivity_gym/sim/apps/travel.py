"""Travel: bookings, offers and requests to providers."""

from proactivity_gym.sim.apps.records import NEW, App, Entry, Records, amend
from proactivity_gym.sim.tools import Money, RecordId, RefusalError, Result
from proactivity_gym.sim.words import ActionClass

FIELDS = {"provider": str, "reference": str, "price": float, "place": str}
APP = App("travel", FIELDS)


@APP.tool(ActionClass.CONSEQUENTIAL)
def book(records: Records, offer: RecordId, amount: Money) -> Result:
    """Book an offer for an amount."""
    found = records.named(offer, "offer")
    fields = {name: found.fields[name] for name in ("provider", "place") if name in found.fields}
    fields |= {"reference": _reference(found), "price": amount}
    booking = Entry(NEW, APP.name, found.title, found.text, "done", due=found.due, fields=fields, links=(offer,))
    result = records.create(booking)
    amend(found, status="done")
    return result


@APP.tool(ActionClass.CONSEQUENTIAL)
def rebook(records: Records, booking: RecordId, offer: RecordId, amount: Money) -> Result:
    """Change a booking to an offer, for an amount on top."""
    held, found = records.named(booking, "booking", APP.name), records.named(offer, "offer")
    if held is found:
        raise RefusalError("offer", "it must be another record than the booking")
    fields = {"reference": _reference(found), "paid": amount}
    result = amend(held, status="changed", due=found.due, fields=fields)
    amend(found, status="done")
    return result


@APP.tool(ActionClass.CONSEQUENTIAL)
def cancel(records: Records, booking: RecordId) -> Result:
    """Cancel a booking for good."""
    return amend(records.named(booking, "booking", APP.name), status="cancelled")


@APP.tool(ActionClass.COMMIT)
def request(records: Records, booking: RecordId, note: str) -> Result:
    """Ask the provider of a booking for something; the answer stays open."""
    held = records.named(booking, "booking", APP.name)
    return records.create(Entry(NEW, APP.name, f"Request: {held.title}", note, "open", links=(booking,)))


@APP.tool(ActionClass.COMMIT)
def check_in(records: Records, booking: RecordId, seat: str) -> Result:
    """Check in for a booking and choose a seat."""
    return amend(records.named(booking, "booking", APP.name), fields={"seat": seat})


def _reference(offer: Entry) -> object:
    return offer.fields.get("reference", offer.id)
