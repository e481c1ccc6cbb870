"""Bodies of OpenAI's chat completions, as a mock server sends them."""

import json
from collections.abc import Iterator, Mapping

from proactivity_gym.llm.scripted import Scripted

_CREATED = 1_700_000_000
"""A fixed time: the same script gives the same bytes."""
_PIECE = 16
"""Characters of one streamed piece."""


def models() -> bytes:
    """Return the list of models: one."""
    model = {"id": "mock", "object": "model", "created": _CREATED, "owned_by": "proactivity_gym"}
    return _encoded({"object": "list", "data": [model]})


def error(status: int, message: str, code: str, usage: tuple[int, int] | None = None) -> bytes:
    """Return the body of an error; some servers report what it cost."""
    body: dict[str, object] = {"error": {"message": message or f"scripted {status}", "type": "scripted", "code": code or None}}
    if usage is not None:
        body["usage"] = _usage(usage)
    return _encoded(body)


def completion(asked: Mapping[str, object], answer: Scripted, tokens: tuple[int, int]) -> bytes:
    """Return a whole reply."""
    filtered = answer.fault == "content_filter"
    message: dict[str, object] = {"role": "assistant", "content": None if filtered else answer.text}
    if answer.tool_calls:
        message["tool_calls"] = _tool_calls(answer)
    choice = {"index": 0, "message": message, "finish_reason": _finish(answer)}
    body = _head(asked, "chat.completion")
    body["choices"] = [] if answer.fault == "empty_choices" else [choice]
    if answer.usage:
        body["usage"] = _usage(tokens)
    return _encoded(body)


def chunks(asked: Mapping[str, object], answer: Scripted, tokens: tuple[int, int]) -> Iterator[bytes]:
    """Yield a reply piece by piece as server-sent events, its usage last if it was asked for."""
    if answer.fault != "empty_choices":
        yield _event(asked, {"role": "assistant", "content": ""})
        text = "" if answer.fault == "content_filter" else answer.text
        for start in range(0, len(text), _PIECE):
            yield _event(asked, {"content": text[start : start + _PIECE]})
        if answer.tool_calls:
            yield _event(asked, {"tool_calls": [{"index": number} | call for number, call in enumerate(_tool_calls(answer))]})
        yield _event(asked, {}, _finish(answer))
    if answer.usage and asked.get("stream_options") == {"include_usage": True}:
        last: dict[str, object] = {"choices": [], "usage": _usage(tokens)}
        yield _data(_head(asked, "chat.completion.chunk") | last)
    yield b"data: [DONE]\n\n"


def _event(asked: Mapping[str, object], delta: Mapping[str, object], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _data(_head(asked, "chat.completion.chunk") | {"choices": [choice]})


def _data(body: Mapping[str, object]) -> bytes:
    return b"data: " + _encoded(body) + b"\n\n"


def _head(asked: Mapping[str, object], kind: str) -> dict[str, object]:
    return {"id": "chatcmpl-mock", "object": kind, "created": _CREATED, "model": asked.get("model", "mock")}


def _finish(answer: Scripted) -> str:
    if answer.fault == "content_filter":
        return "content_filter"
    return answer.finish_reason or ("tool_calls" if answer.tool_calls else "stop")


def _tool_calls(answer: Scripted) -> list[dict[str, object]]:
    return [
        {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in enumerate(answer.tool_calls)
    ]


def _usage(tokens: tuple[int, int]) -> dict[str, int]:
    return {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}


def _encoded(body: Mapping[str, object]) -> bytes:
    return json.dumps(body).encode("ascii")
