"""Text view and tools carry all that is needed: a model that answers as the oracle would earns everything through them."""

import json
from collections.abc import Mapping
from pathlib import Path

import gymnasium as gym
import pytest

from proactivity_gym.baselines.llm_dialogue import tokens
from proactivity_gym.envs.env import ProactivityEnv
from tests.conformance.drivers import ROTATED, SINGLE
from tests.conformance.test_hidden_truth import Planted
from tests.llm.oracle_model import occurs
from tests.llm.playing import PERFECT, Game, always

LONGEST = 6000


def case(env_id: str) -> tuple[str, str]:
    """Return scenario and persona of an id."""
    kwargs = gym.spec(env_id).kwargs
    return kwargs["scenario"], kwargs["persona"]


@pytest.mark.parametrize("env_id", SINGLE)
def test_it_earns_everything_and_sends_only_what_it_was_shown(env_id: str, tmp_path: Path) -> None:
    played, model = Game(*case(env_id), tmp_path).by_oracle()
    assert played.scores == PERFECT
    assert model.lacking == []
    assert model.sent > 40
    assert (played.policy_errors, played.worker_errors) == (0, 0)
    longest = max(sum(tokens(message["content"]) for message in prompt) for prompt in model.prompts)
    assert longest <= LONGEST


@pytest.mark.parametrize(("scenario", "persona"), ROTATED)
def test_native_tool_calls_do_as_well(scenario: str, persona: str, tmp_path: Path) -> None:
    played, model = Game(scenario, persona, tmp_path, mode="tools").by_oracle()
    assert played.scores == PERFECT
    assert model.lacking == []
    assert (played.policy_errors, played.worker_errors) == (0, 0)


@pytest.mark.parametrize(("scenario", "persona"), ROTATED)
def test_varied_weeks_can_be_solved_as_well(scenario: str, persona: str, tmp_path: Path) -> None:
    played, model = Game(scenario, persona, tmp_path, variation="test").by_oracle()
    assert played.scores == PERFECT
    assert model.lacking == []


@pytest.mark.parametrize(("scenario", "persona"), ROTATED)
@pytest.mark.parametrize(("decides", "works"), [(True, False), (False, True)])
def test_policies_and_workers_mix(scenario: str, persona: str, decides: bool, works: bool, tmp_path: Path) -> None:
    played, model = Game(scenario, persona, tmp_path, decides=decides, works=works).by_oracle()
    assert played.scores == PERFECT
    assert model.lacking == []
    assert model.sent > 20


@pytest.mark.parametrize(("scenario", "persona"), ROTATED)
@pytest.mark.parametrize("mode", ["json", "tools"])
def test_junk_ends_at_the_horizon_and_is_counted(scenario: str, persona: str, mode: str, tmp_path: Path) -> None:
    game = Game(scenario, persona, tmp_path, mode="tools" if mode == "tools" else "json")
    played = game.play(always("{certainly! I would {love to"))
    waits = [name for _, name, _ in played.env.episode.trace if name == "end"]
    assert played.env.episode.over
    assert waits == ["end"]
    assert played.policy_errors == len(played.transitions)
    assert (played.terms["TC"], played.terms["TR_D"]) == (0, 0)


@pytest.mark.parametrize(("scenario", "persona"), ROTATED)
def test_no_prompt_holds_hidden_truth(scenario: str, persona: str, tmp_path: Path) -> None:
    planted = Planted(scenario, persona, tmp_path)
    leaks: list[str] = []

    def look(env: ProactivityEnv, asked: Mapping[str, object]) -> None:
        whole = json.dumps(asked, ensure_ascii=False)
        trust = f"{env.episode.inbox.trust:.2f}"
        leaks.extend(word for word in (*planted.must_not_show(env), trust, "latent", '"kind"') if word in whole)

    _, model = Game(planted.path, persona, tmp_path).by_oracle(look)
    assert leaks == []
    assert len(model.prompts) > 100


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        (92, "amount: 92;", True),
        (92, "amount: 92.00", True),
        (92, "amount: 192", False),
        (92, "92.5", False),
        (92.5, "EUR 92.5", True),
        ("mail-7", "record Mail-7", True),
        ("2027-03-07T10:00", "Sunday 7 March at ten", True),
        ("2027-03-07T10:00", "Sun 2027-03-07 10:00", True),
        ("2027-03-07T10:00", "Sunday 8 March at ten", False),
        ("2027-03-16", "16 Mar", True),
        ("34 hours", "Annotation: 34 h worked", True),
        ("34 hours", "Annotation: 34", False),
    ],
)
def test_what_counts_as_shown(value: object, text: str, found: bool) -> None:
    assert occurs(value, text) is found
