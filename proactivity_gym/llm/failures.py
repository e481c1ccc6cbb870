"""What a failed attempt was, and whether to try again: pure functions over status, headers and body."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import cast

from proactivity_gym.llm.errors import AuthError, ContextTooLong, LlmError, RequestError
from proactivity_gym.llm.ledger import Usage

_PASSING = frozenset({408, 409, 425, 429})
"""Statuses below 500 that another attempt may cure."""
_TOO_LONG = (
    "context_length",
    "context length",
    "context size",
    "context window",
    "exceed_context",
    "too many tokens",
    "prompt is too long",
)
_NO_QUOTA = ("insufficient_quota", "credit balance")
"""Not \"quota\" or \"billing\" alone: some servers say so of a limit per minute."""
_FILTERED = ("content_filter", "content policy", "content management policy", "responsible_ai")
UNKNOWN_USAGE = Usage(reported=False)


@dataclass(frozen=True)
class Failure:
    """An attempt that brought no reply.

    Attributes:
        kind: short name for logs: the status, or "timeout", "connection", "empty_choices", "content_filter", "no_completion".
        message: what happened, secrets blotted out.
        fatal: the error that another attempt cannot cure; None if one may.
        retry_after: seconds that the server asks to wait.
        usage: what it cost all the same.
    """

    kind: str
    message: str
    fatal: type[LlmError] | None = None
    retry_after: float | None = None
    usage: Usage = UNKNOWN_USAGE


def from_status(status: int, headers: Mapping[str, str], body: bytes, now: float) -> Failure:
    """Tell what an error status means. `now` is the time in seconds since 1970, for servers that send no `Date`."""
    found = json_object(body)
    said = _told(found, body)
    return Failure(
        kind="content_filter" if _names(said, _FILTERED) and status < 500 else str(status),
        message=f"status {status}: {said}",
        fatal=_fatal(status, said),
        retry_after=retry_after(headers, now),
        usage=usage_of(found) or UNKNOWN_USAGE,
    )


def _fatal(status: int, said: str) -> type[LlmError] | None:
    if status in {401, 402, 403} or (status == 429 and _names(said, _NO_QUOTA)):
        return AuthError
    if status >= 500 or status in _PASSING:
        return ContextTooLong if _names(said, _TOO_LONG) and status >= 500 else None
    if _names(said, _TOO_LONG):
        return ContextTooLong
    return None if _names(said, _FILTERED) else RequestError


def _names(said: str, phrases: tuple[str, ...]) -> bool:
    lowered = said.lower()
    return any(phrase in lowered for phrase in phrases)


def _told(found: Mapping[str, object], body: bytes) -> str:
    """Return what an error body says: its error object or else its text."""
    error = found.get("error", found)
    if isinstance(error, dict) and error:
        fields = cast(dict[str, object], error)
        told = [fields.get(name) for name in ("code", "type", "message")]
        return ", ".join(str(value) for value in told if value)
    return error if isinstance(error, str) else body.decode("utf-8", errors="replace")


def json_object(body: bytes) -> dict[str, object]:
    """Return a body's JSON object; an empty one if it holds none."""
    try:
        found: object = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return cast(dict[str, object], found) if isinstance(found, dict) else {}


def usage_of(found: Mapping[str, object]) -> Usage | None:
    """Return the tokens that a body reports; None if it does not."""
    usage = found.get("usage")
    if not isinstance(usage, dict):
        return None
    counts = cast(dict[str, object], usage)
    prompt, completion = counts.get("prompt_tokens"), counts.get("completion_tokens", 0)
    if not _is_count(prompt) or not _is_count(completion):
        return None
    return Usage(cast(int, prompt), cast(int, completion))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return how many seconds a server asks to wait; None if it does not say, or nothing that can be understood.

    Args:
        headers: of the response, names in lower case or looked up as such.
        now: seconds since 1970. A date is compared with the server's own `Date` where it sends one, as clocks differ.
    """
    milliseconds = _seconds(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = headers.get("retry-after")
    seconds = _seconds(asked)
    if seconds is not None or asked is None:
        return seconds
    until = _timestamp(asked)
    if until is None:
        return None
    since = _timestamp(headers.get("date"))
    return max(0.0, until - (now if since is None else since))


def _seconds(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _timestamp(text: str | None) -> float | None:
    try:
        moment = parsedate_to_datetime(text or "")
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
