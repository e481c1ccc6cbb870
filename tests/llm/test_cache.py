"""The cache: one entry for each thing asked, whole or absent, whatever happens while it is written."""

import errno
import json
import logging
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from proactivity_gym.llm.bodies import Body, body_of
from proactivity_gym.llm.cache import Cache, cache_key
from proactivity_gym.llm.client import CallRecord, Client, ModelConfig, Reply, Request, ToolCall
from proactivity_gym.llm.mock_server import MockServer
from tests.llm.asking import GOOD, QUESTION, config_of, in_turn, question

KEY = "ab" + "0" * 62
REPLY = Reply("wait \u2028 \x00", (ToolCall("1", "mail__send", "{}"),), 12, 3, "stop")
URL = "http://127.0.0.1:9/v1"
CONFIG = ModelConfig("m", base_url=URL)


def key_of(config: ModelConfig = CONFIG, request: Request = QUESTION, url: str = URL) -> str:
    """Return the key of a question, changed in one respect."""
    return cache_key(url, body_of(config, request), request)


SHAPES = {
    "model": key_of(replace(CONFIG, model="other")),
    "server": key_of(url="http://127.0.0.1:10/v1"),
    "temperature": key_of(replace(CONFIG, temperature=0.5)),
    "no chance": key_of(replace(CONFIG, temperature=0.0)),
    "seed": key_of(replace(CONFIG, seed=1)),
    "effort": key_of(replace(CONFIG, reasoning_effort="low")),
    "limit": key_of(replace(CONFIG, max_tokens=10)),
    "extra": key_of(replace(CONFIG, extra={"top_p": 0.9})),
    "purpose": key_of(request=replace(QUESTION, purpose="judge")),
    "messages": key_of(request=question(1)),
    "role": key_of(request=replace(QUESTION, messages=({"role": "system", "content": "What now?"},))),
    "schema": key_of(request=replace(QUESTION, schema={"type": "object"})),
    "tools": key_of(request=replace(QUESTION, tools=({"type": "function"},))),
    "repetition": key_of(request=replace(QUESTION, key={"repetition": 1})),
    "next repetition": key_of(request=replace(QUESTION, key={"repetition": 2})),
}


def test_all_that_shapes_a_reply_is_in_the_key() -> None:
    assert len({key_of(), *SHAPES.values()}) == len(SHAPES) + 1


def test_nothing_else_is_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER_KEY", "sk-other")
    headers = {"X-Api-Key": "OTHER_KEY"}
    same = replace(CONFIG, api_key_env="OTHER_KEY", headers_env=headers, timeout_s=1.0, context_tokens=5)
    assert key_of(same) == key_of()
    assert key_of(request=replace(QUESTION, key={})) == key_of()


@pytest.mark.parametrize("value", [{1, 2}, object(), b"x", float("nan")])
def test_what_is_no_json_is_refused(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        key_of(request=replace(QUESTION, key={"x": value}))


@pytest.mark.parametrize("value", [{1, 2}, object(), b"x", float("nan")])
def test_what_is_no_json_cannot_be_sent(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        body_of(CONFIG, replace(QUESTION, messages=({"role": "user", "content": value},)))


def test_a_body_is_shown_nowhere() -> None:
    body = body_of(CONFIG, QUESTION)
    assert (repr(body), b"What now?" in body.content) == ("Body()", True)
    assert body.digest() != Body(b"{}").digest()


def test_a_reply_comes_back(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "new" / "folder")
    assert cache.get(KEY) is None
    cache.put(KEY, REPLY)
    assert cache.get(KEY) == replace(REPLY, cached=True)
    assert cache.damaged == 0


def test_asked_once_paid_once(tmp_path: Path) -> None:
    records: list[CallRecord] = []
    cache = Cache(tmp_path)
    with MockServer(in_turn(GOOD)) as server, Client(config_of(server.url), cache=cache, log=records.append) as client:
        first, second = client.complete(QUESTION), client.complete(QUESTION)
        client.complete(replace(QUESTION, key={"repetition": 2}))
        assert len(server.calls) == 2
        assert sum(account.calls for account in client.ledger.totals()) == 2
    assert (first.cached, second.cached) == (False, True)
    assert second == replace(first, cached=True)
    assert [(record.outcome, record.attempt) for record in records] == [("ok", 1), ("cached", 0), ("ok", 1)]


def entry(tmp_path: Path) -> Path:
    """Return the one file of a cache."""
    (path,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    return path


def test_an_entry_cut_anywhere_or_changed_counts_as_absent(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    cache = Cache(tmp_path)
    cache.put(KEY, REPLY)
    path = entry(tmp_path)
    whole = path.read_bytes()
    changed = [whole.replace(b"wait", b"act!"), whole.replace(b"12", b"13"), whole.replace(KEY.encode(), b"0" * 64)]
    damages = [*(whole[:end] for end in range(len(whole))), *changed, b"[]", b"null", b"\xff", b"[" * 100_000]
    with caplog.at_level(logging.WARNING):
        for damage in damages:
            path.write_bytes(damage)
            assert cache.get(KEY) is None
    assert cache.damaged == len(damages) == len(caplog.records)
    assert "is damaged" in caplog.text
    cache.put(KEY, REPLY)
    assert cache.get(KEY) is not None


FAULTS = {
    "temporary file": (tempfile, "mkstemp"),
    "open": (os, "fdopen"),
    "sync": (os, "fsync"),
    "rename": (Path, "replace"),
}


@pytest.mark.parametrize("where", FAULTS)
def test_a_fault_while_writing_leaves_the_old_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    cache = Cache(tmp_path)
    cache.put(KEY, REPLY)
    before = entry(tmp_path).read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(*FAULTS[where], fail)
        with pytest.raises(OSError, match="No space left"):
            cache.put(KEY, replace(REPLY, text="new"))
    assert entry(tmp_path).read_bytes() == before
    cache.put(KEY, replace(REPLY, text="new"))
    found = cache.get(KEY)
    assert found is not None
    assert found.text == "new"


def test_a_reply_that_cannot_be_kept_is_still_a_reply(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with MockServer(in_turn(GOOD)) as server, Client(config_of(server.url), cache=Cache(blocked)) as client:
        assert client.complete(QUESTION).text == GOOD.text
    assert "could not be kept in the cache" in caplog.text


def test_writers_of_one_entry_do_not_mix(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    replies = [replace(REPLY, text=str(number) * 5_000) for number in range(10)]

    def put(reply: Reply) -> None:
        cache.put(KEY, reply)

    with ThreadPoolExecutor(8) as pool:
        for _ in pool.map(put, replies * 5):
            assert cache.get(KEY) is not None
    assert cache.damaged == 0
    assert json.loads(entry(tmp_path).read_bytes())["key"] == KEY
