"""Short messages: what came in, what was sent (status done) and private drafts."""

from proactivity_gym.sim.apps.records import NEW, App, Entry, Records
from proactivity_gym.sim.tools import Result
from proactivity_gym.sim.words import ActionClass

FIELDS = {"sender": str, "to": str}
APP = App("messages", FIELDS)


@APP.tool(ActionClass.DRAFT)
def draft(records: Records, to: str, body: str) -> Result:
    """Write a message as a private draft; nobody but the user sees it."""
    fields: dict[str, object] = {"to": to, "private": True}
    return records.create(Entry(NEW, APP.name, f"Draft to {to}", body, fields=fields))


@APP.tool(ActionClass.COMMIT)
def send(records: Records, to: str, body: str) -> Result:
    """Send a message."""
    return records.create(Entry(NEW, APP.name, f"Message to {to}", body, "done", fields={"to": to}))
