"""What a client sends, and what it makes of answers."""

import json
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import MappingProxyType

import pytest

from proactivity_gym.llm.client import CallRecord, Client, ModelConfig, Request, ToolCall
from proactivity_gym.llm.completions import read_completion
from proactivity_gym.llm.failures import Failure
from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.llm.scripted import Scripted
from tests.llm.asking import GOOD, QUESTION, config_of, in_turn, question

SCHEMA: dict[str, object] = {"type": "object", "additionalProperties": False}
TOOL = {"type": "function", "function": {"name": "mail__send", "parameters": {"type": "object"}}}


def sent(config: ModelConfig, request: Request) -> dict[str, object]:
    """Return what a server gets."""
    with MockServer(in_turn(GOOD)) as server, Client(replace(config, base_url=server.url)) as client:
        client.complete(request)
        return dict(server.calls[0].asked)


def test_a_plain_question() -> None:
    body = sent(ModelConfig("m"), QUESTION)
    assert body == {"model": "m", "messages": [{"role": "user", "content": "What now?"}]}


def test_all_there_is() -> None:
    config = ModelConfig("m", temperature=0.5, seed=3, max_tokens=50, extra={"top_p": 0.5})
    request = replace(QUESTION, schema=MappingProxyType(SCHEMA), tools=(TOOL,), key={"repetition": 2})
    body = sent(config, request)
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "policy", "strict": True, "schema": SCHEMA},
    }
    assert body["tools"] == [TOOL]
    assert (body["temperature"], body["seed"], body["max_tokens"], body["top_p"]) == (0.5, 3, 50, 0.5)
    assert not {"key", "repetition", "stream"} & set(body)


def test_reasoning_models_take_another_limit() -> None:
    body = sent(ModelConfig("m", reasoning_effort="low", max_tokens=50), QUESTION)
    assert (body["reasoning_effort"], body["max_completion_tokens"]) == ("low", 50)
    assert not {"max_tokens", "temperature"} & set(body)


def test_hostile_characters_go_there_and_come_back() -> None:
    text = "half \ud835, NUL \x00, \u2028, ESC \x1b, bidi \u202e"
    with MockServer(lambda _: Scripted(text)) as server, Client(config_of(server.url)) as client:
        reply = client.complete(Request("policy", ({"role": "user", "content": text, "list": (text, 1)},)))
        (call,) = server.calls
    mended = text.replace("\ud835", "\ufffd")
    assert reply.text == mended
    assert call.asked["messages"] == [{"role": "user", "content": mended, "list": [mended, 1]}]


def test_tool_calls_come_as_they_were_written() -> None:
    answer = Scripted(tool_calls=(("mail__send", '{"to": '), ("read", "{}")))
    with MockServer(in_turn(answer)) as server, Client(config_of(server.url)) as client:
        reply = client.complete(QUESTION)
    assert reply.tool_calls == (ToolCall("call_0", "mail__send", '{"to": '), ToolCall("call_1", "read", "{}"))
    assert (reply.text, reply.finish_reason) == ("", "tool_calls")


def test_a_reply_that_ran_into_its_limit_is_a_reply() -> None:
    with MockServer(in_turn(Scripted('{"a', finish_reason="length"))) as server, Client(config_of(server.url)) as client:
        reply = client.complete(QUESTION)
    assert (reply.text, reply.finish_reason) == ('{"a', "length")


def test_threads_get_their_own_answers() -> None:
    records: list[CallRecord] = []

    def echo(asked: Mapping[str, object]) -> Scripted:
        return Scripted(json.dumps(asked["messages"]), delay_s=0.002)

    questions = [question(number) for number in range(200)]
    with MockServer(echo) as server, ThreadPoolExecutor(16) as pool:
        client = Client(config_of(server.url), log=records.append)
        replies = list(pool.map(client.complete, questions))
        client.close()
    for asked, reply in zip(questions, replies, strict=True):
        assert json.loads(reply.text) == list(asked.messages)
    assert len(records) == 200
    assert {record.outcome for record in records} == {"ok"}


def body_of(message: object, **others: object) -> bytes:
    """Return a completion with one choice."""
    return json.dumps({"choices": [{"message": message, "finish_reason": "stop"} | others]}).encode()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "no_completion"),
        (b"null", "no_completion"),
        (b"[]", "no_completion"),
        (b"\xff", "no_completion"),
        (b"[" * 100_000, "no_completion"),
        (b'{"choices": null}', "no_completion"),
        (b'{"choices": {}}', "no_completion"),
        (b'{"choices": []}', "empty_choices"),
        (b'{"choices": [null]}', "empty_choices"),
        (b'{"choices": [1]}', "empty_choices"),
        (body_of({"refusal": "I will not"}), "content_filter"),
        (body_of({"content": "half"}, finish_reason="content_filter"), "content_filter"),
    ],
)
def test_bodies_that_are_no_reply(body: bytes, kind: str) -> None:
    failure = read_completion(body, b"{}")
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.fatal) == (kind, None)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (None, ""),
        ([], ""),
        ({}, ""),
        ({"content": None}, ""),
        ({"content": 5}, ""),
        ({"content": "x", "refusal": None, "tool_calls": None}, "x"),
        ({"content": [{"type": "text", "text": "a"}, {"type": "image"}, None, {"text": "b"}]}, "ab"),
    ],
)
def test_messages_of_odd_servers(message: object, text: str) -> None:
    found = read_completion(body_of(message), b"{}")
    assert not isinstance(found, Failure)
    assert found[0].text == text


def test_tool_calls_of_odd_servers() -> None:
    calls: list[object] = [
        {"function": {"name": "a", "arguments": {"x": 1}}},
        {"id": 5, "function": {"name": "b", "arguments": None}},
        {"function": {"name": ""}},
        {"function": None},
        "c",
        {"id": "last", "function": {"name": "d"}},
    ]
    found = read_completion(body_of({"tool_calls": calls}), b"{}")
    assert not isinstance(found, Failure)
    assert found[0].tool_calls == (
        ToolCall("call_0", "a", '{"x": 1}'),
        ToolCall("call_1", "b", "null"),
        ToolCall("last", "d", ""),
    )


def test_the_package_and_its_records_do_not_load_openai() -> None:
    code = (
        "import sys, proactivity_gym, proactivity_gym.llm.messages, proactivity_gym.llm.replies; print('openai' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_connections_close_when_a_client_is_forgotten() -> None:
    with MockServer(in_turn(GOOD)) as server:
        Client(config_of(server.url)).complete(QUESTION)  # an open socket would warn, and a warning is an error
        client = Client(config_of(server.url))
        client.close()
        client.close()


def test_the_network_beyond_this_machine_is_refused() -> None:
    with pytest.raises(AssertionError, match=r"tried to reach example\.org"):
        Client(ModelConfig("m", base_url="http://example.org/v1")).complete(QUESTION)
    with pytest.raises(AssertionError, match=r"tried to reach 192\.0\.2\.1"):
        Client(ModelConfig("m", base_url="http://192.0.2.1/v1")).complete(QUESTION)
