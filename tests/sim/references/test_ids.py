import pytest

from proactivity_gym.sim.references import problems
from tests.sim.edits import CARD_TASK, FORM_TASK, PARCEL_TASK, add, record, usage, window
from tests.sim.tiny import Edit, edited, tiny

CASES: dict[str, tuple[Edit, ...]] = {
    "record.6 (hours).id: 'hours' is taken by record.0 (hours).id; choose another": (record("", name="hours"),),
    "task.2 (form).id: 'form' is taken by task.0 (form).id; choose another\n"
    "window.0 (desk-or-parcel).urgent: 'form' is a noop, which competes for nothing; name another task": (
        ('id = "card"', 'id = "form"'),
        ('signal = { task = "card", by = 2027-03-09T18:00:00 }', ""),
    ),
    "group.1 (desk).id: 'desk' is taken by group.0 (desk).id; choose another": (add("group", 'id = "desk"\nshift = [0]'),),
    "moment.1 (form-week).id: 'form-week' is taken by moment.0 (form-week).id; choose another": (
        add("moment", 'id = "form-week"\nat = 2027-03-08T10:00:00'),
    ),
    "resource.1 (assistant).id: 'assistant' is taken by resource.0 (assistant).id; choose another": (
        add("resource", 'id = "assistant"\ntitle = "x"\ncapacity = 1'),
    ),
    "window.1 (desk-or-parcel).id: 'desk-or-parcel' is taken by window.0 (desk-or-parcel).id; choose another": (
        window("parcel", "form", name="desk-or-parcel"),
    ),
    "persona.1 (A).id: 'A' is taken by persona.0 (A).id; choose another": (
        ("[[task]]", edited()[edited().index("[[persona]]") : edited().index("[[task]]")] + "[[task]]"),
    ),
    "topics.2: 'forms' is taken by topics.1; choose another": (
        ('topics = ["parcel", "forms"]', 'topics = ["parcel", "forms", "forms"]'),
    ),
    "topics.2: 'any' is always there; remove it": (('topics = ["parcel", "forms"]', 'topics = ["parcel", "forms", "any"]'),),
    "record.6 (mail-1).id: tools give ids such as 'mail-1'; choose another": (record("", name="mail-1"),),
    "record.6 (extra).links.1: there is no record 'ours'; did you mean 'hours'?": (record('links = ["offer", "ours"]'),),
    "record.6 (extra).app: there is no app 'phone'; use one of calendar, mail, messages, files, reminders, travel, "
    "payments, compute, course, bookings, shop, forms, bank, devices, health": (record("", app="phone"),),
    "record.6 (extra).moves: there is no group 'tour'; use one of desk": (record('moves = "tour"'),),
    "record.6 (extra).topic: there is no topic 'any'; use one of parcel, forms": (record('topic = "any"'),),
    "record.5 (offer).signal.topic: there is no topic 'parcels'; did you mean 'parcel'?": (
        ('[record.signal]\ntopic = "parcel"', '[record.signal]\ntopic = "parcels"'),
    ),
    "record.5 (offer).signal.resource: there is no resource 'pump'; use one of assistant": (
        ('resource = "assistant"', 'resource = "pump"'),
    ),
    "record.6 (extra).signal.task: there is no task 'cards'; did you mean 'card'?": (record('signal = { task = "cards" }'),),
    "record.6 (extra).requires.0.task: there is no task 'carp'; did you mean 'card'?": (
        record('requires = [{ task = "carp", outcome = ["expired"] }]'),
    ),
    "record.6 (extra).excludes.0.task: there is no task 'carp'; did you mean 'card'?": (
        record('excludes = [{ task = "carp", outcome = ["expired"] }]'),
    ),
    "task.1 (parcel).topic: there is no topic 'any'; use one of parcel, forms": (
        (f'{PARCEL_TASK}value = 2\ntopic = "parcel"', f'{PARCEL_TASK}topic = "any"'),
    ),
    "task.0 (form).session: there is no session 'chores'; use one of errands": (('session = "errands"', 'session = "chores"'),),
    "task.0 (form).resource: there is no resource 'desk'; use one of assistant": (
        (FORM_TASK, f'{FORM_TASK}resource = "desk"\n'),
    ),
    "task.1 (parcel).evidence.0: there is no record 'zebra'; use one of hours, parcel-note, desk-mail, card-done, "
    "card-mail, offer": (('evidence = ["parcel-note"]', 'evidence = ["zebra"]'),),
    "task.1 (parcel).resolved_by: there is no record 'rui-has-it'; use one of hours, parcel-note, desk-mail, "
    "card-done, card-mail, offer": ((PARCEL_TASK, f'{PARCEL_TASK}resolved_by = "rui-has-it"\nresolved_chance = 0.2\n'),),
    "task.2 (card).moves: there is no group 'tour'; use one of desk": ((CARD_TASK, f'{CARD_TASK}moves = "tour"\n'),),
    "moment.0 (form-week).moves: there is no group 'tour'; use one of desk": (
        ('id = "form-week"', 'id = "form-week"\nmoves = "tour"'),
    ),
    "task.1 (parcel).requires.0.task: there is no task 'carp'; did you mean 'card'?": (
        (PARCEL_TASK, f'{PARCEL_TASK}requires = [{{ task = "carp", outcome = ["expired"] }}]\n'),
    ),
    "task.1 (parcel).excludes.0.task: there is no task 'carp'; did you mean 'card'?": (
        (PARCEL_TASK, f'{PARCEL_TASK}excludes = [{{ task = "carp", outcome = ["expired"] }}]\n'),
    ),
    "task.0 (form).actions.0.tool: there is no tool 'payments.play'; did you mean 'payments.pay'?": (
        ('"payments.pay"', '"payments.play"'),
    ),
    "task.0 (form).actions.0.tool: there is no tool 'x.y'; add it, or mend its spelling": (('"payments.pay"', '"x.y"'),),
    "window.0 (desk-or-parcel).urgent: there is no task 'from'; did you mean 'form'?": (
        ('urgent = "form"', 'urgent = "from"'),
    ),
    "window.0 (desk-or-parcel).later: there is no task 'parcels'; did you mean 'parcel'?": (
        ('later = "parcel"', 'later = "parcels"'),
    ),
    "persona.0 (A).delegation.1.topic: there is no topic or `any` 'parcels'; did you mean 'parcel'?": (
        ('[[persona.delegation]]\ntopic = "parcel"', '[[persona.delegation]]\ntopic = "parcels"'),
    ),
    "persona.0 (A).prior.0.topic: there is no topic or `any` 'form'; did you mean 'forms'?": (
        ('[[persona.prior]]\ntopic = "forms"', '[[persona.prior]]\ntopic = "form"'),
    ),
    "usage.0.resource: there is no resource 'pump'; use one of assistant": (
        usage("2027-03-08T10:00:00", "2027-03-08T11:00:00", "pump"),
    ),
}


@pytest.mark.parametrize(("complaints", "edits"), CASES.items())
def test_what_is_wrong_is_told(complaints: str, edits: tuple[Edit, ...]) -> None:
    assert "\n".join(problems(tiny(*edits))) == complaints
