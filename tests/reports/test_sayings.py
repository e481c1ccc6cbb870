from proactivity_gym.reports import sayings
from tests.reports.studies import reported
from tests.sim.edits import SAID
from tests.sim.tiny import Edit, week_of


def late(depth: str, at: str) -> Edit:
    """Let the only persona say something more, on forms."""
    table = f'[[persona.delegation]]\ntopic = "forms"\ndepth = "{depth}"\nsaid = "Anew."\nat = {at}\n'
    return "[[persona.prior]]", f"{table}\n[[persona.prior]]"


def test_the_small_scenario_says_all_in_time() -> None:
    assert reported(sayings.check, variations=5) == []


def test_a_statement_needs_words() -> None:
    ((where, message),) = reported(sayings.check, (SAID, 'said = "  "'))
    assert where == "persona A"
    assert message.startswith("delegation.1.said: it has no words")


def test_what_is_said_after_the_facts_are_out_comes_too_late() -> None:
    # The form comes first and waits, as the other task of its window is not known yet.
    early = ("at = 2027-03-08T09:40:00", "at = 2027-03-08T09:20:00")
    ((where, message),) = reported(sayings.check, early, late("execute", "2027-03-08T09:25:00"))
    assert where == "task form"
    assert message.startswith("another statement comes to decide its depth after its facts are out")


def test_what_is_said_before_or_after_does_not_matter() -> None:
    assert reported(sayings.check, late("suggest", "2027-03-08T09:25:00")) == []
    assert reported(sayings.check, late("suggest", "2027-03-08T13:00:00")) == []


def test_where_no_statement_covers_none_decides() -> None:
    talk = ('topic = "any"\ndepth', 'topic = "any"\nclasses = ["draft"]\ndepth')
    assert sayings.deciding(week_of(talk), 0, 600) is None
    said = sayings.deciding(week_of(), 0, 600)
    assert said is not None and said.said == "Ask me before you do anything."
