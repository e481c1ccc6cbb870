import pytest

from proactivity_gym.sim.tools import ToolError
from tests.sim.apps.sample import sample


def test_a_note_is_private() -> None:
    world = sample()
    world.call("files.note", {"title": "Plan", "body": "First"})
    entry = world.get("files-1")
    assert (entry.title, entry.text, entry.status, entry.fields) == ("Plan", "First", "info", {"private": True})


def test_edit_replaces_the_text() -> None:
    world = sample()
    world.call("files.edit", {"id": "settings", "body": "rate = 0.2"})
    assert world.get("settings").text == "rate = 0.2"


def test_a_text_may_become_empty() -> None:
    world = sample()
    assert world.call("files.edit", {"id": "settings", "body": ""})["changed"] is True
    assert world.get("settings").text == ""


def test_share_adds_people() -> None:
    world = sample()
    world.call("files.share", {"id": "settings", "people": ["Rui", "Ana"]})
    world.call("files.share", {"id": "settings", "people": ["Ana", "Eve"]})
    assert world.get("settings").fields["shared"] == ["Ana", "Eve", "Rui"]
    assert world.call("files.share", {"id": "settings", "people": ["Rui", "Eve"]})["changed"] is False


@pytest.mark.parametrize(("tool", "more"), [("edit", {"body": ""}), ("share", {"people": ["Ana"]})])
def test_only_files_are_changed(tool: str, more: dict[str, object]) -> None:
    with pytest.raises(ToolError, match="id: there is no record 'letter' in files"):
        sample().call(f"files.{tool}", {"id": "letter", **more})
