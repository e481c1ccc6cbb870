"""A real model, embedded: llama.cpp serves SmolLM2-135M-Instruct on loopback (`make demo-llm`). Its scores mean nothing."""

import re
from collections.abc import Generator
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from typing import Any

import pytest

from examples import demo_llm
from proactivity_gym.llm.client import Request
from proactivity_gym.llm.replies import parse_json

MISSING = [name for name in demo_llm.PACKAGES if find_spec(name) is None]

needs_model = pytest.mark.skipif(
    bool(MISSING), reason=f"not installed: {', '.join(MISSING)} (`make demo-llm` and `make test` install them)"
)


@pytest.fixture
def base_url() -> Generator[str]:
    with demo_llm.serving() as url:
        yield url


@needs_model
def test_the_server_holds_a_reply_to_its_schema(base_url: str) -> None:
    schema = {
        "type": "object",
        "properties": {
            "depth": {"type": "string", "enum": ["PREPARE", "SUGGEST"]},
            "slot": {"type": "integer", "enum": [1, 2]},
        },
        "required": ["depth", "slot"],
        "additionalProperties": False,
    }
    with demo_llm.client(base_url, max_tokens=60) as client:
        reply = client.complete(Request("policy", ({"role": "user", "content": "Tell me a story about the sea."},), schema))
    assert reply.prompt_tokens > 0
    assert reply.completion_tokens > 0
    found = parse_json(reply.text)
    assert isinstance(found, dict)
    assert found["depth"] in ("PREPARE", "SUGGEST")
    assert found["slot"] in (1, 2)


def shown(pace: demo_llm.Pace, capsys: pytest.CaptureFixture[str]) -> str:
    """Run the demo and return what it printed, once all calls in it are found to have been answered."""
    demo_llm.main(pace)
    text = capsys.readouterr().out
    calls = re.findall(r"(?:policy|judge): (\w+), [\d.]+ s, (\d+) tokens read, (\d+) written", text)
    assert all(outcome == "ok" and int(read) > 500 and int(written) > 0 for outcome, read, written in calls)
    assert (text.count("MEAN NOTHING"), text.count("mean nothing")) == (1, 1)
    return text


def players(text: str) -> list[str]:
    return re.findall(r"step \(\d+, \d, \d\): (\S+)", text)


@needs_model
def test_the_model_plays(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(demo_llm.Pace(activations=1, steps=4, judge_s=1.0), capsys)
    assert "policy: ok" in text
    assert demo_llm.MODEL in players(text)
    assert f"\n{len(players(text))} steps;" in text


@needs_model
def test_the_model_judges(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(demo_llm.Pace(activations=0, steps=10, judge_s=1.0), capsys)
    assert players(text) == [demo_llm.FINISHER] * 10
    assert "judge: ok" in text
    assert re.search(r"verdicts asked for: 2, unscored: [01]\n", text)


def test_a_judge_is_held_to_codes_and_lines_that_there_are() -> None:
    shown = "The log:\n[1] a line, not [7]\n[2] another\n\nThe code of this case is 0a1b2c3d"
    rating = {"type": "object", "properties": {"quote": {"type": "string"}, "reason": {"type": "string"}}}
    schema: Any = {"type": "object", "properties": {"code": {"type": "string"}, "faith": rating}, "required": ["code", "faith"]}
    messages = ({"role": "system", "content": "[9] no"}, {"role": "user", "content": shown})
    held: Any = demo_llm.held(Request("judge", messages, schema)).schema
    assert held["properties"]["code"] == {"type": "string", "enum": ["0a1b2c3d"]}
    assert held["properties"]["faith"]["properties"]["quote"] == {"type": "string", "enum": ["[1]", "[2]"]}
    assert held["properties"]["faith"]["properties"]["reason"] == {"type": "string"}
    assert held["required"] == ["code", "faith"]
    assert schema["properties"]["faith"] == rating


@pytest.mark.parametrize("missing", demo_llm.PACKAGES)
def test_a_missing_package_is_named_with_its_remedy(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(name: str) -> ModuleSpec | None:
        return None if name == missing else find_spec("json")

    monkeypatch.setattr(demo_llm, "find_spec", found)
    with pytest.raises(SystemExit, match="make demo-llm"):
        demo_llm.weights()


def test_a_judge_without_time_has_no_verdict() -> None:
    hurried = demo_llm.HurriedJudge(demo_llm.client("http://127.0.0.1:9/v1", 10), until=0.0)
    with pytest.raises(demo_llm.Refused):
        hurried.complete(Request("judge", ()))
