from pathlib import Path

import pytest

from proactivity_gym.reports import checks
from proactivity_gym.reports.findings import ERROR, WARNING
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.parsing import ScenarioError
from tests.sim.tiny import PATH, Edit, edited


def write(folder: Path, *edits: Edit) -> str:
    path = folder / "own.toml"
    path.write_text(edited(*edits), encoding="utf-8")
    return str(path)


def test_a_small_scenario_of_ones_own_has_warnings_alone() -> None:
    found = checks.check(str(PATH), 5)
    assert {finding.level for finding in found} == {WARNING}
    assert {(finding.source, finding.rule) for finding in found} == {("tiny.toml", "balance")}


def test_house_rules_bind_the_projects_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "is_built_in", bool)
    assert {finding.level for finding in checks.check(str(PATH), 0)} == {ERROR}


def test_the_projects_own_are_known_by_name_and_by_file() -> None:
    name = catalogue.names()[0]
    assert checks.is_built_in(catalogue.path_of(name))
    assert not checks.is_built_in(PATH)


def test_an_unsolvable_task_is_an_error_and_comes_first(tmp_path: Path) -> None:
    found = checks.check(write(tmp_path, ("work_min = 20", "work_min = 300")), 0)
    assert (found[0].level, found[0].rule, found[0].where) == (ERROR, "solvable", "task form")


def test_a_broken_reference_is_an_error_and_ends_the_check(tmp_path: Path) -> None:
    found = checks.check(write(tmp_path, ('later = "parcel"', 'later = "parsel"')), 0)
    assert {finding.rule for finding in found} == {"reference"}
    assert "parsel" in found[0].message
    assert found[0].where == "window.0 (desk-or-parcel).later"


@pytest.mark.parametrize("content", [b"format = ", b"\xff\xfe", b"format = 1"])
def test_what_is_no_scenario_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(content)
    with pytest.raises(ScenarioError, match=r"own\.toml"):
        checks.check(str(path), 0)


def test_what_is_nowhere_is_refused() -> None:
    with pytest.raises(ScenarioError, match="no such file"):
        checks.check("nowhere.toml", 0)
