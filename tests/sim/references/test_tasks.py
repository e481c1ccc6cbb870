import pytest

from proactivity_gym.sim.references import problems
from tests.sim.edits import CARD_TASK, FORM_TASK, PARCEL_TASK, SETTLED, SIGNAL, add, record, window
from tests.sim.tiny import Edit, tiny

SPARE_TASK = (
    'id = "spare"\ntitle = "x"\nkind = "request"\ntopic = "forms"\nsession = "errands"\nscope = "within-task"\n'
    'horizon = "immediate"\ndeadline = 2027-03-09T20:00:00\nwork_min = 5\nevidence = ["hours"]\nwhy = "x"\n'
    'actions = [{ tool = "reminders.set", args = { title = "x", at = "2027-03-09T20:00" } }]\n'
)

CASES: dict[str, tuple[Edit, ...]] = {
    **{
        f"record.5 (offer).signal.{key}: a signal without a task states it itself; add it": ((f"\n{key} = {value}", ""),)
        for key, value in (("review_min", "5"), ("resource", '"assistant"'), ("class", '"commit"'))
    },
    "record.5 (offer).signal.topic: a signal without a task states it itself; add it": (
        ('[record.signal]\ntopic = "parcel"\n', "[record.signal]\n"),
    ),
    "record.5 (offer).signal.work_min: a signal without a task states it itself; add it": (
        ("work_min = 15\nreview_min", "review_min"),
    ),
    **{
        f"record.4 (card-mail).signal.{key}: a signal with a task has this from the task; remove it": (
            ('task = "card",', f'task = "card", {key} = {value},'),
        )
        for key, value in {
            "topic": '"forms"',
            "work_min": "5",
            "review_min": "5",
            "resource": '"assistant"',
            "demand": "1",
            "class": '"draft"',
            "amount": "5",
            "reversible": "false",
        }.items()
    },
    "record.4 (card-mail).chance: a task needs this record in every week; remove the chance": (
        ('title = "Your library card runs out"', 'title = "Your library card runs out"\nchance = 0.5'),
    ),
    "record.3 (card-done).chance: a task needs this record in every week; remove the chance": (
        ('status = "done"', 'status = "done"\nchance = 0.5'),
    ),
    "record.6 (extra).chance: a task needs this record in every week; remove the chance": (
        (PARCEL_TASK, SETTLED),
        record("chance = 0.5"),
    ),
    "record.6 (extra).topic: the record has a signal, whose topic counts; remove it": (record('topic = "forms"', SIGNAL),),
    "task.2 (card).actions: where nothing is to be done, nothing is right; remove them or change the kind": (
        (CARD_TASK, f'{CARD_TASK}actions = [{{ tool = "reminders.clear", args = {{ id = "card-done" }} }}]\n'),
    ),
    "task.2 (card).actions: the right solution is missing; add actions, or make it a noop": (
        (f"{CARD_TASK}", 'kind = "latent"\n'),
        ('looks = "commit"\n', ""),
    ),
    "task.1 (parcel).looks: its actions show how it looks; remove it": ((PARCEL_TASK, f'{PARCEL_TASK}looks = "draft"\n'),),
    "task.3 (spare).id: no record's signal names the task; add `signal = { task = 'spare' }` to one": (
        add("task", SPARE_TASK),
    ),
    "task.0 (form).demand: 2 is above the capacity of 'assistant'; take at most 1": ((FORM_TASK, f"{FORM_TASK}demand = 2\n"),),
    "record.5 (offer).signal.demand: 3 is above the capacity of 'assistant'; take at most 1": (
        ("[record.signal]", "[record.signal]\ndemand = 3"),
    ),
    "task.2 (card).resolved_by: a noop needs no record that settles it; remove it": (
        (CARD_TASK, f'{CARD_TASK}resolved_by = "extra"\nresolved_chance = 0.2\n'),
        record(""),
    ),
    "task.0 (form).resolved_by: 'extra' settles another task too; give each its own record\n"
    "task.1 (parcel).resolved_by: 'extra' settles another task too; give each its own record": (
        (FORM_TASK, f'{FORM_TASK}resolved_by = "extra"\nresolved_chance = 0.2\n'),
        (PARCEL_TASK, SETTLED),
        record(""),
    ),
    "task.1 (parcel).resolved_by: most weeks do not have 'extra'; remove it from the evidence": (
        (PARCEL_TASK, SETTLED),
        ('evidence = ["parcel-note"]', 'evidence = ["parcel-note", "extra"]'),
        record(""),
    ),
    "task.1 (parcel).resolved_chance: it goes with resolved_by; set both, or none": (
        (PARCEL_TASK, f"{PARCEL_TASK}resolved_chance = 0.2\n"),
    ),
    "task.0 (form).chance: it competes in a window, which every week has; remove the chance": (
        (FORM_TASK, f"{FORM_TASK}chance = 0.5\n"),
    ),
    "task.2 (card).chance: 'parcel' has its signal 'card-mail' as evidence; remove the chance": (
        (CARD_TASK, f"{CARD_TASK}chance = 0.5\n"),
        ('evidence = ["parcel-note"]', 'evidence = ["parcel-note", "card-mail"]'),
    ),
    "record.1 (parcel-note).at: the outcome of 'card' is open before its deadline; let it appear at or after it\n"
    "record.4 (card-mail).at: the outcome of 'parcel' is open before its deadline; let it appear at or after it\n"
    "task (parcel): it depends on its own outcome: parcel <- card <- parcel; remove one of the conditions": (
        (PARCEL_TASK, f'{PARCEL_TASK}requires = [{{ task = "card", outcome = ["expired"] }}]\n'),
        (CARD_TASK, f'{CARD_TASK}excludes = [{{ task = "parcel", outcome = ["expired"] }}]\n'),
    ),
    "record.2 (desk-mail).at: the outcome of 'form' is open before its deadline; let it appear at or after it\n"
    "task (form): it depends on its own outcome: form <- form; remove one of the conditions": (
        (FORM_TASK, f'{FORM_TASK}requires = [{{ task = "form", outcome = ["expired"] }}]\n'),
    ),
    "window.0 (desk-or-parcel).later: it is the urgent task; name another": (('later = "parcel"', 'later = "form"'),),
    "window.0 (desk-or-parcel).urgent: another window has 'form' as urgent too; give each its own\n"
    "window.0 (desk-or-parcel).later: another window has 'parcel' as later too; give each its own\n"
    "window.1 (second).urgent: another window has 'form' as urgent too; give each its own\n"
    "window.1 (second).later: another window has 'parcel' as later too; give each its own": (window("form", "parcel"),),
    "window.0 (desk-or-parcel).later: another window has 'parcel' as later too; give each its own\n"
    "window.1 (second).later: it is the urgent task; name another\n"
    "window.1 (second).later: another window has 'parcel' as later too; give each its own": (window("parcel", "parcel"),),
    "window.1 (second).later: 'card' is a noop, which competes for nothing; name another task": (window("parcel", "card"),),
    "window.1 (second).primary: another window is primary; keep one": (window("parcel", "form", "primary = true"),),
    "persona.0 (A).delegation: nothing covers `any` before the week; add a statement on it without `at`": (
        ('topic = "any"', 'topic = "forms"'),
    ),
}


@pytest.mark.parametrize(("complaints", "edits"), CASES.items())
def test_what_is_wrong_is_told(complaints: str, edits: tuple[Edit, ...]) -> None:
    assert "\n".join(problems(tiny(*edits))) == complaints
