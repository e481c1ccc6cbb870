"""The documentation keeps up with what it describes."""

import re
import runpy
from pathlib import Path
from types import SimpleNamespace

from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.apps import BY_NAME
from proactivity_gym.sim.parsing import parse
from proactivity_gym.sim.references import problems
from proactivity_gym.sim.words import ActionClass
from proactivity_gym.sim.world import TOOLS

DOCS = Path(__file__).resolve().parent.parent / "docs"
GUIDE = (DOCS / "authoring.md").read_text(encoding="utf-8")


def test_the_guide_builds_a_scenario() -> None:
    pieces = re.findall(r"^```toml\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
    scenario = parse("\n".join(pieces), "docs/authoring.md")
    assert scenario.name == "Allotment"
    assert all(action.tool in TOOLS for task in scenario.tasks for action in task.actions)


def test_the_guides_scenario_has_no_problems() -> None:
    pieces = re.findall(r"^```toml\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
    assert problems(parse("\n".join(pieces), "docs/authoring.md")) == []


def test_a_new_scenario_is_the_guides() -> None:
    pieces = re.findall(r"^```toml\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
    assert catalogue.skeleton() == "\n".join(pieces)


def test_the_page_of_the_environment_is_what_the_code_says() -> None:
    generate = runpy.run_path(str(DOCS / "generate.py"))
    assert (DOCS / "environment.md").read_text(encoding="utf-8") == generate["environment"](), "run: make docs"


def test_the_guide_lists_the_tools_as_they_are() -> None:
    section = GUIDE.partition("### Tools")[2].partition("## Windows")[0]
    rows = re.findall(r"^\| (\w+) \| (`.*`) \|$", section, re.MULTILINE)
    listed = {name: (effect, tools) for effect, row in rows for name, tools in calls(row).items()}
    actual = {
        name: (tool.effect.name.lower(), ", ".join(tool.parameters))
        for name, tool in TOOLS.items()
        if tool.effect != ActionClass.READ
    }
    assert listed == actual


def calls(row: str) -> dict[str, str]:
    """Read `app.tool(parameters)` out of a row of the table."""
    found: list[tuple[str, str]] = re.findall(r"`([a-z]+\.[a-z_]+)\(([^)]*)\)`", row)
    return dict(found)


def test_the_guide_lists_the_fields_as_they_are() -> None:
    section = GUIDE.partition("| app | further `fields` |")[2].partition("\n\n")[0]
    rows: list[tuple[str, str]] = re.findall(r"^\| ([a-z]+) \| (.*) \|$", section, re.MULTILINE)
    listed = {name: sorted(re.findall(r"\w+", fields.partition(":")[0])) for name, fields in rows}
    assert listed == {name: sorted(app.fields) or ["none"] for name, app in BY_NAME.items()}


def test_the_menu_follows_from_the_catalogue() -> None:
    hook = runpy.run_path(str(DOCS / "navigation.py"))["on_config"]
    config = SimpleNamespace(nav=[{"Home": "index.md"}, {"Scenarios": "scenarios.md"}])
    pages = [{name: f"scenarios/{name.lower()}.md"} for name in catalogue.names()]
    assert hook(config).nav == [{"Home": "index.md"}, {"Scenarios": [{"All": "scenarios.md"}, *pages]}]


def test_a_scenario_has_two_pages_and_two_pictures(tmp_path: Path) -> None:
    generate = runpy.run_path(str(DOCS / "generate.py"))
    (tmp_path / "images").mkdir()
    generate["scenario"].__globals__.update(DOCS=tmp_path, TEST_WEEKS=1)
    pages = generate["scenario"]("Travel")
    assert list(pages) == ["scenarios/travel.md", "scenarios/travel-author.md"]
    assert sorted(path.name for path in (tmp_path / "images").iterdir()) == ["travel-author.svg", "travel.svg"]
    assert "| `oracle` | 1.00 | 100 | 100 | 100 |" in pages["scenarios/travel.md"]
    assert "| `noop` | 0.00 | 0 | 0 | 0 |" in pages["scenarios/travel.md"]
    for place, text in pages.items():
        assert f"(../images/{Path(place).stem}.svg)" in text
