"""Bank: accounts, cards, charges and the mandates of others to collect. Bills are paid with `payments`."""

from proactivity_gym.sim.apps.records import NEW, App, Entry, Records, amend
from proactivity_gym.sim.tools import Money, RecordId, RefusalError, Result
from proactivity_gym.sim.words import ActionClass

FIELDS = {"account": str, "balance": float, "payee": str, "amount": float, "reference": str}
APP = App("bank", FIELDS)


@APP.tool(ActionClass.COMMIT)
def move(records: Records, source: RecordId, target: RecordId, amount: Money) -> Result:
    """Move an amount from one of the user's own accounts to another."""
    left, reached = records.named(source, "source", APP.name), records.named(target, "target", APP.name)
    if left is reached:
        raise RefusalError("target", "it must be another account than the source")
    title = f"Moved: {left.title} to {reached.title}"
    return records.create(Entry(NEW, APP.name, title, "", "done", fields={"amount": amount}, links=(source, target)))


@APP.tool(ActionClass.COMMIT)
def block(records: Records, card: RecordId) -> Result:
    """Block a card for all charges."""
    return amend(records.named(card, "card", APP.name), status="changed", fields={"blocked": True})


@APP.tool(ActionClass.COMMIT)
def limit(records: Records, card: RecordId, amount: Money) -> Result:
    """Set the most that a card may be charged."""
    entry = records.named(card, "card", APP.name)
    stays = entry.fields.get("limit") == amount
    return amend(entry, status=None if stays else "changed", fields={"limit": amount})


@APP.tool(ActionClass.COMMIT)
def revoke(records: Records, mandate: RecordId) -> Result:
    """End a direct debit or a standing order; the contract behind it is another matter."""
    return amend(records.named(mandate, "mandate", APP.name), status="cancelled")


@APP.tool(ActionClass.CONSEQUENTIAL)
def dispute(records: Records, charge: RecordId, amount: Money, reason: str) -> Result:
    """Dispute a charge in a declaration to the bank, for an amount."""
    found = records.named(charge, "charge")
    title = f"Dispute: {found.title}"
    result = records.create(Entry(NEW, APP.name, title, reason, "open", fields={"amount": amount}, links=(charge,)))
    amend(found, status="changed")
    return result
