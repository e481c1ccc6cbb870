"""Reading the JSON value in a model's reply, or saying why there is none.

The rule is narrow on purpose: what could be read in two ways is not read, since a guess would pass for the model's decision.

- The value is an object, or a list where there is no object around. It may have prose or a code fence around it, so long as no
  brace stands in that prose: all from the first `{` to the last `}` must be one JSON object.
- A leading `<think>...</think>` is dropped.
- No trailing commas, comments, single quotes, `NaN`, `Infinity`, numbers past a double's range. Raw line feeds and other
  control characters within strings are let through, as many models write them.
- A key that occurs twice in one object makes the reply unreadable.
- Half characters (lone surrogates) become U+FFFD.
- At most 100,000 characters of JSON (some 25,000 tokens), 64 levels.

Time is linear in the length.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import NoReturn, cast

from proactivity_gym.llm.errors import Unreadable

LONGEST = 100_000
"""Characters of JSON that are read at all; prose around it may be longer."""
DEEPEST = 64
"""Levels of objects and lists in each other."""
_DIGITS = 300
"""Digits of a whole number: one that has more is beyond a double."""
_HALF = re.compile("[\ud800-\udfff]")
_SOME_HALF = re.compile("[\ud800-\udfff]|\\\\u[dD][89a-fA-F]")
"""Where a text may hold half characters, written as such or as escapes."""
_SHOWN = 40
_CONTAINERS = (dict, list)

Json = dict[str, object] | list[object]


def parse_json(text: str) -> Json:
    """Return the one JSON object or list in a reply.

    Raises:
        Unreadable: there is none, or not exactly one.
    """
    span = _span(_after_thinking(text))
    if len(span) > LONGEST:
        raise Unreadable(f"the JSON has {len(span)} characters, {LONGEST} are read")
    try:
        value: object = _DECODER.decode(span)
    except json.JSONDecodeError as error:
        raise Unreadable(_complaint(error)) from None
    except RecursionError:
        raise Unreadable(_TOO_DEEP) from None
    found = cast(Json, value)  # it begins with a brace or a bracket
    _check_depth(found)
    return cast(Json, _mended(found)) if _SOME_HALF.search(span) else found


def whole_text(text: str) -> str:
    """Return a text in which half characters are replaced, so that it can be encoded."""
    return _HALF.sub("\ufffd", text)


_TOO_DEEP = f"the JSON is nested deeper than {DEEPEST} levels"


def _after_thinking(text: str) -> str:
    if not text.lstrip().startswith("<think>"):
        return text
    return text.partition("</think>")[2]


def _span(text: str) -> str:
    """Cut out what must be the value: the outermost braces, or the outermost brackets if these are around or alone."""
    braces = text.find("{"), text.rfind("}")
    brackets = text.find("["), text.rfind("]")
    if braces[0] < 0 or (0 <= brackets[0] < braces[0] and brackets[1] > braces[1]):
        braces = brackets
    if braces[0] < 0:
        raise Unreadable("the reply holds no JSON object")
    if braces[1] < braces[0]:
        raise Unreadable("the JSON is cut off: its closing brace is missing")
    return text[braces[0] : braces[1] + 1]


def _complaint(error: json.JSONDecodeError) -> str:
    if error.msg == "Extra data":
        return "there is more than one JSON value, or a brace in the text around it: send exactly one JSON object"
    near = whole_text(error.doc[max(0, error.pos - _SHOWN // 2) : error.pos + _SHOWN // 2])
    return f"the JSON is malformed: {error.msg} at character {error.pos}, near {json.dumps(near, ensure_ascii=False)}"


def _whole_number(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise Unreadable(f"a number has {len(digits)} digits")
    return int(digits)


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise Unreadable(f"the number {digits[:_SHOWN]} is too large")
    return value


def _no_number(name: str) -> NoReturn:
    raise Unreadable(f"{name} is no JSON number")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key, count in Counter(keys).items() if count > 1)
        raise Unreadable(f"the key {json.dumps(twice[:_SHOWN])} occurs twice in one object")
    return found


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_whole_number, parse_float=_finite, parse_constant=_no_number, strict=False
)


def _check_depth(value: Json) -> None:
    """Walk level by level, as recursion would end with the callers' stack.

    Raises:
        Unreadable: too deep.
    """
    level: list[Json] = [value]
    for _ in range(DEEPEST):
        level = [cast(Json, inner) for container in level for inner in _items(container) if isinstance(inner, _CONTAINERS)]
        if not level:
            return
    raise Unreadable(_TOO_DEEP)


def _items(container: Json) -> Iterable[object]:
    return container.values() if isinstance(container, dict) else container


def _mended(value: object) -> object:
    """Replace half characters; the depth was checked."""
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, dict):
        return {whole_text(key): _mended(item) for key, item in cast(dict[str, object], value).items()}
    if isinstance(value, list):
        return [_mended(item) for item in cast(list[object], value)]
    return value
