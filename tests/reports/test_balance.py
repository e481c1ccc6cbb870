import pytest

from proactivity_gym.reports import balance
from proactivity_gym.reports.balance import Range
from proactivity_gym.sim.scenario import Scenario
from proactivity_gym.sim.words import Depth
from tests.reports.studies import reported, study_of
from tests.sim.edits import record, window
from tests.sim.tiny import Edit, tiny, week_of


def said(statement: str) -> Edit:
    """Let the only persona say something more, on forms."""
    return "[[persona.prior]]", f'[[persona.delegation]]\ntopic = "forms"\n{statement}\n\n[[persona.prior]]'


def messages(*edits: Edit) -> list[str]:
    return [f"{where}: {message}" for where, message in reported(balance.check, *edits)]


def test_the_small_scenario_is_too_small() -> None:
    assert [message.partition(": ")[2].split(":")[0] for message in messages()][:11] == [
        "2 days", "3 tasks", "1 requests", "1 latent needs", "1 latent needs with evidence in two records", "1 NOOP tasks",
        "0 conditional branches", "1 windows", "0 tasks with `resolved_by` that no window or condition needs",
        "1 records of noise", "1 draws",
    ]  # fmt: skip


def test_ranges_say_what_is_wanted() -> None:
    assert (str(Range(3)), str(Range(7, 10))) == ("at least 3", "7 to 10")
    assert [Range(7, 10).misses(n) for n in (6, 7, 10, 11)] == [True, False, False, True]
    assert not Range(3).misses(99)


def test_expected_depths_are_derived() -> None:
    assert balance.depths(week_of()) == {0: Depth.SUGGEST, 1: Depth.EXECUTE, 2: Depth.NOOP}


@pytest.mark.parametrize(
    ("message", "edits"),
    [
        ("persona A: SUGGEST is expected in 67% of its cases: at most 45% are wanted",
         [('depth = "execute"', 'depth = "suggest"')]),
        ("persona A: in 0 of 2 cases the depth differs from the one last stated for the topic: 30% are wanted", []),
        ("persona A: no statement is made within the week: at least one is wanted", []),
        ("persona A: a statement is made in the user's sleep: 'Late.'",
         [said('depth = "execute"\nsaid = "Late."\nat = 2027-03-08T23:30:00')]),
        ("scenario: NOOP tasks hold 38% of the value: 12% to 24% are wanted", [('kind = "noop"', 'kind = "noop"\nvalue = 3')]),
        ("scenario: primary windows: none: the first window, and no other, is wanted", [("primary = true\n", "")]),
        ("scenario: the windows are short of hours, money alone: let what is scarce differ",
         [window("form", "parcel", name=name) for name in ("w2", "w3")]),
        ("scenario: in 0 of 1 windows the urgent task has the longer stated deadline: a third is wanted",
         [("by = 2027-03-10T18:00:00", "by = 2027-03-08T10:40:00")]),
        ("persona A: only 1 windows are active in some week: at least 3 are wanted", []),
    ],
)  # fmt: skip
def test_what_is_out_of_balance_is_reported(message: str, edits: list[Edit]) -> None:
    assert message in messages(*edits)


def test_a_task_without_a_stated_deadline_has_the_longest() -> None:
    found = messages(("by = 2027-03-10T18:00:00", ""), ('signal = { task = "form",  }', 'signal = { task = "form" }'))
    assert not any("longer stated deadline" in message for message in found)


def test_a_scenario_without_windows_lacks_windows_alone() -> None:
    start = '[[window]]\nid = "desk-or-parcel"\nurgent = "form"\nlater = "parcel"\nscarce = "hours"\nprimary = true\n'
    found = messages((f'{start}why = "Ana writes until noon; the desk will not be there any more."\n', ""))
    assert not any("primary" in message or "longer" in message for message in found)


def test_a_case_that_its_topic_does_not_cover_is_an_exception() -> None:
    # Parcels are said to be executed, but only what can be undone: a payment falls to `any`.
    talk = said('classes = ["draft"]\ndepth = "execute"\nsaid = "Forms: draft them."')
    assert not any("last stated" in message for message in messages(talk))


def test_personas_who_expect_the_same_are_reported() -> None:
    study = study_of(twice(tiny()))
    found: list[str] = []
    balance.check(study, lambda _, message: found.append(message))
    assert "the personas expect different depths in 0 of 2 tasks: 50% are wanted" in found


def twice(scenario: Scenario) -> Scenario:
    """Return a scenario with a second persona who is as the first."""
    first = scenario.personas[0]
    return scenario.model_copy(update={"personas": [first, first.model_copy(update={"id": "B"})]})


def test_noise_is_counted_by_signals_without_a_task() -> None:
    signal = '\n[record.signal]\ntopic = "forms"\nwork_min = 5\nreview_min = 5\nresource = "assistant"\nclass = "draft"'
    assert "scenario: 2 records of noise: 15 to 25 are wanted" in messages(record("at = 2027-03-08T15:00:00", signal))


def test_personas_who_differ_are_not_reported() -> None:
    scenario = twice(tiny())
    first, second = scenario.personas
    asks = second.model_copy(update={"delegations": [d.model_copy(update={"depth": "prepare"}) for d in second.delegations]})
    found: list[str] = []
    balance.check(study_of(scenario.model_copy(update={"personas": [first, asks]})), lambda _, message: found.append(message))
    assert not any("the personas expect" in message for message in found)


def test_noop_value_within_its_share_is_not_reported() -> None:
    assert not any("of the value" in message for message in messages())
