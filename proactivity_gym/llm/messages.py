"""What is asked of a model and what comes back. Plain records: nothing here loads `openai` or touches a network."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

Message = Mapping[str, object]
"""A chat message in OpenAI's form, such as `{"role": "user", "content": "..."}`."""

PURPOSES = ("policy", "worker", "user", "judge")
_OURS = frozenset({"model", "messages", "stream", "stream_options", "n", "response_format", "tools", "temperature", "seed"})
"""What `extra` may not set: the client reads one whole reply, and the rest has a field of its own."""


@dataclass(frozen=True)
class ModelConfig:
    """Which model, where, and how it is asked. Holds no secret: keys are named here and read from the environment.

    Attributes:
        model: the server's name for it.
        base_url: an OpenAI-compatible server, `/v1` included; None leaves it to `OPENAI_BASE_URL` or OpenAI itself. User
            names, passwords and queries in it are refused, since addresses end up in logs.
        api_key_env: environment variable that holds the key. Servers given by `base_url` do without if it is not set.
        temperature: None sends none: reasoning models refuse one, others then take their own (0.0 for the least chance).
        seed: sent as it is; few servers promise the same reply for it.
        reasoning_effort: such as `"low"`; None sends none.
        max_tokens: limit of the reply; None leaves it to the server. Where a reasoning effort is set, it is sent under the name
            that reasoning models take, `max_completion_tokens`.
        context_tokens: how long a prompt may be; those who write prompts trim to it.
        timeout_s: seconds without a sign of life after which a call counts as failed.
        extra: further fields of the request body. Shown nowhere, since anything could stand there.
        headers_env: further request headers, each with the environment variable that holds its value.
    """

    model: str
    base_url: str | None = None
    api_key_env: str = "OPENAI_API_KEY"
    temperature: float | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    max_tokens: int | None = None
    context_tokens: int = 32_000
    timeout_s: float = 120.0
    extra: Mapping[str, object] = field(default_factory=dict[str, object], repr=False)
    headers_env: Mapping[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        """Refuse what could leak or would be overwritten.

        Raises:
            ValueError: an address with a secret in it, or an extra field that the client sets itself.
        """
        if self.base_url is not None:
            check_address(self.base_url)
        if taken := _OURS & set(self.extra):
            raise ValueError(f"extra may not set {', '.join(sorted(taken))}: the client does")

    def shape(self) -> dict[str, object]:
        """Return the request fields that this configuration sets, as the server gets them."""
        limit = "max_tokens" if self.reasoning_effort is None else "max_completion_tokens"
        fields = {
            "temperature": self.temperature,
            "seed": self.seed,
            "reasoning_effort": self.reasoning_effort,
            limit: self.max_tokens,
        }
        return {name: value for name, value in fields.items() if value is not None} | dict(self.extra)


def check_address(url: str) -> None:
    """Refuse an address that is none, or that carries a user name, password, query or fragment. The message does not repeat it.

    Raises:
        ValueError: it does.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("base_url must be an http or https address, such as http://127.0.0.1:8000/v1")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError(
            "base_url must hold no user name, password, query or fragment: addresses are logged. "
            "Keys go into environment variables, named by api_key_env or headers_env"
        )


@dataclass(frozen=True)
class Request:
    """One question to a model.

    Attributes:
        purpose: who asks: "policy", "worker", "user" or "judge"; the ledger counts by it.
        messages: the conversation so far.
        schema: JSON schema that the reply is held to, where the server can.
        tools: native tools in OpenAI's form.
        key: what else shapes the reply and must part it from others in the cache, such as the repetition. Not sent.
    """

    purpose: str
    messages: tuple[Message, ...]
    schema: Mapping[str, object] | None = None
    tools: tuple[Mapping[str, object], ...] = ()
    key: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True)
class ToolCall:
    """A native tool call; `arguments` is JSON text as the model wrote it, unchecked."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Reply:
    """What a model answered. Text and arguments are free of half characters (lone surrogates show as U+FFFD)."""

    text: str
    tool_calls: tuple[ToolCall, ...]
    prompt_tokens: int
    completion_tokens: int
    finish_reason: str
    cached: bool = False


@dataclass(frozen=True)
class CallRecord:
    """One attempt, or one answer from the cache, for the log of a run. It holds no key and no header.

    Attributes:
        model: as configured.
        request: what was asked.
        key: the request's key in the cache.
        attempt: 1 for the first; 0 for the cache.
        outcome: "ok", "cached", or the kind of failure, such as "429", "timeout", "empty_choices".
        seconds: how long it took, waiting before it excluded.
        reply: None if it failed.
    """

    model: str
    request: Request = field(repr=False)
    key: str
    attempt: int
    outcome: str
    seconds: float
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reply: Reply | None = field(default=None, repr=False)
