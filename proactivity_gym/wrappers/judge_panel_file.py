"""Which models judge: a TOML file with a table for each.

    [[judge]]
    model = "qwen3.8-27b"
    base_url = "http://127.0.0.1:8000/v1"

    [[judge]]
    model = "gemini-3.8-flash"
    base_url = "https://example.org/v1"
    api_key_env = "GEMINI_API_KEY"

A table may set every field of a model, and its price (`llm.model_tables`). Keys themselves never stand in the file.
"""

import tomllib
from pathlib import Path
from typing import Any, cast

from proactivity_gym.llm.model_tables import ModelError, PricedModel, priced_model_of


def read_models(path: str | Path) -> list[PricedModel]:
    """Return the models of a file.

    Raises:
        ValueError: it cannot be read, is no TOML, or a table says what it may not; the message names file and key.
    """
    try:
        tables: dict[str, Any] = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        remedy = "give a TOML file with a [[judge]] table for each model"
        raise ValueError(f"judges={str(path)!r}: {error.strerror}: {remedy}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"judges={str(path)!r}: no TOML: {error}") from error
    judges = tables.pop("judge", None)
    if tables or not isinstance(judges, list):
        raise ValueError(f"judges={str(path)!r}: it must hold [[judge]] tables and nothing else")
    return [_model(f"{path}: judge {number}", table) for number, table in enumerate(cast("list[object]", judges), 1)]


def _model(where: str, found: object) -> PricedModel:
    if not isinstance(found, dict):
        raise ValueError(f"{where}: it is no table: write [[judge]]")
    try:
        return priced_model_of(cast("dict[str, Any]", found))
    except ModelError as error:
        raise ValueError(f"{where}: {error}") from error
