"""Models as TOML tables describe them: the fields of `ModelConfig`, and their price. The one reader of such tables.

    model = "gpt-5-mini"
    reasoning_effort = "low"
    temperature = "none"     # sends none, as if it were left out: reasoning models refuse one
    prompt_usd = 0.25        # US dollars for a million tokens, where money is capped
    completion_usd = 2.0

Keys themselves never stand in a table (`api_key_env`, `headers_env`).
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from proactivity_gym.llm.ledger import Price
from proactivity_gym.llm.messages import ModelConfig

NO_TEMPERATURE = "none"
FIELDS = tuple(field.name for field in fields(ModelConfig))
_LONGEST_S = 86_400
PRICES = ("prompt_usd", "completion_usd")


class ModelError(ValueError):
    """A table that describes no model; the message names the keys and repeats no value."""


@dataclass(frozen=True, slots=True)
class PricedModel:
    """A model with its price, if it has one."""

    config: ModelConfig
    price: Price | None = None


def model_of(table: Mapping[str, object], besides: Iterable[str] = ()) -> ModelConfig:
    """Return the model that a table describes.

    Args:
        table: what is known of the model.
        besides: further keys that such a table may have, which the caller takes out; a refusal names them too.

    Raises:
        ModelError: an unknown key, a missing one, or a value that does not fit.
    """
    plain = {name: None if _is_no_temperature(name, value) else value for name, value in table.items()}
    try:
        given = _form().model_validate(plain)
        _check_numbers(plain)
        return ModelConfig(**{name: getattr(given, name) for name in plain})
    except ValidationError as error:
        keys = ", ".join((*FIELDS, *besides))
        said = (f"{'.'.join(map(str, each['loc']))}: {_said(each, keys)}" for each in error.errors())
        raise ModelError("; ".join(said)) from None
    except ValueError as error:
        raise ModelError(str(error)) from None


def _check_numbers(table: Mapping[str, object]) -> None:
    for name, value in table.items():
        try:
            json.dumps(value, allow_nan=False)
        except (ValueError, TypeError):
            raise ModelError(f"{name}: JSON has no such value: give finite numbers, texts, lists or tables of them") from None
    timeout = table.get("timeout_s")
    if isinstance(timeout, int | float) and not 0 < timeout <= _LONGEST_S:
        raise ModelError(f"timeout_s: give seconds above 0, at most {_LONGEST_S}")


def priced_model_of(table: Mapping[str, object]) -> PricedModel:
    """Return the model that a table describes, with its price.

    Raises:
        ModelError: as `model_of`; or half a price, or none that can be.
    """
    usd = [table.get(name) for name in PRICES]
    config = model_of({name: value for name, value in table.items() if name not in PRICES}, besides=PRICES)
    return PricedModel(config, price_of(*usd))


def price_of(prompt_usd: object, completion_usd: object) -> Price | None:
    """Return a price from US dollars for a million tokens of prompts and of replies; None where neither is given.

    Raises:
        ModelError: half a price, or none that can be.
    """
    if prompt_usd is None and completion_usd is None:
        return None
    if prompt_usd is None or completion_usd is None:
        raise ModelError(f"{' and '.join(PRICES)} go together: give both")
    for name, value in zip(PRICES, (prompt_usd, completion_usd), strict=True):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ModelError(f"{name}: it must be a number of US dollars")
    try:
        return Price(float(prompt_usd), float(completion_usd))  # type: ignore[arg-type]
    except ValueError as error:
        raise ModelError(str(error)) from None


def prices_of(models: Iterable[PricedModel]) -> dict[str, Price]:
    """Return prices by the models' names.

    Raises:
        ModelError: a model has two.
    """
    prices: dict[str, Price] = {}
    for model in models:
        if model.price is not None and prices.setdefault(model.config.model, model.price) != model.price:
            raise ModelError(f"model {model.config.model!r} has two prices")
    return prices


@cache
def _form() -> type[BaseModel]:
    """Return a form with the fields of `ModelConfig`: what is left out of a table is left to its defaults."""
    hints = get_type_hints(ModelConfig)
    form: dict[str, Any] = {
        field.name: (hints[field.name], ... if field.default is field.default_factory is MISSING else None)
        for field in fields(ModelConfig)
    }
    return create_model("ModelTable", __config__=ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True), **form)


def _is_no_temperature(name: str, value: object) -> bool:
    return name == "temperature" and value == NO_TEMPERATURE


def _said(problem: Mapping[str, Any], keys: str) -> str:
    if problem["type"] == "extra_forbidden":
        return f"there is no such key: use one of {keys}"
    if problem["type"] == "missing":
        return "it is missing"
    return str(problem["msg"]) + (f', or "{NO_TEMPERATURE}"' if problem["loc"] == ("temperature",) else "")
