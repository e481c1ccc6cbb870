from pathlib import Path

import pytest

from tests.cli.pgym import pgym, process, refused, rows_of
from tests.sim.tiny import PATH, Edit, edited


def own(folder: Path, *edits: Edit) -> str:
    path = folder / "own.toml"
    path.write_text(edited(*edits), encoding="utf-8")
    return str(path)


def test_warnings_alone_pass() -> None:
    result = pgym("check", str(PATH), "--variations", "2")
    assert result.exit_code == 0
    assert "tiny.toml: warning: scenario: 2 days: 7 to 10 are wanted [balance]" in result.stdout.splitlines()
    assert result.stdout.splitlines()[-1].startswith(f"{PATH}: 0 errors, ")
    assert result.stderr == ""


def test_errors_fail(tmp_path: Path) -> None:
    result = pgym("check", own(tmp_path, ("work_min = 20", "work_min = 300")), "--variations", "0")
    assert result.exit_code == 1
    assert result.stdout.startswith("own.toml: error: task form: ")


def test_rows_are_all_that_is_printed(tmp_path: Path) -> None:
    result = pgym("check", str(PATH), own(tmp_path, ('later = "parcel"', 'later = "parsel"')), "--json", "--variations", "0")
    rows = rows_of(result.stdout)
    assert result.exit_code == 1
    assert {row["source"] for row in rows} == {"tiny.toml", "own.toml"}
    assert {tuple(row) for row in rows} == {("source", "level", "rule", "where", "message")}
    assert result.stderr == ""


def test_a_scenario_named_twice_is_checked_once() -> None:
    result = pgym("check", str(PATH), str(PATH), "--json", "--variations", "0")
    rows = [tuple(row.items()) for row in rows_of(result.stdout)]
    assert len(rows) == len(set(rows))


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("nowhere.toml", "nowhere.toml: no such file"),
        ("Atlantis", "no scenario is called 'Atlantis'"),
        ("ProactivityGym/Atlantis-PersonaA-v0", "`pgym list` shows those there are"),
        ("ProactivityGym/Mixed-v0", "draws its scenario at reset"),
    ],
)
def test_what_is_nowhere_is_refused(named: str, said: str) -> None:
    assert said in refused(pgym("check", named))


def test_a_file_that_is_no_scenario_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text("format = 1\n[", encoding="utf-8")
    assert "own.toml: not valid TOML" in refused(pgym("check", str(path)))
    path.write_text(edited(("days = 2", "days = 2\nweeks = 1")), encoding="utf-8")
    assert "own.toml: weeks: no such key" in refused(pgym("check", str(path)))


def test_what_is_no_scenario_is_a_row_with_the_code_of_unusable_input(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(edited(("days = 2\n", "")), encoding="utf-8")
    wrong = own(tmp_path, ('later = "parcel"', 'later = "parsel"'))
    result = pgym("check", str(path), wrong, "--json", "--variations", "0")
    rows = rows_of(result.stdout)
    assert (result.exit_code, result.stderr) == (2, "")
    assert rows[0] == {
        "source": "bad.toml", "level": "error", "rule": "schema", "where": "days", "message": "the key is required: add it",
    }  # fmt: skip
    assert {row["rule"] for row in rows[1:]} == {"reference"}
    path.write_text("format = 1\n[", encoding="utf-8")
    (row,) = rows_of(pgym("check", str(path), "--json").stdout)
    assert (row["rule"], row["where"]) == ("schema", "not valid TOML")
    assert "no such file" in refused(pgym("check", "nowhere.toml", "--json"))


def test_the_codes_are_those_that_the_help_tells(tmp_path: Path) -> None:
    told = " ".join(pgym("check", "--help").stdout.split())
    assert "1: errors in what a scenario says, wrong references among them." in told
    assert pgym("check", own(tmp_path, ('later = "parcel"', 'later = "parsel"'))).exit_code == 1
    assert pgym("check", own(tmp_path, ("days = 2\n", ""))).exit_code == 2


def test_a_name_of_ours_is_an_error(tmp_path: Path) -> None:
    result = pgym("check", own(tmp_path, ('name = "Tiny"', 'name = "Travel"')), "--variations", "0")
    assert result.exit_code == 1
    assert "own.toml: error: name: 'Travel' is taken by a built-in scenario: choose another `name` [name]" in result.stdout


def test_an_id_stands_for_its_scenario(tmp_path: Path) -> None:
    result = process(tmp_path, "check", "ProactivityGym/Education-PersonaA-v0", "--variations", "0", "--json")
    assert result.returncode in (0, 1)
    assert {row["source"] for row in rows_of(result.stdout)} <= {"education.toml"}
