"""The mock server: what OpenAI's own package makes of it, streams included, and its scripts in files."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx2
import openai
import pytest

from proactivity_gym.llm.client import Client
from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.llm.scripted import FAULTS, Scripted, ScriptError, from_file
from tests.cli.pgym import pgym, refused
from tests.llm.asking import GOOD, QUESTION, config_of, in_turn

LONG = Scripted("one reply that is longer than a piece", (("read", '{"x": 1}'),), prompt_tokens=5, completion_tokens=7)


@contextmanager
def package(server: MockServer) -> Generator[openai.OpenAI]:
    """Return OpenAI's own client, without retries."""
    with openai.OpenAI(base_url=server.url, api_key="none", max_retries=0) as client:
        yield client


def test_models_are_listed() -> None:
    with MockServer(in_turn(GOOD)) as server, package(server) as client:
        assert [model.id for model in client.models.list()] == ["mock"]


def test_a_stream_carries_the_same_reply() -> None:
    with MockServer(in_turn(LONG)) as server, package(server) as client:
        whole = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "x"}])
        pieces = list(
            client.chat.completions.create(
                model="m",
                messages=[{"role": "user", "content": "x"}],
                stream=True,
                stream_options={"include_usage": True},
            )
        )
    deltas = [piece.choices[0].delta for piece in pieces if piece.choices]
    assert "".join(delta.content or "" for delta in deltas) == whole.choices[0].message.content == LONG.text
    calls = [call.function for delta in deltas for call in delta.tool_calls or []]
    assert [(call.name, call.arguments) for call in calls if call] == [("read", '{"x": 1}')]
    assert pieces[-2].choices[0].finish_reason == "tool_calls"
    assert pieces[-1].usage is not None
    assert (pieces[-1].usage.prompt_tokens, pieces[-1].usage.completion_tokens) == (5, 7)
    assert server.tokens == (10, 14)


@pytest.mark.parametrize("fault", ["cut", "reset"])
def test_a_stream_breaks(fault: str) -> None:
    with MockServer(in_turn(Scripted("x" * 200, fault=fault))) as server, package(server) as client:
        with pytest.raises((openai.APIConnectionError, httpx2.TransportError)):
            list(client.chat.completions.create(model="m", messages=[], stream=True))
        assert server.tokens == (0, 0)


def test_empty_and_filtered_streams() -> None:
    script = in_turn(Scripted(fault="empty_choices"), Scripted("x", fault="content_filter"))
    with MockServer(script) as server, package(server) as client:
        assert list(client.chat.completions.create(model="m", messages=[], stream=True)) == []
        pieces = list(client.chat.completions.create(model="m", messages=[], stream=True))
    assert [piece.choices[0].finish_reason for piece in pieces] == [None, "content_filter"]


@pytest.mark.parametrize(
    ("path", "body", "status"), [("/v1/x", b"{}", 404), ("/v1/chat/completions", b"{", 400), ("/v1/x", None, 404)]
)
def test_what_it_does_not_serve(path: str, body: bytes | None, status: int) -> None:
    with MockServer(in_turn(GOOD)) as server:
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(server.url.removesuffix("/v1") + path, data=body, timeout=5)
        assert caught.value.code == status
        caught.value.close()
        assert server.calls == ()


def test_it_ends_while_it_waits() -> None:
    asked = threading.Event()

    def slow(_: object) -> Scripted:
        asked.set()
        return Scripted(delay_s=60.0)

    with MockServer(slow) as server, package(server) as client, ThreadPoolExecutor(1) as pool:
        call = pool.submit(client.chat.completions.create, model="m", messages=[])
        assert asked.wait(5.0)
        started = time.monotonic()
        server.stop()
        assert isinstance(call.exception(timeout=5.0), openai.APIConnectionError)
        assert time.monotonic() - started < 5.0
        server.wait()


def test_a_bug_in_a_script_shows(capsys: pytest.CaptureFixture[str]) -> None:
    def broken(_: object) -> Scripted:
        raise KeyError("a bug in the script")

    with MockServer(broken) as server, package(server) as client, pytest.raises(openai.APIConnectionError):
        client.chat.completions.create(model="m", messages=[])
    assert "a bug in the script" in capsys.readouterr().err


def test_faults_are_named() -> None:
    for fault in FAULTS:
        assert Scripted(fault=fault).fault == fault
    with pytest.raises(ValueError, match="fault must be one of reset, cut"):
        Scripted(fault="rest")


FILE = """
[[reply]]
text = "first"
repeat = 2

[[reply]]
status = 429
headers = { Retry-After = "1" }
code = "slow"

[[reply]]
tool_calls = [["read", "{}"]]
delay_s = 0
usage = true
"""


