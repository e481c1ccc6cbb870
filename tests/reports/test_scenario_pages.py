import pytest

from proactivity_gym.reports import scenario_pages
from proactivity_gym.scenarios import catalogue
from tests.sim.edits import PARCEL_TASK, SETTLED, add, record
from tests.sim.tiny import Edit, tiny, week_of

SCORES = {"noop": {"J": 0.0, "TC": 0.0, "TA": None, "TR_D": 0.0}, "oracle": {"J": 1.0, "TC": 100.0, "TA": 100.0, "TR_D": 99.6}}
POOL = add(
    "resource",
    'id = "desk-hours"\ntitle = "The desk"\ncapacity = 3\nkind = "stock"\nresets = [2027-03-09T00:00:00]\n'
    'hours = [{ start = 09:00:00, end = 12:00:00, days = ["mon"] }]',
)


def page(*edits: Edit) -> list[str]:
    return scenario_pages.page(week_of(*edits), "../images/tiny.svg", SCORES, "two weeks").splitlines()


def author_page(*edits: Edit) -> str:
    return scenario_pages.author_page({"A": week_of(*edits)}, "../images/tiny-author.svg")


def test_a_page_tells_whose_week_it_is() -> None:
    lines = page(POOL)
    for line in (
        "# Tiny: Two days of errands",
        "**Ana Prates**, translator. Works from home and is hard to reach while she writes.",
        "ProactivityGym/Tiny-PersonaA-v0",
        "**A, Reviewer.** Wants to see things before they happen.",
        "![The week as a timeline](../images/tiny.svg)",
        "| needs that nobody states | 1 |",
        "1 decision windows. Scarce in them: hours.",
        "| **desk-hours**: The desk | stock of 3 | 09:00 to 12:00 mon | Tue 9 Mar, 00:00 |",
        "| `noop` | 0.00 | 0 | - | 0 |",
        "| `oracle` | 1.00 | 100 | 100 | 100 |",
        "Means over two weeks.",
    ):
        assert line in lines


def test_tools_are_those_of_the_apps() -> None:
    (files,) = [line for line in page() if line.startswith("| files |")]
    assert [cell.strip() for cell in files.split("|")[3:7]] == ["search, read", "note", "edit, share", ""]
    assert not any(line.startswith("| bank |") for line in page()), "which the scenario does not use"


@pytest.mark.parametrize("name", catalogue.names())
def test_a_page_holds_no_hidden_truth(name: str) -> None:
    week = catalogue.written_week(name, "B")
    text = scenario_pages.page(week, "x.svg", SCORES, "two weeks")
    scenario = week.plan.scenario
    assert [task.id for task in scenario.tasks if task.title in text or task.why in text] == []
    assert [window.id for window in scenario.windows if window.id in text or window.why in text] == []


@pytest.mark.parametrize("name", catalogue.names())
def test_the_authors_page_holds_every_task_and_window(name: str) -> None:
    weeks = {persona: catalogue.written_week(name, persona) for persona in "ABC"}
    text = scenario_pages.author_page(weeks, "x.svg")
    scenario = weeks["A"].plan.scenario
    assert all(f"`{entry.id}`" in text for entry in (*scenario.tasks, *scenario.windows))
    assert "This page spoils the week" in text
    assert "| task | value | A | B | C | deadline | why |" in text
    assert "@{" not in text


def test_the_authors_page_tells_what_is_expected_and_on_what_it_hangs() -> None:
    settled = author_page((PARCEL_TASK, SETTLED), record("at = 2027-03-08T15:00:00"))
    assert "Settled by `extra` in 20% of varied weeks." in settled
    (row,) = [line for line in author_page().splitlines() if "`form`" in line and line.startswith("| **")]
    assert "| SUGGEST | Mon 8 Mar, 10:40 |" in row
    only = (PARCEL_TASK, f'{PARCEL_TASK}requires = [{{ task = "form", outcome = ["expired"] }}]\n')
    assert "Only if `form` was expired." in author_page(only)


def test_the_page_of_all_links_each() -> None:
    text = scenario_pages.index([tiny()], [("tasks by kind", "all", "request 33% (1)")])
    assert "1 weeks, 1 ids, 3 tasks." in text
    assert "| [Tiny](scenarios/tiny.md) | **Two days of errands.** Ana Prates, translator | 2 | 3 | 1 |" in text
    assert "| tasks by kind | all | request 33% (1) |" in text


def test_nothing_in_a_text_breaks_a_table_or_makes_a_tag() -> None:
    lines = page(POOL, ('title = "The desk"', 'title = "A | B"'), ("Ana Prates", "Ana <b> Prates"))
    assert any(line.startswith("**Ana &lt;b> Prates**") for line in lines)
    assert any(line.startswith("| **desk-hours**: A \\| B | stock of 3 |") for line in lines)


def test_what_a_scenario_says_is_text_to_markdown() -> None:
    hostile = "[x](javascript:alert(1)){: onclick=alert(1) } <script> ` \\u001b[2J \\u202eb"
    edits = [
        ("Two days of errands", hostile),
        ("translator", hostile),
        (f'title = "{tiny().tasks[0].title}"', f'title = "{hostile}"'),
    ]
    for text in ("\n".join(page(*edits)), author_page(edits[2]), scenario_pages.index([tiny(*edits)], [])):
        assert "&#91;x&#93;(javascript:alert(1))&#123;: onclick=alert(1) &#125; &lt;script> &#96; &lt;U+001B>" in text
        assert text.replace("\n", "").isprintable()
