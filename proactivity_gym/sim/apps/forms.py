"""Forms: applications, returns, registrations, declarations and contracts, but for those of a course."""

from proactivity_gym.sim.apps.records import NEW, App, Entry, Records, amend
from proactivity_gym.sim.tools import RecordId, Result
from proactivity_gym.sim.words import ActionClass

FIELDS = {"issuer": str, "reference": str, "place": str}
APP = App("forms", FIELDS)


@APP.tool(ActionClass.DRAFT)
def answer(records: Records, form: RecordId, body: str) -> Result:
    """Fill in a form as a private draft; nobody but the user sees it."""
    title = f"Answers: {records.named(form, 'form').title}"
    return records.create(Entry(NEW, APP.name, title, body, fields={"private": True}, links=(form,)))


@APP.tool(ActionClass.CONSEQUENTIAL)
def submit(records: Records, form: RecordId, body: str, attachments: list[str]) -> Result:
    """Hand in a form with its answers and the ids of the records attached, if any."""
    found = records.named(form, "form")
    attached = tuple(records.named(each, "attachments").id for each in attachments)
    links = (form, *attached)
    result = records.create(Entry(NEW, APP.name, f"Submission: {found.title}", body, "done", links=links))
    amend(found, status="done")
    return result


@APP.tool(ActionClass.CONSEQUENTIAL)
def sign(records: Records, form: RecordId) -> Result:
    """Sign a form or contract as it stands."""
    return amend(records.named(form, "form"), status="done", fields={"signed": True})


@APP.tool(ActionClass.CONSEQUENTIAL)
def withdraw(records: Records, form: RecordId, reason: str) -> Result:
    """Take back for good what was handed in or applied for."""
    found = records.named(form, "form")
    return amend(found, status="cancelled", fields={} if found.status == "cancelled" else {"reason": reason})
