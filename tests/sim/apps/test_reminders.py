import pytest

from proactivity_gym.sim.tools import ToolError
from tests.sim.apps.sample import minute, sample


def test_a_reminder_is_open_until_cleared() -> None:
    world, reminder = sample(), {"title": "Call Ana", "at": "2027-03-12T08:00"}
    world.call("reminders.set", reminder)
    entry = world.get("reminders-1")
    assert (entry.status, entry.due) == ("open", minute("2027-03-12T08:00"))
    world.call("reminders.clear", {"id": "reminders-1"})
    assert entry.status == "done"
    assert world.call("reminders.set", reminder)["id"] == "reminders-2"


def test_only_reminders_are_cleared() -> None:
    with pytest.raises(ToolError, match="id: there is no record 'letter' in reminders"):
        sample().call("reminders.clear", {"id": "letter"})
