import pytest

from proactivity_gym.sim.tools import ToolError
from tests.sim.apps.sample import sample


def test_a_setting_leaves_the_status() -> None:
    world = sample()
    world.call("devices.set", {"id": "meter", "setting": "19 °C"})
    assert (world.get("meter").status, world.get("meter").fields) == ("open", {"unit": "m3", "setting": "19 °C"})


def test_a_reported_meter_is_done() -> None:
    world = sample()
    world.call("devices.report", {"id": "meter", "reading": 4711.5})
    assert (world.get("meter").status, world.get("meter").fields["reading"]) == ("done", 4711.5)


def test_an_alarm_is_cleared() -> None:
    world = sample()
    assert world.call("devices.clear", {"id": "meter"})["status"] == "done"


@pytest.mark.parametrize(("tool", "more"), [("set", {"setting": "off"}), ("report", {"reading": 1}), ("clear", {})])
def test_only_devices_are_changed(tool: str, more: dict[str, object]) -> None:
    with pytest.raises(ToolError, match="id: there is no record 'letter' in devices"):
        sample().call(f"devices.{tool}", {"id": "letter", **more})
