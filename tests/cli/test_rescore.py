"""`pgym rescore`: other weights and judges for a run, from what its folder holds."""

import json
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.llm.scripted import Scripted
from tests.cli.pgym import pgym, refused, rows_of
from tests.llm.evaluate_doubles import acting, always, purpose_of, write_config

STOCHASTIC = 'seeds = [0, 1]\nuser = "stochastic"'


@pytest.fixture
def server() -> Iterator[MockServer]:
    with MockServer(acting) as running_server:
        yield running_server


def played(folder: Path, server: MockServer, head: str = "", tail: str = "") -> Path:
    """Play a run and return its folder."""
    run = folder / "run"
    assert pgym("evaluate", str(write_config(folder, server.url, head, tail=tail)), "--out", str(run)).exit_code == 0
    return run


def judges(folder: Path, server: MockServer, first: str = "", second: str | None = None) -> str:
    """Write a file of two judges, with further keys for each; those of the first for both unless there are others."""
    path = folder / "judges.toml"
    table = f'[[judge]]\nmodel = "critic"\nbase_url = "{server.url}"\n'
    path.write_text(f"{table}{first}{table}{first if second is None else second}", "utf-8")
    return str(path)


def test_other_weights_ask_nobody(server: MockServer, tmp_path: Path) -> None:
    run = played(tmp_path, server)
    served, before = len(server.calls), (run / "episodes.jsonl").read_bytes()
    (row,) = rows_of(pgym("rescore", str(run), "--weights", "0.5,0.25,0.25", "--json").stdout)
    terms = row["terms"]
    assert terms["J"] == pytest.approx(0.5 * terms["S_TC"] + 0.25 * terms["S_TA"] + 0.25 * terms["S_TR"])
    (same,) = rows_of(pgym("rescore", str(run), "--json").stdout)
    assert same == json.loads(before)
    assert len(server.calls) == served
    assert (run / "episodes.jsonl").read_bytes() == before


@pytest.mark.parametrize("head", [STOCHASTIC, f'{STOCHASTIC}\nworker = "imperfect:0.5"', f'{STOCHASTIC}\nworker = "reference"'])
def test_other_judges_see_the_episode_played_again(server: MockServer, tmp_path: Path, head: str) -> None:
    run = played(tmp_path, server, head)
    served = len(server.calls)
    out = tmp_path / "again"
    result = pgym("rescore", str(run), "--judges", judges(tmp_path, server), "--trust", "judge", "--out", str(out))
    assert result.exit_code == 0
    assert "2 of 2" in result.stdout
    assert {purpose_of(call.asked) for call in server.calls[served:]} == {"judge"}
    rows = rows_of((out / "episodes.jsonl").read_text("utf-8"))
    assert [row["terms"]["TR_J"] for row in rows] == [3, 3]
    assert [row["status"] for row in rows] == ["completed"] * 2
    assert json.loads((out / "summary.json").read_text("utf-8"))["agreement"]
    assert json.loads((out / "rescoring.json").read_text("utf-8"))["trust"] == "judge"
    assert "exists already" in refused(pgym("rescore", str(run), "--out", str(out)))


def test_the_last_row_of_an_episode_counts(server: MockServer, tmp_path: Path) -> None:
    """A retry that was killed leaves the failed row and the one that takes its place."""
    run = played(tmp_path, server)
    path = run / "episodes.jsonl"
    row = json.loads(path.read_bytes())
    failed = row | {"status": "infra_error", "terms": None, "reason": "no answer"}
    path.write_text(f"{json.dumps(failed)}\n{json.dumps(row)}\n", "utf-8")
    assert rows_of(pgym("rescore", str(run), "--json").stdout) == [row]
    assert {each["planned"] for each in rows_of(pgym("compare", str(run), "--json").stdout)} == {1}


