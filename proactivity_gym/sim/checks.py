"""Checks of finished work: which of the expected tool calls were made, and what their texts say."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import cast

from proactivity_gym.sim.tools import Call, is_number
from proactivity_gym.sim.words import ActionClass
from proactivity_gym.sim.world import TOOLS

Phrases = Mapping[str, tuple[str, ...]]
"""Phrases by the argument whose text they are about."""

_CURRENCY = r"(?:eur|usd|gbp|chf)"
_REWRITES = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"(?<=\d)[,'](?=\d{3}(?!\d))", ""),  # thousands: 1,200
        (r"(?<=\d)\.(?=\d{3},\d)", ""),  # thousands of a number with a decimal comma: 1.200,50
        (r"(?<=\d),(?=\d\d(?![\d,]))", "."),  # decimal comma: 85,50
        (r"(?<=\d)\.00(?![\d.:])", ""),  # 85.00
        (r"(?<![\w:.])0(?=\d:\d\d)", ""),  # 07:10
        (r"(?<=\d)(?:st|nd|rd|th)\b", ""),  # 15th
        ("\u20ac", " eur "),
        ("\u00a3", " gbp "),
        (r"\$", " usd "),
        (rf"\b({_CURRENCY})(?=\d)", r"\1 "),  # EUR85
        (rf"(?<=\d)(?={_CURRENCY}\b|[ap]m\b)", " "),  # 85EUR, 7:10pm
    )
)
_THIN_SPACE = re.compile(r"(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))")
"""A space within a number: 1 200."""

_WORD = re.compile(r"\d+(?:[.:]\d+)*(?!\w)|\w+(?:'\w+)*")
_BREAK = re.compile(r"[^\w\s'\"\u2018\u201c-\u201e\u00ab\u00bb/&*-]|\n|\s-\s")
"""Between two words: what ends a clause, so that a negation before it does not reach past it."""

_NEGATIONS = frozenset({"not", "no", "never", "without", "cannot", "nor", "neither", "non"})
_STILL_SAID = frozenset({"only", "just", "forget"})
"""After a negation these words affirm: not only Friday, don't forget Friday."""

