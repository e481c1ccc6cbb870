from proactivity_gym.reports import contests
from tests.reports.studies import reported
from tests.sim.edits import record

FORM_DEADLINE = "deadline = 2027-03-08T10:40:00"


def test_the_window_of_the_small_scenario_is_one_in_every_week() -> None:
    assert reported(contests.check, variations=20) == []


def test_an_urgent_task_that_can_wait_is_no_contest() -> None:
    message = "no contest: its urgent task is still in time when deferred (IDLE) or done second (persona A: written)"
    assert reported(contests.check, (FORM_DEADLINE, "deadline = 2027-03-08T14:00:00")) == [("window desk-or-parcel", message)]


def test_a_task_that_must_come_first_is_a_contest_though_it_may_be_deferred() -> None:
    # Deferred to 12:00 the form is in time; after ten hours of work on the parcel it is not.
    edits = [
        (FORM_DEADLINE, "deadline = 2027-03-08T14:00:00"),
        ("work_min = 15", "work_min = 600"),
    ]
    assert reported(contests.check, *edits) == []


def test_the_later_task_must_be_known_in_full() -> None:
    edits = [('evidence = ["parcel-note"]', 'evidence = ["parcel-note", "extra"]'), record("at = 2027-03-08T11:00:00")]
    message = "the facts of its later task are not out when the urgent one must be taken (persona A: written)"
    assert reported(contests.check, *edits) == [("window desk-or-parcel", message)]
