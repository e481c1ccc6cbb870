"""Evaluations in this process: what episodes end as, what they cost, what the folder holds."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from proactivity_gym.llm.errors import AuthError, UnpricedModel
from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.llm.scripted import Scripted
from proactivity_gym.reports.evaluation import running
from tests.cli.pgym import no_trace
from tests.llm.evaluate_doubles import acting, always, evaluated, failing, lasting, purpose_of, unreliable, write_config

JUNK = Scripted("I would rather not say.")
DOWN = Scripted("out of order", status=503)
VOICE = "[user_voice]\nADDRESS" + "prompt_usd = 1.0\ncompletion_usd = 2.0\n"


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    with no_trace():
        yield


@pytest.fixture
def server() -> Iterator[MockServer]:
    with MockServer(acting) as running_server:
        yield running_server


def test_each_model_plays_each_seed_and_repetition_once(server: MockServer, tmp_path: Path) -> None:
    more = f'[[model]]\nname = "other"\nmodel = "mock"\nbase_url = "{server.url}"\nprompt_usd = 1.0\ncompletion_usd = 2.0\n'
    config = write_config(tmp_path, server.url, "seeds = [0, 3]\nrepetitions = 2", tail=more)
    done = evaluated(config, tmp_path / "run")
    assert [(row.model, row.seed, row.repetition) for row in done.rows] == [
        (model, seed, time) for model in ("mock", "other") for seed in (0, 3) for time in (0, 1)
    ]
    assert set(done.statuses) == {"completed"}
    assert all(row.terms and row.terms["J"] for row in done.rows)
    assert {purpose_of(call.asked) for call in server.calls} == {"policy", "worker"}
    served = len(server.calls)
    again = evaluated(config, tmp_path / "run")
    assert again.rows == done.rows
    assert again.record == done.record
    assert len(server.calls) == served


def test_repetitions_do_not_share_replies(server: MockServer, tmp_path: Path) -> None:
    evaluated(write_config(tmp_path, server.url), tmp_path / "one")
    once = len(server.calls)
    evaluated(write_config(tmp_path, server.url, "repetitions = 2"), tmp_path / "two")
    assert len(server.calls) == 3 * once


def test_the_ledger_is_the_servers_to_the_token(server: MockServer, tmp_path: Path) -> None:
    done = evaluated(write_config(tmp_path, server.url, tail="JUDGE\nJUDGE"), tmp_path / "run")
    assert done.statuses == ["completed"]
    assert done.tokens == sum(server.tokens)
    assert {purpose_of(call.asked) for call in server.calls} == {"policy", "worker", "judge"}
    spent = json.loads((tmp_path / "run" / "spent.json").read_text("utf-8"))
    prompt, completion = server.tokens
    assert spent["usd"] == pytest.approx((prompt + 2 * completion) / 1e6)
    assert {each["purpose"] for each in spent["accounts"]} == {"policy", "worker", "judge"}


def test_a_junk_model_reaches_the_horizon_and_is_counted(server: MockServer, tmp_path: Path) -> None:
    server.script = always(JUNK)
    done = evaluated(write_config(tmp_path, server.url), tmp_path / "run")
    assert done.statuses == ["agent_error"]
    assert done.rows[0].agent_errors == done.rows[0].steps > 0
    assert done.record["models"][0]["scored"] == 1
    assert not done.record["incomplete"]


def test_a_server_out_of_order_scores_nothing_and_can_be_asked_again(server: MockServer, tmp_path: Path) -> None:
    server.script = always(DOWN)
    config = write_config(tmp_path, server.url, "seeds = [0, 1]")
    done = evaluated(config, tmp_path / "run")
    assert done.statuses == ["infra_error"] * 2
    assert [row.terms for row in done.rows] == [None, None]
    assert done.record["incomplete"]
    assert done.record["models"][0]["terms"]["J"]["mean"] is None
    assert done.record["models"][0]["failed_as_zero"]["J"] == 0
    server.script = acting
    assert evaluated(config, tmp_path / "run").statuses == ["infra_error"] * 2
    again = evaluated(config, tmp_path / "run", retry=True)
    assert again.statuses == ["completed"] * 2


def test_a_user_without_words_and_judges_without_verdicts_are_told_apart(server: MockServer, tmp_path: Path) -> None:
    server.script = failing(acting, {"user": DOWN}, "user")
    assert evaluated(write_config(tmp_path, server.url, tail=VOICE), tmp_path / "user").statuses == ["user_sim_error"]
    for kind, answer in (("down", DOWN), ("junk", JUNK)):
        server.script = failing(acting, {"judge": answer}, "judge")
        config = write_config(tmp_path, server.url, 'trust = "judge"', tail="JUDGE\nJUDGE")
        done = evaluated(config, tmp_path / kind)
        assert done.statuses == ["judge_unscored"]
        assert done.rows[0].terms
        assert done.rows[0].terms["TR_J"] is None
        assert done.rows[0].terms["J"]
        assert done.rows[0].reason


def test_judges_are_asked_and_agree(server: MockServer, tmp_path: Path) -> None:
    config = write_config(tmp_path, server.url, 'trust = "judge"\nseeds = [0, 1]', tail=f"JUDGE\nJUDGE\n{VOICE}")
    done = evaluated(config, tmp_path / "run")
    assert done.statuses == ["completed"] * 2
    assert done.rows[0].terms
    assert done.rows[0].terms["TR_J"] == 3
    assert done.record["models"][0]["terms"]["TR_J"]["mean"] == 3
    assert done.record["agreement"][0]["measure"] == "TR-J"


def test_too_many_steps_let_the_rest_of_the_week_pass(server: MockServer, tmp_path: Path) -> None:
    done = evaluated(write_config(tmp_path, server.url, 'max_steps = 2\nworker = "reference"'), tmp_path / "run")
    assert done.statuses == ["truncated"]
    assert done.rows[0].steps > 2


@pytest.mark.parametrize("cap", ["cap_tokens = 20_000", "cap_usd = 0.02"])
def test_a_cap_holds_up_to_one_call_for_each_worker_and_over_resumption(server: MockServer, tmp_path: Path, cap: str) -> None:
    head = "seeds = [0, 1, 2, 3]\nconcurrency = 2"
    done = evaluated(write_config(tmp_path, server.url, f"{head}\n{cap}", tail="JUDGE\nJUDGE"), tmp_path / "run")
    assert "budget_exceeded" in done.statuses
    largest = max(call.prompt_tokens + call.completion_tokens for call in server.calls)
    assert 19_000 < done.tokens == sum(server.tokens) <= 20_000 + 2 * largest
    served = len(server.calls)
    config = write_config(tmp_path, server.url, f"{head}\n{cap}", tail="JUDGE\nJUDGE")
    assert evaluated(config, tmp_path / "run", retry=True).tokens == done.tokens
    assert len(server.calls) == served
    more = evaluated(write_config(tmp_path, server.url, head, tail="JUDGE\nJUDGE"), tmp_path / "run", retry=True)
    assert more.statuses == ["completed"] * 4
    assert more.tokens == sum(server.tokens)


def test_money_is_capped_only_with_a_price(server: MockServer, tmp_path: Path) -> None:
    with pytest.raises(UnpricedModel, match="has no price"):
        evaluated(write_config(tmp_path, server.url, "cap_usd = 1.0", model=""), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_failures_that_pass_change_nothing(server: MockServer, tmp_path: Path) -> None:
    """D12: three calls in ten fail at first, in every way, and sixty episodes come to the same."""
    head = "seeds = [0, 1, 2, 3]\nrepetitions = 15\nmax_steps = 6"
    evaluated(write_config(tmp_path, server.url, head), tmp_path / "calm")
    server.script = unreliable()
    done = evaluated(write_config(tmp_path, server.url, head), tmp_path / "rough")
    assert done.statuses == ["truncated"] * 60
    assert lasting(tmp_path / "calm" / "episodes.jsonl") == lasting(tmp_path / "rough" / "episodes.jsonl")


@pytest.mark.parametrize("answer", [Scripted(status=401), Scripted(status=429, code="insufficient_quota")])
def test_a_refused_key_ends_the_run_at_once(server: MockServer, tmp_path: Path, answer: Scripted) -> None:
    server.script = always(answer)
    config = write_config(tmp_path, server.url, "seeds = [0, 1, 2]\nconcurrency = 2")
    with pytest.raises(AuthError):
        evaluated(config, tmp_path / "run")
    assert len(server.calls) <= 2
    server.script = acting
    assert evaluated(config, tmp_path / "run").statuses == ["completed"] * 3


def test_a_row_cut_off_anywhere_costs_that_row_alone(server: MockServer, tmp_path: Path) -> None:
    """D8: the last of twenty lines, cut at every byte."""
    evaluated(write_config(tmp_path, server.url, 'repetitions = 20\nworker = "reference"\nmax_steps = 2'), tmp_path / "run")
    path = tmp_path / "run" / "episodes.jsonl"
    whole = path.read_bytes()
    start = whole.rstrip(b"\n").rindex(b"\n") + 1
    for end in range(start, len(whole) + 1):
        path.write_bytes(whole[:end])
        rows, notes = running.read_rows(path)
        assert len(rows) == 20 - (end < len(whole) - 1)
        assert len(notes) == (start < end < len(whole) - 1)
    path.write_bytes(whole[: start + 100])
    (note,) = evaluated(tmp_path / "evaluation.toml", tmp_path / "run").notes
    assert "line 20: damaged or cut off" in note
    assert lasting(path) == [{k: v for k, v in json.loads(line).items() if k != "timing"} for line in whole.splitlines()]
