"""Reading a scenario: from the text of a TOML file to a `Scenario`, or to complaints that name file, key and remedy."""

import reprlib
import tomllib
from collections.abc import Sequence
from datetime import date, time
from typing import cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from proactivity_gym.sim.scenario import Scenario

_EXPECTED = "Input should be "
_EXPECTED_OF = {"model_type": f"{_EXPECTED}a table", "dict_type": f"{_EXPECTED}a table"}
_REMEDIES = {
    "extra_forbidden": "no such key: remove it or mend its spelling",
    "missing": "the key is required: add it",
}


class ScenarioError(ValueError):
    """A scenario that cannot be used: the message names file, key and remedy."""


def parse(text: str, source: str) -> Scenario:
    """Read one scenario from the text of a TOML file called `source`.

    Raises:
        ScenarioError: the text is no TOML, or a key is unknown, missing or of the wrong kind.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"{source}: not valid TOML: {error}. Mend the line named here.") from error
    try:
        return Scenario.model_validate(data)
    except ValidationError as error:
        complaints = _complaints(data, error.errors(include_url=False))
        raise ScenarioError("\n".join(f"{source}: {complaint}" for complaint in complaints)) from error


def json_schema() -> dict[str, object]:
    """Return the JSON schema of a scenario, with the keys of the TOML file, for editors that complete and check."""
    schema: dict[str, object] = Scenario.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _complaints(data: object, errors: Sequence[ErrorDetails]) -> list[str]:
    """Return one complaint for each key: where several kinds of value would do, pydantic has one error for each."""
    by_path: dict[str, list[ErrorDetails]] = {}
    for error in errors:
        by_path.setdefault(_path(data, error), []).append(error)
    return [f"{path}: {_remedy(group)}" for path, group in by_path.items()]


def _path(data: object, error: ErrorDetails) -> str:
    """Return where the error is, with the id of each entry on the way."""
    here, parts = data, list[str]()
    for step in error["loc"]:
        if isinstance(here, dict) and (step in here or error["type"] == "missing"):
            here = cast("dict[object, object]", here).get(step)
            parts.append(str(step))
        elif isinstance(here, list) and isinstance(step, int):
            here = cast("list[object]", here)[step]
            parts.append(_entry(step, here))
        # Any other step is pydantic's name for one of several kinds of value.
    return ".".join(parts)


def _entry(number: int, value: object) -> str:
    name = cast("dict[str, object]", value).get("id") if isinstance(value, dict) else None
    return f"{number} ({name})" if isinstance(name, str) else str(number)


def _remedy(errors: Sequence[ErrorDetails]) -> str:
    """Say how to put one value right, with all the ways there are."""
    kind = errors[0]["type"]
    if kind in _REMEDIES:
        return _REMEDIES[kind]
    if kind in ("too_short", "too_long"):
        return errors[0]["msg"].replace(" after validation", "")
    first, *others = (_EXPECTED_OF.get(error["type"], error["msg"]) for error in errors)
    ways = [first, *(way.removeprefix(_EXPECTED) for way in others)]
    return f"{' or '.join(ways)}, not {_shown(errors[0]['input'])}"


def _shown(value: object) -> str:
    """Write a value much as the file has it."""
    return value.isoformat() if isinstance(value, date | time) else reprlib.repr(value)
