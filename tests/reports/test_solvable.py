import pytest

from proactivity_gym.reports import solvable
from proactivity_gym.reports.plays import Fate
from proactivity_gym.sim.words import Depth, Timing
from tests.reports.studies import reported
from tests.sim.edits import PARCEL_TASK, add, record
from tests.sim.tiny import Edit, week_of

PARCEL_DEADLINE = "deadline = 2027-03-09T12:00:00"
NO_WINDOW = ('later = "parcel"', 'later = "card"')
"""A NOOP case competes for nothing: this window is never active."""
KNOWN = 'evidence = ["parcel-note"]'
SETTLED = 'evidence = ["card-mail", "card-done"]'
FOLLOW_UP = add(
    "task",
    'id = "follow"\ntitle = "x"\nkind = "latent"\ntopic = "forms"\nsession = "errands"\nscope = "out-of-task"\n'
    'horizon = "immediate"\ndeadline = 2027-03-08T20:00:00\nwork_min = 5\nevidence = ["extra"]\nwhy = "x"\n'
    'requires = [{ task = "form", outcome = ["approved"] }]\n'
    'actions = [{ tool = "reminders.set", args = { title = "x", at = "2027-03-09T08:00" } }]',
)

EARLY = record('at = 2027-03-08T09:45:00\nsignal = { task = "follow" }')


def test_the_small_scenario_is_solved_in_every_week() -> None:
    assert reported(solvable.check, variations=20) == []


@pytest.mark.parametrize(
    ("where", "message", "edits"),
    [
        ("task parcel", "nothing is delivered by its deadline, though taken up as EXECUTE NOW (it comes too late)",
         [(PARCEL_DEADLINE, "deadline = 2027-03-08T09:35:00"), NO_WINDOW]),
        ("task parcel", "it is never taken up",
         [(KNOWN, 'evidence = ["parcel-note", "extra"]'), record("at = 2027-03-09T13:00:00")]),
        ("task card", "it is never dismissed",
         [(SETTLED, 'evidence = ["card-mail", "extra"]'), record("at = 2027-03-09T19:00:00")]),
        ("task follow", "it is on the reference path but never comes up",
         [FOLLOW_UP, EARLY]),
        ("window desk-or-parcel", "its later task is not deferred to after the window",
         [(PARCEL_DEADLINE, "deadline = 2027-03-08T10:30:00")]),
    ],
)  # fmt: skip
def test_what_the_oracle_cannot_solve_is_reported(where: str, message: str, edits: list[Edit]) -> None:
    found = reported(solvable.check, *edits)
    assert any(place == where and message in text and text.endswith("(persona A: written)") for place, text in found), found


def test_an_approval_in_focus_without_urgency_is_reported() -> None:
    # Delivered at 12:15 in the next gap it would be in time, but answered too late: so the oracle asks at once, in focus.
    edits = [
        (PARCEL_DEADLINE, "deadline = 2027-03-08T12:18:00"),
        ("Parcels: go ahead with messages, nothing that costs.", "Parcels: ask me."),
        ('depth = "execute"', 'depth = "suggest"'),
        NO_WINDOW,
    ]
    found = reported(solvable.check, *edits)
    message = "its reference path needs an approval in focus though the next gap would be in time (persona A: written)"
    assert ("task parcel", message) in found


def test_one_week_in_many_is_enough() -> None:
    found = reported(
        solvable.check,
        (PARCEL_TASK, f"{PARCEL_TASK}stretch = [1.0, 10.0]\n"),
        (PARCEL_DEADLINE, "deadline = 2027-03-08T13:00:00"),
        variations=8,
    )
    assert found
    assert all("written" not in message for _, message in found)


@pytest.mark.parametrize(
    ("fate", "message"),
    [
        (Fate(decided_at=1, tc=0.5), "it earns only 0.50 of its value"),
        (Fate(decided_at=1, tc=1, chosen=Depth.SUGGEST, timing=Timing.NOW, expected=Depth.PREPARE),
         "it is taken up as SUGGEST NOW where PREPARE is expected"),
        (Fate(decided_at=1, tc=1, competed=True, chosen=Depth.SUGGEST, expected=Depth.SUGGEST),
         "its work or its offer competes with the user, taken up as SUGGEST"),
    ],
)  # fmt: skip
def test_whatever_costs_a_task_is_told(fate: Fate, message: str) -> None:
    (found,) = solvable.of_task(week_of(), 0, fate)
    assert found.startswith(message)


def test_a_window_that_is_not_met_is_told() -> None:
    now, later = Fate(decided_at=580, timing=Timing.NOW), Fate(start=720)
    assert list(solvable.of_windows(week_of(), {0: now, 1: later})) == []
    late = [message for _, message in solvable.of_windows(week_of(), {0: Fate(decided_at=580, timing=Timing.IDLE), 1: later})]
    assert late == ["its urgent task is not taken NOW inside the window"]
