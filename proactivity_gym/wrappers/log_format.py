"""The form of an episode's log, and its reader.

One JSON value a line, in strict JSON and ASCII: the header (an object), then a list for each read and each step as they
came, then a final object. A step is target, depth, timing (null for what was no action), how many entries the trace
grew by since the step before, and the first four digits of their digest; then, where they are not zero and null, the
reward as the wrapper saw it, and the error. A read is the word "read", the tool and its arguments. The trace itself is
left out: a replay writes it anew, and the digests tell whether it is the same one.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any, cast

from proactivity_gym.sim.difficulty import DEFAULT, LEVELS
from proactivity_gym.sim.scoring import Terms, Weights
from proactivity_gym.sim.trace import Entry
from proactivity_gym.sim.words import MAX_SIGNALS, Depth, Timing

SCHEMA = 1
COLUMNS = ("target", "depth", "timing", "entries", "digest", "reward", "error")
DIGITS = 4
COMPLETED, TRUNCATED, CUT_OFF, INTERRUPTED = "completed", "truncated", "cut off", "interrupted"
"""The week came to its end; a wrapper ended it; it was given up by close() or reset(); the file just stops."""

Action = tuple[int, int, int]


class LogError(ValueError):
    """A log that cannot be used; the message names file, line and remedy."""


@dataclass(frozen=True, slots=True)
class Header:
    """What was played: all that a replay needs beside actions and reads."""

    package: str
    """Version of proactivity_gym that wrote it."""
    id: str
    """Id of the environment."""
    source: str
    """Name of the scenario, or path of its file."""
    sha256: str
    """Of the scenario's file."""
    scenario_version: int
    persona: str
    variation: str
    week: int
    user: str
    worker: str
    weights: list[float]
    seed: int | None
    """As given to reset()."""
    options: dict[str, Any]
    """Likewise; only what JSON carries."""
    draws: int
    """Seed of what a stochastic user and a worker drew; 0 where nothing drew."""
    difficulty: str = DEFAULT
    """Older logs do not say it: they are `standard`."""


