"""The table of failures (D12): what is asked again, how long after, and what ends it."""

import socket
import time
from dataclasses import dataclass

import pytest

from proactivity_gym.llm.client import CallRecord, Client, ModelConfig
from proactivity_gym.llm.errors import AuthError, ContextTooLong, InfraError, LlmError, Refused, RequestError
from proactivity_gym.llm.failures import from_status, retry_after
from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.llm.scripted import Scripted
from tests.llm.asking import GOOD, NOW, QUESTION, Sleeper, config_of, in_turn, patient

DATE = "Tue, 14 Nov 2023 22:13:50 GMT"
"""Thirty seconds after `NOW`."""


@dataclass(frozen=True)
class Passing:
    """A failure that passes: the answer before a good one, and the least and most seconds waited between."""

    answer: Scripted
    least: float
    most: float
    kind: str


PASSING = {
    "429, seconds": Passing(Scripted(status=429, headers={"Retry-After": "7"}), 7, 8, "429"),
    "429, milliseconds": Passing(Scripted(status=429, headers={"Retry-After-Ms": "1500"}), 1.5, 2.5, "429"),
    "429, over 20 seconds": Passing(Scripted(status=429, headers={"Retry-After": "45"}), 45, 46, "429"),
    "429, date": Passing(
        Scripted(status=429, headers={"Retry-After": DATE, "Date": "Tue, 14 Nov 2023 22:13:20 GMT"}), 30, 31, "429"
    ),
    "429, past date": Passing(
        Scripted(status=429, headers={"Retry-After": "Tue, 14 Nov 2023 22:00:00 GMT", "Date": DATE}), 0, 1, "429"
    ),
    "429, absent": Passing(Scripted(status=429), 0.5, 1, "429"),
    "429, nonsense": Passing(Scripted(status=429, headers={"Retry-After": "soon"}), 0.5, 1, "429"),
    "429, negative": Passing(Scripted(status=429, headers={"Retry-After": "-3"}), 0.5, 1, "429"),
    "429, not finite": Passing(Scripted(status=429, headers={"Retry-After": "inf"}), 0.5, 1, "429"),
    "408": Passing(Scripted(status=408), 0.5, 1, "408"),
    "409": Passing(Scripted(status=409), 0.5, 1, "409"),
    "500": Passing(Scripted(status=500), 0.5, 1, "500"),
    "502": Passing(Scripted(status=502), 0.5, 1, "502"),
    "503": Passing(Scripted(status=503, headers={"Retry-After": "2"}), 2, 3, "503"),
    "529": Passing(Scripted(status=529), 0.5, 1, "529"),
    "reset": Passing(Scripted(fault="reset"), 0.5, 1, "connection"),
    "cut": Passing(Scripted("x" * 5000, fault="cut"), 0.5, 1, "connection"),
    "no JSON": Passing(Scripted(fault="no_json"), 0.5, 1, "no_completion"),
    "empty choices": Passing(Scripted(fault="empty_choices"), 0.5, 1, "empty_choices"),
    "filtered once": Passing(Scripted(fault="content_filter"), 0.5, 1, "content_filter"),
    "filter as 400": Passing(Scripted(status=400, code="content_filter"), 0.5, 1, "content_filter"),
}


@pytest.mark.parametrize("case", PASSING.values(), ids=PASSING)
def test_what_passes_is_asked_again(case: Passing) -> None:
    sleeper, records = Sleeper(), list[CallRecord]()
    with MockServer(in_turn(case.answer, GOOD)) as server:
        client = Client(config_of(server.url), sleep=sleeper, now=lambda: NOW, log=records.append)
        with client:
            assert client.complete(QUESTION).text == GOOD.text
        assert len(server.calls) == 2
    assert [record.outcome for record in records] == [case.kind, "ok"]
    assert len(sleeper.naps) == 1
    assert case.least <= sleeper.naps[0] <= case.most


ENDING = {
    "401": (Scripted("bad key", status=401), AuthError, 1),
    "402": (Scripted(status=402), AuthError, 1),
    "403": (Scripted(status=403), AuthError, 1),
    "quota": (Scripted("You exceeded your quota", status=429, code="insufficient_quota"), AuthError, 1),
    "quota that says when": (Scripted(status=429, code="insufficient_quota", headers={"Retry-After": "1"}), AuthError, 1),
    "10 days": (Scripted(status=429, headers={"Retry-After": "864000"}), InfraError, 1),
    "10 days as a date": (
        Scripted(status=503, headers={"Retry-After": "Fri, 24 Nov 2023 22:13:20 GMT", "Date": DATE}),
        InfraError,
        1,
    ),
    "11 minutes": (Scripted(status=429, headers={"Retry-After": "660"}), InfraError, 1),
    "4 minutes each time": (Scripted(status=429, headers={"Retry-After": "240"}), InfraError, 3),
    "400": (Scripted("temperature is not supported", status=400), RequestError, 1),
    "404": (Scripted("no such model", status=404), RequestError, 1),
    "redirect": (Scripted(status=307, headers={"Location": "http://127.0.0.1:9/v1/chat/completions"}), RequestError, 1),
    "too long": (Scripted(status=400, code="context_length_exceeded"), ContextTooLong, 1),
    "too long in words": (Scripted("This model's maximum context length is 4096 tokens", status=400), ContextTooLong, 1),
    "too long as 500": (Scripted("the request exceeds the available context size", status=500), ContextTooLong, 1),
    "500 for ever": (Scripted(status=500), InfraError, 7),
    "reset for ever": (Scripted(fault="reset"), InfraError, 7),
    "empty for ever": (Scripted(fault="empty_choices"), InfraError, 7),
    "filtered for ever": (Scripted(fault="content_filter"), Refused, 4),
}


