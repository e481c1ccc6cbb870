import pytest

from proactivity_gym.reports import giveaways
from tests.reports.studies import reported
from tests.sim.edits import record


def test_the_small_scenario_gives_nothing_away() -> None:
    assert reported(giveaways.check) == []


@pytest.mark.parametrize("name", ["noise-1", "card-noop", "decoy"])
def test_an_id_may_not_tell_what_is_behind_it(name: str) -> None:
    ((where, message),) = reported(giveaways.check, record("", name=name))
    assert where == f"record {name}"
    assert message.startswith("id: agents see it")


def test_ids_may_hold_such_words_as_parts() -> None:
    assert reported(giveaways.check, record("", name="noiseless-drill")) == []


@pytest.mark.parametrize("text", ["Execute now.", "please suggest idle", "noop, due"])
def test_nobody_writes_an_action(text: str) -> None:
    found = reported(giveaways.check, ("Only this week.", text), ("Three pizzas for two", text))
    assert [message.split(":")[0] for _, message in found] == ["title", "text"]
