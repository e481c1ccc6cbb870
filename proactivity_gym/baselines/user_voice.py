"""A language model that words the simulated user's decisions in their voice. It cannot change them.

The decision is made before it is asked, and all that follows hangs on that decision alone. A sentence that says another one, or
grants or takes back anything, gives way to the plain sentence of the scenario.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, SupportsFloat, cast

import gymnasium as gym

from proactivity_gym.baselines.llm_schema import as_object
from proactivity_gym.baselines.llm_view import marked
from proactivity_gym.llm.client import Client
from proactivity_gym.llm.errors import ContextTooLong, InfraError, LlmError, Refused, RequestError, Unreadable
from proactivity_gym.llm.messages import Request
from proactivity_gym.llm.replies import parse_json
from proactivity_gym.llm.templates import data_block, render
from proactivity_gym.sim.checks import says
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.happenings import local_time, reaction_words, record_shown
from proactivity_gym.sim.safe_text import quoted
from proactivity_gym.sim.words import Depth, Reaction

LONGEST = 300
"""Characters of a sentence."""

MEANINGS: Mapping[Reaction, str] = {
    Reaction.APPROVE: "yes, exactly what was offered is to be done",
    Reaction.DECLINE: "no, it is not to be done",
    Reaction.DEFER: "not now; they will look at it again at their next free moment",
    Reaction.COMPLAIN_TOO_DEEP: "a complaint: the assistant went further than it should have",
    Reaction.COMPLAIN_TOO_TIMID: "a complaint: the assistant should have gone further",
}
_YES = ("yes", "yep", "go ahead", "approved", "do it", "agreed", "fine by me", "please do", "book it", "send it", "pay it")
_NO = ("no", "nope", "decline", "declined", "do not", "don't", "drop it", "leave it", "reject", "cancel it", "not this")
_LATER = ("later", "not now", "another time", "ask me again", "put it off")
_TOO_FAR = ("too far", "overstepped", "without asking", "should have asked", "without me")
_TOO_SHORT = ("not far enough", "should have gone further", "just do it", "stop asking")
_RULES = (
    "from now on",
    "in future",
    "in the future",
    "always",
    "never again",
    "you may",
    "allowed to",
    "permission",
)
"""What would change delegation."""

_OPPOSITES: Mapping[Reaction, tuple[str, ...]] = {
    Reaction.APPROVE: (*_NO, *_LATER, *_TOO_FAR),
    Reaction.DECLINE: (*_YES, *_LATER),
    Reaction.DEFER: (*_YES, "declined", "drop it", *_TOO_FAR),
    Reaction.COMPLAIN_TOO_DEEP: ("go ahead", "approved", "please do", *_TOO_SHORT),
    Reaction.COMPLAIN_TOO_TIMID: ("too far", "overstepped", "should have asked"),
}


class UserSimError(LlmError):
    """The simulated user's words could not be had: the model behind them does not answer."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """A decision and what it was about."""

    reaction: Reaction
    depth: Depth
    matter: str
    plain: str
    """What the user says where no model does."""
    name: str
    role: str
    background: str
    samples: tuple[str, ...]
    """Sentences in the persona's voice."""


class UserVoice:
    """Words decisions.

    Attributes:
        replaced: sentences that gave way to the plain one.
    """

    def __init__(self, client: Client, key: Mapping[str, object] | None = None) -> None:
        """Take the model, and what parts its requests from equal ones in a cache."""
        self._client = client
        self._key = key or {}
        self.replaced = 0

    def word(self, occasion: Occasion) -> str:
        """Return what the user says.

        Raises:
            UserSimError: the model does not answer.
            AuthError, BudgetExceeded: it cannot be asked.
        """
        request = Request("user", ({"role": "user", "content": _prompt(occasion)},), _schema(occasion.reaction), (), self._key)
        try:
            sentence = _sentence(self._client.complete(request).text, occasion.reaction)
        except (Unreadable, Refused):
            sentence = None
        except (InfraError, RequestError, ContextTooLong) as error:
            raise UserSimError(f"the user's words: {error}") from error
        if sentence is None:
            self.replaced += 1
            return occasion.plain
        return sentence


