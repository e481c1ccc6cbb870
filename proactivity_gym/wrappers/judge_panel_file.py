"""Which models judge: a TOML file with a table for each.

    [[judge]]
    model = "qwen3.8-27b"
    base_url = "http://127.0.0.1:8000/v1"

    [[judge]]
    model = "gemini-3.8-flash"
    base_url = "https://example.org/v1"
    api_key_env = "GEMINI_API_KEY"

A table may set every field of `llm.messages.ModelConfig`. Keys themselves never stand in the file.
"""

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

from proactivity_gym.llm.messages import ModelConfig

_KINDS: dict[str, tuple[type, ...]] = {
    "model": (str,),
    "base_url": (str,),
    "api_key_env": (str,),
    "temperature": (int, float),
    "seed": (int,),
    "reasoning_effort": (str,),
    "max_tokens": (int,),
    "context_tokens": (int,),
    "timeout_s": (int, float),
    "extra": (dict,),
    "headers_env": (dict,),
}


def read_models(path: str | Path) -> list[ModelConfig]:
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


def _model(where: str, found: object) -> ModelConfig:
    if not isinstance(found, dict):
        raise ValueError(f"{where}: it is no table: write [[judge]]")
    table = cast("dict[str, Any]", found)
    known = [field.name for field in fields(ModelConfig)]
    for name, value in table.items():
        if name not in known:
            raise ValueError(f"{where}: {name}: there is no such key; known are {', '.join(known)}")
        if isinstance(value, bool) or not isinstance(value, _KINDS[name]):
            raise ValueError(f"{where}: {name}: {type(value).__name__} does not fit")
    if not table.get("model"):
        raise ValueError(f"{where}: model: say which")
    try:
        return ModelConfig(**table)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error
