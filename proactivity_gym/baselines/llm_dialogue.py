"""One conversation with a model, kept within its context: what was said before is left off, oldest first, never the opening."""

import math
from collections.abc import Mapping, Sequence

from proactivity_gym.baselines.llm_schema import DECIDE
from proactivity_gym.llm.blotting import texts_in
from proactivity_gym.llm.client import Client
from proactivity_gym.llm.errors import Unreadable
from proactivity_gym.llm.messages import Message, Reply, Request, ToolCall
from proactivity_gym.llm.templates import data_block

REPLY_TOKENS = 1500
"""Kept free for the reply where the configuration sets no limit for it."""
LEFT_OFF = "(left off for want of room: read it again if you need it)"
TOO_EARLY = "not taken: you asked to read as well; decide when you have read"

_FORM = 8
"""Tokens that a message takes beside its texts."""
_CHARACTERS = 3.5
"""Of a token, at the least: English runs to four or more."""


def tokens(text: str) -> int:
    """Return how many tokens a text is at the most, by its UTF-8 bytes."""
    return math.ceil((len(text) if text.isascii() else len(text.encode("utf-8", "replace"))) / _CHARACTERS)


def prompt_tokens(client: Client, context_tokens: int | None) -> int:
    """Return how long a conversation may get: the context (the model's own, if None) less room for the reply."""
    context = client.config.context_tokens if context_tokens is None else context_tokens
    return max(context - (client.config.max_tokens or REPLY_TOKENS), context // 2)


class Dialogue:
    """Messages to and from a model. Results of tools answer native calls where there were some, else they are a message."""

    def __init__(self, client: Client, purpose: str, opening: tuple[str, str], limit: int, key: Mapping[str, object]) -> None:
        """Open with a system prompt and a first message.

        Args:
            client: the model.
            purpose: for the ledger.
            opening: system prompt and first message, which stay.
            limit: tokens of all messages together.
            key: what else parts the requests from others in a cache.
        """
        self._client = client
        self._purpose = purpose
        self._limit = limit
        self._key = key
        self._messages: list[Message] = [
            {"role": "system", "content": opening[0]},
            {"role": "user", "content": opening[1]},
        ]
        self._open: tuple[ToolCall, ...] = ()

    @property
    def messages(self) -> tuple[Message, ...]:
        """What the next question holds."""
        return tuple(self._messages)

    def ask(self, schema: Mapping[str, object] | None, tools: tuple[Mapping[str, object], ...]) -> Reply:
        """Ask, and keep the reply.

        Raises:
            LlmError: the model does not answer (`llm/errors.py`).
        """
        self._fit()
        reply = self._client.complete(Request(self._purpose, self.messages, schema, tools, self._key))
        self._open = reply.tool_calls
        said: dict[str, object] = {"role": "assistant", "content": reply.text}
        if reply.tool_calls:
            said["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in reply.tool_calls
            ]
        self._messages.append(said)
        return reply

    def tell(self, text: str) -> None:
        """Add a message; it also answers what native calls the last reply made."""
        self._messages += [_result(call, text) for call in self._open] or [{"role": "user", "content": text}]
        self._open = ()

    def answer(self, results: Sequence[tuple[str, str]], note: str = "") -> None:
        """Answer the calls of the last reply, in their order, with what was called and what came back, as data; add a note.

        A decision made along with native calls has no result: it is told to wait.
        """
        tail = f"\n\n{note}" if note else ""
        if not self._open:
            text = "\n".join(f"{name}: {result}" for name, result in results)
            self.tell(data_block("Answers of the tools", text) + tail)
            return
        coming = iter(results)
        for call in self._open:
            text = TOO_EARLY if call.name == DECIDE else _as_data(*next(coming))
            self._messages.append(_result(call, text + tail))
        self._open = ()

    def refuse(self, error: Unreadable) -> None:
        """Send the last reply back, with what is wrong with it."""
        self.tell(f"Your reply could not be used: {error}. Send it again, whole and in the form that was asked for.")

    def _fit(self) -> None:
        """Leave off what was answered, oldest first, until all fits; the opening and the last message stay."""
        room = self._limit - sum(map(_size, self._messages))
        for place, message in enumerate(self._messages[2:-1], start=2):
            if room >= 0:
                return
            if message["role"] in ("user", "tool") and message["content"] != LEFT_OFF:
                shorter = {**message, "content": LEFT_OFF}
                room += _size(message) - _size(shorter)
                self._messages[place] = shorter


def _size(message: Message) -> int:
    return _FORM + sum(map(tokens, texts_in(message)))


def _as_data(name: str, result: str) -> str:
    return data_block(f"Answer of {name}", result)


def _result(call: ToolCall, text: str) -> Message:
    return {"role": "tool", "tool_call_id": call.id, "content": text}
