import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from proactivity_gym.baselines.llm_dialogue import tokens
from proactivity_gym.baselines.llm_prompt import OPENING_TOKENS, policy_opening
from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.llm.scripted import Scripted
from tests.cli.pgym import pgym, refused, rows_of
from tests.conformance.drivers import ROTATED_IDS, SINGLE, bare, steps
from tests.sim.tiny import PATH

TINY = ("--ids", str(PATH), "--seeds", "0", "--json")
BOTH = json.dumps({"interventions": [], "calls": [], "done": True})


@pytest.fixture
def server() -> Iterator[MockServer]:
    with MockServer(lambda _: Scripted(BOTH)) as running:
        yield running


@pytest.fixture
def model(server: MockServer, tmp_path: Path) -> str:
    file = tmp_path / "model.toml"
    file.write_text(f'model = "mock"\nbase_url = "{server.url}"\n', encoding="utf-8")
    return f"llm:{file}"


def turned_away(asked: Mapping[str, object]) -> Scripted:
    """Refuse whoever asks."""
    return Scripted(f"who are you, {asked['model']}?", status=401)


def purposes(server: MockServer) -> set[str]:
    """Return who asked."""
    return {re.findall(r"'name': '(policy|worker)'", str(call.asked["response_format"]))[0] for call in server.calls}


def test_a_model_decides_and_the_reference_worker_works(server: MockServer, model: str) -> None:
    rows = rows_of(pgym("run", "--policy", model, *TINY).stdout)
    assert [(row["policy"], row["status"]) for row in rows] == [(model, "completed")]
    assert purposes(server) == {"policy"}


def test_a_model_works_for_another_policy(server: MockServer, model: str) -> None:
    rows = rows_of(pgym("run", "--policy", "oracle", "--worker", model, *TINY).stdout)
    assert [row["status"] for row in rows] == ["completed"]
    assert purposes(server) == {"worker"}


def test_a_model_is_named_by_its_address_too(server: MockServer) -> None:
    assert rows_of(pgym("run", "--policy", f"llm:mock@{server.url}", *TINY).stdout)[0]["status"] == "completed"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--policy", "llm:gpt"], "model@base_url"),
        (["--policy", "llm:none.toml"], "none.toml: No such file or directory"),
        (["--policy", "noop", "--worker", "llm:gpt"], "model@base_url"),
        (["--policy", "noop", "--worker", "llm:none.toml"], "none.toml: No such file or directory"),
    ],
)
def test_what_names_no_model_is_refused(arguments: list[str], said: str) -> None:
    assert said in refused(pgym("run", *arguments, *TINY))


def test_a_model_without_a_key_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    file = tmp_path / "hosted.toml"
    file.write_text('model = "gpt-5-mini"\n', encoding="utf-8")
    for arguments in (["--policy", f"llm:{file}"], ["--policy", "noop", "--worker", f"llm:{file}"]):
        assert "OPENAI_API_KEY" in refused(pgym("run", *arguments, *TINY))


def test_a_server_that_turns_us_away_ends_the_run_with_one_message(server: MockServer, model: str) -> None:
    server.script = turned_away
    assert "after 0 of 1 episodes" in refused(pgym("run", "--policy", model, *TINY))


def test_three_whole_prompts_are_shown() -> None:
    shown = pgym("show", "ProactivityGym/Travel-PersonaB-v0", "--prompt").stdout
    sizes = [int(size) for size in re.findall(r"^===== .*: at most ([0-9]+) tokens =====$", shown, re.MULTILINE)]
    assert len(sizes) == 3
    assert max(sizes) < OPENING_TOKENS
    assert shown.count("You are the proactive assistant") == 2
    assert shown.count("You do the work") == 1
    assert "{{" not in shown


@pytest.mark.parametrize("env_id", SINGLE)
@pytest.mark.parametrize(
    ("depth", "week"),
    [(None, {}), (2, {}), (None, {"variation": "test"}), (None, {"variation": "test", "difficulty": "easy"})],
)
def test_no_prompt_reaches_its_limit(env_id: str, depth: int | None, week: dict[str, str]) -> None:
    """Signals pile up where nobody acts, answers where all is offered, and texts where links come attached."""
    assert longest_prompt(env_id, depth, week, [1]) < OPENING_TOKENS


@pytest.mark.parametrize("env_id", ROTATED_IDS)
@pytest.mark.parametrize("depth", [None, 2])
def test_no_prompt_of_many_weeks_reaches_its_limit(env_id: str, depth: int | None) -> None:
    assert longest_prompt(env_id, depth, {"variation": "test"}, range(20)) < OPENING_TOKENS


def longest_prompt(env_id: str, depth: int | None, week: Mapping[str, str], seeds: Iterable[int]) -> int:
    """Return the tokens of the longest prompt of weeks in which nothing is done, or two in three signals are taken up."""
    env = bare(env_id, text=True, **week)
    return max(size for seed in seeds for size in prompt_sizes(env, depth, seed))


def prompt_sizes(env: Any, depth: int | None, seed: int) -> Iterator[int]:  # noqa: ANN401 (an environment)
    """Yield the tokens of each prompt of a week."""
    _, info = env.reset(seed=seed)
    actions = ((slot if depth and slot % 3 else 0, depth or 0, 0) for slot in iter(range(100_000)))
    for text in [info["text"], *(transition[-1]["text"] for transition in steps(env, actions))]:
        yield sum(map(tokens, policy_opening(text, None)))
