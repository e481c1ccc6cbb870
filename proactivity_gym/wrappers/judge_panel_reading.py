"""What a judge's JSON must hold: numbers in their range, reasons, and quotes that occur in the material."""

import re
from collections.abc import Mapping, Sequence
from typing import cast

from proactivity_gym.llm.errors import Unreadable
from proactivity_gym.sim.safe_text import printable
from proactivity_gym.sim.tools import is_number

SHORTEST_QUOTE = 8
"""Characters of a quote that proves anything."""
_SHOWN = 60
_ALIKE = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-"})
_ESCAPED = re.compile(r"\\([\"\\/n])")

_NUMBERED = re.compile(r"^\[([0-9]+)\] (.+)$", re.MULTILINE)
_NUMBER = re.compile(r"\[?([0-9]+)\]?")

Schema = Mapping[str, object]

TEXT: Schema = {"type": "string"}
TEXTS: Schema = {"type": "array", "items": {"type": "string"}}
NUMBERS: Schema = {"type": "array", "items": {"type": "integer"}}


def record(properties: Mapping[str, Schema]) -> Schema:
    """Return the schema of an object with these keys and no others."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


class Evidence:
    """The material that quotes are looked up in.

    White space, case, escapes and the kind of quotation mark make no difference. Where lines are numbered, `[3]` or `3` stands
    for the whole of that line: small models name a line more reliably than they copy it.
    """

    def __init__(self, *texts: str) -> None:
        """Take the texts that a judge is shown; a quote lies within one of them."""
        self._texts = [_plain(text) for text in texts]
        self._lines = {number: line for text in reversed(texts) for number, line in _NUMBERED.findall(text)}

    def check(self, quotes: Sequence[str]) -> tuple[str, ...]:
        """Return quotes that all occur, lines that were named by their number as they stand.

        Raises:
            Unreadable: there is none, or one is too short or occurs nowhere.
        """
        if not quotes:
            raise Unreadable("there is no quote: copy at least one passage from the data")
        found = [self._line(quote) or quote for quote in quotes]
        for quote in found:
            plain = _plain(quote).strip("'\" ")
            if len(plain) < SHORTEST_QUOTE:
                raise Unreadable(f'the quote "{quote[:_SHOWN]}" is too short: at least {SHORTEST_QUOTE} characters')
            if not any(plain in text for text in self._texts):
                raise Unreadable(f'the quote "{quote[:_SHOWN]}" does not occur in the data: copy it word for word')
        return tuple(found)

    def _line(self, quote: str) -> str | None:
        """Return the line that a quote names by its number."""
        number = _NUMBER.fullmatch(quote.strip())
        return self._lines.get(number[1]) if number else None


def text_of(found: Mapping[str, object], key: str) -> str:
    """Return a text.

    Raises:
        Unreadable: it is missing or none.
    """
    value = _value(found, key)
    if not isinstance(value, str) or not value.strip():
        raise Unreadable(f'"{key}" must be a text')
    return value


def texts_of(found: Mapping[str, object], key: str) -> list[str]:
    """Return a list of texts.

    Raises:
        Unreadable: it is missing or none.
    """
    value = _value(found, key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in cast("list[object]", value)):
        raise Unreadable(f'"{key}" must be a list of texts')
    return cast("list[str]", value)


def object_of(found: Mapping[str, object], key: str) -> Mapping[str, object]:
    """Return an object.

    Raises:
        Unreadable: it is missing or none.
    """
    value = _value(found, key)
    if not isinstance(value, dict):
        raise Unreadable(f'"{key}" must be an object')
    return cast("dict[str, object]", value)


def number_of(found: Mapping[str, object], key: str, bounds: tuple[float, float]) -> float:
    """Return a number within bounds.

    Raises:
        Unreadable: it is missing, no number (a text or truth value is none), or out of bounds.
    """
    value = _value(found, key)
    if not is_number(value) or not bounds[0] <= cast("float", value) <= bounds[1]:
        raise Unreadable(f'"{key}" must be a number from {bounds[0]:g} to {bounds[1]:g}')
    return float(cast("float", value))


def choice_of(found: Mapping[str, object], key: str, options: Sequence[float]) -> float:
    """Return one of some numbers.

    Raises:
        Unreadable: it is missing or none of them.
    """
    value = number_of(found, key, (min(options), max(options)))
    if value not in options:
        raise Unreadable(f'"{key}" must be one of {", ".join(f"{option:g}" for option in options)}')
    return value


def truth_of(found: Mapping[str, object], key: str) -> float:
    """Return 1 for true and 0 for false.

    Raises:
        Unreadable: it is missing or neither.
    """
    value = _value(found, key)
    if not isinstance(value, bool):
        raise Unreadable(f'"{key}" must be true or false')
    return float(value)


def check_numbers(found: Mapping[str, object], key: str, last: int) -> None:
    """Check a list of the numbers that calls or entries have, 1 to `last`; it may be empty only where there are none.

    Raises:
        Unreadable: it is missing, names what does not exist, or names nothing.
    """
    value = _value(found, key)
    if not isinstance(value, list):
        raise Unreadable(f'"{key}" must be a list of numbers')
    cited = cast("list[object]", value)
    if last and not cited:
        raise Unreadable(f'"{key}" is empty: name at least one of 1 to {last}')
    for number in cited:
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= last:
            raise Unreadable(f'"{key}" names {str(number)[:_SHOWN]}, which is not in the data: there are 1 to {last}')


def _value(found: Mapping[str, object], key: str) -> object:
    if key not in found:
        raise Unreadable(f'the key "{key}" is missing')
    return found[key]


def _plain(text: str) -> str:
    unescaped = _ESCAPED.sub(lambda match: " " if match[1] == "n" else match[1], printable(text))
    return " ".join(unescaped.translate(_ALIKE).split()).casefold()
