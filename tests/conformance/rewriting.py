"""Scenario files written anew with other texts: for canaries, injections and hostile names."""

import json
import re
import tomllib
from collections.abc import Callable
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, cast

from proactivity_gym.scenarios import catalogue

Tables = dict[str, Any]


def read(scenario: str) -> Tables:
    """Return the tables of a scenario's file."""
    return tomllib.loads(catalogue.path_of(scenario).read_text(encoding="utf-8"))


def write(tables: Tables, path: Path) -> str:
    """Write tables as a scenario's file and return its path."""
    path.write_text("\n".join(f"{_toml(key)} = {_toml(value)}" for key, value in tables.items()), encoding="utf-8")
    return str(path)


def _toml(value: object) -> str:
    if isinstance(value, dict):
        pairs = cast("Tables", value).items()
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in pairs) + "}"
    if isinstance(value, list):
        return "[" + ",\n ".join(_toml(item) for item in cast("list[object]", value)) + "]"
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)


def renamed(tables: Tables, section: str, name: Callable[[int], str]) -> None:
    """Give the entries of a section other ids, wherever these are named."""
    new = {entry["id"]: name(number) for number, entry in enumerate(tables.get(section, []))}
    for entry in tables.get(section, []):
        entry["id"] = new[entry["id"]]
    keys = {"task": {"task", "urgent", "later"}, "group": {"moves"}, "window": set[str]()}[section]
    placeholder = re.compile(r"@\{([a-z0-9-]+)\.deadline")
    _walk(tables, keys, new, lambda text: placeholder.sub(lambda m: f"@{{{new.get(m[1], m[1])}.deadline", text))


def _walk(table: Tables, keys: set[str], new: dict[str, str], fill: Callable[[str], str]) -> None:
    for key, item in table.items():
        if isinstance(item, str):
            table[key] = new.get(item, item) if key in keys else fill(item)
        elif isinstance(item, dict):
            _walk(cast("Tables", item), keys, new, fill)
        elif isinstance(item, list):
            table[key] = [_walked(each, keys, new, fill) for each in cast("list[object]", item)]


def _walked(item: object, keys: set[str], new: dict[str, str], fill: Callable[[str], str]) -> object:
    if isinstance(item, str):
        return fill(item)
    if isinstance(item, dict):
        _walk(cast("Tables", item), keys, new, fill)
    return cast("object", item)
