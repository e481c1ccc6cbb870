"""Reading a scenario: from the text of a TOML file to a `Scenario`, or to complaints that name file, key and remedy."""

import reprlib
import tomllib
from collections.abc import Sequence
from typing import cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from proactivity_gym.sim.scenario import Scenario

_EXPECTED = "Input should be "


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
    remedies: dict[str, list[str]] = {}
    for error in errors:
        remedies.setdefault(_path(data, error), []).append(_remedy(error))
    return [f"{path}: {_joined(parts)}" for path, parts in remedies.items()]


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


def _remedy(error: ErrorDetails) -> str:
    if error["type"] == "extra_forbidden":
        return "no such key: remove it or mend its spelling"
    if error["type"] == "missing":
        return "the key is required: add it"
    return f"{error['msg']}, not {reprlib.repr(error['input'])}"


def _joined(remedies: Sequence[str]) -> str:
    """Say several ways to put a value right in one sentence."""
    if len(remedies) == 1:
        return remedies[0]
    ways = [remedy.removeprefix(_EXPECTED).rpartition(", not ")[0] for remedy in remedies]
    return f"{_EXPECTED}{' or '.join(ways)}, not {remedies[0].rpartition(', not ')[2]}"
