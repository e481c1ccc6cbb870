import pytest

from proactivity_gym.sim.tools import ToolError
from tests.sim.apps.sample import sample


def test_a_refill_is_open_at_a_pharmacy() -> None:
    world = sample()
    world.call("health.refill", {"id": "tablets", "pharmacy": "Lima"})
    made = world.get("health-1")
    assert (made.title, made.status, made.fields) == ("Refill: Tablets", "open", {"pharmacy": "Lima"})
    assert made.links == ("tablets",)


def test_share_adds_people_and_unshare_takes_them_away() -> None:
    world = sample()
    world.call("health.share", {"id": "tablets", "people": ["Ana", "Rui"]})
    assert world.get("tablets").fields["shared"] == ["Ana", "Eva", "Rui"]
    assert world.call("health.share", {"id": "tablets", "people": ["Rui", "Eva"]})["changed"] is False
    world.call("health.unshare", {"id": "tablets", "people": ["Eva", "Tim"]})
    assert world.get("tablets").fields["shared"] == ["Ana", "Rui"]


def test_a_record_that_nobody_sees_can_be_shared() -> None:
    world = sample()
    del world.get("tablets").fields["shared"]
    world.call("health.share", {"id": "tablets", "people": ["Ana"]})
    assert world.get("tablets").fields["shared"] == ["Ana"]


@pytest.mark.parametrize(
    ("tool", "more"), [("refill", {"pharmacy": "Lima"}), ("share", {"people": ["Ana"]}), ("unshare", {"people": ["Ana"]})]
)
def test_only_health_records_are_touched(tool: str, more: dict[str, object]) -> None:
    with pytest.raises(ToolError, match="id: there is no record 'letter' in health"):
        sample().call(f"health.{tool}", {"id": "letter", **more})
