import shutil
from pathlib import Path

import gymnasium as gym
import pytest

from proactivity_gym.baselines import zoo
from proactivity_gym.envs import registration
from proactivity_gym.scenarios import catalogue
from tests.cli.pgym import TINY_ID, pgym, process, refused, rows_of
from tests.sim.tiny import PATH


def test_rows_are_the_registered_ids() -> None:
    registration.register(str(PATH))
    rows = rows_of(pgym("list", "--json").stdout)
    assert [row["id"] for row in rows] == registration.ids()
    assert {tuple(row) for row in rows} == {("id", "scenario", "persona", "days", "tasks")}
    tiny = next(row for row in rows if row["id"] == TINY_ID)
    assert tiny == {"id": TINY_ID, "scenario": "Tiny", "persona": "A", "days": 2, "tasks": 3}


def test_every_persona_of_every_scenario_has_a_row() -> None:
    rows = rows_of(pgym("list", "--json").stdout)
    whole = {(row["scenario"], row["persona"]) for row in rows}
    assert whole == {(name, p) for name in catalogue.names() for p in "ABC"} | {("Mixed", None)}
    assert all(name in gym.registry for name in (row["id"] for row in rows))


def test_the_table_says_what_is_drawn() -> None:
    lines = pgym("list").stdout.splitlines()
    assert lines[0].split() == ["id", "scenario", "persona", "days", "tasks"]
    assert [line.split()[1:] for line in lines if "Mixed" in line] == [["Mixed", "drawn", "drawn", "drawn"]]


def test_json_is_all_that_a_process_prints(tmp_path: Path) -> None:
    result = process(tmp_path, "list", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    assert len(rows_of(result.stdout)) == len(registration.ids())


def test_a_file_that_cannot_be_used_is_told_after_all_that_can(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "broken.toml").write_text('name = "Broken')
    shutil.copy(PATH, own)
    result = process(tmp_path, "list", "--json", PROACTIVITY_GYM_SCENARIOS=str(own))
    assert result.returncode == 2
    assert [row["scenario"] for row in rows_of(result.stdout)].count("Tiny") == 3
    assert len(result.stderr.splitlines()) == 1
    assert "broken.toml: not valid TOML" in result.stderr


def test_the_balance_over_all_scenarios_is_printed() -> None:
    text = pgym("list", "--balance").stdout
    assert text.splitlines()[0].split() == ["what", "of", "shares"]
    assert "cases by expected depth" in text
    rows = rows_of(pgym("list", "--balance", "--json").stdout)
    assert {tuple(row) for row in rows} == {("what", "of", "sort", "count", "share")}
    assert {row["of"] for row in rows} == {"all", "persona A", "persona B", "persona C"}


def test_the_zoo_is_listed() -> None:
    rows = rows_of(pgym("list", "--zoo", "--json").stdout)
    assert [row["policy"] for row in rows] == [f"zoo:{name}" for name in zoo.entries()]
    assert {tuple(row) for row in rows} == {("policy", "script", "steps", "seed", "J", "weeks")}
    assert pgym("list", "--zoo").stdout.splitlines()[0].split() == list(rows[0])


def test_a_zoo_without_models_or_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zoo, "FOLDER", tmp_path)
    assert "install the package again" in refused(pgym("list", "--zoo"))
    (tmp_path / zoo.INDEX).write_text("{}")
    assert pgym("list", "--zoo").stdout.split() == ["model"]
