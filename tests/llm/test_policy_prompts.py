import re
from pathlib import Path
from typing import Any

import pytest

from proactivity_gym.baselines.llm_dialogue import LEFT_OFF, Dialogue, prompt_tokens, tokens
from proactivity_gym.baselines.llm_memory import INFERRED, MOST_NOTES, STATED, Memory
from proactivity_gym.baselines.llm_prompt import PromptStyle, policy_opening
from proactivity_gym.baselines.llm_schema import reading_words
from proactivity_gym.baselines.llm_view import View
from proactivity_gym.llm.client import Client, ModelConfig
from proactivity_gym.llm.errors import TemplateError
from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.llm.scripted import Scripted
from tests.llm.table import MARKED, TEXT, nothing, reply, saying, table


@pytest.fixture
def server() -> Any:  # noqa: ANN401 (a fixture that yields)
    with MockServer(lambda _: Scripted("")) as running:
        yield running


def test_what_the_user_said_stands_apart_from_what_is_inferred(server: MockServer) -> None:
    stated = ["no calls before nine", "Fine, do that.", "ask me FIRST", "do it all", "go", 'approved: "all"']
    sitting = table(server, reply(notes={"stated": stated, "inferred": ["the move is settled", "", 3]}))
    sitting.act()
    memory = sitting.policy.memory
    assert memory is not None
    assert memory.stated == ["no calls before nine", "Fine, do that.", "ask me FIRST"]
    assert memory.inferred == ["do it all", "go", 'approved: "all"', "the move is settled"]
    sitting.act()
    prompt = sitting.asked[1][1]["content"]
    assert prompt.index(STATED) < prompt.index("no calls before nine", prompt.index(STATED)) < prompt.index(INFERRED)
    assert prompt.index(INFERRED) < prompt.index('- "do it all"')


def test_memory_forgets_with_the_episode_and_can_be_left_out(server: MockServer) -> None:
    sitting = table(server, reply(notes={"stated": [], "inferred": ["x"]}))
    sitting.act()
    sitting.policy.reset({}, {}, 0, nothing)
    assert sitting.policy.memory == Memory()
    without = table(server, reply(notes={"stated": [], "inferred": ["x"]}), memory=False)
    without.act()
    assert without.policy.memory is None


def test_memory_is_bounded() -> None:
    memory = Memory()
    memory.take([], [f"{number} {'x' * 500}" for number in range(50)], "")
    assert len(memory.inferred) == MOST_NOTES
    assert max(map(len, memory.inferred)) == 200
    assert memory.inferred[-1].startswith("49 ")


def test_records_go_first_then_events_prior_interactions_and_texts() -> None:
    """The oldest first, and of texts those alone that are longer than what is said in their place, the longest first."""
    long, longer = "long " * 30, "longer " * 60
    text = TEXT.replace(MARKED, f"{MARKED}\n{long}").replace("none\nSLOT 3", f"none\n<<<1\n{longer}\n>>>1\nSLOT 3")
    assert View(text).text() == text.rstrip("\n")
    order = ["rec-old", "rec-new", "x the user said", "on mail", "older", "newer", longer, long]
    kept = ("Ask me first", "SLOT 1", "record mail-a", "SLOT 3", "before nine", "YOUR JOBS", "2 approved")
    gone: list[str] = []
    for room in range(0, len(text), 10):
        view = View(text)
        view.shorten(room)
        if gone == order and not all(word in view.text() for word in kept):
            break
        gone += [word for word in order if word not in view.text() and word not in gone]
        assert all(word in view.text() for word in kept)
        left = re.findall(r"^\(text left off", view.text(), re.MULTILINE)
        assert len(left) == (long not in view.text()) + (longer not in view.text())
    assert gone == order
    view = View(TEXT)
    view.shorten(60)
    assert "(8 more left off for want of room)" in view.text()


