"""`pgym compare`: what it plays, reads, prints and writes."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.reports import runs
from proactivity_gym.reports.runs import Planned, Row, play
from tests.cli.pgym import TINY_ID, pgym, process, refused, rows_of
from tests.llm.evaluate_doubles import acting, write_config
from tests.sim.tiny import PATH

TINY = ("--ids", str(PATH), "--seeds", "0:3")
POLICIES = ("--policy", "rules", "--policy", "oracle", "--policy", "noop")


def kept(path: Path, *policies: str, seeds: str = "0:3") -> Path:
    """Keep the rows of a run in a new file."""
    names = [part for name in policies for part in ("--policy", name)]
    assert pgym("run", *names, "--ids", str(PATH), "--seeds", seeds, "--out", str(path), "--json").exit_code == 0
    return path


def test_rows_are_all_that_is_printed(tmp_path: Path) -> None:
    result = process(tmp_path, "compare", *POLICIES, *TINY, "--json")
    assert result.returncode == 0
    rows = rows_of(result.stdout)
    assert [(row["policy"], row["term"]) for row in rows[5::6]] == [(name, "J") for name in ("rules", "oracle", "noop")]
    oracle, noop = rows[11], rows[17]
    assert (oracle["mean"], oracle["iqm"], oracle["better"], oracle["closed"]) == (1, 1, 1, 1)
    assert (noop["mean"], noop["planned"], noop["scored"], noop["drawn"]) == (0, 3, 3, "seed")
    assert list(tmp_path.iterdir()) == []


def test_tables_files_and_pictures(tmp_path: Path) -> None:
    files = ("--csv", str(tmp_path / "c.csv"), "--figure", str(tmp_path / "c.png"), "--out", str(tmp_path / "rows.jsonl"))
    result = pgym("compare", *POLICIES, *TINY, *files)
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["rules", "3", "of", "3"] in [line[:4] for line in lines]
    assert ["J", "mean", "interquartile", "mean", "less", "rules"] in [line[:6] for line in lines]
    assert "There is one scenario only" in result.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.csv", "c.png", "c.svg", "rows.jsonl"]
    table = list(csv.DictReader(io.StringIO((tmp_path / "c.csv").read_text("utf-8"))))
    figures = rows_of(pgym("compare", str(tmp_path / "rows.jsonl"), "--json").stdout)
    assert [["" if value is None else str(value) for value in row.values()] for row in figures] == [
        [*r.values()] for r in table
    ]


def test_more_processes_give_the_same_bytes(tmp_path: Path) -> None:
    arguments = ("compare", "--policy", "random", "--policy", "rules", *TINY, "--json")
    assert process(tmp_path, *arguments).stdout == process(tmp_path, *arguments, "--jobs", "2").stdout


def test_the_commands_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (PATH.parents[2] / "docs" / "compare.md").read_text("utf-8")
    commands = [line for line in page.splitlines() if line.startswith("pgym compare ")]
    assert len(commands) == 3
    for command in commands:
        words = command.replace("--ids all", f"--ids {PATH}").replace("0:20 --jobs 2", "0:2").split()
        assert pgym(*words[1:]).exit_code == 0
    made = ["figures.csv", "figures.png", "figures.svg", "more.jsonl", "rows.jsonl"]
    assert sorted(path.name for path in tmp_path.iterdir()) == made


def test_saved_rows_are_merged(tmp_path: Path) -> None:
    one, two = kept(tmp_path / "one.jsonl", "rules", "noop"), kept(tmp_path / "two.jsonl", "oracle")
    played = pgym("compare", *POLICIES, *TINY, "--json").stdout
    saved = pgym("compare", str(one), str(two), "--json").stdout
    key = ("policy", "term")
    by_key = [{tuple(row[k] for k in key): row for row in rows_of(text)} for text in (played, saved)]
    assert by_key[0] == by_key[1]
    assert "is in" in refused(pgym("compare", str(one), str(one)))


def test_only_what_is_missing_is_played_and_kept(tmp_path: Path) -> None:
    path, out = kept(tmp_path / "rows.jsonl", "rules", "oracle"), tmp_path / "more.jsonl"
    result = pgym("compare", str(path), "--policy", "oracle", "--policy", "noop", "--out", str(out), "--json")
    assert result.exit_code == 0
    assert {row["policy"] for row in rows_of(out.read_text("utf-8"))} == {"noop"}
    assert {row["scored"] for row in rows_of(result.stdout)} == {3}


def test_policies_of_one_label_are_repetitions(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    labelled = ("--policy", "mine=prepare", "--policy", "mine=suggest", "--policy", "rules")
    result = pgym("compare", *labelled, *TINY, "--draw", "repetition", "--out", str(out), "--json")
    rows = [(row["policy"], row["repetition"]) for row in rows_of(out.read_text("utf-8"))]
    assert rows == [("mine", 0)] * 3 + [("mine", 1)] * 3 + [("rules", 0)] * 3
    mine, rules = (row for row in rows_of(result.stdout) if row["term"] == "J")
    assert (mine["planned"], rules["planned"], rules["mean_low"]) == (6, 3, None)
    assert mine["mean_low"] is not None


def test_rows_of_an_evaluation_are_taken(tmp_path: Path) -> None:
    with MockServer(acting) as server:
        config = write_config(tmp_path, server.url, "seeds = [0, 1]\nrepetitions = 2")
        assert pgym("evaluate", str(config), "--out", str(tmp_path / "run")).exit_code == 0
    path = kept(tmp_path / "rows.jsonl", "rules", seeds="0:2")
    for given in (tmp_path / "run", tmp_path / "run" / "episodes.jsonl"):
        rows = rows_of(pgym("compare", str(given), str(path), "--json").stdout)
        model, rules = (row for row in rows if row["term"] == "J")
        assert (model["planned"], model["scored"], rules["planned"]) == (4, 4, 2)
        assert model["difference"] is not None


def test_weeks_that_a_policy_lacks_make_it_incomplete(tmp_path: Path) -> None:
    one, two = kept(tmp_path / "one.jsonl", "rules"), kept(tmp_path / "two.jsonl", "noop", seeds="0:2")
    result = pgym("compare", str(one), str(two))
    assert result.exit_code == 1
    assert "INCOMPLETE" in result.stdout
    assert "noop: 3 planned, 2 scored, 1 interrupted" in result.stdout


def test_failures_are_shown_under_both_conventions(tmp_path: Path) -> None:
    path = kept(tmp_path / "rows.jsonl", "rules", "noop")
    lines = rows_of(path.read_text("utf-8"))
    lines[0] |= dict.fromkeys(runs.TERMS) | {"status": "infra_error", "reason": "TimeoutError: no answer"}
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    text = pgym("compare", str(path)).stdout
    assert "J, failed left out" in text
    assert "J, failed as 0" in text
    assert "rules: 3 planned, 2 scored, 1 infra_error" in text


def test_control_c_keeps_what_was_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken_off(planned: Sequence[Planned], jobs: int) -> Iterator[Row]:
        assert jobs == 1
        yield play(planned[0])
        raise KeyboardInterrupt

    out = tmp_path / "rows.jsonl"
    with monkeypatch.context() as patch:
        patch.setattr(runs, "run", broken_off)
        result = pgym("compare", *POLICIES, *TINY, "--out", str(out))
    assert result.exit_code == 130
    assert "1 of 9 episodes were played and kept in" in result.stderr
    assert "INCOMPLETE" in result.stdout
    rest = pgym("compare", str(out), *POLICIES, *TINY, "--json")
    assert rest.exit_code == 0
    assert {row["scored"] for row in rows_of(rest.stdout)} == {3}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "there is nothing to compare: give --policy, or files of rows"),
        (["nowhere.jsonl"], "nowhere.jsonl: no such file"),
        (["--policy", "genius"], "--policy 'genius': no policy is called so"),
        (["--policy", "mine=genius"], "--policy 'genius': no policy is called so"),
        (["--policy", "noop", "--term", "XY"], "--term 'XY': choose one of TC, TA, CQ, TR_D, TR_H, J"),
        (["--policy", "noop", "--draw", "cards"], "--draw 'cards': choose one of scenario, seed, repetition"),
        (["--policy", "noop", *TINY, "--baseline", "rules"], "--baseline 'rules': it is not compared: choose from noop"),
        (["--policy", "noop", "--seeds", "x"], "--seeds 'x'"),
        (["--policy", "noop", "--out", str(PATH)], "it exists already"),
    ],
)
def test_what_cannot_be_compared_is_refused(arguments: list[str], said: str) -> None:
    assert said in refused(pgym("compare", *arguments))


def test_ids_of_rows_must_be_known_to_play_on_them(tmp_path: Path) -> None:
    path = kept(tmp_path / "rows.jsonl", "rules")
    lines = path.read_text("utf-8").replace(TINY_ID, "ProactivityGym/Gone-PersonaA-v0")
    path.write_text(lines, encoding="utf-8")
    assert pgym("compare", str(path)).exit_code == 0
    assert "no id is called so here: give --ids" in refused(pgym("compare", str(path), "--policy", "noop"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device is Linux's")
def test_a_full_disk_is_named(tmp_path: Path) -> None:
    rows = kept(tmp_path / "rows.jsonl", "noop", seeds="0:1")
    said = "pgym: /dev/full: No space left on device. Make room there, or have it written somewhere else.\n"
    result = pgym("compare", str(rows), "--csv", "/dev/full")
    assert (result.exit_code, result.stderr) == (2, said)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device is Linux's")
def test_rows_that_a_full_disk_does_not_take_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual: Any = Path.open
    out = tmp_path / "rows.jsonl"

    def opened(path: Path, *args: Any, **given: Any) -> Any:  # noqa: ANN401 (as Path.open)
        return usual(Path("/dev/full"), "w", encoding="utf-8") if path == out else usual(path, *args, **given)

    monkeypatch.setattr(Path, "open", opened)
    result = pgym("run", "--policy", "noop", *TINY, "--out", str(out))
    assert (result.exit_code, "Make room there" in result.stderr, str(out) in result.stderr) == (2, True, True)


@pytest.mark.parametrize("option", ["--csv", "--figure"])
@pytest.mark.parametrize("name", ["nowhere/x.svg", ".", ".."])
def test_files_that_could_not_be_written_are_refused_before_anything_is_played(option: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    assert f"{option} {path}: give the name of a file" in refused(pgym("compare", *POLICIES, *TINY, option, str(path)))


def test_names_of_policies_may_be_anything(tmp_path: Path) -> None:
    rows = kept(tmp_path / "rows.jsonl", "rules", "noop")
    rows.write_text(rows.read_text().replace('"rules"', '"[red]{x}\\ud800"'))
    table = tmp_path / "c.csv"
    result = pgym("compare", str(rows), "--csv", str(table), "--figure", str(tmp_path / "c"))
    assert result.exit_code == 0
    assert "[red]{x}" in table.read_text("utf-8")


@pytest.mark.parametrize("number", ["1e308", "9" * 400])
def test_numbers_beyond_any_week_are_refused(number: str, tmp_path: Path) -> None:
    rows = kept(tmp_path / "rows.jsonl", "noop")
    rows.write_text(rows.read_text().replace('"J": 0.0', f'"J": {number}'))
    assert "line 1: J: a number" in refused(pgym("compare", str(rows)))
