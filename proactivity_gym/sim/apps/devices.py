"""Devices: meters, appliances, sensors and wearables, with their alarms."""

# ruff: noqa: A001, A002 (tools are called as workers know them)

from proactivity_gym.sim.apps.records import App, Records, amend
from proactivity_gym.sim.tools import Quantity, RecordId, Result
from proactivity_gym.sim.words import ActionClass

FIELDS = {"place": str, "setting": str, "reading": float, "unit": str, "reference": str}
APP = App("devices", FIELDS)


@APP.tool(ActionClass.COMMIT)
def set(records: Records, id: RecordId, setting: str) -> Result:
    """Put a device to a setting."""
    return amend(records.named(id, "id", APP.name), fields={"setting": setting})


@APP.tool(ActionClass.COMMIT)
def report(records: Records, id: RecordId, reading: Quantity) -> Result:
    """Report the reading of a meter to its supplier."""
    return amend(records.named(id, "id", APP.name), status="done", fields={"reading": reading})


@APP.tool(ActionClass.COMMIT)
def clear(records: Records, id: RecordId) -> Result:
    """Clear an alarm."""
    return amend(records.named(id, "id", APP.name), status="done")
