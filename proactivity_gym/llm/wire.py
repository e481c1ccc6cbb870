"""The only module that loads `openai`: one attempt, as it is, with nothing raised for what a server or a network does."""

import ipaddress
import os
import time
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlsplit

import httpx2
import openai

from proactivity_gym.llm.blotting import Blotter, texts_in
from proactivity_gym.llm.bodies import Body
from proactivity_gym.llm.completions import read_completion
from proactivity_gym.llm.errors import AuthError
from proactivity_gym.llm.failures import Failure, from_status
from proactivity_gym.llm.ledger import Usage
from proactivity_gym.llm.messages import ModelConfig, Reply, check_address

_OPENAI = "https://api.openai.com/v1"
_SHORTEST_EXTRA = 12
"""Characters of a text in `extra` that counts as a secret in replies: shorter ones are settings such as "medium"."""
_NO_KEY = "none"
"""Sent to servers that were named and need no key; the package insists on one."""


class Wire:
    """Connections to one server, for any number of threads: as many as there are attempts at a time, kept for later ones.

    Each is a client of its own. One client for all would look at every connection it has for each attempt, under one lock.

    Raises:
        AuthError: an environment variable that holds a key or a header is not set, or holds what no header can carry.
        ValueError: the address in `OPENAI_BASE_URL` is none, or has a secret in it.
    """

    def __init__(self, config: ModelConfig, now: Callable[[], float] = time.time) -> None:
        named = config.base_url or os.environ.get("OPENAI_BASE_URL")
        self.base_url = named or _OPENAI
        check_address(self.base_url)
        key = _secret(config.api_key_env, _NO_KEY if named else None)
        headers = {header: _secret(variable, None) for header, variable in config.headers_env.items()}
        self._now = now
        keys, further = [key, *headers.values()], texts_in(config.extra)
        self._errors = Blotter([*keys, *further])
        self._replies = Blotter([*keys, *(text for text in further if len(text) >= _SHORTEST_EXTRA)])
        here = _is_loopback(self.base_url)
        bare = here and self.base_url.startswith("http:")
        # Certificates load where some are checked, and once.
        verify = False if bare else httpx2.create_ssl_context(trust_env=not here)
        self._connect = lambda: openai.OpenAI(
            api_key=key,
            base_url=self.base_url,
            default_headers=headers,
            timeout=config.timeout_s,
            max_retries=0,
            http_client=openai.DefaultHttpxClient(
                follow_redirects=False,  # a redirect would take our headers elsewhere
                trust_env=not here,  # no proxy stands before this machine
                verify=verify,
                timeout=config.timeout_s,
            ),
        )
        self._made: list[openai.OpenAI] = []
        self._idle: list[openai.OpenAI] = []

    def send(self, body: Body) -> tuple[Reply, Usage] | Failure:
        """Make one attempt."""
        client = self._taken()
        try:
            return self._sent(client, body)
        finally:
            self._idle.append(client)

    def _taken(self) -> openai.OpenAI:
        """Return the client that came back last, or a new one if all are out. Lists need no lock for that."""
        try:
            return self._idle.pop()
        except IndexError:
            client = self._connect()
            self._made.append(client)
            return client

    def _sent(self, client: openai.OpenAI, body: Body) -> tuple[Reply, Usage] | Failure:
        try:  # as bytes: the package would walk through typed messages and replies, for half of the time that it takes
            completion = client.post("/chat/completions", cast_to=bytes, content=body.content)
        except openai.APITimeoutError:
            return Failure("timeout", "no answer in time")
        except openai.APIConnectionError as error:
            return Failure("connection", f"the connection failed ({type(error.__cause__).__name__})")
        except openai.APIStatusError as error:
            answer = error.response
            failure = from_status(answer.status_code, answer.headers, answer.content, self._now())
            return replace(failure, message=self._errors.blot(failure.message))
        found = read_completion(completion, body.content)
        return found if isinstance(found, Failure) else (self._cleaned(found[0]), found[1])

    def _cleaned(self, reply: Reply) -> Reply:
        """Return a reply without our secrets, so that they get into no log, cache, prompt or work."""
        clean = self._replies.clean
        calls = tuple(replace(call, name=clean(call.name), arguments=clean(call.arguments)) for call in reply.tool_calls)
        return replace(reply, text=clean(reply.text), tool_calls=calls)

    def close(self) -> None:
        """Close the connections."""
        for client in self._made:
            client.close()


def _secret(variable: str, otherwise: str | None) -> str:
    """Return what an environment variable holds; errors name the variable alone.

    Raises:
        AuthError: it is not set and nothing else will do, or it holds what no header can carry.
    """
    value = os.environ.get(variable, "").strip() or otherwise
    if value is None:
        raise AuthError(f"the environment variable {variable} is not set: put the key there, or name another one")
    if not (value.isascii() and value.isprintable()):
        raise AuthError(f"the environment variable {variable} holds characters that no header can carry")
    return value


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