def script_file(folder: Path, text: str) -> Path:
    """Write a script."""
    path = folder / "script.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_answers_from_a_file_come_in_turn(tmp_path: Path) -> None:
    script = from_file(script_file(tmp_path, FILE))
    answers = [script({}) for _ in range(6)]
    assert [answer.text for answer in answers[:2]] == ["first", "first"]
    assert (answers[2].status, answers[2].headers, answers[2].code) == (429, {"Retry-After": "1"}, "slow")
    assert answers[3] == answers[4] == answers[5] == Scripted(tool_calls=(("read", "{}"),), delay_s=0)
    again = from_file(script_file(tmp_path, f"loop = true\n{FILE}"))
    assert [again({}).text for _ in range(6)] == ["first", "first", "", "", "first", "first"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"there is no \[\[reply\]\]"),
        ("loop = 1", "loop must be of type bool, not int"),
        ("reply = 5", "reply must be of type list"),
        ("reply = [5]", "reply 1 must be of type dict"),
        ("[[replies]]", "unknown key 'replies'"),
        ("[[reply]]\ntxt = 'x'", "reply 1: unknown key 'txt'; there are text"),
        ("[[reply]]\n[[reply]]\nstatus = '429'", "reply 2: status must be of type int, not str"),
        ("[[reply]]\nstatus = true", "reply 1: status must be of type int, not bool"),
        ("[[reply]]\nrepeat = 'x'", "repeat must be of type int"),
        ("[[reply]]\nfault = 'rest'", "fault must be one of"),
        ("[[reply]]\ntool_calls = ['a']", "reply 1: tool_calls must be pairs of texts"),
        ("[[reply]]\ntool_calls = [['read', 1]]", "reply 1: tool_calls must be pairs of texts"),
        ("[[reply]]\nstatus = 201", "reply 1: status must be 200 or that of an error"),
        ("[[reply]]\nstatus = 9999", "reply 1: status must be 200 or that of an error"),
        ("[[reply]]\ndelay_s = -1", "reply 1: delay_s must be from 0"),
        ("[[reply]]\ndelay_s = nan", "reply 1: delay_s must be from 0"),
        ("[[reply]]\nprompt_tokens = -1", "reply 1: prompt_tokens and completion_tokens must be 0 or more"),
        ("[[reply]]\nheaders = { 'Retry-After' = 3 }", "reply 1: headers: 'Retry-After' = 3 is no header"),
        ("[[reply]]\nheaders = { 'a b' = 'c' }", "reply 1: headers: 'a b' = 'c' is no header"),
        ("[[reply", "script.toml: "),
    ],
)
def test_files_that_are_no_script(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ScriptError, match=message):
        from_file(script_file(tmp_path, text))


def test_the_command_serves_until_interrupted(tmp_path: Path) -> None:
    code = "from proactivity_gym.cli import main; main()"
    command = [sys.executable, "-W", "error", "-c", code, "mock-server", "--script", str(script_file(tmp_path, FILE))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ.copy()) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        url = json.loads(process.stdout.readline())["base_url"]
        with Client(config_of(url)) as client:
            assert client.complete(QUESTION).text == "first"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130
        assert process.stderr.read() == ""


def test_the_command_refuses_what_it_cannot_use(tmp_path: Path) -> None:
    assert "absent.toml: No such file" in refused(pgym("mock-server", "--script", str(tmp_path / "absent.toml")))


@pytest.mark.parametrize("body", [b"[]", b"3", b"{", b"\xff", b"[" * 100_000])
def test_a_body_that_is_no_object_is_refused(body: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    with MockServer(in_turn(GOOD)) as server:
        answer = httpx2.post(f"{server.url}/chat/completions", content=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_json")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("length", ["-5", "x", "9" * 20])
def test_a_length_that_is_none_is_refused(length: str, capfd: pytest.CaptureFixture[str]) -> None:
    with MockServer(in_turn(GOOD)) as server, socket.create_connection(("127.0.0.1", httpx2.URL(server.url).port or 0)) as line:
        line.sendall(f"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: {length}\r\n\r\n".encode())
        assert line.recv(100).startswith(b"HTTP/1.1 400 ")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("repeat", ["0", "-1", "99999999999"])
def test_a_reply_is_repeated_within_reason(repeat: str, tmp_path: Path) -> None:
    path = tmp_path / "script.toml"
    path.write_text(f'[[reply]]\ntext = "x"\nrepeat = {repeat}\n')
    with pytest.raises(ScriptError, match=f"script.toml: reply 1: repeat = {repeat}: give a whole number"):
        from_file(path)
