"""`pgym evaluate`: one command that begins a run, goes on with it, and refuses what would spoil it."""

import json
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path

import pytest

from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.llm.scripted import Scripted
from proactivity_gym.reports.evaluation import running
from tests.cli.killing import evaluating, kill_again_and_again, wait_for
from tests.cli.pgym import pgym, process, refused
from tests.llm.evaluate_doubles import acting, always, lasting, write_config

CANARIES = [f"sk-canary-{number:02}-{number * 7919:06x}Zq" for number in range(8)]
KEY, HEADER, ODD, NESTED, ENVIRONMENT, USER, CONFIG, QUERY = CANARIES
VARIABLES = {"MODEL_KEY": KEY, "HEADER_KEY": HEADER, "UNRELATED": ENVIRONMENT}


@pytest.fixture
def server() -> Iterator[MockServer]:
    with MockServer(acting) as running_server:
        yield running_server


def test_a_run_is_played_told_and_gone_on_with(server: MockServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = write_config(tmp_path, server.url, 'seeds = [0, 1]\nworker = "reference"')
    monkeypatch.chdir(tmp_path)
    first = pgym("evaluate", str(config))
    assert first.exit_code == 0
    for told in ("mock", "2 of 2", "completed", "left out", "as 0", "policy", "USD"):
        assert told in first.stdout
    run = tmp_path / "runs" / "evaluation"
    names = {"config.json", "versions.json", "episodes.jsonl", "calls.jsonl", "summary.json", "spent.json"}
    assert names <= {each.name for each in run.iterdir()}
    summary, served = (run / "summary.json").read_bytes(), len(server.calls)
    assert pgym("evaluate", str(config)).stdout == first.stdout
    assert (run / "summary.json").read_bytes() == summary
    assert len(server.calls) == served


def test_a_changed_evaluation_is_refused_by_its_keys(server: MockServer, tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert pgym("evaluate", str(write_config(tmp_path, server.url)), "--out", str(run)).exit_code == 0
    changed = write_config(tmp_path, server.url, 'variation = "train"', "temperature = 0.7")
    message = refused(pgym("evaluate", str(changed), "--out", str(run)))
    assert "other values of model.1.temperature, variation" in message
    versions = json.loads((run / "versions.json").read_text("utf-8"))
    (run / "versions.json").write_text(json.dumps(versions | {"proactivity-gym": "0.0.1"}), "utf-8")
    assert "proactivity-gym" in refused(pgym("evaluate", str(write_config(tmp_path, server.url)), "--out", str(run)))


def test_an_incomplete_run_says_so_and_can_be_retried(server: MockServer, tmp_path: Path) -> None:
    server.script = always(Scripted(status=404))
    config = write_config(tmp_path, server.url)
    result = pgym("evaluate", str(config), "--out", str(tmp_path / "run"))
    assert result.exit_code == 1
    assert "INCOMPLETE" in result.stdout
    assert "infra_error" in result.stdout
    server.script = acting
    assert pgym("evaluate", str(config), "--out", str(tmp_path / "run"), "--retry").exit_code == 0


def test_what_cannot_be_used_is_refused(server: MockServer, tmp_path: Path) -> None:
    assert "none.toml" in refused(pgym("evaluate", str(tmp_path / "none.toml")))
    assert "sead" in refused(pgym("evaluate", str(write_config(tmp_path, server.url, "sead = 1"))))
    unpriced = write_config(tmp_path, server.url, "cap_usd = 1.0", model="")
    assert "has no price" in refused(pgym("evaluate", str(unpriced), "--out", str(tmp_path / "run")))
    server.script = always(Scripted(status=401))
    config = write_config(tmp_path, server.url)
    assert "401" in pgym("evaluate", str(config), "--out", str(tmp_path / "run")).stderr


def test_a_damaged_row_is_told(server: MockServer, tmp_path: Path) -> None:
    run, config = tmp_path / "run", write_config(tmp_path, server.url)
    pgym("evaluate", str(config), "--out", str(run))
    (run / "episodes.jsonl").write_bytes(b'{"model"')
    assert "line 1: damaged or cut off" in pgym("evaluate", str(config), "--out", str(run)).stderr
    assert len(lasting(run / "episodes.jsonl")) == 1


def test_ctrl_c_keeps_what_there_is(server: MockServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: running.Run) -> Iterator[None]:
        yield None
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "go_on", interrupted)
    result = pgym("evaluate", str(write_config(tmp_path, server.url)), "--out", str(tmp_path / "run"))
    assert result.exit_code == 130
    assert "0 of 1 episodes are kept" in result.stderr


def test_a_second_run_on_a_folder_is_refused(server: MockServer, tmp_path: Path) -> None:
    def slow(asked: Mapping[str, object]) -> Scripted:
        return Scripted(acting(asked).text, delay_s=0.2)

    server.script = slow
    config, run = write_config(tmp_path, server.url), tmp_path / "run"
    with evaluating(config, run) as first:
        wait_for(server, 1, first)
        assert f"(process {first.pid})" in refused(pgym("evaluate", str(config), "--out", str(run)))
    server.script = acting
    assert pgym("evaluate", str(config), "--out", str(run)).exit_code == 0


def test_killed_again_and_again_it_comes_to_the_same(server: MockServer, tmp_path: Path) -> None:
    """D7: 300 episodes, 8 at a time, killed 20 times: nothing lost, nothing twice, and what was answered is not asked again.

    Models have a few turns of each episode only; in `make reliability` they play them to the end.
    """
    config = write_config(tmp_path, server.url, "seeds = [0, 1, 2, 3, 4, 5]\nrepetitions = 50\nmax_steps = 3")
    assert pgym("evaluate", str(config), "--out", str(tmp_path / "calm")).exit_code == 0
    calm = len(server.calls)
    run = tmp_path / "rough"
    killed = kill_again_and_again(config, run, server, kills=20, span=calm // 12)
    assert killed == 20
    assert pgym("evaluate", str(config), "--out", str(run)).exit_code == 0
    rows = lasting(run / "episodes.jsonl")
    assert len({(row["id"], row["seed"], row["repetition"]) for row in rows}) == len(rows) == 300
    assert rows == lasting(tmp_path / "calm" / "episodes.jsonl")
    assert (run / "summary.json").read_bytes() == (tmp_path / "calm" / "summary.json").read_bytes()
    assert len(server.calls) - calm <= calm + 8 * killed


def test_no_secret_is_written_or_said(server: MockServer, tmp_path: Path) -> None:
    """D16: canaries wherever a key may be; the model repeats what it was sent."""
    numbers = count(1)

    def telling(asked: Mapping[str, object]) -> Scripted:
        told = f"{KEY} {HEADER} {json.dumps({**asked, 'messages': 0})}"
        return Scripted(told) if next(numbers) % 3 else Scripted(told, status=400)

    server.script = telling
    keys = 'api_key_env = "MODEL_KEY"\nheaders_env = {X-Key = "HEADER_KEY"}\n'
    extra = f'extra = {{x_auth = "{ODD}", metadata = {{list = ["{NESTED}"]}}}}\n'
    config = write_config(tmp_path, server.url, "seeds = [0, 1]", f"{keys}{extra}")
    address = write_config(tmp_path / "..", f"http://{USER}:x@127.0.0.1/v1?key={QUERY}", model=f'api_key = "{CONFIG}"')
    address = address.rename(tmp_path / "address.toml")
    said = [process(tmp_path, "evaluate", str(each), "--out", "run", **VARIABLES) for each in (config, address, config)]
    assert [each.returncode for each in said] == [1, 2, 1]
    shown = [text for each in said for text in (each.stdout, each.stderr)]
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    written = [str(path) + path.read_text("utf-8") for path in files]
    assert len(written) > 6
    assert any("cache" in path.parts for path in files)
    assert not [canary for canary in CANARIES for text in (*shown, *written) if canary in text]