def test_damaged_rows_are_told(server: MockServer, tmp_path: Path) -> None:
    run = played(tmp_path, server, "seeds = [0, 1]")
    path = run / "episodes.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    result = pgym("rescore", str(run), "--json")
    assert len(rows_of(result.stdout)) == 1
    assert result.stderr == f"pgym: {path}, line 2: damaged or cut off: its episode counts as not played\n"
    path.write_bytes(b"")
    assert refused(pgym("rescore", str(run))) == f"pgym: {path}: no episode was played yet: `pgym evaluate` plays them.\n"


def test_what_was_scored_anew_can_be_compared_and_scored_again(server: MockServer, tmp_path: Path) -> None:
    """Its folder says under which weights, trust and judges its rows stand."""
    run, halves, again = played(tmp_path, server, STOCHASTIC), tmp_path / "halves", tmp_path / "again"
    assert pgym("rescore", str(run), "--weights", "0.5,0.25,0.25", "--out", str(halves)).exit_code == 0
    told = judges(tmp_path, server, PRICED + 'extra = { note = "kept to ourselves" }\n')
    assert pgym("rescore", str(run), "--judges", told, "--trust", "judge", "--out", str(again)).exit_code == 0
    figures = [{row["term"]: row for row in rows_of(pgym("compare", str(each), "--json").stdout)} for each in (run, halves)]
    assert figures[0]["TC"] == figures[1]["TC"]
    assert figures[0]["J"]["mean"] != figures[1]["J"]["mean"]
    assert "differ in weights" in refused(pgym("compare", str(run), str(halves)))
    assert "differ in trust" in refused(pgym("compare", str(run), str(again)))
    once, twice = (pgym("rescore", str(folder), "--json").stdout for folder in (halves, halves))
    assert once == twice == (halves / "episodes.jsonl").read_text("utf-8")
    record = json.loads((again / "config.json").read_text("utf-8"))
    assert [(judge["model"], judge["prompt_usd"]) for judge in record["judge"]] == [("critic", 1.0)] * 2
    assert "kept to ourselves" not in json.dumps(record)


def test_what_the_runs_own_judges_said_stays_without_others(server: MockServer, tmp_path: Path) -> None:
    run = played(tmp_path, server, tail="JUDGE\nJUDGE")
    (row,) = rows_of(pgym("rescore", str(run), "--trust", "judge", "--json").stdout)
    assert row["judged"]
    assert row["terms"]["TR_J"] == 3


def test_judges_that_do_not_answer_leave_it_unscored(server: MockServer, tmp_path: Path) -> None:
    run = played(tmp_path, server)
    server.script = always(Scripted(status=404))
    (row,) = rows_of(pgym("rescore", str(run), "--judges", judges(tmp_path, server), "--json").stdout)
    assert row["status"] == "judge_unscored"
    assert row["terms"]["J"] > 0
    server.script = always(Scripted(status=401))
    assert "401" in refused(pgym("rescore", str(run), "--judges", judges(tmp_path, server)))


PRICED = "prompt_usd = 1.0\ncompletion_usd = 2.0\n"


def test_what_judges_spend_is_counted_to_the_token_retries_included(server: MockServer, tmp_path: Path) -> None:
    run = played(tmp_path, server, STOCHASTIC)
    served, before = len(server.calls), server.tokens
    failed = threading.Event()

    def hesitating(asked: Mapping[str, object]) -> Scripted:
        if failed.is_set():
            return acting(asked)
        failed.set()
        return Scripted(status=503, headers={"Retry-After": "0"}, prompt_tokens=7, completion_tokens=0)

    server.script = hesitating
    out = tmp_path / "again"
    result = pgym("rescore", str(run), "--judges", judges(tmp_path, server, PRICED), "--cap", "5", "--out", str(out))
    assert result.exit_code == 0
    spent = json.loads((out / "spent.json").read_text("utf-8"))
    (account,) = spent["accounts"]
    prompts, replies = (now - then for now, then in zip(server.tokens, before, strict=True))
    assert (account["calls"], account["failed"]) == (len(server.calls) - served, 1)
    assert (account["prompt_tokens"], account["completion_tokens"]) == (prompts, replies)
    assert spent["usd"] == pytest.approx((prompts + 2 * replies) / 1e6)
    assert "critic" in result.stdout


