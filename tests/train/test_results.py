"""The page of results is written from runs, whatever kinds of them there are, and only between its marks."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from proactivity_gym.baselines import zoo
from proactivity_gym.scenarios import catalogue
from proactivity_gym.train import results, sweep, trained
from proactivity_gym.train.results import LEFT_OUT, Args, filled, sorted_out, write_results
from proactivity_gym.train.run_directory import MODEL, RunError
from tests.train.test_sweep import evaluated
from tests.train.trained_runs import MIXED, TRAVEL_B, made

PAGE = Path(__file__).resolve().parents[2] / "docs" / "results.md"
OLD = "What was here before."
MARKS = "\n\n".join(f"<!-- begin: {name} -->\n{OLD}\n<!-- end: {name} -->" for name in results.SECTIONS)
EDUCATION_A = "ProactivityGym/Education-PersonaA-v0"


def docs(folder: Path, text: str = f"# Title\n\nWords.\n\n{MARKS}\n\nLast words.\n") -> Path:
    folder.mkdir()
    (folder / "results.md").write_text(text)
    return folder


@pytest.fixture
def own_zoo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(zoo, "FOLDER", tmp_path / "zoo")
    return tmp_path / "zoo"


def section(page: str, name: str) -> str:
    return page.partition(f"<!-- begin: {name} -->")[2].partition(f"<!-- end: {name} -->")[0].strip()


def test_every_kind_of_run_has_its_section(
    tmp_path: Path, own_zoo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(catalogue, "names", lambda: ["Education", "Travel"])
    runs = tmp_path / "runs"
    for seed in (2, 1):
        made(runs / f"travel-{seed}", seed=seed)
    made(runs / "education", EDUCATION_A)
    made(runs / "mixed", MIXED)
    made(runs / "without", MIXED, scenario="Travel")
    (made(runs / "begun", seed=9) / MODEL).unlink()
    for name in sweep.WEIGHTINGS:
        evaluated(runs / "sweep" / name.replace(" ", "_"), (0.5, 0.2, 0.1))
    page = write_results(Args(runs, docs(tmp_path / "docs"), weeks=2, rows=tmp_path / "rows.jsonl")).read_text()
    assert "begun: has not ended" in capsys.readouterr().err
    assert zoo.entries(own_zoo).keys() == {"Travel-PersonaB", "Education-PersonaA", "Mixed"}
    assert page.startswith("# Title\n\nWords.")
    assert page.endswith("Last words.\n")
    assert OLD not in page
    assert re.findall(r"^\| (seed \d|\*\*all \d)", section(page, "seeds"), re.MULTILINE) == ["seed 1", "seed 2", "**all 2"]
    told = re.findall(r"^\| ([\w-]+-Persona.) ", section(page, "per id"), re.MULTILINE)
    assert told == ["Education-PersonaA", "Travel-PersonaB"]
    assert "of 2 ids: at least a third" in section(page, "per id")
    assert firsts(section(page, "all ids")) == ["rules", "learned", "oracle"] * 2
    assert "Without Travel-PersonaB (1):" in section(page, "all ids")
    assert firsts(section(page, "mixed")) == ["rules", "trained on Mixed", "oracle"]
    assert firsts(section(page, "left out")) == ["Education", "**all**", LEFT_OUT, "trained on Mixed", "learned", "rules"]
    frozen = ["learned", "depth by the rules", "timing by the rules", "targets by the rules", "rules"]
    assert firsts(section(page, "ablation")) == [*frozen, *frozen]
    assert firsts(section(page, "trade-offs")) == list(sweep.WEIGHTINGS)
    pictures = [tmp_path / "docs" / each for each in re.findall(r"\((images/.*?)\)", page)]
    assert [path.name for path in pictures] == ["learning-curve.png", "trade-offs.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert {row["seed"] for row in rows} == {1000, 1001}
    assert {row["status"] for row in rows} == {"completed"}


def firsts(text: str) -> list[str]:
    """Return the first cells of the rows of tables."""
    found: Sequence[str] = re.findall(r"^\| (.*?) \|", text, re.MULTILINE)
    return [each for each in found if each not in ("---", "policy", "scenario", "weighted", "id")]


def test_sections_without_runs_stay_as_they_are(tmp_path: Path, own_zoo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(tmp_path / "runs" / "one")
    page = write_results(Args(tmp_path / "runs", docs(tmp_path / "docs"), weeks=1)).read_text()
    assert list(zoo.entries(own_zoo)) == ["Travel-PersonaB"]
    kept = {name for name in results.SECTIONS if section(page, name) == OLD}
    assert kept == {"seeds", "mixed", "left out", "trade-offs"}
    assert set(re.findall("no run for '(.*)': left as it is", capsys.readouterr().err)) == kept


def test_the_page_of_the_documentation_tells_of_every_kind_of_run() -> None:
    page = PAGE.read_text()
    for name in results.SECTIONS:
        assert "| --- |" in section(page, name), name


def test_of_an_id_most_seeds_are_taken_and_then_the_longest(tmp_path: Path) -> None:
    made(tmp_path / "a", steps=500)
    for seed in (2, 1):
        made(tmp_path / f"b{seed}", seed=seed)
    made(tmp_path / "c", EDUCATION_A, steps=10)
    made(tmp_path / "d", EDUCATION_A, steps=20)
    found = sorted_out([trained.read(tmp_path / name) for name in ("a", "b2", "b1", "c", "d")])
    assert [(run.seed, run.steps) for run in found.by_id[TRAVEL_B]] == [(1, 100), (2, 100)]
    assert [run.steps for run in found.by_id[EDUCATION_A]] == [20]
    assert list(found.several) == [TRAVEL_B]


def test_runs_at_another_difficulty_are_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(tmp_path / "a")
    made(tmp_path / "b", difficulty="standard")
    made(tmp_path / "c", difficulty="hard")
    assert [run.folder.name for run in results.ended(tmp_path)] == ["a", "b"]
    assert "c: trained at difficulty 'hard'" in capsys.readouterr().err


def test_what_cannot_be_written_is_refused(tmp_path: Path, own_zoo: Path) -> None:
    with pytest.raises(RunError, match="--docs"):
        write_results(Args(tmp_path, tmp_path))
    with pytest.raises(RunError, match="no run in it has ended"):
        write_results(Args(tmp_path / "nowhere", docs(tmp_path / "docs")))
    with pytest.raises(RunError, match="<!-- begin: seeds --> and <!-- end: seeds --> must stand"):
        filled("# Title", {}, "page")
    assert not own_zoo.exists()


def test_the_page_has_its_marks() -> None:
    text = PAGE.read_text(encoding="utf-8")
    told = {name: section(text, name) for name in results.SECTIONS}
    assert all(told.values())
    assert filled(text, told, "page") == text
