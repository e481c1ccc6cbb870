"""Courses: sessions, practice, forms and exams."""

from proactivity_gym.sim.apps.records import NEW, App, Entry, Records, amend, checked_day
from proactivity_gym.sim.tools import Day, Money, RecordId, Result, When
from proactivity_gym.sim.words import ActionClass

FIELDS = {"provider": str, "reference": str, "place": str, "price": float}
APP = App("course", FIELDS)


@APP.tool(ActionClass.COMMIT)
def book(records: Records, session: RecordId) -> Result:
    """Take a place in a session."""
    return amend(records.named(session, "session"), status="done", fields={"booked": True})


@APP.tool(ActionClass.COMMIT)
def cancel(records: Records, session: RecordId) -> Result:
    """Give up the place in a session."""
    return amend(records.named(session, "session"), status="cancelled", fields={"booked": False})


@APP.tool(ActionClass.COMMIT)
def practice(records: Records, test: RecordId, at: When) -> Result:
    """Plan a practice test for a time."""
    title, due = f"Practice: {records.named(test, 'test').title}", records.minute(at, "at")
    return records.create(Entry(NEW, APP.name, title, "", "open", due=due, links=(test,)))


@APP.tool(ActionClass.DRAFT)
def answer(records: Records, form: RecordId, body: str) -> Result:
    """Write answers to a form as a private draft; nobody but the user sees it."""
    title = f"Answers: {records.named(form, 'form').title}"
    return records.create(Entry(NEW, APP.name, title, body, fields={"private": True}, links=(form,)))


@APP.tool(ActionClass.CONSEQUENTIAL)
def submit(records: Records, form: RecordId, body: str) -> Result:
    """Hand in a form with its answers."""
    found = records.named(form, "form")
    result = records.create(Entry(NEW, APP.name, f"Submission: {found.title}", body, "done", links=(form,)))
    amend(found, status="done")
    return result


@APP.tool(ActionClass.CONSEQUENTIAL)
def register(records: Records, exam: RecordId, date: Day, amount: Money) -> Result:
    """Register for an exam on a date, for an amount."""
    found = records.named(exam, "exam")
    fields: dict[str, object] = {"date": checked_day(date, "date"), "price": amount}
    title = f"Registration: {found.title}"
    result = records.create(Entry(NEW, APP.name, title, "", "done", fields=fields, links=(exam,)))
    amend(found, status="done")
    return result
