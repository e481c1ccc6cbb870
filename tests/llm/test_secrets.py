"""Secrets (D16): twelve canaries in the places where keys are put, and none in anything that is shown or written."""

import json
import logging
import traceback
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from proactivity_gym.llm.blotting import Blotter, texts_in
from proactivity_gym.llm.cache import Cache
from proactivity_gym.llm.client import CallRecord, Client, ModelConfig
from proactivity_gym.llm.errors import AuthError, LlmError
from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.llm.scripted import Scripted
from tests.llm.asking import GOOD, QUESTION, Sleeper, in_turn

CANARIES = [f"sk-canary-{number:02}-{number * 7919:06x}Zq" for number in range(12)]
KEY, HEADER, GATEWAY, ODD, NESTED, LISTED, USER, PASSWORD, QUERY, FRAGMENT, ENVIRONMENT, BROKEN = CANARIES
VARIABLES = {
    "MODEL_KEY": KEY,
    "HEADER_KEY": HEADER,
    "GATEWAY_KEY": GATEWAY,
    "UNRELATED_TOKEN": ENVIRONMENT,
    "BROKEN_KEY": f"{BROKEN}\u20ac",
}
EXTRA = {"x_upstream": ODD, "metadata": {"auth": NESTED, "list": [LISTED, 1, None]}}
HEADERS = {"X-Api-Key": "HEADER_KEY", "X-Gateway": "GATEWAY_KEY"}


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    caplog.set_level(logging.DEBUG)


def config_of(url: str) -> ModelConfig:
    """Return a model with secrets wherever there is room for them."""
    return ModelConfig("mock", base_url=url, api_key_env="MODEL_KEY", headers_env=HEADERS, extra=EXTRA, timeout_s=1.0)


def clean(*texts: object) -> None:
    """Check that no canary is in any text."""
    for text in texts:
        hits = [canary for canary in CANARIES if canary in str(text)]
        assert not hits, str(text)[:500]


def telling(asked: Mapping[str, object]) -> str:
    """Return what a careless server says: all that it was sent."""
    return f"Incorrect API key: {KEY}. Headers: {HEADER} {GATEWAY}; body: {json.dumps(asked)}"


FAILURES = [
    Scripted(status=401),
    Scripted(status=403),
    Scripted(status=400),
    Scripted(status=429, code="insufficient_quota"),
    Scripted(status=429, headers={"Retry-After": "864000"}),
    Scripted(status=500),
    Scripted(fault="reset"),
    Scripted(fault="cut"),
    Scripted(fault="empty_choices"),
    Scripted(fault="no_json"),
    Scripted(fault="content_filter"),
    Scripted(status=307, headers={"Location": "http://127.0.0.1:9/"}),
]


@pytest.mark.parametrize("failure", FAILURES)
def test_errors_and_logs_show_none(failure: Scripted, caplog: pytest.LogCaptureFixture) -> None:
    records: list[CallRecord] = []
    with MockServer(lambda asked: replace(failure, text=telling(asked))) as server:
        client = Client(config_of(server.url), sleep=Sleeper(), log=records.append)
        with client, pytest.raises(LlmError) as caught:
            client.complete(QUESTION)
        whole = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
        ours = [line for line in whole.format() if "/llm/client.py" in line or "/llm/errors.py" in line]
        clean(caught.value, repr(caught.value), *map(repr, records), client, repr(client.config), client.ledger.totals(), *ours)
    assert ours
    assert caplog.records
    clean(caplog.text, *(record.__dict__ for record in caplog.records))


def test_the_server_gets_them_all_the_same() -> None:
    with MockServer(in_turn(GOOD)) as server, Client(config_of(server.url)) as client:
        client.complete(QUESTION)
        (call,) = server.calls
    assert call.asked["x_upstream"] == ODD
    assert call.asked["metadata"] == EXTRA["metadata"]
    assert call.headers["authorization"] == f"Bearer {KEY}"
    assert (call.headers["x-api-key"], call.headers["x-gateway"]) == (HEADER, GATEWAY)
    clean(repr(call))


def test_a_reply_that_repeats_them_is_cleaned_before_anybody_sees_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    records: list[CallRecord] = []
    told = f"Your key is {KEY}, your medium {HEADER}"

    def telling_all(asked: Mapping[str, object]) -> Scripted:
        return Scripted(f"{told} {json.dumps(asked)}", tool_calls=(("mail__send", json.dumps({"to": KEY, "body": ODD})),))

    with MockServer(telling_all) as server:
        config = replace(config_of(server.url), extra={**EXTRA, "effort": "medium"})
        with Client(config, cache=Cache(tmp_path), log=records.append) as client:
            replies = [client.complete(QUESTION) for _ in range(2)]
    assert [reply.cached for reply in replies] == [False, True]
    assert replies[0].text.startswith("Your key is <secret>, your medium <secret>")
    assert json.loads(replies[1].tool_calls[0].arguments) == {"to": "<secret>", "body": "<secret>"}
    (file,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    clean(*replies, *(record.reply for record in records), file, file.read_text(), caplog.text)


def test_the_cache_holds_none(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with MockServer(in_turn(GOOD)) as server, Client(config_of(server.url), cache=Cache(tmp_path)) as client:
        client.complete(QUESTION)
        client.complete(QUESTION)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 1
    clean(*(str(path) for path in files), *(path.read_text() for path in files), caplog.text)


@pytest.mark.parametrize(
    "url",
    [
        f"http://{USER}:{PASSWORD}@127.0.0.1:9/v1",
        f"http://{USER}@127.0.0.1:9/v1",
        f"http://127.0.0.1:9/v1?key={QUERY}",
        f"http://127.0.0.1:9/v1#{FRAGMENT}",
        f"{QUERY}",
        f"ftp://{USER}",
    ],
)
def test_addresses_with_secrets_are_refused_without_repeating_them(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="base_url must") as caught:
        ModelConfig("mock", base_url=url)
    clean(caught.value, caught.value.__context__)
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    with pytest.raises(ValueError, match="base_url must") as caught:
        Client(ModelConfig("mock", api_key_env="MODEL_KEY"))
    clean(caught.value)


@pytest.mark.parametrize("name", ["model", "messages", "stream", "n", "tools"])
def test_extra_cannot_take_the_clients_fields(name: str) -> None:
    with pytest.raises(ValueError, match=f"extra may not set {name}") as caught:
        ModelConfig("mock", extra={name: ODD})
    clean(caught.value)


def test_keys_that_are_missing_or_no_header_can_carry() -> None:
    with pytest.raises(AuthError, match="OPENAI_API_KEY is not set"):
        Client(ModelConfig("mock"))
    with pytest.raises(AuthError, match="ABSENT is not set"):
        Client(ModelConfig("mock", base_url="http://127.0.0.1:9/v1", headers_env={"X-Api-Key": "ABSENT"}))
    with pytest.raises(AuthError, match="BROKEN_KEY holds characters") as caught:
        Client(ModelConfig("mock", base_url="http://127.0.0.1:9/v1", api_key_env="BROKEN_KEY"))
    clean(caught.value, repr(caught.value), caught.value.__context__)


def test_blotting() -> None:
    blotter = Blotter([KEY, KEY[:12], "low", ""])
    assert blotter.blot(f"{KEY} is {KEY[:12]} low\n\x1b") == "<secret> is <secret> low <U+001B>"
    clean(repr(blotter), blotter.blot("x" * 395 + KEY))
    assert sorted(texts_in({"a": ["b", ("c", 1)], "d": {"e": None, "f": "g"}})) == ["b", "c", "g"]
