"""The calls of an evaluation: each attempt a line of `calls.jsonl`, with question and answer and without secrets."""

import json
import os
import threading
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

from proactivity_gym.llm.blotting import texts_in
from proactivity_gym.llm.ledger import Spent
from proactivity_gym.llm.messages import CallRecord, ModelConfig
from proactivity_gym.reports.evaluation.files import Lines, encoded, read_lines

_SHORTEST_KEY = 6
_SHORTEST_EXTRA = 12
"""Characters of a text in `extra` that is taken for a secret: shorter ones are settings such as "low"."""
CACHED = "cached"


@dataclass(slots=True)
class Usage:
    """What one episode asked."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    attempts: int = 0
    """Of them those that went to a server, failed ones included."""


class CallLog:
    """Takes the records of clients, from any thread, and knows which episode asked."""

    def __init__(self, path: Path, secrets: Iterable[str]) -> None:
        """Open the file.

        Raises:
            OSError: it cannot be written.
        """
        self._lines = Lines(path)
        self._secrets = sorted(set(secrets), key=len, reverse=True)
        self._written = [json.dumps(secret)[1:-1].encode() for secret in self._secrets]
        """The same as they would stand in a line."""
        self._here = threading.local()

    @contextmanager
    def of(self, index: int) -> Generator[Usage]:
        """Take what this thread asks from now on for the episode with that place in the plan."""
        self._here.index, self._here.usage = index, Usage()
        try:
            yield self._here.usage
        finally:
            self._here.index = self._here.usage = None

    def note(self, record: CallRecord) -> None:
        """Write a record.

        Raises:
            OSError: it could not be written.
        """
        usage: Usage | None = getattr(self._here, "usage", None)
        if usage is not None:
            usage.attempts += record.outcome != CACHED
        if usage is not None and record.reply is not None:
            usage.calls += 1
            usage.prompt_tokens += record.reply.prompt_tokens
            usage.completion_tokens += record.reply.completion_tokens
        line = {"episode": getattr(self._here, "index", None), **_told(record)}
        written = encoded(line)
        if any(secret in written for secret in self._written):
            written = encoded(cast("dict[str, object]", self._blotted(line)))
        self._lines.put(written)

    def sync(self) -> None:
        """Return when all is on the disk."""
        self._lines.sync()

    def close(self) -> None:
        """Close the file."""
        self._lines.close()

    def _blotted(self, value: object) -> object:
        if isinstance(value, str):
            for secret in self._secrets:
                value = value.replace(secret, "<secret>")
            return value
        if isinstance(value, Mapping):
            return {self._blotted(name): self._blotted(item) for name, item in cast("Mapping[str, object]", value).items()}
        if isinstance(value, list | tuple):
            return [self._blotted(item) for item in cast("list[object]", value)]
        return value


def _told(record: CallRecord) -> dict[str, object]:
    reply = record.reply
    return {
        "model": record.model,
        "purpose": record.request.purpose,
        "key": record.key,
        "attempt": record.attempt,
        "outcome": record.outcome,
        "seconds": round(record.seconds, 3),
        "prompt_tokens": record.prompt_tokens,
        "completion_tokens": record.completion_tokens,
        "messages": record.request.messages,
        "reply": reply and {"text": reply.text, "tool_calls": [asdict(call) for call in reply.tool_calls]},
    }


def secrets_of(configs: Iterable[ModelConfig]) -> list[str]:
    """Return what must not be written: keys, values of headers, and long texts among extra fields."""
    found: list[str] = []
    for config in configs:
        variables = (config.api_key_env, *config.headers_env.values())
        found += [key for key in map(os.environ.get, variables) if key and len(key) >= _SHORTEST_KEY]
        found += [text for text in texts_in(config.extra) if len(text) >= _SHORTEST_EXTRA]
    return found


def spent_before(path: Path) -> Iterator[Spent]:
    """Yield the account of each attempt that a file holds."""
    for line in read_lines(path):
        if line is not None and line.get("outcome") != CACHED:
            prompt, completion = line.get("prompt_tokens"), line.get("completion_tokens")
            if isinstance(prompt, int) and isinstance(completion, int):
                failed = int(line.get("reply") is None)
                yield Spent(str(line.get("model")), str(line.get("purpose")), 1, failed, 0, prompt, completion)