_SHORTEST_SINGULAR = 3
"""Letters of the shortest word whose plural s is tolerated, so that `a` does not match `as`."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """One call of the right solution: arguments must be equal, but for the `free` ones, which have rules instead.

    `contains` and `avoids` list phrases that the text of an argument must and must not say.
    """

    tool: str
    args: Mapping[str, object]
    free: frozenset[str] = frozenset()
    contains: Phrases = field(default_factory=dict[str, tuple[str, ...]])
    avoids: Phrases = field(default_factory=dict[str, tuple[str, ...]])

    def __post_init__(self) -> None:
        """Refuse placeholders that nobody filled in: no call could ever match them.

        Raises:
            ValueError: a value or phrase contains `@{`.
        """
        for values in (self.args, self.contains, self.avoids):
            for name, value in values.items():
                if "@{" in _text(value):
                    raise ValueError(f"{self.tool}: {name}: fill in the placeholder of {value!r} first")


def outputs(expected: Sequence[Expectation], calls: Sequence[Call]) -> float:
    """Return the share of expectations met by calls of their own, in [0, 1]; surplus drafts and commits lower it.

    Where nothing is expected, it is 1 if nothing was drafted or committed, else 0.
    """
    made = sum(_effect(call) >= ActionClass.DRAFT for call in calls)
    if not expected:
        return 0.0 if made else 1.0
    return len(_pairs(expected, calls)) / max(len(expected), made)


def constraints(expected: Sequence[Expectation], calls: Sequence[Call]) -> float | None:
    """Return the share of `contains` and `avoids` rules that hold, in [0, 1]; None where there are none.

    The rules of an expectation that no call meets fail.
    """
    rules = sum(len(phrases) for item in expected for phrases in (*item.contains.values(), *item.avoids.values()))
    if not rules:
        return None
    return sum(_held(expected[index], call) for index, call in _pairs(expected, calls).items()) / rules


def gravest(calls: Iterable[Call]) -> ActionClass:
    """Return the gravest effect of some calls. A tool that nobody knows counts as consequential, to be safe."""
    return max((_effect(call) for call in calls), default=ActionClass.READ)


def amount(calls: Iterable[Call]) -> float:
    """Return the money at stake: the sum of all arguments called `amount` that are numbers."""
    values = (call.arguments.get("amount") for call in calls)
    return sum((float(cast("float", value)) for value in values if is_number(value)), 0.0)


def says(text: str, phrase: str) -> bool:
    """Whether a text says a phrase somewhere without negating it directly.

    The phrase's words must stand in its order, next to each other, as whole words. Case, white space, punctuation,
    a plural or possessive s and the way of writing numbers and currencies make no difference (1,200 and 1200; 85.00
    and 85; 07:10 and 7:10; 15th and 15; EUR85 and € 85). One place is negated by `not`, `no`, `never`, `without`,
    `cannot`, `n't` and the like directly before it or one word earlier in the same clause. Not so by `no` before a
    number ("invoice no 7"), nor by `not only`, `not just`, `don't forget`.

    A text that lists alternatives ("Friday or Monday") says each of them: whoever wants a choice must also list the
    wrong ones in `avoids`. A phrase without any word is never said.
    """
    words, wanted = _words(text), [word for word, _ in _words(phrase)]
    places = range(len(words) - len(wanted) + 1) if wanted else ()
    return any(_found(words, wanted, place) and not _negated(words, place) for place in places)


def _effect(call: Call) -> ActionClass:
    return TOOLS[call.tool].effect if call.tool in TOOLS else ActionClass.CONSEQUENTIAL


def _pairs(expected: Sequence[Expectation], calls: Sequence[Call]) -> dict[int, Call]:
    """Give expectations (by index) calls of their own: as many as can be, in the way that holds most rules.

    `best` keeps the best way to meet each set of expectations with the calls so far; of equals the earliest stays.
    """
    best: dict[frozenset[int], tuple[int, dict[int, Call]]] = {frozenset(): (0, {})}
    for call in calls:
        gains = {index: _held(item, call) for index, item in enumerate(expected) if _fits(item, call)}
        for (met, (held, pairs)), index in product(list(best.items()), gains):
            now, total = met | {index}, held + gains[index]
            if index not in met and (now not in best or total > best[now][0]):
                best[now] = (total, {**pairs, index: call})
    most = max(best, key=lambda met: (len(met), best[met][0]))
    return best[most][1]


def _fits(expectation: Expectation, call: Call) -> bool:
    """Whether a call is of the expected tool and equal in all arguments that are not free."""
    if expectation.tool != call.tool:
        return False
    checked = (expectation.args.keys() | call.arguments.keys()) - expectation.free
    return all(
        name in expectation.args and name in call.arguments and _equal(expectation.args[name], call.arguments[name])
        for name in checked
    )


def _equal(wanted: object, given: object) -> bool:
    """Equality of arguments: 5 is 5.0 but true is not 1, and lists are sets."""
    if isinstance(wanted, list) and isinstance(given, list):
        ours, theirs = cast("list[object]", wanted), cast("list[object]", given)
        return all(item in theirs for item in ours) and all(item in ours for item in theirs)
    return wanted == given and isinstance(wanted, bool) == isinstance(given, bool)


def _held(expectation: Expectation, call: Call) -> int:
    """Count the rules of an expectation that hold for a call."""
    kept = 0
    for rules, due in ((expectation.contains, True), (expectation.avoids, False)):
        for name, phrases in rules.items():
            text = _text(call.arguments.get(name, ""))
            kept += sum(says(text, phrase) is due for phrase in phrases)
    return kept


def _text(value: object) -> str:
    """An argument, or several texts, as one text."""
    if isinstance(value, list | tuple):
        return "\n".join(map(str, cast("Sequence[object]", value)))
    return str(value)


def _words(text: str) -> list[tuple[str, bool]]:
    """Return the words of a text in one way of writing, each with whether a new clause begins there."""
    text = text.casefold() if text.isascii() else _plain(text)
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    words: list[tuple[str, bool]] = []
    end = 0
    for match in _WORD.finditer(text):
        words.append((match[0].removesuffix("'s"), bool(_BREAK.search(text, end, match.start()))))
        end = match.end()
    return words


def _plain(text: str) -> str:
    """Return a text in small letters and one spelling of each character."""
    text = unicodedata.normalize("NFKC", _THIN_SPACE.sub("", text)).casefold().replace("\u2019", "'")
    # Invisible characters (soft hyphens, directions) and marks that compose with no letter must not split a word.
    return "".join(char for char in text if unicodedata.category(char) not in ("Cf", "Mn", "Mc", "Me"))


def _found(words: Sequence[tuple[str, bool]], wanted: Sequence[str], place: int) -> bool:
    return all(_alike(words[place + offset][0], word) for offset, word in enumerate(wanted))


def _alike(one: str, other: str) -> bool:
    """Whether two words are equal up to a plural s."""
    short, long = sorted((one, other), key=len)
    plural = len(short) >= _SHORTEST_SINGULAR and short[-1].isalpha() and long == f"{short}s"
    return one == other or plural


def _negated(words: Sequence[tuple[str, bool]], place: int) -> bool:
    """Whether a negation stands directly before a place or one word earlier, in the same clause."""
    for before in (place - 1, place - 2):
        follower, new_clause = words[before + 1]
        if before < 0 or new_clause:
            return False
        word = words[before][0]
        if word in _NEGATIONS or word.endswith("n't"):
            return not (follower in _STILL_SAID or (word == "no" and follower[0].isdigit()))
    return False
