"""The one way to a model: chat completions through the `openai` package, with our own retries, ledger, cache and log.

The package's own retries are off, since they would go past the ledger.
"""

import logging
import time
import weakref
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Self

from proactivity_gym.llm.bodies import Body, body_of
from proactivity_gym.llm.cache import Cache, cache_key
from proactivity_gym.llm.errors import LlmError
from proactivity_gym.llm.failures import Failure
from proactivity_gym.llm.ledger import Ledger, Usage
from proactivity_gym.llm.messages import CallRecord, Message, ModelConfig, Reply, Request, ToolCall
from proactivity_gym.llm.retries import Patience
from proactivity_gym.llm.wire import Wire

__all__ = ["Cache", "CallRecord", "Client", "Ledger", "Message", "ModelConfig", "Reply", "Request", "ToolCall"]

_LOG = logging.getLogger("proactivity_gym.llm")


class Client:
    """Asks one model. One client serves any number of threads.

    Args:
        config: the model. Keys are read from the environment here, once.
        ledger: where spending is charged and capped; none counts nothing and caps nothing.
        cache: where replies are kept; none asks anew each time.
        log: gets a record of every attempt and of every answer from the cache, in the thread that asked.
        sleep: waits between attempts.
        now: seconds since 1970, for servers that ask to be left alone until a date.

    Raises:
        AuthError: there is no key.
        UnpricedModel: the ledger caps money and has no price for the model.
        ValueError: `OPENAI_BASE_URL` cannot be used.
    """

    def __init__(
        self,
        config: ModelConfig,
        *,
        ledger: Ledger | None = None,
        cache: Cache | None = None,
        log: Callable[[CallRecord], None] | None = None,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.config = config
        self.ledger = ledger or Ledger()
        self.ledger.admit(config.model)
        self._cache = cache
        self._log = log
        self._sleep = sleep
        self._wire = Wire(config, now)
        self._finalizer = weakref.finalize(self, self._wire.close)

    def complete(self, request: Request) -> Reply:
        """Ask, and ask again after failures that may pass: at most six times, within ten minutes.

        Raises:
            InfraError: server or network stayed out of order.
            AuthError: the key is refused, or its quota is used up.
            RequestError: the server does not take such a request.
            ContextTooLong: the prompt is too long for the model.
            Refused: a content filter or the model declined.
            BudgetExceeded: the cap is reached.
            TypeError, ValueError: the request holds something that is no JSON.
        """
        body = body_of(self.config, request)
        key = cache_key(self._wire.base_url, body, request)
        cached = self._cache.get(key) if self._cache else None
        if cached is not None:
            self._note(CallRecord(self.config.model, request, key, 0, "cached", 0.0, reply=cached))
            return cached
        reply = self._ask(request, body, key)
        self._keep(key, reply)
        return reply

    def close(self) -> None:
        """Close the connections; also done when the client is forgotten."""
        self._finalizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client(model={self.config.model!r}, base_url={self._wire.base_url!r})"

    def _ask(self, request: Request, body: Body, key: str) -> Reply:
        patience = Patience(key)
        while True:
            self.ledger.reserve()
            started = time.monotonic()
            answer = self._wire.send(body)
            took_s = time.monotonic() - started
            attempt = CallRecord(self.config.model, request, key, patience.attempts + 1, "ok", took_s)
            if not isinstance(answer, Failure):
                self._charge(attempt, answer[1], answer[0])
                return answer[0]
            self._charge(replace(attempt, outcome=answer.kind), answer.usage, None)
            wait = patience.after(answer, took_s)
            if isinstance(wait, LlmError):
                raise wait
            self._sleep(wait)

    def _charge(self, attempt: CallRecord, usage: Usage, reply: Reply | None) -> None:
        """Enter an attempt in the ledger and the log."""
        self.ledger.record(self.config.model, attempt.request.purpose, usage, failed=reply is None)
        self._note(replace(attempt, prompt_tokens=usage.prompt_tokens, completion_tokens=usage.completion_tokens, reply=reply))

    def _note(self, record: CallRecord) -> None:
        _LOG.debug("%s %s: attempt %d, %s", record.model, record.request.purpose, record.attempt, record.outcome)
        if self._log is not None:
            self._log(record)

    def _keep(self, key: str, reply: Reply) -> None:
        """Write a reply to the cache; a disk that fails costs a later call, not this one."""
        if self._cache is None:
            return
        try:
            self._cache.put(key, reply)
        except OSError as error:
            _LOG.warning("a reply could not be kept in the cache: %s", error.strerror)
