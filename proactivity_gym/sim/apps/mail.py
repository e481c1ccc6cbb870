"""Mail: what came in, what was sent (status done) and private drafts."""

# ruff: noqa: A002 (tools are called as workers know them)

from proactivity_gym.sim.apps.records import NEW, App, Entry, Records
from proactivity_gym.sim.tools import RecordId, Result
from proactivity_gym.sim.words import ActionClass

FIELDS = {"sender": str, "to": str}
APP = App("mail", FIELDS)


@APP.tool(ActionClass.DRAFT)
def draft(records: Records, to: str, subject: str, body: str) -> Result:
    """Write a mail as a private draft; nobody but the user sees it."""
    return records.create(Entry(NEW, APP.name, subject, body, fields={"to": to, "private": True}))


@APP.tool(ActionClass.COMMIT)
def send(records: Records, to: str, subject: str, body: str) -> Result:
    """Send a mail."""
    return records.create(Entry(NEW, APP.name, subject, body, "done", fields={"to": to}))


@APP.tool(ActionClass.COMMIT)
def reply(records: Records, id: RecordId, body: str) -> Result:
    """Answer a mail to its sender."""
    entry = records.named(id, "id", APP.name)
    fields = {"to": entry.fields.get("sender", "")}
    return records.create(Entry(NEW, APP.name, f"Re: {entry.title}", body, "done", fields=fields, links=(id,)))
