"""Files: documents of the user and private notes of the assistant."""

# ruff: noqa: A002 (tools are called as workers know them)

from typing import cast

from proactivity_gym.sim.apps.records import NEW, App, Entry, Records, amend
from proactivity_gym.sim.tools import RecordId, Result
from proactivity_gym.sim.words import ActionClass

FIELDS = {"folder": str, "author": str}
APP = App("files", FIELDS)


@APP.tool(ActionClass.DRAFT)
def note(records: Records, title: str, body: str) -> Result:
    """Write a private note; nobody but the user sees it."""
    return records.create(Entry(NEW, APP.name, title, body, fields={"private": True}))


@APP.tool(ActionClass.COMMIT)
def edit(records: Records, id: RecordId, body: str) -> Result:
    """Replace the text of a file."""
    return amend(records.named(id, "id", APP.name), text=body)


@APP.tool(ActionClass.COMMIT)
def share(records: Records, id: RecordId, people: list[str]) -> Result:
    """Share a file with people, beside those who have it already."""
    entry = records.named(id, "id", APP.name)
    shared = cast("list[str]", entry.fields.get("shared", []))
    return amend(entry, fields={"shared": sorted({*shared, *people})})
