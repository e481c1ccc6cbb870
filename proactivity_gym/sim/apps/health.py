"""Health: prescriptions, results, letters and who may see them. Appointments are `bookings`."""

# ruff: noqa: A002 (tools are called as workers know them)

from typing import cast

from proactivity_gym.sim.apps.records import NEW, App, Entry, Records, amend
from proactivity_gym.sim.tools import RecordId, Result
from proactivity_gym.sim.words import ActionClass

FIELDS = {"practice": str, "patient": str, "reference": str, "shared": list[str]}
APP = App("health", FIELDS)


@APP.tool(ActionClass.COMMIT)
def refill(records: Records, id: RecordId, pharmacy: str) -> Result:
    """Ask a pharmacy to have a prescription ready."""
    title = f"Refill: {records.named(id, 'id', APP.name).title}"
    return records.create(Entry(NEW, APP.name, title, "", "open", fields={"pharmacy": pharmacy}, links=(id,)))


@APP.tool(ActionClass.CONSEQUENTIAL)
def share(records: Records, id: RecordId, people: list[str]) -> Result:
    """Let people see a record, beside those who may already; what they have seen cannot be taken back."""
    entry = records.named(id, "id", APP.name)
    return amend(entry, fields={"shared": sorted({*_shared(entry), *people})})


@APP.tool(ActionClass.COMMIT)
def unshare(records: Records, id: RecordId, people: list[str]) -> Result:
    """Let people see a record no longer."""
    entry = records.named(id, "id", APP.name)
    return amend(entry, fields={"shared": sorted({*_shared(entry)} - {*people})})


def _shared(entry: Entry) -> list[str]:
    return cast("list[str]", entry.fields.get("shared", []))
