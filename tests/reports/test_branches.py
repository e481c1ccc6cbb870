import pytest

from proactivity_gym.reports import branches
from tests.reports.studies import reported
from tests.sim.edits import PARCEL_TASK, SETTLED, add, record


def conditional(outcome: str, task: str = "form", at: str = "2027-03-08T11:00:00", key: str = "requires") -> str:
    return f'at = {at}\n{key} = [{{ task = "{task}", outcome = ["{outcome}"] }}]'


@pytest.mark.parametrize(
    ("outcome", "key"),
    [
        ("approved", "requires"),
        ("expired", "requires"),
        ("dismissed", "requires"),
        ("approved", "excludes"),
        ("expired", "excludes"),
    ],
)
def test_what_follows_success_or_neglect_comes_about(outcome: str, key: str) -> None:
    assert reported(branches.check, record(conditional(outcome, key=key))) == []


def test_what_nobody_does_is_dead() -> None:
    # Persona A is asked about forms; the oracle never executes one.
    ((where, message),) = reported(branches.check, record(conditional("executed")))
    assert where == "record extra"
    assert message.startswith("it never comes about")


def test_what_appears_before_its_condition_is_dead() -> None:
    assert reported(branches.check, record(conditional("approved", at="2027-03-08T08:00:00")))


def test_a_task_without_a_record_that_brings_it_up_is_dead() -> None:
    task = (
        'id = "silent"\ntitle = "x"\nkind = "noop"\ntopic = "forms"\nsession = "errands"\nscope = "out-of-task"\n'
        'horizon = "immediate"\ndeadline = 2027-03-08T20:00:00\nwork_min = 5\nevidence = ["hours"]\nwhy = "x"'
    )
    assert [where for where, _ in reported(branches.check, add("task", task))] == ["task silent"]


def test_a_repair_of_a_repair_comes_about() -> None:
    task = (
        'id = "repair"\ntitle = "x"\nkind = "latent"\ntopic = "forms"\nsession = "errands"\nscope = "out-of-task"\n'
        'horizon = "immediate"\ndeadline = 2027-03-08T20:00:00\nwork_min = 5\nevidence = ["extra"]\nwhy = "x"\n'
        'requires = [{ task = "form", outcome = ["expired"] }]\n'
        'actions = [{ tool = "reminders.set", args = { title = "x", at = "2027-03-09T08:00" } }]'
    )
    edits = [
        add("task", task),
        record('at = 2027-03-08T11:00:00\nsignal = { task = "repair" }'),
        record(conditional("expired", "repair", "2027-03-08T20:30:00"), name="last"),
        record(conditional("executed", "repair", "2027-03-08T20:30:00"), name="dead"),
    ]
    assert [where for where, _ in reported(branches.check, *edits)] == ["record dead"]


def test_a_record_of_resolved_weeks_is_sought_in_one() -> None:
    edits = [
        (PARCEL_TASK, SETTLED.replace("resolved_chance = 0.2", "resolved_chance = 0.5")),
        record(conditional("approved") + '\nstatus = "done"'),
    ]
    assert reported(branches.check, *edits) == []
    assert reported(branches.check, *edits, variations=8) == []
    dead = [edits[0], record(conditional("executed") + '\nstatus = "done"')]
    assert [where for where, _ in reported(branches.check, *dead, variations=8)] == ["record extra"]
