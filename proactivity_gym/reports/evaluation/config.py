"""What an evaluation plays: a TOML file, read strictly. Keys of models never stand in it (see `llm.messages.ModelConfig`)."""

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_serializer, model_validator
from pydantic_core import PydanticCustomError

from proactivity_gym.envs.arguments import make_worker
from proactivity_gym.llm.ledger import Price
from proactivity_gym.llm.messages import ModelConfig
from proactivity_gym.llm.model_tables import PRICES, ModelError, PricedModel, model_of, price_of, prices_of
from proactivity_gym.sim.scoring import Weights
from proactivity_gym.sim.spelling import suggestion

FREE = ("concurrency", "cap_usd", "cap_tokens", "cache")
"""Keys that may change between two calls on one folder: no row depends on them."""
FREE_OF_MODELS = (*PRICES, "timeout_s")
_OF_TABLES = ("name", "mode", *PRICES)
_OF_MODEL = "model"
"""Kind of what is wrong with the keys of a model."""

_STRICT = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


class ConfigError(ValueError):
    """An evaluation that cannot be played as it is written; the message names file and key, and repeats no value."""


class ModelTable(BaseModel):
    """A model, as `ModelConfig` has it, with a label, its way of replying and its price."""

    model_config = _STRICT

    name: str = ""
    """Label in rows and tables; the model's own name unless given."""
    mode: Literal["json", "tools"] = "json"
    prompt_usd: float | None = None
    """US dollars for a million tokens of prompts."""
    completion_usd: float | None = None
    config: ModelConfig = Field(repr=False)
    """All other keys of the table."""

    @model_validator(mode="before")
    @classmethod
    def _gather(cls, table: object) -> object:
        """Make a model of the keys that describe one."""
        if not isinstance(table, dict):
            return table
        given = cast("dict[str, object]", table)
        own = {name: value for name, value in given.items() if name in _OF_TABLES}
        try:
            rest = {name: value for name, value in given.items() if name not in own}
            return own | {"config": model_of(rest, besides=_OF_TABLES)}
        except ModelError as error:
            raise PydanticCustomError(_OF_MODEL, "{said}", {"said": str(error)}) from error

    @model_serializer
    def _flat(self) -> dict[str, Any]:
        """Put all keys side by side, as in the table."""
        return {**{name: getattr(self, name) for name in _OF_TABLES}, **asdict(self.config)}

    @property
    def label(self) -> str:
        """What rows and tables call it."""
        return self.name or self.config.model

    def priced(self) -> PricedModel:
        """Return the model with its price, if it has one.

        Raises:
            ModelError: half a price, or none that can be.
        """
        return PricedModel(self.config, price_of(self.prompt_usd, self.completion_usd))


class Config(BaseModel):
    """An evaluation."""

    model_config = _STRICT

    ids: Annotated[list[str], Field(min_length=1)]
    """`all`, ids, scenario names and .toml files."""
    model: Annotated[list[ModelTable], Field(min_length=1)]
    seeds: Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1)] = [0]
    repetitions: Annotated[int, Field(ge=1, le=100_000)] = 1
    """How often each model plays each id and seed."""
    variation: Literal["written", "train", "test"] = "test"
    difficulty: Literal["easy", "standard", "hard"] = "standard"
    user: Literal["deterministic", "stochastic"] = "deterministic"
    worker: str = "self"
    """`self`: the model does its own work; or `reference`, `imperfect`, `imperfect:0.3`."""
    worker_model: ModelTable | None = None
    """A model that works for all others; `worker` is then left out."""
    user_voice: ModelTable | None = None
    """A model that words what the user says."""
    judge: list[ModelTable] = []
    """None, or two and more."""
    judging: list[Literal["trust", "work", "window"]] = ["trust"]
    trust: Literal["depth", "judge"] = "depth"
    """What S_TR in J is: see `JointReward`."""
    weights: Annotated[list[float], Field(min_length=3, max_length=3)] = [1 / 3, 1 / 3, 1 / 3]
    max_steps: Annotated[int, Field(ge=1)] = 2000
    """After so many steps the rest of the week just passes, and the episode counts as truncated."""
    concurrency: Annotated[int, Field(ge=1, le=1024)] = 8
    """Episodes under way at a time."""
    cap_usd: Annotated[float, Field(ge=0)] | None = None
    cap_tokens: Annotated[int, Field(ge=0)] | None = None
    cache: bool = True
    """Whether replies are kept in the folder, so that an episode that was cut off does not pay twice."""

    @field_validator("weights")
    @classmethod
    def _check_weights(cls, weights: list[float]) -> list[float]:
        Weights(*weights)
        return weights

    def tables(self) -> list[ModelTable]:
        """Return every model that may be asked."""
        further = [table for table in (self.worker_model, self.user_voice) if table is not None]
        return [*self.model, *further, *self.judge]

    def prices(self) -> dict[str, Price]:
        """Return the prices by model.

        Raises:
            ModelError: a model has two, or half a one.
        """
        return prices_of(table.priced() for table in self.tables())

    def record(self) -> dict[str, Any]:
        """Return it as JSON can carry it, without what may be secret: of texts in `extra` there are hashes."""
        return cast("dict[str, Any]", _hashed(self.model_dump(mode="json")))


