import pytest

from proactivity_gym.sim.references import problems
from tests.sim.edits import CARD_TASK, NIGHT, PARCEL_TASK, SAID, record, usage
from tests.sim.tiny import Edit, tiny

OUTSIDE = "is outside the week, perhaps when shifted; move it into the week"

CASES: dict[str, tuple[Edit, ...]] = {
    "zone: there is no time zone 'Europe/Lisboa'; write one such as Europe/Lisbon": (("Europe/Lisbon", "Europe/Lisboa"),),
    "zone: there is no time zone '../Lisbon'; write one such as Europe/Lisbon": (("Europe/Lisbon", "../Lisbon"),),
    "zone: there is no time zone 'Europe'; write one such as Europe/Lisbon": (("Europe/Lisbon", "Europe"),),
    "start: 9999-12-31 is too far from today; choose a date of this century": (("start = 2027-03-08", "start = 9999-12-31"),),
    "record.3 (card-done).at: 2027-03-28T01:30:00 does not exist in Europe/Lisbon: clocks go forward over it; "
    "write another time": (("at = 2027-03-08T07:30:00", "at = 2027-03-28T01:30:00"),),
    "record.3 (card-done).at: 2027-03-08T07:30:00+01:00 must be a local date-time without offset, in whole minutes; "
    "write another time": (("at = 2027-03-08T07:30:00", "at = 2027-03-08T07:30:00+01:00"),),
    "resource.0 (assistant).resets.0: 2027-03-08T07:30:10 must be a local date-time without offset, in whole minutes; "
    "write another time": (("capacity = 1", "capacity = 1\nresets = [2027-03-08T07:30:10]"),),
    "record.6 (extra).due: date value out of range; write another time": (
        ("Europe/Lisbon", "America/New_York"),
        record("due = 9999-12-31T23:59:00"),
    ),
    "rhythm.0.start: 23:00:30 is no whole minute; write it as 23:00:00": (("start = 23:00:00", "start = 23:00:30"),),
    "rhythm.0.days.1: 2027-03-10 is outside the week; choose a day up to 2027-03-09": (
        (NIGHT, f"{NIGHT}days = [2027-03-07, 2027-03-10]\n"),
    ),
    "resource.0 (assistant).hours.0.days.0: 2027-03-06 is outside the week; choose a day up to 2027-03-09": (
        (
            "preemptible = true",
            "preemptible = true\nhours = [{ start = 08:00:00, end = 20:00:00, days = [2027-03-06] }]",
        ),
    ),
    "usage.0.end: it is not after the start; write a later time": (usage("2027-03-08T10:00:00", "2027-03-08T10:00:00"),),
    "usage.0.start: 2027-03-07 23:00:00 is outside the week; let it begin within the week": (
        usage("2027-03-07T23:00:00", "2027-03-08T01:00:00"),
    ),
    f"record.5 (offer).at: 2027-03-10 00:00:00 {OUTSIDE}": (("at = 2027-03-08T14:00:00", "at = 2027-03-10T00:00:00"),),
    f"record.5 (offer).at: 2027-03-07 23:59:00 {OUTSIDE}": (("at = 2027-03-08T14:00:00", "at = 2027-03-07T23:59:00"),),
    f"record.5 (offer).at: 2027-03-09 23:50:00 {OUTSIDE}": (
        ("at = 2027-03-08T14:00:00", 'at = 2027-03-09T23:50:00\nmoves = "desk"'),
    ),
    "record.4 (card-mail).at: the deadline of 'card' may pass before 2027-03-09 18:00:00; let it appear earlier": (
        ("at = 2027-03-08T13:00:00", "at = 2027-03-09T18:00:00"),
    ),
    "record.4 (card-mail).at: the deadline of 'card' may pass before 2027-03-09 17:50:00; let it appear earlier": (
        ("at = 2027-03-08T13:00:00", 'at = 2027-03-09T17:50:00\nmoves = "desk"'),
    ),
    "record.5 (offer).signal.by: it is not after the record appears, 2027-03-08 14:00:00; write a later time": (
        ("[record.signal]", "[record.signal]\nby = 2027-03-08T14:00:00"),
    ),
    "record.6 (extra).at: the outcome of 'parcel' is open before its deadline; let it appear at or after it": (
        record('at = 2027-03-09T12:05:00\nrequires = [{ task = "parcel", outcome = ["executed"] }]'),
    ),
    "record.4 (card-mail).at: the outcome of 'form' is open before its deadline; let it appear at or after it": (
        (CARD_TASK, f'{CARD_TASK}excludes = [{{ task = "form", outcome = ["expired"] }}]\n'),
        ("at = 2027-03-08T13:00:00\n", ""),
    ),
    "record.1 (parcel-note).at: the outcome of 'form' is open before its deadline; let it appear at or after it": (
        (PARCEL_TASK, f'{PARCEL_TASK}requires = [{{ task = "form", outcome = ["expired"] }}]\n'),
    ),
    f"task.2 (card).deadline: 2027-03-10 00:01:00 {OUTSIDE}": (
        ("deadline = 2027-03-09T18:00:00", "deadline = 2027-03-10T00:01:00"),
    ),
    f"task.2 (card).deadline: 2027-03-10 00:00:00 {OUTSIDE}": (
        ("deadline = 2027-03-09T18:00:00", 'deadline = 2027-03-10T00:00:00\nmoves = "desk"'),
    ),
    f"task.2 (card).deadline: 2027-03-08 00:00:00 {OUTSIDE}": (
        ("deadline = 2027-03-09T18:00:00", "deadline = 2027-03-08T00:00:00"),
        ("at = 2027-03-08T13:00:00\n", ""),
    ),
    "persona.0 (A).delegation.1.at: 2027-03-10 00:00:00 is outside the week; leave it out for what was said before the week": (
        (SAID, f"{SAID}\nat = 2027-03-10T00:00:00"),
    ),
    "persona.0 (A).delegation.1.until: it is over before it begins to count; write a later time": (
        (SAID, f"{SAID}\nat = 2027-03-08T10:00:00\nuntil = 2027-03-08T10:00:00"),
    ),
    "persona.0 (A).delegation.0.until: it is over before it begins to count; write a later time": (
        ('said = "Ask me before you do anything."', 'said = "Ask me."\nuntil = 2027-03-08T00:00:00'),
    ),
}


@pytest.mark.parametrize(("complaints", "edits"), CASES.items())
def test_what_is_wrong_is_told(complaints: str, edits: tuple[Edit, ...]) -> None:
    assert "\n".join(problems(tiny(*edits))) == complaints