@dataclass(frozen=True, slots=True)
class Read:
    """One call of a `read` tool."""

    line: int
    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One step."""

    line: int
    action: Action | None
    entries: int
    digest: str
    reward: float | None
    error: str | None


@dataclass(frozen=True, slots=True)
class Final:
    """The last line."""

    status: str
    steps: int
    trace: str
    """Digest of the whole trace."""
    terms: Terms


@dataclass(frozen=True, slots=True)
class Log:
    """A log as read from its file."""

    header: Header
    events: tuple[Step | Read, ...]
    final: Final | None
    note: str
    """What is missing, in words; empty when nothing is."""

    @property
    def complete(self) -> bool:
        """Whether the file has its last line."""
        return self.final is not None

    @property
    def status(self) -> str:
        """How the episode ended."""
        return self.final.status if self.final else INTERRUPTED

    @property
    def steps(self) -> list[Step]:
        """The steps alone."""
        return [event for event in self.events if isinstance(event, Step)]


# Writing

_JSON = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def line(value: object) -> bytes:
    """Return a value as one line: strict JSON, ASCII alone, whatever texts are in it."""
    return _JSON.encode(value).encode("ascii") + b"\n"


def digest(entries: list[Entry]) -> str:
    """Return the SHA-256 of entries of a trace, written as one line."""
    return sha256(line(entries)).hexdigest()


def number(value: float | None) -> float | None:
    """Return a number that JSON can carry: None for one that is not finite."""
    return value if value is not None and isfinite(value) else None


def header_line(header: Header) -> bytes:
    """Return the first line."""
    return line({"schema": SCHEMA, **asdict(header), "columns": COLUMNS})


def read_line(tool: str, arguments: Mapping[str, object]) -> bytes:
    """Return the line of a call of a `read` tool."""
    return line(["read", tool, dict(arguments)])


def step_line(action: Action | None, entries: list[Entry], reward: float | None, error: str | None) -> bytes:
    """Return the line of a step."""
    row = [*(action or (None, None, None)), len(entries), digest(entries)[:DIGITS]]
    return line(row + ([reward, error] if error is not None else [reward] if reward != 0 else []))


def final_line(final: Final) -> bytes:
    """Return the last line."""
    terms = {name: number(value) for name, value in final.terms.items()}
    return line({"end": final.status, "steps": final.steps, "trace": final.trace, "terms": terms})


# Reading


def load(path: str | Path) -> Log:
    """Read a log. A last line that was cut off is dropped, and `Log.note` says so.

    Raises:
        LogError: it is no log, its schema is unknown, or a line is damaged; the message names file, line and remedy.
        OSError: the file cannot be read.
    """
    path = Path(path)
    rows, note = _rows(path)
    if not rows:
        raise LogError(f"{path}, line 1: there is no whole header. The run stopped before its first step: delete it.")
    header = _header(path, rows[0])
    events: list[Step | Read] = []
    final: Final | None = None
    for at, row in enumerate(rows[1:], 2):
        if final is not None:
            raise _bad(path, at, "it comes after the last line of the episode")
        event = _event(at, row)
        if event is None:
            raise _bad(path, at, "it is no step, read or end of an episode")
        if isinstance(event, Final):
            final = event
        else:
            events.append(event)
    steps = sum(isinstance(event, Step) for event in events)
    if final is not None and final.steps != steps:
        raise _bad(path, len(rows), f"it counts {final.steps} steps, but there are {steps}")
    return Log(header, tuple(events), final, note or ("" if final else "the file stops before the end of the episode"))


def _bad(path: Path, at: int, what: str) -> LogError:
    return LogError(f"{path}, line {at}: {what}. Take the file from a backup, or delete the lines from here on.")


def _rows(path: Path) -> tuple[list[object], str]:
    """Return the values of the lines, and a note about a last one that was dropped."""
    *whole, rest = path.read_bytes().split(b"\n")
    rows: list[object] = []
    for at, text in enumerate(whole, 1):
        try:
            rows.append(_value(text))
        except (ValueError, RecursionError) as error:
            raise _bad(path, at, f"it is not strict JSON ({error})") from error
    if not rest:
        return rows, ""
    try:
        return [*rows, _value(rest)], ""
    except (ValueError, RecursionError):
        return rows, f"line {len(rows) + 1} was cut off and dropped"


def _value(text: bytes) -> object:
    return json.loads(text.decode("utf-8"), parse_constant=_refused)


def _refused(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_NUMBER = (int, float)
_SHORTEST = len(COLUMNS) - 2
_SIZES = (MAX_SIGNALS + 1, len(Depth), len(Timing))
_HEADER: dict[str, tuple[type, ...]] = {
    "scenario_version": (int,), "week": (int,), "weights": (list,), "seed": (int, type(None)), "options": (dict,),
    "draws": (int,),
}  # fmt: skip


def _header(path: Path, row: object) -> Header:
    data: dict[str, Any] = {"difficulty": DEFAULT, **cast("dict[str, Any]", row)} if isinstance(row, dict) else {}
    if "schema" not in data:
        raise LogError(f"{path}, line 1: this is no header. Give a file that EpisodeLog wrote.")
    if data["schema"] != SCHEMA:
        wrote = f"proactivity_gym {data.get('package', 'of another version')}"
        raise LogError(f"{path}, line 1: schema {data['schema']!r} is unknown (known: {SCHEMA}). Read it with {wrote}.")
    for name in (field.name for field in fields(Header)):
        value = data.get(name)
        if name not in data or isinstance(value, bool) or not isinstance(value, _HEADER.get(name, (str,))):
            raise _bad(path, 1, f"{name} is missing, or of the wrong kind")
    try:
        Weights(*data["weights"])
    except (TypeError, ValueError) as error:
        raise _bad(path, 1, "weights are three positive numbers that sum to 1") from error
    if data["variation"] not in ("written", "train", "test") or data["user"] not in ("deterministic", "stochastic"):
        raise _bad(path, 1, "variation or user is none of the known ones")
    if data["difficulty"] not in LEVELS:
        raise _bad(path, 1, f"difficulty is none of {', '.join(LEVELS)}")
    if min(data["week"], data["draws"]) < 0:
        raise _bad(path, 1, "week and draws are not below 0")
    return Header(**{field.name: data[field.name] for field in fields(Header)})


def _event(at: int, row: object) -> Step | Read | Final | None:
    if isinstance(row, dict):
        return _final(cast("dict[str, Any]", row))
    if not isinstance(row, list):
        return None
    parts = cast("list[Any]", row)
    if parts[:1] == ["read"]:
        fits = len(parts) == 3 and isinstance(parts[1], str) and isinstance(parts[2], dict)
        return Read(at, *parts[1:]) if fits else None
    return _step(at, parts)


def _step(at: int, parts: list[Any]) -> Step | None:
    if not _SHORTEST <= len(parts) <= len(COLUMNS):
        return None
    action, (entries, mark) = parts[:3], parts[3:_SHORTEST]
    rest: list[Any] = [*parts, *(0, None)[len(parts) - _SHORTEST :]]
    reward, error = rest[_SHORTEST:]
    none = action == [None, None, None]
    fits = none or (_all(action, (int,)) and all(0 <= a < n for a, n in zip(action, _SIZES, strict=True)))
    fits = fits and _all((entries,), (int,)) and isinstance(mark, str)
    fits = fits and (reward is None or _all((reward,), _NUMBER)) and isinstance(error, str | None)
    return Step(at, None if none else tuple(action), entries, mark, reward, error) if fits else None


def _final(data: dict[str, Any]) -> Final | None:
    status, steps, trace, terms = (data.get(name) for name in ("end", "steps", "trace", "terms"))
    if status not in (COMPLETED, TRUNCATED, CUT_OFF) or not isinstance(trace, str) or not isinstance(terms, dict):
        return None
    values = cast("dict[str, Any]", terms)
    fits = _all((steps,), (int,)) and all(value is None or _all((value,), _NUMBER) for value in values.values())
    return Final(status, cast("int", steps), trace, values) if fits else None


def _all(values: Iterable[object], kinds: tuple[type, ...]) -> bool:
    return all(isinstance(value, kinds) and not isinstance(value, bool) for value in values)
