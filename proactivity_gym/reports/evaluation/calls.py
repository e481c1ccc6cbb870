"""The calls of an evaluation: each attempt a line of `calls.jsonl`, with question and answer. Secrets never get this far."""

import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from proactivity_gym.llm.ledger import Spent
from proactivity_gym.llm.messages import CallRecord
from proactivity_gym.reports.evaluation.files import Lines, read_lines

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

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            OSError: it cannot be written.
        """
        self._lines = Lines(path)
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
        self._lines.add(line)

    def sync(self) -> None:
        """Return when all is on the disk."""
        self._lines.sync()

    def close(self) -> None:
        """Close the file."""
        self._lines.close()


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


def spent_before(path: Path) -> Iterator[Spent]:
    """Yield the account of each attempt that a file holds."""
    for line in read_lines(path):
        if line is not None and line.get("outcome") != CACHED:
            prompt, completion = line.get("prompt_tokens"), line.get("completion_tokens")
            if isinstance(prompt, int) and isinstance(completion, int) and min(prompt, completion) >= 0:
                failed = int(line.get("reply") is None)
                yield Spent(str(line.get("model")), str(line.get("purpose")), 1, failed, 0, prompt, completion)
