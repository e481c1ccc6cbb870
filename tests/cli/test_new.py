from pathlib import Path

import pytest

from proactivity_gym.scenarios import catalogue
from tests.cli.pgym import pgym, refused, rows_of


@pytest.mark.parametrize(("name", "file"), [("Garden", "garden"), ("MyGarden", "my-garden"), ("Week2Plan", "week2-plan")])
def test_a_new_scenario_plays_and_has_no_errors(tmp_path: Path, name: str, file: str) -> None:
    result = pgym("new", name, "--folder", str(tmp_path))
    path = tmp_path / f"{file}.toml"
    assert result.exit_code == 0
    assert str(path) in result.stdout
    assert catalogue.load(str(path)).name == name
    findings = pgym("check", str(path), "--json", "--variations", "5")
    assert findings.exit_code == 0
    assert {row["rule"] for row in rows_of(findings.stdout)} == {"balance"}


def test_all_three_personas_of_a_new_scenario_can_be_solved(tmp_path: Path) -> None:
    pgym("new", "SolvedGarden", "--folder", str(tmp_path))
    path = tmp_path / "solved-garden.toml"
    played = pgym("run", "--policy", "oracle", "--ids", str(path), "--seeds", "0:4", "--variation", "test", "--json")
    rows = rows_of(played.stdout)
    assert len(rows) == 12
    assert {row["J"] for row in rows} == {1.0}


def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "garden.toml").write_text("mine", encoding="utf-8")
    assert "garden.toml: File exists" in refused(pgym("new", "Garden", "--folder", str(tmp_path)))
    assert (tmp_path / "garden.toml").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", ["garden", "My Garden", "../Up", "G" * 33, "", "Jardim\u00e1"])
def test_a_name_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    assert "as in MyGarden" in refused(pgym("new", name, "--folder", str(tmp_path)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["Travel", "Mixed"])
def test_a_name_that_is_taken_is_refused(tmp_path: Path, name: str) -> None:
    assert f"as in My{name}" in refused(pgym("new", name, "--folder", str(tmp_path)))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert "nowhere" in refused(pgym("new", "Garden", "--folder", str(tmp_path / "nowhere")))
