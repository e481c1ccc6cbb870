import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.parsing import ScenarioError
from tests.sim.tiny import PATH, edited

TINY = str(PATH)


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Forget what was read, before and after."""
    for remembered in (catalogue.added, catalogue.load, catalogue.written_week):
        remembered.cache_clear()
    yield
    for remembered in (catalogue.added, catalogue.load, catalogue.written_week):
        remembered.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the built-in scenarios be those of a new folder."""
    monkeypatch.setattr(catalogue, "_FOLDER", tmp_path)
    return tmp_path


def test_names_come_from_the_files_of_the_folder(folder: Path) -> None:
    for name in ("travel.toml", "food.toml", "notes.txt"):
        (folder / name).touch()
    assert catalogue.names() == ["Food", "Travel"]
    assert catalogue.path_of("Food") == folder / "food.toml"


def test_names_of_several_words(folder: Path) -> None:
    for name in ("my-week.toml", "my_other week.toml", "myThird.toml"):
        (folder / name).touch()
    assert catalogue.names() == ["MyOtherWeek", "MyThird", "MyWeek"]
    assert catalogue.path_of("MyOtherWeek") == folder / "my_other week.toml"


def test_folders_of_the_users_add_scenarios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder, file in ((one, "tiny.toml"), (two, "other.toml")):
        folder.mkdir()
        (folder / file).write_text(edited(), encoding="utf-8")
    monkeypatch.setenv(catalogue.FOLDERS, f"{one}{os.pathsep}{two}{os.pathsep}")
    assert catalogue.added() == {"Tiny": one / "tiny.toml", "Other": two / "other.toml"}
    assert catalogue.load("Tiny").title == "Two days of errands"
    with pytest.raises(ScenarioError, match=r"other.toml: name: is 'Tiny', but the file's name says 'Other': rename one"):
        catalogue.load("Other")


def test_what_cannot_be_added_is_left_out_with_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "travel.toml").touch()
    monkeypatch.setenv(catalogue.FOLDERS, f"{tmp_path}{os.pathsep}{tmp_path / 'nowhere'}")
    with pytest.warns(UserWarning) as caught:
        assert catalogue.added() == {}
    first, second = (str(each.message) for each in caught)
    assert "nowhere is no folder: name folders of scenario files" in first
    assert "travel.toml: the name 'Travel' is taken by a built-in scenario: rename the file" in second


def test_packages_add_scenarios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "my_weeks"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('never imported')", encoding="utf-8")
    (package / "tiny.toml").write_text(edited(), encoding="utf-8")
    told = tmp_path / "my_weeks-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: my-weeks\nVersion: 1.0\n", encoding="utf-8")
    (tmp_path / "bare_weeks").mkdir()
    (tmp_path / "bare_weeks" / "__init__.py").touch()
    points = "good = my_weeks\nbad = json.decoder\ngone = not_there.weeks\nbare = bare_weeks\n"
    (told / "entry_points.txt").write_text(f"[{catalogue.PACKAGES}]\n{points}", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "nowhere"), *sys.path])
    with pytest.warns(UserWarning) as caught:
        assert catalogue.added() == {"Tiny": package / "tiny.toml"}
    assert [str(each.message).split(":")[1:3] for each in caught] == [
        [f" entry point 'bad' of {catalogue.PACKAGES}", " 'json.decoder' is no package"],
        [f" entry point 'gone' of {catalogue.PACKAGES}", " 'not_there.weeks' is no package"],
        [f" entry point 'bare' of {catalogue.PACKAGES}", " no TOML file is in 'bare_weeks'"],
    ]


