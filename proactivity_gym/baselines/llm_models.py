"""Which model: a TOML file that holds the fields of `ModelConfig` (and `mode`), or `model@base_url` for a server without a key.

model = "gpt-5-mini"            # all the rest may be left out
base_url = "http://127.0.0.1:8000/v1"
reasoning_effort = "low"
mode = "tools"                  # or "json"
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from proactivity_gym.baselines.llm_prompt import MODES, Mode
from proactivity_gym.llm.messages import ModelConfig

_NUMBER, _WHOLE = (int, float), (int,)
_TYPES: Mapping[str, tuple[type, ...]] = {
    "model": (str,),
    "base_url": (str,),
    "api_key_env": (str,),
    "temperature": _NUMBER,
    "seed": _WHOLE,
    "reasoning_effort": (str,),
    "max_tokens": _WHOLE,
    "context_tokens": _WHOLE,
    "timeout_s": _NUMBER,
    "extra": (dict,),
    "headers_env": (dict,),
}


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """A model and how it answers."""

    config: ModelConfig
    mode: Mode = "json"


def chosen_model(setting: str) -> ChosenModel:
    """Return the model that a setting names.

    Raises:
        ValueError: it names none, or the file says something else.
        OSError: the file cannot be read.
    """
    if setting.endswith(".toml"):
        return _from_file(Path(setting))
    model, at, base_url = setting.partition("@")
    if not model or not at:
        raise ValueError(f"{setting!r}: give a model file (its name ends in .toml) or model@base_url")
    return ChosenModel(ModelConfig(model, base_url=base_url))


def _from_file(path: Path) -> ChosenModel:
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: it is no TOML file: {error}") from error
    mode = found.pop("mode", "json")
    if mode not in MODES:
        raise ValueError(f"{path}: mode: choose one of {', '.join(MODES)}")
    for name, value in found.items():
        if name not in _TYPES:
            raise ValueError(f"{path}: {name}: there is no such field: use {', '.join(_TYPES)} or mode")
        if not isinstance(value, _TYPES[name]) or isinstance(value, bool):
            raise ValueError(f"{path}: {name}: it must be {' or '.join(kind.__name__ for kind in _TYPES[name])}")
    if "model" not in found:
        raise ValueError(f"{path}: model: it is missing")
    try:
        return ChosenModel(_config(**found), mode)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


_config: Callable[..., ModelConfig] = ModelConfig
"""Its arguments are checked against `_TYPES`."""
