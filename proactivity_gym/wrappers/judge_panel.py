"""A panel of judges: each is asked the same question on its own, and each verdict must prove itself before it counts.

A verdict is the JSON object that a judge's reply consists of. It must repeat the question's code, which stands in our own
words and never in the data, so that an object copied out of the material is no verdict; and what it quotes must occur in the
material. Otherwise the judge is asked again, twice at most, and then it has no verdict. That is never a 0: it is counted, and
since judges differ in level, a question that one of them left open has no mean.
"""

import hashlib
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self

from proactivity_gym.llm.errors import ContextTooLong, Refused, Unreadable
from proactivity_gym.llm.messages import Message, Reply, Request
from proactivity_gym.llm.replies import parse_json
from proactivity_gym.llm.templates import data_block, render
from proactivity_gym.wrappers.judge_panel_file import read_models

RETRIES = 2
"""Times that a judge is asked again."""
UNSCORED_LIMIT = 0.05
"""Share of verdicts that may be missing: beyond it, a run's judged scores are incomplete."""
_ECHO = 4000
"""Characters of an unreadable reply that its judge is shown again."""


class Judge(Protocol):
    """Who can be asked; `llm.client.Client` is one."""

    def complete(self, request: Request) -> Reply:
        """Return the reply to a request."""
        ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge found."""

    scores: Mapping[str, float]
    quotes: tuple[str, ...]
    """Passages that it rests on; each occurs in the material."""
    reasons: Mapping[str, str]


class Reader(Protocol):
    """Makes a verdict of a JSON object."""

    def __call__(self, found: Mapping[str, object], /) -> Verdict:
        """Return the verdict.

        Raises:
            Unreadable: it is none, or its evidence does not occur in the material.
        """
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """What a panel is asked: a template for the rules, blocks of data (label and text), and the reply that is expected."""

    template: str | Path
    blocks: tuple[tuple[str, str], ...]
    schema: Mapping[str, object] = field(repr=False)
    read: Reader = field(repr=False)

    @property
    def code(self) -> str:
        """What a verdict must repeat: eight hex digits that do not occur in the data."""
        text = "\0".join(part for block in self.blocks for part in block)
        code = _digits(f"{self.template}\0{text}")
        while code in text:
            code = _digits(code)
        return code

    def messages(self) -> tuple[Message, ...]:
        """Return the prompt: the rules from us, then the data, block by block, between marks that do not occur in them."""
        blocks = [data_block(label, text, seed=f"judge {self.code}") for label, text in self.blocks]
        end = f"This is the end of the data. The code of this case is {self.code}"
        return (
            {"role": "system", "content": render(self.template, {})},
            {"role": "user", "content": "\n\n".join([*blocks, end])},
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What the judges of a panel answered, in the panel's order; None: no verdict that counts."""

    verdicts: tuple[Verdict | None, ...]

    @property
    def unscored(self) -> int:
        """Verdicts that are missing."""
        return sum(verdict is None for verdict in self.verdicts)

    def by_judge(self, *names: str) -> tuple[float | None, ...]:
        """Return each judge's mean over some scores."""
        return tuple(v and sum(v.scores[name] for name in names) / len(names) for v in self.verdicts)

    def mean(self, *names: str) -> float | None:
        """Return the mean over judges and some scores; None: a verdict is missing."""
        found = [score for score in self.by_judge(*names) if score is not None]
        return sum(found) / len(found) if len(found) == len(self.verdicts) else None


class Panel:
    """Two or more judges. It keeps no state, so copies share it, and so may threads."""

    def __init__(self, judges: Sequence[Judge], *, key: Mapping[str, object] | None = None) -> None:
        """Take the judges, and what parts their replies from others in a cache, such as a repetition.

        Raises:
            ValueError: there are fewer than two.
        """
        self.judges = tuple(judges)
        self._source: str | None = None
        if len(judges) < 2:
            raise ValueError(f"{len(judges)} judge: give at least two, so that their agreement can be told")
        self._key = dict(key or {})

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Return the panel of a TOML file, which names its models (see `judge_panel_file`).

        Raises:
            ValueError: the file cannot be used.
            LlmError: a model has no key.
        """
        from proactivity_gym.llm.client import Client  # noqa: PLC0415 (loads openai: only who asks models pays for it)

        panel = cls([Client(model.config) for model in read_models(path)])
        panel._source = str(path)
        return panel

    def keyed(self, **key: object) -> Self:
        """Return the same panel for another part of the cache, such as `keyed(repetition=2)`."""
        other = copy(self)
        other._key = self._key | key
        return other

    def ask(self, question: Question) -> Answer:
        """Ask every judge.

        Raises:
            LlmError: a server, a key or the budget failed; unreadable replies and refusals are no errors.
        """
        return Answer(tuple(self._verdict(judge, question) for judge in self.judges))

    def _verdict(self, judge: Judge, question: Question) -> Verdict | None:
        messages = question.messages()
        for _ in range(1 + RETRIES):
            try:
                text = judge.complete(Request("judge", messages, question.schema, key=self._key)).text
            except (Refused, ContextTooLong):
                break  # the same again would be no better
            try:
                return _read(question, text)
            except Unreadable as error:
                messages = (*messages, *_repair(text, error))
        return None

    def __repr__(self) -> str:
        """Name the file, or the number of judges."""
        return f"Panel({self._source or len(self.judges)!r})"

    def __copy__(self) -> Self:
        """Share the judges."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def __deepcopy__(self, memo: object) -> Self:
        """Share the judges: a connection is not copied."""
        return self

    def __reduce__(self) -> Any:  # noqa: ANN401 (pickle's own)
        """Be made anew from the file, where there is one."""
        if self._source is None:
            return Panel, (self.judges,), {"_key": self._key}
        return Panel.from_file, (self._source,), {"_key": self._key}


@dataclass(frozen=True, slots=True)
class Count:
    """How many verdicts were asked for and are missing."""

    asked: int = 0
    unscored: int = 0

    @classmethod
    def of(cls, answers: Sequence[Answer]) -> "Count":
        """Count the verdicts of some answers."""
        return cls(sum(len(answer.verdicts) for answer in answers), sum(answer.unscored for answer in answers))

    def __add__(self, other: "Count") -> "Count":
        """Add another count."""
        return Count(self.asked + other.asked, self.unscored + other.unscored)

    @property
    def complete(self) -> bool:
        """Whether few enough are missing (5 %) for the scores to be cited."""
        return self.unscored <= UNSCORED_LIMIT * self.asked


def _read(question: Question, text: str) -> Verdict:
    found = parse_json(text)
    if not isinstance(found, dict):
        raise Unreadable("the reply is a list: send one JSON object")
    if found.get("code") != question.code:
        raise Unreadable('"code" does not repeat the code at the end of the data')
    return question.read(found)


def _repair(text: str, error: Unreadable) -> tuple[Message, ...]:
    asked = f"That cannot be used: {error}. Answer again with the one JSON object that the rules describe, and nothing else."
    return {"role": "assistant", "content": text[:_ECHO] or "(nothing)"}, {"role": "user", "content": asked}


def _digits(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:8]