def test_a_cap_ends_judging_and_leaves_what_rules_say(server: MockServer, tmp_path: Path) -> None:
    run = played(tmp_path, server, "seeds = [0, 1, 2]\nconcurrency = 1")
    served = len(server.calls)
    rows = rows_of(pgym("rescore", str(run), "--judges", judges(tmp_path, server, PRICED), "--cap", "0.004", "--json").stdout)
    assert rows[-1]["status"] == "judge_unscored"
    assert rows[-1]["reason"].startswith("BudgetExceeded")
    assert rows[-1]["terms"]["J"] > 0
    calls = server.calls[served:]
    usd = [(call.prompt_tokens + 2 * call.completion_tokens) / 1e6 for call in calls]
    assert sum(usd[:-1]) < 0.004 <= sum(usd)  # what goes over is the one call that was in flight


def test_a_cap_wants_prices_and_judges_before_anybody_is_asked(server: MockServer, tmp_path: Path) -> None:
    run = played(tmp_path, server)
    served = len(server.calls)
    assert "has no price" in refused(pgym("rescore", str(run), "--judges", judges(tmp_path, server), "--cap", "1"))
    assert "--cap" in refused(pgym("rescore", str(run), "--cap", "1"))
    assert "two prices" in refused(
        pgym("rescore", str(run), "--judges", judges(tmp_path, server, PRICED, PRICED.replace("1.0", "3.0")), "--cap", "1")
    )
    assert len(server.calls) == served


def test_failed_episodes_stay_failed(server: MockServer, tmp_path: Path) -> None:
    server.script = always(Scripted(status=404))
    run = tmp_path / "run"
    pgym("evaluate", str(write_config(tmp_path, server.url)), "--out", str(run))
    for options in (["--weights", "0.5,0.25,0.25"], ["--judges", judges(tmp_path, server)]):
        (row,) = rows_of(pgym("rescore", str(run), *options, "--json").stdout)
        assert (row["status"], row["terms"]) == ("infra_error", None)


def test_work_that_was_lost_or_changed_is_noticed(server: MockServer, tmp_path: Path) -> None:
    run = played(tmp_path, server)
    (work,) = run.glob("traces/*/work.jsonl")
    kept = work.read_text("utf-8")
    for damage in ("", kept.replace("files.note", "files.nothing"), kept.replace('"calls": [[', '"calls": [["x", {}], [')):
        work.write_text(damage, "utf-8")
        message = refused(pgym("rescore", str(run), "--judges", judges(tmp_path, server)))
        assert "does not come next" in message or "refused now" in message
    work.write_text(kept, "utf-8")
    (log,) = run.glob("traces/*/Tiny*.jsonl")
    whole = log.read_text("utf-8")
    log.write_text(whole.replace(whole[15:].partition('"sha256":"')[2][:8], "00000000"), "utf-8")
    assert "not the one that was played" in refused(pgym("rescore", str(run), "--judges", judges(tmp_path, server)))
    log.write_text("".join(whole.splitlines(keepends=True)[:-1]), "utf-8")
    assert "does not come out as it was" in refused(pgym("rescore", str(run), "--judges", judges(tmp_path, server)))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--weights", "1,2"], "three positive numbers"),
        (["--weights", "1,1,1"], "three positive numbers"),
        (["--trust", "blind"], "choose one of depth, judge"),
        (["--judges", "none.toml"], "none.toml"),
    ],
)
def test_what_cannot_be_used_is_refused(server: MockServer, tmp_path: Path, options: list[str], said: str) -> None:
    run = played(tmp_path, server, 'worker = "reference"')
    assert said in refused(pgym("rescore", str(run), *options))


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    assert "config.json" in refused(pgym("rescore", str(tmp_path)))
    (tmp_path / "config.json").write_text("{}", "utf-8")
    assert "no configuration of this version" in refused(pgym("rescore", str(tmp_path)))