def test_no_situation_is_too_long_for_the_limit() -> None:
    """Whatever a scenario holds; the time and the signals stay, and what the user said goes last."""
    links = "\n".join(
        f'    - rec-{number}, files, "{"long title " * 9}", before the week, info (read)' for number in range(300)
    )
    said = "\n".join(f'- any: at most SUGGEST; said before the week: "{"Ask me. " * 30}{number}"' for number in range(20))
    text = TEXT.replace("stated deadline: none", f"stated deadline: none\n{links}").replace(
        "YOUR JOBS\n", f"YOUR JOBS\n{links}\n"
    )
    text = text.replace("DELEGATION\n", f"DELEGATION\n{said}\n", 1)
    style = PromptStyle()
    system, shown = policy_opening(text, None, style)
    assert tokens(system) + tokens(shown) < style.limit
    assert all(words in shown for words in ("NOW Mon 2027-03-08", "SLOT 1: ", "SLOT 3: ", f"{said}\n"))
    system, shown = policy_opening(text.replace("Ask me. ", "Please ask me about it first. "), None, style)
    assert tokens(system) + tokens(shown) < style.limit
    assert all(words in shown for words in ("NOW Mon 2027-03-08", "SLOT 1: ", "SLOT 3: ", "at most SUGGEST"))


def test_a_view_heeds_the_marks_of_what_others_wrote() -> None:
    view = View(TEXT)
    assert view.text() == TEXT.rstrip("\n")
    assert dict(view.slots) == {1: "mail-a", 3: "msg-b"}
    assert "do it all" not in view.said()


def test_a_prompt_is_cut_to_its_limit_and_the_oldest_notes_go_last() -> None:
    memory = Memory()
    memory.take([], [f"note {number} {'x' * 180}" for number in range(10)], "")
    whole = sum(map(tokens, policy_opening(TEXT, memory)))
    system, turn = policy_opening(TEXT, memory, PromptStyle(limit=whole - 300))
    assert tokens(system) + tokens(turn) <= whole - 300
    assert "rec-new" not in turn
    assert "note 0" not in turn
    assert "note 9" in turn


def test_results_are_left_off_oldest_first_when_the_conversation_is_full(server: MockServer) -> None:
    server.script = saying("{}")
    dialogue = Dialogue(Client(ModelConfig("mock", base_url=server.url)), "policy", ("s", "u"), 800, {})
    for number in range(4):
        dialogue.ask(None, ())
        dialogue.answer([("mail.read", f"result {number} {'x' * 900}")])
    dialogue.ask(None, ())
    contents = [str(message["content"]) for message in dialogue.messages if message["role"] == "user"]
    assert contents[:3] == ["u", LEFT_OFF, LEFT_OFF]
    assert "result 3" in contents[-1]
    assert sum(tokens(str(message)) for message in dialogue.messages) <= 900


def test_the_context_bounds_the_conversation(server: MockServer) -> None:
    client = Client(ModelConfig("mock", base_url=server.url, max_tokens=500, context_tokens=4000))
    assert prompt_tokens(client, None) == 3500
    assert prompt_tokens(client, 600) == 300


def test_a_users_own_system_prompt_takes_the_place_of_ours(server: MockServer, tmp_path: Path) -> None:
    own = tmp_path / "own.md"
    own.write_text("Be brief. {{reply}}", encoding="utf-8")
    sitting = table(server, reply(), system_template=own)
    sitting.act()
    assert sitting.asked[0][0]["content"].startswith("Be brief. Send one JSON object")
    own.write_text("{{secret}}", encoding="utf-8")
    with pytest.raises(TemplateError, match="secret"):
        sitting.act()


def test_texts_with_braces_appear_as_they_are(server: MockServer) -> None:
    strange = "{} {x} {{ }} {{notes}} %s $x {% if %}"
    sitting = table(server, reply())
    sitting.act(TEXT.replace("No calls before nine, please.", strange))
    assert strange in sitting.asked[0][1]["content"]


def test_the_apps_that_a_tool_has_are_told_once() -> None:
    words = reading_words()
    assert words.count("APP is one of") == 1
    assert re.findall(r"^- APP\.(\w+)", words, re.MULTILINE) == ["search", "read"]
