import pytest

from proactivity_gym.sim.tools import ToolError
from tests.sim.apps.sample import minute, sample


def test_submit_queues_a_job() -> None:
    world = sample()
    world.call("compute.submit", {"config": "settings", "gpus": 4, "hours": 8})
    job = world.get("compute-1")
    assert (job.title, job.status, job.links) == ("Job: Settings", "open", ("settings",))
    assert job.fields == {"config": "settings", "gpus": 4, "hours": 8}


def test_resume_and_cancel_change_the_job() -> None:
    world = sample()
    world.call("compute.resume", {"id": "run", "checkpoint": "step-900"})
    job = world.get("run")
    assert (job.status, job.fields) == ("changed", {"gpus": 4, "state": "running", "checkpoint": "step-900"})
    world.call("compute.cancel", {"id": "run"})
    assert (job.status, job.fields["state"]) == ("cancelled", "cancelled")


def test_reserve_takes_a_pool_for_a_time() -> None:
    world = sample()
    start, end = "2027-03-11T09:00", "2027-03-11T21:00"
    world.call("compute.reserve", {"pool": "run", "start": start, "end": end, "gpus": 8})
    made = world.get("compute-1")
    assert (made.title, made.status, made.due) == ("Reservation: Ablation 3", "done", minute(start))
    assert (made.fields, made.links) == ({"end": end, "gpus": 8}, ("run",))


@pytest.mark.parametrize(
    ("tool", "arguments", "parameter"),
    [
        ("submit", {"config": "none", "gpus": 1, "hours": 1}, "config"),
        ("resume", {"id": "settings", "checkpoint": ""}, "id"),
        ("cancel", {"id": "none"}, "id"),
        ("reserve", {"pool": "none", "start": "2027-03-11T09:00", "end": "2027-03-11T10:00", "gpus": 1}, "pool"),
        ("reserve", {"pool": "run", "start": "2027-03-11T09:00", "end": "2027-03-11T08:00", "gpus": 1}, "end"),
    ],
)
def test_impossible_calls_are_refused(tool: str, arguments: dict[str, object], parameter: str) -> None:
    with pytest.raises(ToolError) as caught:
        sample().call(f"compute.{tool}", arguments)
    assert caught.value.parameter == parameter
