"""Reminders: due at a time, done when cleared."""

# ruff: noqa: A001, A002 (tools are called as workers know them)

from proactivity_gym.sim.apps.records import NEW, App, Entry, Records, amend
from proactivity_gym.sim.tools import RecordId, Result, When
from proactivity_gym.sim.words import ActionClass

FIELDS: dict[str, object] = {}
APP = App("reminders", FIELDS)


@APP.tool(ActionClass.COMMIT)
def set(records: Records, title: str, at: When) -> Result:
    """Set a reminder for a time."""
    return records.create(Entry(NEW, APP.name, title, "", "open", due=records.minute(at, "at")))


@APP.tool(ActionClass.COMMIT)
def clear(records: Records, id: RecordId) -> Result:
    """Mark a reminder as done."""
    return amend(records.named(id, "id", APP.name), status="done")
