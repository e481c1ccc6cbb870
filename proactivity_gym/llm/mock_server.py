"""A scripted OpenAI-compatible server on loopback, for tests, docs and dry runs: no model, no network, errors on demand."""

import json
import socket
import struct
import sys
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self, cast

from proactivity_gym.llm import payloads
from proactivity_gym.llm.scripted import Script, Scripted, counted

LOOPBACK = "127.0.0.1"
_DIGITS = 9
"""Of the length of a request: longer ones are not read."""
_LINGER_NOT = struct.pack("ii", 1, 0)
"""Socket option: closing sends a reset."""


@dataclass(frozen=True)
class ServedCall:
    """A call as the server saw it: the witness in tests.

    Attributes:
        asked: JSON of the request.
        answer: as scripted.
        prompt_tokens, completion_tokens: as reported; 0 if nothing was.
        delivered: False if the client was gone before the answer, or never got it whole.
        headers: of the request, names in lower case.
    """

    asked: Mapping[str, object] = field(repr=False)
    answer: Scripted
    prompt_tokens: int
    completion_tokens: int
    delivered: bool
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


class MockServer:
    """Serves a script at `url` from `start` to `stop`; also a context manager.

    Args:
        script: what to answer.
        port: 0 takes a free one.
    """

    def __init__(self, script: Script, port: int = 0) -> None:
        self.script = script
        self.stopped = threading.Event()
        self._calls: list[ServedCall] = []
        self._sockets: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._server = _Listener(self, port)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        """What clients take as `base_url`."""
        return f"http://{LOOPBACK}:{self._server.server_port}/v1"

    @property
    def calls(self) -> tuple[ServedCall, ...]:
        """All calls so far, in the order of their answers."""
        with self._lock:
            return tuple(self._calls)

    @property
    def tokens(self) -> tuple[int, int]:
        """Tokens of prompts and of replies that were reported so far."""
        calls = self.calls
        return sum(call.prompt_tokens for call in calls), sum(call.completion_tokens for call in calls)

    def start(self) -> Self:
        """Begin to serve, in a thread of its own."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """End, breaking what is in flight; a second time does nothing."""
        if self.stopped.is_set():
            return
        self.stopped.set()
        self._server.shutdown()
        self._thread.join()
        with self._lock:
            for connection in self._sockets:
                _shut(connection)
        self._server.server_close()

    def wait(self) -> None:
        """Serve until interrupted."""
        while not self.stopped.wait(1.0):
            pass

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def note(self, call: ServedCall) -> None:
        """Enter a call in the log."""
        with self._lock:
            self._calls.append(call)

    def opened(self, connection: socket.socket) -> None:
        """Remember a connection, to close it at the end."""
        with self._lock:
            self._sockets.add(connection)

    def closed(self, connection: socket.socket) -> None:
        """Forget a connection."""
        with self._lock:
            self._sockets.discard(connection)


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, owner: MockServer, port: int) -> None:
        self.owner = owner
        super().__init__((LOOPBACK, port), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Let a client that hung up go in peace; anything else is a bug and shows."""
        if not self.owner.stopped.is_set() and not isinstance(_raised(), ConnectionError):
            super().handle_error(cast(socket.socket, request), client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Listener  # pyright: ignore[reportIncompatibleVariableOverride] - the only one that makes handlers

    def setup(self) -> None:
        super().setup()
        self.server.owner.opened(self.connection)

    def finish(self) -> None:
        self.server.owner.closed(self.connection)
        super().finish()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Stay silent: the log is `MockServer.calls`."""

    def do_GET(self) -> None:
        """List the one model."""
        if self.path.rstrip("/").endswith("/models"):
            self._send(200, payloads.models())
        else:
            self._send(404, payloads.error(404, "there are /v1/models and /v1/chat/completions", "not_found"))

    def do_POST(self) -> None:
        """Answer a chat completion."""
        asked = self._asked()
        if asked is None:
            self.close_connection = True  # what is left of the body would be taken for the next request
            self._send(400, payloads.error(400, "the body is no JSON object, or its length is not told", "invalid_json"))
            return
        if not self.path.rstrip("/").endswith("/chat/completions"):
            self._send(404, payloads.error(404, "there are /v1/models and /v1/chat/completions", "not_found"))
            return
        owner = self.server.owner
        answer = owner.script(asked)
        if owner.stopped.wait(answer.delay_s):
            self.close_connection = True
            return
        prompt, completion = counted(asked, answer) if answer.usage else (0, 0)
        delivered = answer.fault not in {"reset", "cut", "no_json"} and not self._hung_up()
        spent = (prompt, completion) if delivered else (0, 0)
        headers = {name.lower(): value for name, value in self.headers.items()}
        owner.note(ServedCall(asked, answer, *spent, delivered, headers))  # before the answer: who has it finds it noted
        self._answer(asked, answer, (prompt, completion))

    def _asked(self) -> dict[str, object] | None:
        """Return the JSON object that is the body of a request, or None if it is none."""
        length = self.headers.get("Content-Length", "0")
        if not (length.isascii() and length.isdecimal() and len(length) <= _DIGITS):
            return None
        try:
            asked: object = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            return None
        return cast("dict[str, object]", asked) if isinstance(asked, dict) else None

    def _answer(self, asked: Mapping[str, object], answer: Scripted, tokens: tuple[int, int]) -> None:
        if answer.fault == "reset":
            self._break()
        elif answer.fault == "no_json":
            self._send(200, b"<html>Bad gateway, but with status 200</html>", content_type="text/html")
        elif answer.status != 200:
            usage = tokens if answer.usage and any(tokens) else None
            body = payloads.error(answer.status, answer.text, answer.code, usage)
            self._send(answer.status, body, answer.headers)
        elif asked.get("stream"):
            self._stream(payloads.chunks(asked, answer, tokens), cut=answer.fault == "cut")
        else:
            body = payloads.completion(asked, answer, tokens)
            self._send(200, body, answer.headers, cut=answer.fault == "cut")

    def _send(
        self,
        status: int,
        body: bytes,
        headers: Mapping[str, str] | None = None,
        *,
        content_type: str = "application/json",
        cut: bool = False,
    ) -> None:
        self.send_response_only(status)
        ours = {"Content-Type": content_type, "Date": self.date_time_string()}
        for name, value in (ours | dict(headers or {})).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)
        self.wfile.flush()
        if cut:
            self._break()

    def _stream(self, pieces: Iterable[bytes], *, cut: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, piece in enumerate(pieces):
            if cut and number == 2:
                self._break()
                return
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    def _break(self) -> None:
        """Close the connection at once, with a reset."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT)
        _shut(self.connection)

    def _hung_up(self) -> bool:
        self.connection.setblocking(False)
        try:
            return self.connection.recv(1, socket.MSG_PEEK) == b""
        except BlockingIOError:
            return False  # nothing to read: it waits
        except ConnectionError:
            return True
        finally:
            self.connection.setblocking(True)


def _shut(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # it was closed already


def _raised() -> BaseException | None:
    return sys.exc_info()[1]