def read_config(path: Path) -> Config:
    """Return the evaluation in a TOML file.

    Raises:
        ConfigError: it cannot be played as it is.
        OSError: the file cannot be read.
    """
    try:
        return checked(Config.model_validate(tomllib.loads(path.read_text(encoding="utf-8"))))
    except ValidationError as error:
        raise ConfigError(complaints(path, error)) from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: it is no TOML: {error}") from None
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None


def complaints(path: Path, error: ValidationError) -> str:
    """Return what is wrong with the keys of a file, a line each."""
    return "\n".join(f"{path}: {_told(each)}" for each in error.errors())


def _told(problem: Mapping[str, Any]) -> str:
    kind, where = problem["type"], ".".join(map(str, problem["loc"]))
    if kind == "extra_forbidden":
        keys = Config.model_fields
        return f"{where}: there is no such key{suggestion(where, keys)}: use one of {', '.join(keys)}"
    return f"{where}{'.' if kind == _OF_MODEL else ': '}{'it is missing' if kind == 'missing' else problem['msg']}"


def checked(config: Config) -> Config:
    """Return an evaluation whose keys fit together.

    Raises:
        ValueError: they do not.
    """
    labels = [table.label for table in config.model]
    if twice := sorted({label for label in labels if labels.count(label) > 1}):
        raise ValueError(f"model: {twice[0]!r} is there twice: give each a name of its own")
    if len(config.judge) == 1:
        raise ValueError("judge: give at least two, so that their agreement can be told")
    if config.trust == "judge" and not (config.judge and "trust" in config.judging):
        raise ValueError('trust: "judge" needs judges: [[judge]] tables, and "trust" in judging')
    if config.worker.startswith("llm"):
        raise ValueError('worker: a model that works for others goes into [worker_model], "self" is the model itself')
    if config.worker != "self":
        try:
            make_worker(config.worker, np.random.default_rng(0))
        except ValueError as error:
            raise ValueError(f'worker: {error}; or "self", the model itself') from None
    if config.worker_model is not None and config.worker != "self":
        raise ValueError("worker: leave it out where there is a [worker_model]")
    config.prices()
    return config


def changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return the keys whose values differ between two records, other than those that may."""
    first, second = dict(_flat(before)), dict(_flat(now))
    return sorted(key for key in first.keys() | second.keys() if first.get(key) != second.get(key) and not _free(key))


def _free(key: str) -> bool:
    return key in FREE or key.rpartition(".")[2] in FREE_OF_MODELS


def _flat(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    items: list[tuple[object, object]] = []
    if isinstance(value, Mapping):
        items = list(cast("Mapping[object, object]", value).items())
    elif isinstance(value, list):
        items = list(enumerate(cast("list[object]", value), 1))
    if not items:
        yield path, value
    for name, item in items:
        yield from _flat(item, f"{path}.{name}" if path else str(name))


def _hashed(value: object, within: bool = False) -> object:
    if isinstance(value, dict):
        return {name: _hashed(item, within or name == "extra") for name, item in cast("dict[str, object]", value).items()}
    if isinstance(value, list):
        return [_hashed(item, within) for item in cast("list[object]", value)]
    if within and isinstance(value, str):
        return f"sha256:{hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]}"
    return value
