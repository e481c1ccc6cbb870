"""Replies on disk: the same question, asked in the same repetition, is not paid for twice.

One JSON file per reply, under the hash of all that shaped it. The file holds the reply alone: no question, no configuration.
"""

import hashlib
import json
import logging
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

from proactivity_gym.llm.bodies import Body, plain
from proactivity_gym.llm.messages import Reply, Request, ToolCall

_LOG = logging.getLogger("proactivity_gym.llm")
_FORMAT = 1


def cache_key(base_url: str, body: Body, request: Request) -> str:
    """Return the hash of everything that shapes a reply: server, request as sent, and what parts it from equal ones.

    Keys and headers do not.

    Raises:
        TypeError: something in it is no JSON.
        ValueError: a number in it is not finite.
    """
    return _digest({"base_url": base_url, "body": body.digest(), "purpose": request.purpose, "key": request.key})


@dataclass
class Cache:
    """Replies in a folder, which is made when the first one comes. Threads and processes may share it.

    Attributes:
        folder: where.
        damaged: entries that could not be read so far; they count as absent, are logged, and are written anew.
    """

    folder: Path
    damaged: int = 0

    def get(self, key: str) -> Reply | None:
        """Return the reply under a key, marked as cached; None if there is none that is whole."""
        path = self._path(key)
        try:
            return _reply(path.read_bytes(), key)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            self.damaged += 1
            _LOG.warning("cache entry %s is damaged (%s) and counts as absent", path, type(error).__name__)
            return None

    def put(self, key: str, reply: Reply) -> None:
        """Write a reply: whole or not at all, and what stood there before stays until it is whole.

        Raises:
            OSError: it could not be written.
        """
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        content = asdict(reply) | {"cached": False}
        entry = {"format": _FORMAT, "key": key, "sum": _digest(content), "reply": content}
        _replace(path, json.dumps(entry, allow_nan=False).encode("ascii"))

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def _digest(value: object) -> str:
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False, default=plain)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def _replace(path: Path, content: bytes) -> None:
    """Write a file beside, make it last, then let it take the place."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _reply(content: bytes, key: str) -> Reply:
    """Read an entry.

    Raises:
        ValueError, KeyError, TypeError, RecursionError: it is damaged.
    """
    entry: dict[str, object] = json.loads(content)
    reply = cast(dict[str, object], entry["reply"])
    if entry["format"] != _FORMAT or entry["key"] != key or entry["sum"] != _digest(reply):
        raise ValueError("another format, another key, or changed bytes")
    calls = cast(list[dict[str, str]], reply["tool_calls"])
    return Reply(
        text=cast(str, reply["text"]),
        tool_calls=tuple(ToolCall(**call) for call in calls),
        prompt_tokens=cast(int, reply["prompt_tokens"]),
        completion_tokens=cast(int, reply["completion_tokens"]),
        finish_reason=cast(str, reply["finish_reason"]),
        cached=True,
    )
