"""What a server gets: written once for each question, and shown nowhere."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from proactivity_gym.llm.messages import ModelConfig, Request
from proactivity_gym.llm.replies import whole_text

_MAYBE_HALF = "\\ud"
"""In JSON of ASCII, how half characters begin, and whole ones that are written as two halves; looking for it takes no time."""


@dataclass(frozen=True, slots=True)
class Body:
    """The JSON of a request. Its representation does not show it: tracebacks show those, and `extra` may hold secrets."""

    content: bytes = field(repr=False)

    def digest(self) -> str:
        """Return its hash."""
        return hashlib.sha256(self.content).hexdigest()


def body_of(config: ModelConfig, request: Request) -> Body:
    """Return what a server gets: JSON whose texts can be encoded.

    Raises:
        TypeError, ValueError: something in it is no JSON.
    """
    body: dict[str, object] = {"model": config.model, "messages": request.messages} | config.shape()
    if request.schema is not None:
        named = {"name": request.purpose, "strict": True, "schema": request.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    if request.tools:
        body["tools"] = request.tools
    written = json.dumps(body, allow_nan=False, default=plain)
    if _MAYBE_HALF in written:
        written = whole_text(json.dumps(body, ensure_ascii=False, default=plain))
    return Body(written.encode())


def plain(value: object) -> object:
    """Return a mapping of another kind as one that can be written as JSON.

    Raises:
        TypeError: it is none.
    """
    if isinstance(value, Mapping):
        return dict(cast(Mapping[str, object], value))
    raise TypeError(f"{type(value).__name__} is no JSON: it cannot be part of a request")
