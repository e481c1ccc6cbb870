"""Reading a scenario: from the text of a TOML file to a `Scenario`, or to complaints that name file, key and remedy."""

import re
import reprlib
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from proactivity_gym.sim.scenario import Scenario
from proactivity_gym.sim.spelling import closest

_WISH = re.compile(r"(?:Input|String|List) should (?:be (?:a valid )?|have )?")
"""How pydantic begins to say what it wants."""
_LONGEST_NAME = 64
_WISHES = {
    "model_type": "a table",
    "dict_type": "a table",
    "int_type": "a whole number",
    "string_type": "a text in quotes",
    "bool_type": "true or false",
    "datetime_type": "a date-time",
    "greater_than": "a number greater than {gt:g}",
    "greater_than_equal": "a number not below {ge:g}",
    "less_than": "a number less than {lt:g}",
    "less_than_equal": "a number not above {le:g}",
    "string_pattern_mismatch": "a text that matches {pattern}",
}
"""What is wanted, by pydantic's kind of error; other kinds keep its own words."""
_UNQUOTED = {"datetime_type": "2027-03-08T18:00:00", "date_type": "2027-03-08", "time_type": "18:00:00"}
"""How TOML has times, which are no texts."""


class ScenarioError(ValueError):
    """A scenario that cannot be used: the message names file, key and remedy."""

    def __init__(self, message: str, complaints: Sequence[tuple[str, str]] = ()) -> None:
        """Keep the complaints about the file's form as pairs of place and remedy; there are none about anything else."""
        super().__init__(message)
        self.complaints = tuple(complaints)


def parse(text: str, source: str) -> Scenario:
    """Read one scenario from the text of a TOML file called `source`.

    Raises:
        ScenarioError: the text is no TOML, or a key is unknown, missing or of the wrong kind.
    """
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # tables too deep and numbers too long, besides what is no TOML
        remedy = (
            f"{error}. Mend the line named here." if isinstance(error, tomllib.TOMLDecodeError) else f"{error}. Mend the file."
        )
        raise ScenarioError(f"{source}: not valid TOML: {remedy}", [("not valid TOML", remedy)]) from error
    try:
        return Scenario.model_validate(data)
    except ValidationError as error:
        complaints = _complaints(data, error.errors(include_url=False))
        told = "\n".join(f"{source}: {place}: {remedy}" for place, remedy in complaints)
        raise ScenarioError(told, complaints) from error


def json_schema() -> dict[str, object]:
    """Return the JSON schema of a scenario, with the keys of the TOML file, for editors that complete and check."""
    schema: dict[str, object] = Scenario.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _complaints(data: object, errors: Sequence[ErrorDetails]) -> list[tuple[str, str]]:
    """Return one complaint for each key: where several kinds of value would do, pydantic has one error for each."""
    by_path: dict[str, list[ErrorDetails]] = {}
    for error in errors:
        by_path.setdefault(_path(data, error), []).append(error)
    return [(path, _remedy(group)) for path, group in by_path.items()]


def _path(data: object, error: ErrorDetails) -> str:
    """Return where the error is, with the id of each entry on the way."""
    here, parts = data, list[str]()
    for step in error["loc"]:
        if isinstance(here, dict) and (step in here or error["type"] == "missing"):
            here = cast("dict[object, object]", here).get(step)
            parts.append(_name(str(step)))
        elif isinstance(here, list) and isinstance(step, int):
            here = cast("list[object]", here)[step]
            parts.append(_entry(step, here))
        # Any other step is pydantic's name for one of several kinds of value.
    return ".".join(parts)


def _entry(number: int, value: object) -> str:
    name = cast("dict[str, object]", value).get("id") if isinstance(value, dict) else None
    return f"{number} ({_name(name)})" if isinstance(name, str) else str(number)


def _name(given: str) -> str:
    """Write a key or an id: one that is too long for any, or hides something, in quotes and shortened."""
    return given if given.isprintable() and len(given) <= _LONGEST_NAME else reprlib.repr(given)


def _remedy(errors: Sequence[ErrorDetails]) -> str:
    """Say how to put one value right, with all the ways there are."""
    kind, given = errors[0]["type"], errors[0]["input"]
    if kind == "missing":
        return "the key is required: add it"
    if kind == "extra_forbidden":
        *table, key = errors[0]["loc"]
        meant = closest(str(key), _keys(table))
        return f"no such key: did you mean {meant!r}?" if meant else "no such key: remove it or mend its spelling"
    if kind in ("too_short", "too_long"):
        return _WISH.sub("give ", errors[0]["msg"].replace(" after validation", ""))
    if kind in _UNQUOTED and isinstance(given, str):
        return f"write it without quotes, as in {_UNQUOTED[kind]}, not {_shown(given)}"
    return f"write {' or '.join(_wish(error) for error in errors)}, not {_shown(given)}"


def _wish(error: ErrorDetails) -> str:
    """Return what is wanted, as the object of a sentence."""
    if error["type"] in _WISHES:
        return _WISHES[error["type"]].format(**error.get("ctx", {}))
    return re.sub("^(?=number|date|time|list)", "a ", _WISH.sub("", error["msg"], count=1))


def _keys(table: Sequence[int | str]) -> Iterable[str]:
    """Return the keys that a table may have, by the way there."""
    node = cast("Mapping[str, Any]", json_schema())
    defined: Mapping[str, Mapping[str, Any]] = node["$defs"]
    for step in table:
        inner: Mapping[str, Any] = node["items"] if isinstance(step, int) else _inner(node, step)
        node = defined[inner["$ref"].rpartition("/")[2]] if "$ref" in inner else inner
    return node.get("properties", {})


def _inner(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the schema of what a table has at a key; of several kinds that would do, that of the table."""
    found: Mapping[str, Any] = table.get("properties", {}).get(key) or table["additionalProperties"]
    return next((each for each in found.get("anyOf", ()) if "$ref" in each), found)


def _shown(value: object) -> str:
    """Write a value much as the file has it."""
    return value.isoformat() if isinstance(value, date | time) else reprlib.repr(value)
