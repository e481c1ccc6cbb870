"""Compute: jobs on machines and reservations of them."""

# ruff: noqa: A002 (tools are called as workers know them)

from proactivity_gym.sim.apps.records import NEW, App, Entry, Records, amend
from proactivity_gym.sim.tools import Count, RecordId, Result, When
from proactivity_gym.sim.words import ActionClass

FIELDS = {"owner": str, "gpus": int, "config": str, "checkpoint": str, "state": str}
APP = App("compute", FIELDS)


@APP.tool(ActionClass.COMMIT)
def submit(records: Records, config: RecordId, gpus: Count, hours: Count) -> Result:
    """Queue a job with a configuration on some GPUs for some hours."""
    title = f"Job: {records.named(config, 'config').title}"
    fields: dict[str, object] = {"config": config, "gpus": gpus, "hours": hours}
    return records.create(Entry(NEW, APP.name, title, "", "open", fields=fields, links=(config,)))


@APP.tool(ActionClass.COMMIT)
def resume(records: Records, id: RecordId, checkpoint: str) -> Result:
    """Resume a job from a checkpoint."""
    fields = {"checkpoint": checkpoint, "state": "running"}
    return amend(records.named(id, "id", APP.name), status="changed", fields=fields)


@APP.tool(ActionClass.COMMIT)
def cancel(records: Records, id: RecordId) -> Result:
    """Cancel a job or a reservation."""
    return amend(records.named(id, "id", APP.name), status="cancelled", fields={"state": "cancelled"})


@APP.tool(ActionClass.CONSEQUENTIAL)
def reserve(records: Records, pool: RecordId, start: When, end: When, gpus: Count) -> Result:
    """Reserve GPUs of a pool from start to end."""
    title = f"Reservation: {records.named(pool, 'pool').title}"
    fields: dict[str, object] = {"end": end, "gpus": gpus}
    due = records.span(start, end)
    return records.create(Entry(NEW, APP.name, title, "", "done", due=due, fields=fields, links=(pool,)))