@pytest.mark.parametrize(("answer", "error", "calls"), ENDING.values(), ids=ENDING)
def test_what_does_not_pass_ends(answer: Scripted, error: type[LlmError], calls: int) -> None:
    sleeper = Sleeper()
    started = time.monotonic()
    with MockServer(in_turn(answer)) as server, patient(server.url, sleeper) as client:
        with pytest.raises(error) as caught:
            client.complete(QUESTION)
        assert len(server.calls) == calls
    assert time.monotonic() - started < 10
    assert len(sleeper.naps) == calls - 1
    assert sum(sleeper.naps) <= 600
    assert caught.value.__context__ is None, "a chained error would drag requests and headers along"
    if answer.text:
        assert answer.text in str(caught.value)


def test_waiting_grows_is_spread_and_is_the_same_again() -> None:
    naps: list[list[float]] = []
    for _ in range(2):
        sleeper = Sleeper()
        with MockServer(in_turn(Scripted(status=500)), port=0) as server:
            client = Client(ModelConfig("mock", base_url=server.url), sleep=sleeper)
            with client, pytest.raises(InfraError, match="after 7 attempts"):
                client.complete(QUESTION)
        naps.append(sleeper.naps)
    for number, nap in enumerate(naps[0]):
        assert 2**number / 2 <= nap <= min(60, 2**number)
    assert len(set(naps[0])) == 6


def test_a_timeout_is_asked_again_and_costs_what_nobody_knows() -> None:
    sleeper = Sleeper()
    with MockServer(in_turn(Scripted("late", delay_s=0.5), GOOD)) as server:
        config = ModelConfig("mock", base_url=server.url, timeout_s=0.25)
        with Client(config, sleep=sleeper) as client:
            assert client.complete(QUESTION).text == GOOD.text
            (account,) = client.ledger.totals()
        until = time.monotonic() + 5.0
        while len(server.calls) < 2 and time.monotonic() < until:
            time.sleep(0.01)
        assert sorted(call.delivered for call in server.calls) == [False, True]
        assert server.tokens == (account.prompt_tokens, account.completion_tokens) == (100, 10)
    assert (account.calls, account.failed, account.unreported) == (2, 1, 1)
    assert len(sleeper.naps) == 1


def test_a_server_that_is_not_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        sleeper = Sleeper()
        with patient(url, sleeper) as client, pytest.raises(InfraError, match="connection failed"):
            client.complete(QUESTION)
    assert len(sleeper.naps) == 6


def test_time_in_failed_attempts_counts_as_waiting() -> None:
    from proactivity_gym.llm.failures import Failure
    from proactivity_gym.llm.retries import Patience

    patience = Patience("key")
    assert isinstance(patience.after(Failure("timeout", "no answer in time"), 400.0), float)
    assert isinstance(patience.after(Failure("timeout", "no answer in time"), 400.0), InfraError)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "2.5"}, 2.5),
        ({"retry-after": DATE}, 30.0),
        ({"retry-after": DATE.replace("GMT", "-0000")}, 30.0),
        ({"retry-after": "Tue, 99 Nov 2023 22:13:50 GMT"}, None),
        ({"retry-after": "Fri, 31 Dec 99999 23:59:59 GMT"}, None),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "x", "retry-after": "9"}, 9.0),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b'"text"',
        b"{",
        b"\xff\xfe",
        b'{"error": "text"}',
        b'{"error": []}',
        b'{"error": {"message": [{}], "code": {}}}',
        b"[" * 100_000,
    ],
)
def test_error_bodies_of_any_kind(body: bytes) -> None:
    failure = from_status(500, {}, body, NOW)
    assert failure.fatal is None
    assert failure.kind == "500"


@pytest.mark.parametrize(
    "usage", ['{"prompt_tokens": 7, "completion_tokens": 2}', '{"prompt_tokens": 7}', "{}", '{"prompt_tokens": true}']
)
def test_failed_calls_that_report_usage(usage: str) -> None:
    failure = from_status(500, {}, f'{{"error": {{"message": "x"}}, "usage": {usage}}}'.encode(), NOW)
    assert failure.usage.reported == ("7" in usage)
    assert failure.usage.prompt_tokens == (7 if "7" in usage else 0)
