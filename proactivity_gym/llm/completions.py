"""Reading a chat completion strictly: a body is a reply, or it says what is wrong with it."""

import json
from typing import cast

from proactivity_gym.llm.failures import UNKNOWN_USAGE, Failure, json_object, usage_of
from proactivity_gym.llm.ledger import Usage
from proactivity_gym.llm.messages import Reply, ToolCall
from proactivity_gym.llm.replies import whole_text

_BYTES_PER_TOKEN = 4
"""For servers that do not report usage; close to what English takes."""


def read_completion(body: bytes, sent: bytes) -> tuple[Reply, Usage] | Failure:
    """Return the reply in a response of status 200, with what it cost.

    Args:
        body: as it came.
        sent: the request's body, for an estimate of its tokens where the server does not report them.
    """
    found = json_object(body)
    usage = usage_of(found)
    choices = found.get("choices")
    if not isinstance(choices, list):
        return Failure("no_completion", "status 200, but the body is no chat completion", usage=usage or UNKNOWN_USAGE)
    choice = _object(cast(list[object], choices)[0]) if choices else {}
    if not choice:
        return Failure("empty_choices", "status 200, but no choices", usage=usage or UNKNOWN_USAGE)
    message = _object(choice.get("message"))
    finish = _text(choice.get("finish_reason"))
    if finish == "content_filter" or _text(message.get("refusal")):
        return Failure("content_filter", "the model or a filter declined to answer", usage=usage or UNKNOWN_USAGE)
    calls = _tool_calls(message.get("tool_calls"))
    text = _content(message.get("content"))
    counted = usage or _estimate(sent, text, calls)
    return Reply(text, calls, counted.prompt_tokens, counted.completion_tokens, finish), counted


def _object(value: object) -> dict[str, object]:
    return cast(dict[str, object], value) if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return whole_text(value) if isinstance(value, str) else ""


def _content(value: object) -> str:
    """Return the text of a message, which some servers send in parts."""
    if isinstance(value, list):
        return "".join(_text(_object(part).get("text")) for part in cast(list[object], value))
    return _text(value)


def _tool_calls(value: object) -> tuple[ToolCall, ...]:
    """Return the calls of functions that have a name; arguments that came as an object are written as JSON."""
    listed = cast(list[object], value) if isinstance(value, list) else []
    calls: list[ToolCall] = []
    for number, item in enumerate(map(_object, listed)):
        function = _object(item.get("function"))
        arguments = function.get("arguments", "")
        written = arguments if isinstance(arguments, str) else json.dumps(arguments)
        name = _text(function.get("name"))
        if name:
            calls.append(ToolCall(_text(item.get("id")) or f"call_{number}", name, whole_text(written)))
    return tuple(calls)


def _estimate(sent: bytes, text: str, calls: tuple[ToolCall, ...]) -> Usage:
    written = text + "".join(call.name + call.arguments for call in calls)
    asked = json.dumps(json_object(sent).get("messages"), ensure_ascii=False)
    return Usage(_tokens(asked), _tokens(written), reported=False)


def _tokens(text: str) -> int:
    return -(-len(text.encode("utf-8", errors="replace")) // _BYTES_PER_TOKEN)
