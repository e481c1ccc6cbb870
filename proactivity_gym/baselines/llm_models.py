"""Which model: a TOML file that is one table of a model (`llm.model_tables`) and may say `mode`, or `model@base_url`.

model = "gpt-5-mini"            # all the rest may be left out
base_url = "http://127.0.0.1:8000/v1"
reasoning_effort = "low"
temperature = "none"            # as if left out; a number is sent
mode = "tools"                  # or "json"
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from proactivity_gym.baselines.llm_prompt import MODES, Mode
from proactivity_gym.llm.messages import ModelConfig
from proactivity_gym.llm.model_tables import model_of


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
    try:
        return ChosenModel(model_of(found, besides=("mode",)), mode)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
