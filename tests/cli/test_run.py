import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from proactivity_gym.envs import registration
from proactivity_gym.reports import runs
from proactivity_gym.reports.runs import Planned, Row, play
from tests.cli.pgym import TINY_ID, pgym, process, refused, rows_of
from tests.sim.tiny import PATH

TINY = ("--ids", str(PATH))
KEYS = ["policy", "id", "seed", "variation", "TC", "TA", "CQ", "TR_D", "over", "under", "TR_H", "J", "status"]


def test_rows_are_all_that_is_printed(tmp_path: Path) -> None:
    result = process(tmp_path, "run", "--policy", "oracle", "--policy", "noop", *TINY, "--seeds", "0:2", "--json")
    assert result.returncode == 0
    rows = rows_of(result.stdout)
    assert [(row["policy"], row["seed"]) for row in rows] == [("oracle", 0), ("oracle", 1), ("noop", 0), ("noop", 1)]
    assert {tuple(row)[: len(KEYS)] for row in rows} == {tuple(KEYS)}
    assert {(row["id"], row["variation"], row["status"]) for row in rows} == {(TINY_ID, "test", "completed")}
    assert [row["J"] for row in rows] == [1, 1, 0, 0]
    assert list(tmp_path.iterdir()) == []


def test_rows_say_how_difficult_it_was() -> None:
    rows = rows_of(pgym("run", "--policy", "oracle", *TINY, "--seeds", "0:2", "--difficulty", "hard", "--json").stdout)
    assert [(row["difficulty"], row["J"]) for row in rows] == [("hard", 1), ("hard", 1)]


def test_more_processes_give_the_same_bytes(tmp_path: Path) -> None:
    arguments = ("run", "--policy", "random", "--policy", "rules", *TINY, "--seeds", "0:3", "--json")
    assert process(tmp_path, *arguments).stdout == process(tmp_path, *arguments, "--jobs", "2").stdout


def test_a_table_compares_policies() -> None:
    result = pgym("run", "--policy", "oracle", "--policy", "noop", *TINY, "--variation", "written")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["policy", "scored", "TC", "TA", "CQ", "TR-D", "TR-H", "J", "sd", "of", "J"]
    assert lines[1].split()[:6] == ["oracle", "3", "of", "3", "100.0", "100.0"]
    assert "There is one scenario only: the intervals tell how seeds differ, not how scenarios do." in lines


