"""What is allowed, and that complaints of all kinds come together; each kind has its own tests."""

import pytest

from proactivity_gym.sim.references import problems
from tests.sim.edits import NIGHT, PARCEL_TASK, SAID, SEND, SETTLED, SIGNAL, record, usage, window
from tests.sim.tiny import Edit, tiny

ALLOWED: dict[str, tuple[Edit, ...]] = {
    "a stock without resets": (("capacity = 1", 'capacity = 1\nkind = "stock"'),),
    "an old mail, which no signal shows": (record("at = 2027-02-01T09:00:00"),),
    "a quiet signal from before the week": (record("at = 2027-03-07T09:00:00", SIGNAL + 'trigger = "agent"\n'),),
    "a deadline at the end of the week": (("deadline = 2027-03-09T18:00:00", "deadline = 2027-03-10T00:00:00"),),
    "a follow-up at the deadline of its task": (
        record('at = 2027-03-09T12:00:00\nmoves = "desk"\nrequires = [{ task = "parcel", outcome = ["executed"] }]'),
    ),
    "a statement within the week, for a while": (
        (SAID, f"{SAID}\nat = 2027-03-08T10:00:00\nuntil = 2027-03-12T10:00:00\nup_to = '@{{fee}}'"),
    ),
    "a prior interaction on any topic": (('[[persona.prior]]\ntopic = "forms"', '[[persona.prior]]\ntopic = "any"'),),
    "a topic for a silent record": (record('topic = "forms"\nat = 2027-03-08T09:00:00'),),
    "a record that settles a task": ((PARCEL_TASK, SETTLED), record("at = 2027-03-08T09:00:00")),
    "drawn tables": (
        ("[draw.fee]", '[draw.who]\noptions = [{ name = "Desk" }, { name = "Office" }]\n\n[draw.fee]'),
        ('payee = "Course desk"', 'payee = "@{who.name}"'),
    ),
    "no draws at all": (
        ("[draw.fee]\noptions = [40, 55]\n", ""),
        ('amount = "@{fee}"', "amount = 40"),
        ("Pay @{fee}", "Pay 40"),
    ),
    "a usage, opening hours and a single day": (
        usage("2027-03-08T10:00:00", "2027-03-08T11:00:00"),
        (NIGHT, f"{NIGHT}days = [2027-03-07, 2027-03-08]\n"),
        ("preemptible = true", "preemptible = true\nhours = [{ start = 00:00:00, end = 00:00:00 }]"),
    ),
    "two windows side by side": (window("parcel", "form"),),
    "times as tools want them": (
        (
            SEND,
            'tool = "calendar.move"\nargs = { id = "hours", start = "@{parcel.deadline:iso}", end = "@{form-week:iso}" }',
        ),
    ),
    "a date as tools want it": (
        (SEND, 'tool = "course.register"\nargs = { exam = "hours", date = "2027-03-09", amount = "@{fee}" }'),
    ),
}


@pytest.mark.parametrize("edits", ALLOWED.values(), ids=ALLOWED.keys())
def test_what_is_allowed_gets_no_complaint(edits: tuple[Edit, ...]) -> None:
    assert problems(tiny(*edits)) == []


def test_the_small_scenario_has_no_problems() -> None:
    assert problems(tiny()) == []


def test_complaints_of_all_kinds_come_together() -> None:
    edits = ('urgent = "form"', 'urgent = "from"'), ("Pay @{fee}", "Pay @{free}"), ("Europe/Lisbon", "Mars")
    assert [complaint.partition(":")[0] for complaint in problems(tiny(*edits))] == [
        "window.0 (desk-or-parcel).urgent",
        "zone",
        "record.2 (desk-mail).text",
    ]
