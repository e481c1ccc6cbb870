"""What a mock model answers, and what it was asked: scripts are functions, or lists of canned answers in TOML files."""

import json
import re
import threading
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import cast

FAULTS = ("", "reset", "cut", "empty_choices", "content_filter", "no_json")
_TOKEN_CHARACTERS = 4
_LONGEST_DELAY_S = 3600
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
"""The name of a header (RFC 9110, section 5.6.2)."""


@dataclass(frozen=True)
class Scripted:
    """One answer of a mock server.

    Attributes:
        text: of the reply, or the message of an error.
        tool_calls: pairs of name and JSON arguments.
        status: 200, or the status of an error.
        headers: further response headers, such as `Retry-After`.
        delay_s: seconds before the answer.
        fault: "reset" breaks the connection, "cut" breaks it halfway through the body, "empty_choices" and "content_filter" are
            replies with status 200 that hold no answer, "no_json" is a body of prose.
        code: of an error, such as `insufficient_quota`.
        finish_reason: "stop" or "tool_calls" unless given; "length" is a reply that ran into its limit.
        prompt_tokens, completion_tokens: what is reported; counted from the texts unless given.
        usage: whether it is reported, for errors too.
    """

    text: str = ""
    tool_calls: tuple[tuple[str, str], ...] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    delay_s: float = 0.0
    fault: str = ""
    code: str = ""
    finish_reason: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    usage: bool = True

    def __post_init__(self) -> None:
        """Refuse what no server could answer.

        Raises:
            ValueError: a fault that does not exist, or a number or header that cannot be.
        """
        if self.fault not in FAULTS:
            raise ValueError(f"fault must be one of {', '.join(filter(None, FAULTS))}, not {self.fault!r}")
        if self.status != 200 and not 300 <= self.status <= 599:
            raise ValueError(f"status must be 200 or that of an error, 300 to 599, not {self.status}")
        if not 0 <= self.delay_s <= _LONGEST_DELAY_S:
            raise ValueError(f"delay_s must be from 0 to {_LONGEST_DELAY_S} seconds, not {self.delay_s}")
        if min(self.prompt_tokens or 0, self.completion_tokens or 0) < 0:
            raise ValueError("prompt_tokens and completion_tokens must be 0 or more")
        for name, value in self.headers.items():
            if not (_HEADER.fullmatch(name) and isinstance(value, str) and value.isascii() and value.isprintable()):  # pyright: ignore[reportUnnecessaryIsInstance] (files)
                raise ValueError(f"headers: {name!r} = {value!r} is no header: give names and values as texts of ASCII")


Script = Callable[[Mapping[str, object]], Scripted]
"""Takes the JSON of a request, returns the answer. Called by many threads."""


def counted(asked: Mapping[str, object], answer: Scripted) -> tuple[int, int]:
    """Return the tokens of prompt and reply: as scripted, else a quarter of the characters. Errors cost what is scripted."""
    if answer.status != 200:
        return answer.prompt_tokens or 0, answer.completion_tokens or 0
    written = answer.text + "".join(name + arguments for name, arguments in answer.tool_calls)
    prompt, completion = answer.prompt_tokens, answer.completion_tokens
    return (
        1 + len(json.dumps(asked.get("messages"))) // _TOKEN_CHARACTERS if prompt is None else prompt,
        1 + len(written) // _TOKEN_CHARACTERS if completion is None else completion,
    )


_MOST_REPEATED = 1_000_000


class ScriptError(Exception):
    """A script file that cannot be used: the message names it and says what to do."""


def from_file(path: Path) -> Script:
    """Return the script in a TOML file: `[[reply]]` tables in turn, the last one for ever, or all again with `loop = true`.

    A table holds the fields of `Scripted`, and `repeat`, how often it is given before the next (once unless said).

    Raises:
        ScriptError: the file cannot be read, or holds something else.
    """
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        return _in_turn(*_canned(found))
    except OSError as error:
        raise ScriptError(f"{path}: {error.strerror}. Check the name.") from None
    except (ValueError, TypeError) as error:
        raise ScriptError(f"{path}: {error}") from None


def _canned(found: Mapping[str, object]) -> tuple[list[Scripted], bool]:
    """Return the answers, repeated ones listed, and whether they start anew at the end.

    Raises:
        ValueError, TypeError: unknown keys, or values of another type.
    """
    if unknown := set(found) - {"reply", "loop"}:
        raise ValueError(f"unknown key {sorted(unknown)[0]!r}: there are [[reply]] and loop")
    loop = _typed(found.get("loop", False), (bool,), "loop")
    tables = _typed(found.get("reply", []), (list,), "reply")
    answers: list[Scripted] = []
    for number, table in enumerate(cast(list[object], tables), start=1):
        rest = dict(cast(dict[str, object], _typed(table, (dict,), f"reply {number}")))
        repeat = cast(int, _typed(rest.pop("repeat", 1), (int,), "repeat"))
        if not 1 <= repeat <= _MOST_REPEATED:
            raise ValueError(f"reply {number}: repeat = {repeat}: give a whole number from 1 to {_MOST_REPEATED}")
        answers += [_scripted(rest, number)] * repeat
    if not answers:
        raise ValueError("there is no [[reply]]")
    return answers, bool(loop)


_TYPES: Mapping[str, tuple[type, ...]] = {
    "text": (str,),
    "tool_calls": (list,),
    "status": (int,),
    "headers": (dict,),
    "delay_s": (int, float),
    "fault": (str,),
    "code": (str,),
    "finish_reason": (str,),
    "prompt_tokens": (int,),
    "completion_tokens": (int,),
    "usage": (bool,),
}


def _scripted(table: Mapping[str, object], number: int) -> Scripted:
    names = [item.name for item in fields(Scripted)]
    if unknown := set(table) - set(names):
        raise ValueError(f"reply {number}: unknown key {sorted(unknown)[0]!r}; there are {', '.join(names)}, repeat")
    values = {name: _typed(value, _TYPES[name], f"reply {number}: {name}") for name, value in table.items()}
    if "tool_calls" in values:
        values["tool_calls"] = tuple(
            _pair(each, f"reply {number}: tool_calls") for each in cast(list[object], values["tool_calls"])
        )
    try:
        return Scripted(**values)  # pyright: ignore[reportArgumentType] - checked against _TYPES
    except ValueError as error:
        raise ValueError(f"reply {number}: {error}") from None


def _pair(value: object, name: str) -> tuple[str, str]:
    match value:
        case [str() as called, str() as arguments]:
            return called, arguments
        case _:
            raise TypeError(f"{name} must be pairs of texts, a name and JSON arguments, not {value!r}")


def _typed(value: object, types: tuple[type, ...], name: str) -> object:
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise TypeError(f"{name} must be of type {' or '.join(kind.__name__ for kind in types)}, not {type(value).__name__}")
    return value


def _in_turn(answers: list[Scripted], loop: bool) -> Script:
    lock = threading.Lock()
    given = 0

    def script(_: Mapping[str, object]) -> Scripted:
        nonlocal given
        with lock:
            place = given % len(answers) if loop else min(given, len(answers) - 1)
            given += 1
        return answers[place]

    return script