def test_rows_go_to_a_file_too(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    result = pgym("run", "--policy", "noop", *TINY, "--out", str(out), "--json")
    assert out.read_text(encoding="utf-8") == result.stdout


def test_a_file_is_not_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    out.write_text("precious", encoding="utf-8")
    assert "it exists already" in refused(pgym("run", "--policy", "noop", *TINY, "--out", str(out)))
    link = tmp_path / "link.jsonl"
    link.symlink_to(tmp_path / "elsewhere.jsonl")
    refused(pgym("run", "--policy", "noop", *TINY, "--out", str(link)))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.jsonl", "rows.jsonl"]
    assert out.read_text(encoding="utf-8") == "precious"


def test_traces_are_kept_on_wish(tmp_path: Path) -> None:
    assert pgym("run", "--policy", "rules", *TINY, "--seeds", "3", "--log", str(tmp_path / "logs")).exit_code == 0
    found = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.jsonl")]
    assert found == ["logs/rules/seed-3/Tiny-PersonaA-v0-000001.jsonl"]


def test_settings_reach_the_environment() -> None:
    arguments = ("run", "--policy", "oracle", *TINY, "--json", "--seeds", "0:4")
    plain = rows_of(pgym(*arguments).stdout)
    clumsy = rows_of(pgym(*arguments, "--worker", "imperfect:1.0", "--user", "stochastic", "--weights", "0.8,0.1,0.1").stdout)
    assert all(b["TC"] < a["TC"] for a, b in zip(plain, clumsy, strict=True))


def test_a_folder_of_a_training_run_is_told_its_model(tmp_path: Path) -> None:
    model = tmp_path / "model.zip"
    model.touch()
    assert f"no policy is called so (did you mean '{model}'?)" in refused(pgym("run", "--policy", str(tmp_path)))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--policy", "genius"], "--policy 'genius': no policy is called so: choose from"),
        (["--policy", "noop", "--ids", "Atlantis"], "no scenario is called 'Atlantis', and no id."),
        (["--policy", "noop", "--ids", "nowhere.toml"], "nowhere.toml: no such file"),
        (["--policy", "noop", "--seeds", "3:1"], "--seeds '3:1'"),
        (["--policy", "noop", "--variation", "exam"], "--variation 'exam': choose one of written, train, test"),
        (["--policy", "noop", "--difficulty", "mad"], "--difficulty 'mad': choose one of easy, standard, hard"),
        (["--policy", "noop", "--user", "grumpy"], "--user 'grumpy': choose one of"),
        (
            ["--policy", "noop", "--worker", "genius"],
            "worker='genius': choose one of reference, imperfect (or imperfect:0.3), llm:MODEL.toml",
        ),
        (["--policy", "noop", "--worker", "imperfect:2"], "error rate must lie in [0, 1]"),
        (["--policy", "noop", "--weights", "1,2"], "--weights '1,2': give three positive numbers"),
        (["--policy", "noop", "--weights", "a,b,c"], "--weights 'a,b,c': give three positive numbers"),
        (["--policy", "noop", "--weights", "1,1,1"], "--weights '1,1,1': they sum to 3; give three positive numbers"),
        (["--policy", "noop", "--weights", "1,0,0"], "--weights '1,0,0': one is not above 0; give three"),
        (["--policy", "noop", "--weights", "nan,0,1"], "they sum to nan"),
        (["--policy", "nop"], "no policy is called so (did you mean 'noop'?)"),
        (["--policy", "noop", "--jobs", "0"], "--jobs"),
        ([], "--policy"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: list[str], said: str) -> None:
    assert said in refused(pgym("run", *arguments))


def test_ids_are_separated_by_commas_or_repeated() -> None:
    b, c = (registration.env_id("Education", persona) for persona in "BC")
    ids = ("--ids", str(PATH), "--ids", f"Education-PersonaB,{c}")
    result = pgym("run", "--policy", "noop", *ids, "--seeds", "0", "--json")
    assert [row["id"] for row in rows_of(result.stdout)] == [TINY_ID, b, c]


def test_an_output_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    message = refused(pgym("run", "--policy", "noop", *TINY, "--out", str(tmp_path / "no" / "rows.jsonl")))
    assert "No such file or directory. Check the name" in message
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "file: File exists." in refused(pgym("run", "--policy", "noop", *TINY, "--log", str(tmp_path / "file")))


def test_control_c_keeps_what_was_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken_off(planned: Sequence[Planned], jobs: int) -> Iterator[Row]:
        assert jobs == 1
        yield play(planned[0])
        raise KeyboardInterrupt

    monkeypatch.setattr(runs, "run", broken_off)
    out = tmp_path / "rows.jsonl"
    result = pgym("run", "--policy", "noop", *TINY, "--out", str(out))
    assert result.exit_code == 130
    assert len(rows_of(out.read_text(encoding="utf-8"))) == 1
    assert "1 of 3 episodes were played and kept in" in result.stderr
    assert "noop: 3 planned, 1 scored, 2 interrupted" in result.stdout


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_real_signal_ends_a_run_the_same_way(tmp_path: Path, jobs: str) -> None:
    out = tmp_path / "rows.jsonl"
    code = "from proactivity_gym.cli import main; main()"
    arguments = ("run", "--policy", "random", "--ids", "Education", "--seeds", "0:100000", "--out", str(out), "--jobs", jobs)
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and run.poll() is None and not (out.exists() and out.stat().st_size):
            time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        stdout, stderr = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "Traceback" not in stderr
    assert "INCOMPLETE" in stdout
    assert f"{len(rows_of(out.read_text(encoding='utf-8')))} of 300000 episodes were played" in stderr


HOSTILE = (
    "../up", "/etc/passwd", "~", "~root", "a/b", "a\\b", "CON", "NUL", "x" * 300, "", " ", ".", "..", "-", "*", "$HOME",
    "`id`", "; ls", "\u202e", "\u2028", "\x1b[2J", "ProactivityGym/../x", "../../x.toml", "/dev/null", "file:///etc/passwd",
)  # fmt: skip


@pytest.mark.parametrize("option", ["--policy", "--ids", "--worker"])
def test_no_name_leads_out_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str) -> None:
    monkeypatch.chdir(tmp_path)
    for name in HOSTILE:
        given = {"--policy": "noop", "--ids": str(PATH), "--worker": "reference"} | {option: name}
        result = pgym("run", *(part for pair in given.items() for part in pair), "--log", "logs", "--out", "rows.jsonl")
        assert refused(result)
    assert list(tmp_path.iterdir()) == []