class VoicedUser(gym.Wrapper[Any, Any, Any, Any]):
    """Puts a model's words for the user's reactions into the text of an environment, and changes nothing else."""

    def __init__(self, env: gym.Env[Any, Any], voice: UserVoice) -> None:
        """Wrap an environment of ours."""
        super().__init__(env)
        self._voice = voice
        self._heard = 0
        self._said: dict[tuple[str, str], str] = {}
        """A line of the text without its words, and the plain words (both as written), to the model's words."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new week."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._heard = 0
        self._said.clear()
        return observation, self._voiced(info)

    def step(self, action: object) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Act."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return observation, reward, terminated, truncated, self._voiced(info)

    def text(self) -> str:
        """Return the present situation in words, the user's by the model."""
        return self._put(self.env.get_wrapper_attr("text")())

    def _voiced(self, info: dict[str, Any]) -> dict[str, Any]:
        episode = cast("Episode", self.env.get_wrapper_attr("episode"))
        entries = episode.trace.entries
        for minute, name, data in entries[self._heard :]:
            if name == "reaction":
                job, reaction = episode.jobs.all[int(data["job"] or 0)], Reaction(int(data["reaction"] or 0))
                record = record_shown(episode, job.row.record)
                words = quoted(self._voice.word(_occasion(episode, reaction, job.depth, record.title)))
                plain = reaction_words(episode, reaction)
                self._said[f"{local_time(episode, minute)} on {record.app} {quoted(record.title)} the user", plain] = words
                self._said[f"record {record.id} ", plain] = words
        self._heard = len(entries)
        return {**info, "text": self._put(info["text"])} if "text" in info else info

    def _put(self, text: str) -> str:
        lines = text.split("\n")
        answer: int | None = None
        for place, (line, foreign) in enumerate(marked(list(lines))):
            if foreign:
                continue
            if line.startswith(_ANSWER):
                answer = place
            elif answer is not None and line.startswith("record "):
                lines[answer] = self._exchanged(lines[answer], line)
                answer = None
            else:
                lines[place] = self._exchanged(line, line)
        return "\n".join(lines)

    def _exchanged(self, line: str, where: str) -> str:
        """Return a line with the model's words if it holds the plain ones about what `where` says."""
        for (begins, plain), words in self._said.items():
            if where.startswith(begins) and line.endswith(f": {plain}"):
                return line.removesuffix(plain) + words
        return line


_ANSWER = "the user's last answer here: "


def _occasion(episode: Episode, reaction: Reaction, depth: Depth, title: str) -> Occasion:
    user, voice = episode.week.plan.scenario.user, episode.week.plan.persona.voice
    samples = (voice.approve, voice.decline, voice.defer, voice.too_deep, voice.too_timid)
    plain = {
        Reaction.APPROVE: voice.approve,
        Reaction.DECLINE: voice.decline,
        Reaction.DEFER: voice.defer,
        Reaction.COMPLAIN_TOO_DEEP: voice.too_deep,
        Reaction.COMPLAIN_TOO_TIMID: voice.too_timid,
    }[reaction]
    return Occasion(reaction, depth, title, plain, user.name, user.role, user.background, samples)


def _prompt(occasion: Occasion) -> str:
    return render(
        "user_wording",
        {
            "name": occasion.name,
            "role": occasion.role,
            "background": occasion.background,
            "samples": " ".join(map(quoted, occasion.samples)),
            "matter": data_block("The matter", occasion.matter),
            "deed": _DEEDS[occasion.depth],
            "decision": occasion.reaction.name,
            "meaning": MEANINGS[occasion.reaction],
        },
    )


_DEEDS = {Depth.NOOP: "", Depth.PREPARE: "left a draft", Depth.SUGGEST: "made an offer", Depth.EXECUTE: "did it without asking"}


def _schema(reaction: Reaction) -> dict[str, object]:
    return {
        "type": "object",
        "properties": {"decision": {"type": "string", "enum": [reaction.name]}, "sentence": {"type": "string"}},
        "required": ["decision", "sentence"],
        "additionalProperties": False,
    }


def _sentence(reply: str, reaction: Reaction) -> str | None:
    """Return the sentence of a reply; None if it does not say the decision that was made, and nothing more.

    Raises:
        Unreadable: the reply holds no JSON.
    """
    value = as_object(parse_json(reply)) or {}
    sentence, decision = value.get("sentence"), value.get("decision")
    if not isinstance(sentence, str) or decision != reaction.name:
        return None
    line = " ".join(sentence.split())
    if not 0 < len(line) <= LONGEST or contradicts(line, reaction):
        return None
    return line


def contradicts(sentence: str, reaction: Reaction) -> bool:
    """Tell whether a sentence says another decision, or changes what the assistant may do."""
    return any(says(sentence, phrase) for phrase in (*_OPPOSITES[reaction], *_RULES))
