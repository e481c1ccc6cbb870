from proactivity_gym.reports.portrait import portrait, when
from proactivity_gym.reports.truth import truth
from proactivity_gym.sim.timeline import NEVER
from tests.sim.edits import PARCEL_TASK, SETTLED, add, record, usage
from tests.sim.tiny import tiny, week_of

POOL = add(
    "resource",
    'id = "desk-hours"\ntitle = "The desk"\ncapacity = 3\nkind = "stock"\nresets = [2027-03-09T00:00:00]\n'
    'hours = [{ start = 09:00:00, end = 12:00:00, days = ["mon"] }]',
)


def test_a_portrait_tells_who_and_when() -> None:
    text = "\n".join(portrait(week_of()))
    for line in (
        "Tiny: Two days of errands (version 1)",
        "Ana Prates, translator. Works from home and is hard to reach while she writes.",
        "  * A Reviewer: Wants to see things before they happen.",
        "  Monday 8 March: 00:00-07:00 asleep or away, 07:00-09:00 free, 09:00-12:00 in focus, "
        "12:00-23:00 free, 23:00-24:00 asleep or away",
        "  parcel: EXECUTE for drafts and what can be undone; before the week",
        '      "Parcels: go ahead with messages, nothing that costs."',
        "  3 days before, forms, SUGGEST, approve: Offered to renew the library card; Ana said yes.",
        "  There from the start",
        "           files: Opening hours of the course desk [hours]",
        "    09:30  messages: Parcel [parcel-note]",
    ):
        assert line in text.splitlines()


def test_a_portrait_holds_no_hidden_truth() -> None:
    text = "\n".join(portrait(week_of()))
    scenario = tiny()
    for task in scenario.tasks:
        assert task.title not in text
        assert task.why not in text
    assert "desk-or-parcel" not in text


def test_what_comes_on_one_branch_is_left_out() -> None:
    conditional = record('at = 2027-03-08T11:00:00\nrequires = [{ task = "form", outcome = ["approved"] }]')
    assert "[extra]" not in "\n".join(portrait(week_of(conditional)))
    assert "[extra]" in "\n".join(portrait(week_of(record("at = 2027-03-08T11:00:00\ndue = 2027-03-09T11:00:00"))))


def test_resources_have_hours_resets_and_uses() -> None:
    lines = portrait(week_of(POOL, usage("2027-03-08T09:00:00", "2027-03-08T10:00:00", "desk-hours")))
    assert "  desk-hours: The desk; stock, 3 in all; open 09:00-12:00 mon; back on Tue 9 Mar, 00:00" in lines
    assert "      Mon 8 Mar, 09:00 to Mon 8 Mar, 10:00: x (1)" in lines


def test_statements_have_limits_and_ends() -> None:
    talk = (
        '[[persona.delegation]]\ntopic = "forms"\nclasses = ["consequential"]\nup_to = "@{fee}"\ndepth = "prepare"\n'
        'said = "Up to @{fee}."\nat = 2027-03-08T08:00:00\nuntil = 2027-03-09T08:00:00\n\n[[persona.prior]]'
    )
    lines = portrait(week_of(("[[persona.prior]]", talk)))
    assert "  forms: PREPARE for what is binding up to 40; Mon 8 Mar, 08:00, until Tue 9 Mar, 08:00" in lines
    assert '      "Up to 40."' in lines


def test_a_persona_without_priors_has_none() -> None:
    week = week_of(
        (
            '[[persona.prior]]\ntopic = "forms"\ndepth = "suggest"\nreaction = "approve"\ndays_ago = 3\n'
            'text = "Offered to renew the library card; Ana said yes."\n',
            "",
        )
    )
    lines = portrait(week)
    assert lines[lines.index("BEFORE THE WEEK") + 1] == "  nothing"


def test_instants_outside_time_have_words() -> None:
    assert [when(week_of(), minute) for minute in (NEVER, -NEVER, 0)] == ["never", "before the week", "Mon 8 Mar, 00:00"]


def test_the_truth_has_tasks_windows_branches_and_noise() -> None:
    conditional = record('at = 2027-03-08T11:00:00\nexcludes = [{ task = "form", outcome = ["approved", "executed"] }]')
    lines = truth({"A": week_of(conditional, (PARCEL_TASK, SETTLED))})
    for line in (
        "  form: Register for the course before the desk closes (value 3, forms, consequential, amount 40)",
        "      expected: A SUGGEST",
        "      deadline Mon 8 Mar, 10:40, stated Wed 10 Mar, 18:00; facts out Mon 8 Mar, 09:40; 20 min of assistant",
        "      does payments.pay {'payee': 'Course desk', 'amount': 40, 'reference': 'CD-17'}",
        "      settled by extra in 20% of varied weeks",
        "  desk-or-parcel (primary): form now, parcel later; scarce: hours; until Mon 8 Mar, 10:20",
        "      not if form approved or executed",
        "  offer: Three pizzas for two (50% of varied weeks)",
    ):
        assert line in lines


def test_a_task_off_the_path_says_so() -> None:
    lines = truth({"A": week_of((PARCEL_TASK, f'{PARCEL_TASK}requires = [{{ task = "form", outcome = ["expired"] }}]\n'))})
    assert "      expected: off the reference path" in lines
    assert "      only if form expired" in lines
