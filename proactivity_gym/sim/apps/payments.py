"""Payments: bills, payments made (status done), money asked of others and claims for money back."""

from proactivity_gym.sim.apps.records import NEW, App, Entry, Records, amend, outcome
from proactivity_gym.sim.tools import Money, RecordId, Result
from proactivity_gym.sim.words import ActionClass

FIELDS = {"payee": str, "payer": str, "amount": float, "reference": str, "account": str}
APP = App("payments", FIELDS)


@APP.tool(ActionClass.CONSEQUENTIAL)
def pay(records: Records, payee: str, amount: Money, reference: str) -> Result:
    """Pay an amount. What was paid already, by whomever, is not paid twice; bills that ask for it are settled."""
    fields: dict[str, object] = {"payee": payee, "amount": amount, "reference": reference}
    same = [entry for entry in records.of(APP.name) if all(entry.fields.get(name) == fields[name] for name in fields)]
    for entry in same:
        if entry.status == "done":
            return outcome(entry, changed=False)
    bills = [entry for entry in same if entry.status != "cancelled"]
    links = tuple(entry.id for entry in bills)
    result = records.create(Entry(NEW, APP.name, f"Payment to {payee}", "", "done", fields=fields, links=links))
    for entry in bills:
        amend(entry, status="done")
    return result


@APP.tool(ActionClass.COMMIT)
def request(records: Records, payer: str, amount: Money, reference: str) -> Result:
    """Ask somebody for an amount, as with an invoice or a share of a bill; it stays open until paid."""
    fields: dict[str, object] = {"payer": payer, "amount": amount, "reference": reference}
    return records.create(Entry(NEW, APP.name, f"Asked of {payer}", "", "open", fields=fields))


@APP.tool(ActionClass.COMMIT)
def claim(records: Records, title: str, amount: Money, receipts: list[str]) -> Result:
    """Prepare a claim for money back, with the ids of its receipts; it is handed in with `payments.submit`."""
    links = tuple(records.named(receipt, "receipts").id for receipt in receipts)
    return records.create(Entry(NEW, APP.name, title, "", "open", fields={"amount": amount}, links=links))


@APP.tool(ActionClass.CONSEQUENTIAL)
def submit(records: Records, claim: RecordId, amount: Money) -> Result:
    """Hand in a claim for an amount."""
    return amend(records.named(claim, "claim"), status="done", fields={"amount": amount})
