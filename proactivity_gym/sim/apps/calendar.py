"""The calendar: events from `due` to their field `end`."""

# ruff: noqa: A002 (tools are called as workers know them)

from proactivity_gym.sim.apps.records import NEW, App, Entry, Records, amend, checked_day, index_line
from proactivity_gym.sim.tools import Day, RecordId, Result, When
from proactivity_gym.sim.words import ActionClass

FIELDS = {"end": str, "place": str, "people": list[str]}
APP = App("calendar", FIELDS)


@APP.tool(ActionClass.READ)
def day(records: Records, date: Day) -> Result:
    """List the events that touch a day, in order of their start."""
    wanted = checked_day(date, "date")
    events = [entry for entry in reversed(records.of(APP.name)) if _touches(records, entry, wanted)]
    events.sort(key=lambda entry: entry.due or 0)
    return {"records": [index_line(records, entry) for entry in events]}


@APP.tool(ActionClass.COMMIT)
def add(records: Records, title: str, start: When, end: When) -> Result:
    """Add an event to the calendar."""
    return records.create(Entry(NEW, APP.name, title, "", due=records.span(start, end), fields={"end": end}))


@APP.tool(ActionClass.COMMIT)
def move(records: Records, id: RecordId, start: When, end: When) -> Result:
    """Move an event to another time."""
    entry, due = records.named(id, "id", APP.name), records.span(start, end)
    stays = (entry.due, entry.fields.get("end")) == (due, end)
    return amend(entry, status=None if stays else "changed", due=due, fields={"end": end})


@APP.tool(ActionClass.COMMIT)
def cancel(records: Records, id: RecordId, note: str) -> Result:
    """Cancel an event, with a note to those invited."""
    entry = records.named(id, "id", APP.name)
    return amend(entry, status="cancelled", fields={} if entry.status == "cancelled" else {"note": note})


def _touches(records: Records, entry: Entry, wanted: str) -> bool:
    """Local date-times in ISO form sort as texts, so none has to be parsed; what ends at midnight is over by then."""
    start, end = records.wall(entry.due), str(entry.fields.get("end", ""))
    return start is not None and (start[:10] == wanted or (start[:10] < wanted and end > f"{wanted}T00:00"))
