"""Hostile replies (D9): each is read as the table says, soon, in time linear in its length, and never ends a run."""

import sys
import time
from collections.abc import Mapping

import pytest

from proactivity_gym.llm.client import Client, Request
from proactivity_gym.llm.errors import Unreadable
from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.llm.replies import LONGEST, parse_json, whole_text
from proactivity_gym.llm.scripted import Scripted
from tests.llm import hostile
from tests.llm.asking import config_of

CASES = hostile.cases()
SLOWEST_S = 0.1


def read(text: str) -> object:
    """Return the value, or the message of the refusal as a `Reason`."""
    try:
        return parse_json(text)
    except Unreadable as error:
        return hostile.Reason(error)


def agrees(found: object, expected: object) -> bool:
    """Tell whether a text was read as the table says."""
    if isinstance(expected, hostile.Reason):
        return isinstance(found, hostile.Reason) and expected in found
    return not isinstance(found, hostile.Reason) and found == expected


def seconds(text: str) -> float:
    """Return the best of three readings: time of this thread alone, without what measuring coverage takes."""
    tracing, best = sys.gettrace(), float("inf")
    sys.settrace(None)
    try:
        for _ in range(3):
            started = time.thread_time()
            read(text)
            best = min(best, time.thread_time() - started)
    finally:
        sys.settrace(tracing)
    return best


def test_there_are_enough() -> None:
    assert len({text for text, _ in CASES}) >= 300


@pytest.mark.parametrize("number", range(len(CASES)))
def test_each_is_read_as_the_table_says(number: int) -> None:
    text, expected = CASES[number]
    found = read(text)
    assert agrees(found, expected), f"{text[:80]!r} was read as {str(found)[:120]!r}, not as {str(expected)[:120]!r}"


def test_none_takes_long() -> None:
    slow = {text[:40]: took for text, _ in CASES if (took := seconds(text)) > SLOWEST_S}
    assert not slow


def test_reasons_are_short_and_can_be_sent() -> None:
    for text, expected in CASES:
        if isinstance(expected, hostile.Reason):
            reason = str(read(text))
            assert len(reason) < 250
            assert reason.encode("utf-8").decode("utf-8") == reason


UNITS = ["{", "[", "}", "{}", '{"a":', '{"', "[[],", '"', "\\", "{x", "\n{", "{ ", "<think>", "```json\n", "[1,", "\ud800", "x"]


@pytest.mark.parametrize("unit", UNITS)
def test_time_is_linear_in_the_length(unit: str) -> None:
    short, long = (unit * (size // len(unit)) for size in (LONGEST // 10, LONGEST))
    assert seconds(long) <= 40 * seconds(short) + 0.01, "ten times the length, with room for a busy machine"


def test_depth_does_not_hang_on_the_callers_stack() -> None:
    def deeper(levels: int) -> object:
        return deeper(levels - 1) if levels else read("[" * 64 + "]" * 64)

    assert isinstance(deeper(700), list)


def test_half_characters_in_plain_text() -> None:
    assert whole_text("a\ud835b\U0001d504") == "a\ufffdb\U0001d504"


def test_hostile_replies_come_through_a_server_unharmed() -> None:
    texts = [text for text, _ in CASES if len(text) < 5_000]

    def answer(asked: Mapping[str, object]) -> Scripted:
        return Scripted(texts[int(str(asked["messages"]).rpartition("number ")[2].rstrip("'}]"))])

    with MockServer(answer) as server, Client(config_of(server.url)) as client:
        for number, text in enumerate(texts):
            shown = ({"role": "user", "content": text}, {"role": "user", "content": f"number {number}"})
            reply = client.complete(Request("policy", shown))
            assert reply.text == whole_text(text)
            reply.text.encode("utf-8")
