import pytest

from proactivity_gym.sim.references import problems
from tests.sim.edits import SEND, record
from tests.sim.tiny import Edit, tiny

CASES: dict[str, tuple[Edit, ...]] = {
    "record.6 (extra).fields.from: records of mail have no such field: remove it or use one of sender, to": (
        record('fields = { from = "Rui" }'),
    ),
    "record.6 (extra).fields.to: it must be text, not 40\nrecord.6 (extra).fields.to: it must be text, not 55": (
        record('fields = { to = "@{fee}" }'),
    ),
    "task.0 (form).actions.0.tool: payments.read only reads; name a tool that drafts or commits": (
        (
            '"payments.pay"\nargs = { payee = "Course desk", amount = "@{fee}", reference = "CD-17" }',
            '"payments.read"\nargs = { id = "hours" }',
        ),
    ),
    "task.0 (form).actions.0.args.reference: it is missing: give text": ((', reference = "CD-17"', ""),),
    "task.0 (form).actions.0.args.note: there is no such parameter: remove it; the tool takes payee, amount, reference": (
        ('reference = "CD-17"', 'reference = "CD-17", note = "x"'),
    ),
    "task.0 (form).actions.0.args.payee: it must be text, not 7": (('payee = "Course desk"', "payee = 7"),),
    "task.0 (form).actions.0.args.payee: it must be text, not 55": (
        ('payee = "Course desk"', 'payee = "@{who.name}"'),
        ("[draw.fee]", '[draw.who]\noptions = [{ name = "Desk" }, { name = 55 }]\n\n[draw.fee]'),
    ),
    "task.1 (parcel).actions.0.args.id: there is no record 'note'; name one of the scenario": (
        (SEND, 'tool = "files.share"\nargs = { id = "note", people = ["@{fee}", "Rui"] }'),
    ),
    "task.1 (parcel).actions.0.args.at: write the local date-time as 2027-03-11T07:10, not 'Wed 10 Mar, 18:00'": (
        (SEND, 'tool = "reminders.set"\nargs = { title = "x", at = "@{form-week}" }'),
    ),
    "task.1 (parcel).actions.0.args.date: write the date as 2027-03-11, not '9 March'": (
        (SEND, 'tool = "course.register"\nargs = { exam = "hours", date = "9 March", amount = 5 }'),
    ),
    "task.1 (parcel).actions.0.free: the action has no argument 'text'; use one of to, body": (
        ('free = ["body"]', 'free = ["body", "text"]'),
    ),
    "task.1 (parcel).actions.0.contains: the action has no argument 'text'; use one of to, body": (
        ("contains = { body", 'contains = { text = ["x"], body'),
    ),
    "task.1 (parcel).actions.0.avoids: the action has no argument 'text'; use one of to, body": (
        ("contains = { body", 'avoids = { text = ["x"] }\ncontains = { body'),
    ),
    "task.1 (parcel).actions.0.args.body: it does not say 'Friday'; mend it, or the rule": (
        ('["parcel", "noon"]', '["parcel", "Friday"]'),
    ),
    "task.1 (parcel).actions.0.args.body: it says 'noon'; mend it, or the rule": (
        ("contains = { body", 'avoids = { body = ["noon"] }\ncontains = { body'),
    ),
    "task.1 (parcel).actions.0.args.people: it does not say 'Ana'; mend it, or the rule": (
        (
            SEND,
            'tool = "files.share"\nargs = { id = "hours", people = ["Rui"] }\nfree = ["people"]\n'
            'contains = { people = ["rui", "Ana"] }',
        ),
    ),
}


@pytest.mark.parametrize(("complaints", "edits"), CASES.items())
def test_what_is_wrong_is_told(complaints: str, edits: tuple[Edit, ...]) -> None:
    assert "\n".join(problems(tiny(*edits))) == complaints
