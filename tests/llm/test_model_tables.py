"""Tables of models: read strictly, alike in every file that holds them."""

from dataclasses import fields
from pathlib import Path

import pytest

from proactivity_gym.baselines.llm_models import chosen_model
from proactivity_gym.llm.ledger import Price
from proactivity_gym.llm.messages import ModelConfig
from proactivity_gym.llm.model_tables import FIELDS, ModelError, PricedModel, model_of, priced_model_of, prices_of
from proactivity_gym.reports.evaluation.config import ModelTable
from proactivity_gym.wrappers.judge_panel_file import read_models

WHOLE: dict[str, object] = {
    "model": "m",
    "base_url": "http://127.0.0.1:9/v1",
    "api_key_env": "KEY",
    "temperature": 1,
    "seed": 3,
    "reasoning_effort": "low",
    "max_tokens": 10,
    "context_tokens": 9000,
    "timeout_s": 5,
    "extra": {"top_p": 0.5, "stop": ["a"]},
    "headers_env": {"X-Key": "OTHER"},
}


def test_a_table_sets_every_field_and_leaves_the_rest_to_the_defaults() -> None:
    assert set(WHOLE) == set(FIELDS) == {field.name for field in fields(ModelConfig)}
    assert model_of(WHOLE) == ModelConfig(**WHOLE)  # pyright: ignore[reportArgumentType] (the table's values have these types)
    assert model_of({"model": "m"}) == ModelConfig("m")


@pytest.mark.parametrize(("written", "sent"), [('"none"', None), ("0.7", 0.7), ("0", 0)])
def test_every_file_of_models_can_say_that_no_temperature_is_sent(tmp_path: Path, written: str, sent: float | None) -> None:
    line = f'model = "m"\ntemperature = {written}\n'
    (tmp_path / "model.toml").write_text(line, "utf-8")
    (tmp_path / "judges.toml").write_text(f"[[judge]]\n{line}", "utf-8")
    table = ModelTable.model_validate({"model": "m", "temperature": "none" if sent is None else sent})
    found = [chosen_model(str(tmp_path / "model.toml")).config, read_models(tmp_path / "judges.toml")[0].config, table.config]
    assert [config.temperature for config in found] == [sent] * 3
    assert [config.shape().get("temperature") for config in found] == [sent] * 3


def test_the_record_of_a_table_reads_as_the_same_table() -> None:
    table = ModelTable.model_validate({**WHOLE, "name": "n", "mode": "tools", "prompt_usd": 1.0, "completion_usd": 2.0})
    record = table.model_dump(mode="json")
    assert record == {**WHOLE, "name": "n", "mode": "tools", "prompt_usd": 1.0, "completion_usd": 2.0}
    assert ModelTable.model_validate(record) == table
    assert (table.label, table.priced()) == ("n", PricedModel(table.config, Price(1, 2)))
    bare = ModelTable.model_validate({"model": "m"})
    assert ModelTable.model_validate(bare.model_dump(mode="json")) == bare


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({}, "model: it is missing"),
        ({"model": "m", "modle": 1}, "modle: there is no such key: use one of model, base_url"),
        ({"model": 3}, "model: Input should be a valid string"),
        ({"model": "m", "seed": True}, "seed: Input should be a valid integer"),
        ({"model": "m", "temperature": "sk-hot"}, 'temperature: Input should be a valid number, or "none"'),
        ({"model": "m", "headers_env": {"X": 1}}, "headers_env.X: Input should be a valid string"),
        ({"model": "m", "extra": {"n": 2}}, "extra may not set n"),
        ({"model": "m", "base_url": "http://me:sk-x@a/v1"}, "base_url must hold no user name"),
        ({"model": "m", "prompt_usd": 1.0}, "give both"),
        ({"model": "m", "prompt_usd": 1.0, "completion_usd": "2"}, "completion_usd: it must be a number"),
        ({"model": "m", "prompt_usd": -1, "completion_usd": 2}, "finite number"),
    ],
)
def test_what_describes_no_model_is_refused(table: dict[str, object], said: str) -> None:
    with pytest.raises(ModelError) as caught:
        priced_model_of(table)
    assert said in str(caught.value)
    assert "sk-" not in str(caught.value)


def test_a_model_has_one_price() -> None:
    cheap, dear = (priced_model_of({"model": "m", "prompt_usd": usd, "completion_usd": usd}) for usd in (1, 2))
    free = priced_model_of({"model": "n"})
    assert prices_of([cheap, free, cheap]) == {"m": Price(1, 1)}
    with pytest.raises(ModelError, match="'m' has two prices"):
        prices_of([cheap, dear])


@pytest.mark.parametrize(
    ("key", "value"),
    [("temperature", float("nan")), ("extra", {"a": float("inf")}), ("timeout_s", -1.0), ("timeout_s", float("nan"))],
)
def test_numbers_that_no_request_can_carry_are_refused(key: str, value: object) -> None:
    with pytest.raises(ModelError, match=f"{key}: "):
        model_of({"model": "m", key: value})