def test_a_package_within_another_is_found_without_importing_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "failing_weeks"
    (package / "inner").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('never imported')", encoding="utf-8")
    (package / "inner" / "tiny.toml").touch()
    told = tmp_path / "failing_weeks-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: failing-weeks\nVersion: 1.0\n", encoding="utf-8")
    points = "inner = failing_weeks.inner\nother = failing_weeks.other\nnone = no package at all!\n"
    (told / "entry_points.txt").write_text(f"[{catalogue.PACKAGES}]\n{points}", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.warns(UserWarning) as caught:
        assert catalogue.added() == {"Tiny": package / "inner" / "tiny.toml"}
    first, second = (str(each.message) for each in caught)
    assert "'other' of proactivity_gym.scenarios: 'failing_weeks.other' is no package: name the one" in first
    assert "'none' of proactivity_gym.scenarios: 'no package at all!' is no package: name the one" in second


def test_a_file_whose_name_makes_no_id_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a week?.toml", "3-days.toml", ".toml", f"{'w' * 33}.toml", f"{'w' * 32}.toml"):
        (tmp_path / name).touch()
    monkeypatch.setenv(catalogue.FOLDERS, str(tmp_path))
    with pytest.warns(UserWarning) as caught:
        assert list(catalogue.added()) == [f"W{'w' * 31}"]
    assert len(caught) == 4
    assert "'AWeek?' can be no name of a scenario: rename the file, to letters, digits and hyphens" in str(caught[2].message)


def test_a_path_ends_in_toml() -> None:
    assert catalogue.is_path("my/own.toml")
    assert not catalogue.is_path("Travel")
    assert catalogue.path_of(TINY) == PATH


def test_an_unknown_scenario_is_told_with_those_there_are(folder: Path) -> None:
    (folder / "food.toml").touch()
    with pytest.raises(ScenarioError, match=r"no scenario is called 'Foood'. There are Food; or give a path"):
        catalogue.load("Foood")
    with pytest.raises(ScenarioError, match=r"own.toml: no such file. Give the path of a scenario's TOML file"):
        catalogue.load("own.toml")


def test_a_scenario_is_read_once() -> None:
    assert catalogue.load(TINY) is catalogue.load(TINY)
    assert catalogue.load(TINY).name == "Tiny"


def test_a_built_in_scenario_is_read_by_its_name(folder: Path) -> None:
    (folder / "tiny.toml").write_text(edited(), encoding="utf-8")
    assert catalogue.load("Tiny").title == "Two days of errands"


def test_a_scenario_with_problems_is_refused_with_all_of_them(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(edited(('urgent = "form"', 'urgent = "from"'), ("Pay @{fee}", "Pay @{free}")), encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        catalogue.load(str(path))
    first, second = str(caught.value).splitlines()
    assert first == "bad.toml: window.0 (desk-or-parcel).urgent: there is no task 'from'; did you mean 'form'?"
    assert second.startswith("bad.toml: record.2 (desk-mail).text: @{free} names no draw")


def test_a_file_that_does_not_parse_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(edited(("days = 2", "days = 0")), encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"^bad.toml: days: write a number not below 1, not 0$"):
        catalogue.load(str(path))


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(edited(("Ana Prates", "Ana Pratês")).encode("latin-1"))
    with pytest.raises(ScenarioError, match=r"bad.toml: cannot be read: .* Save it as UTF-8 text"):
        catalogue.load(str(path))


def test_a_persona_that_is_not_there_is_refused() -> None:
    with pytest.raises(ScenarioError, match=r"tiny.toml: no persona 'B'. It has A"):
        catalogue.written_week(TINY, "B")


def test_weeks() -> None:
    base = catalogue.week(TINY, "A", "written", 5)
    assert base is catalogue.written_week(TINY, "A")
    assert base.plan.persona.name == "Reviewer"
    varied = catalogue.week(TINY, "A", "test", 5)
    assert varied.plan is base.plan
    assert varied is not base
    assert varied.shifts == catalogue.week(TINY, "A", "test", 5).shifts


def test_a_byte_order_mark_and_line_ends_of_windows_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(b"\xef\xbb\xbf" + edited().replace("\n", "\r\n").encode())
    assert catalogue.load(str(path)).name == "Tiny"
