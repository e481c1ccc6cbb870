"""What has passed between a user and their assistant, as the user saw it: the material that judges of trust are shown.

Told are the user's own messages, what was delivered and what it proposed (in the words of the work's own calls), reactions,
statements, and work that got in the user's way. Not told is what the user cannot know: tasks, expected depths, trust, scores,
what the assistant decided without anything reaching the user, and which model and harness the assistant is.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.happenings import local_time, reaction_words, record_shown, statement_words, topic_name
from proactivity_gym.sim.jobs import Job
from proactivity_gym.sim.safe_text import printable, quoted
from proactivity_gym.sim.tools import Call
from proactivity_gym.sim.trace import Entry, Value
from proactivity_gym.sim.words import Depth, Outcome, Reaction, SignalStatus, Trigger

ASSISTANT = "the assistant"
LONGEST_TEXT = 1000
"""Characters of one text that are shown: more would only reward length."""
LONGEST_HISTORY = 60_000
"""Characters of a history that are shown (some 15,000 tokens): the oldest turns are left off first, and it is said how many."""

Data = Mapping[str, Value]

_CAME = {
    Depth.PREPARE: f"the user came upon a private draft of {ASSISTANT}'s about",
    Depth.SUGGEST: f"{ASSISTANT} made an offer about",
    Depth.EXECUTE: f"{ASSISTANT} reported what it had done about",
}
_ANSWERED = {
    Reaction.APPROVE: "approved",
    Reaction.DECLINE: "declined",
    Reaction.DEFER: "put it off",
    Reaction.COMPLAIN_TOO_DEEP: "complained that it went too far",
    Reaction.COMPLAIN_TOO_TIMID: "complained that it did not go far enough",
}


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing that the user saw."""

    minute: int
    task: int
    """-1: it is about no task."""
    words: str


def visible(episode: Episode, hide: Collection[str] = ()) -> list[Turn]:
    """Return what the user saw so far, oldest first.

    Args:
        episode: as far as it has been played.
        hide: names of model and harness, which the agent's own texts may give away; each is shown as "the assistant".
    """
    turns: list[Turn] = []
    for entry in episode.trace:
        words = told(episode, entry)
        if words:
            turns.append(Turn(entry[0], _int(entry[2].get("task"), -1), masked(words, hide)))
    return turns


def told(episode: Episode, entry: Entry) -> str | None:
    """Return an entry of the trace as the user saw it, with its time; None: they did not."""
    minute, name, data = entry
    words = _SEEN[name](episode, data) if name in _SEEN else None
    return f"{local_time(episode, minute)} {words}" if words else None


def last_turns(turns: Sequence[Turn]) -> dict[int, int]:
    """Return where each task's last turn stands; a task that the user never saw anything of has none."""
    return {turn.task: index for index, turn in enumerate(turns) if turn.task >= 0}


def history(turns: Sequence[Turn]) -> str:
    """Return turns as numbered lines, the oldest left off where there are too many."""
    lines = [f"[{number}] {turn.words}" for number, turn in enumerate(turns, 1)]
    length, first = 0, len(lines)
    while first and length + len(lines[first - 1]) <= LONGEST_HISTORY:
        first -= 1
        length += len(lines[first]) + 1
    return "\n".join([*([f"({first} earlier turns are left off)"] if first else []), *lines[first:]])


def person(episode: Episode) -> str:
    """Return who the user is, and what had passed before the week."""
    plan, user = episode.week.plan, episode.week.plan.scenario.user
    said = [
        f"- said before the week about {topic_name(episode, row.topic)}: {statement_words(episode, row.said)}"
        for row in episode.week.statements
        if row.at < 0
    ]
    priors = [
        f"- {p.days_ago} days before the week, about {p.topic}: {quoted(p.text)}"
        for p in sorted(plan.persona.priors, key=lambda p: -p.days_ago)
    ]
    return "\n".join([f"{user.name}, {user.role}. {user.background}", plan.persona.sentence, *said, *priors])


def masked(text: str, hide: Collection[str]) -> str:
    """Return a text in which names stand no more, whole words of any case."""
    names = sorted({name.strip() for name in hide if name.strip()}, key=len, reverse=True)
    if not names:
        return text
    return re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", ASSISTANT, text, flags=re.IGNORECASE)


def calls_of(episode: Episode, job: Job) -> Sequence[Call]:
    """Return the calls of a job's work; work on noise by the reference worker has none."""
    if job.content is None or (job.row.task < 0 and job.content.reference):
        return ()
    return job.content.calls(episode.week, job.row.task)


def call_words(call: Call, longest: int = LONGEST_TEXT) -> str:
    """Return a call on one line: `messages.send: to "Rui"; body "Could you ..."`."""
    return f"{printable(call.tool)}: " + "; ".join(f"{printable(k)} {_shown(v, longest)}" for k, v in call.arguments.items())


def matter(episode: Episode, signal: int) -> str:
    """Return what a signal is about, as its record says."""
    record = record_shown(episode, episode.week.plan.signals[signal].record)
    return f"{record.app} {quoted(record.title)}"


def content_words(episode: Episode, job: Job) -> str:
    """Return what a job's work came to, in the words of its calls."""
    if job.content is not None and job.content.reference and job.content.wrong:
        return "it was made before the facts that it needs were known, and does not fit them"
    calls = [call_words(call) for call in calls_of(episode, job)]
    return " | ".join(calls) or "there is nothing of substance in it"


def _shown(value: object, longest: int) -> str:
    if not isinstance(value, str):
        return printable(str(value))
    more = len(value) - longest
    return quoted(value) if more <= 0 else f"{quoted(value[:longest])} and {more} more characters"


def _asked(episode: Episode, data: Data) -> str | None:
    row = episode.week.plan.signals[_int(data["signal"])]
    if row.trigger != Trigger.USER or data["status"] != SignalStatus.FRESH:
        return None
    record = record_shown(episode, row.record)
    return f"the user wrote: {quoted(record.title)}: {_shown(record.text, LONGEST_TEXT)}"


def _delivered(episode: Episode, data: Data) -> str:
    job = _job(episode, data)
    how = ", into the user's focused work" if data["focus"] else ""
    refused = job.depth == Depth.EXECUTE and _refused(episode, job)
    stopped = "; none of it took effect, for it was not permitted" if refused else ""
    return f"{_CAME[job.depth]} {matter(episode, job.signal)}{how}: {content_words(episode, job)}{stopped}"


def _stopped(episode: Episode, data: Data) -> str | None:
    job = _job(episode, data)
    if job.depth == Depth.EXECUTE:
        return None  # the notice says so
    return f"what had been approved about {matter(episode, job.signal)} took no effect: it was incomplete"


def _reacted(episode: Episode, data: Data) -> str:
    reaction = Reaction(_int(data["reaction"]))
    about = matter(episode, _job(episode, data).signal)
    return f"on {about} the user {_ANSWERED[reaction]}: {reaction_words(episode, reaction)}"


def _stated(episode: Episode, data: Data) -> str:
    row = episode.week.statements[_int(data["statement"])]
    return f"the user said about {topic_name(episode, row.topic)}: {statement_words(episode, row.said)}"


def _competed(episode: Episode, data: Data) -> str | None:
    if data["cause"] != "resource":
        return None  # an interruption, which the delivery says
    job = _job(episode, data)
    title = quoted(episode.week.plan.scenario.resources[job.row.resource].title)
    about = matter(episode, job.signal)
    return f"for {data['minutes']} min work of {ASSISTANT} on {about} took {title} that the user was using"


def _lapsed(episode: Episode, data: Data) -> str | None:
    task = _int(data["task"])
    row = episode.week.plan.tasks[task]
    if data["outcome"] != Outcome.EXPIRED or not row.request:
        return None
    asked = next(s for s in row.signals if episode.reading.there(episode.week.plan.signals[s].record, episode.now))
    return f"time ran out for what the user had asked ({matter(episode, asked)}): nothing had come of it"


def _refused(episode: Episode, job: Job) -> bool:
    return any(name == "refused" and data["job"] == job.id for _, name, data in episode.trace)


def _job(episode: Episode, data: Data) -> Job:
    return episode.jobs.all[_int(data["job"])]


def _int(value: Value, otherwise: int = 0) -> int:
    return otherwise if value is None else int(value)


def _withdrawn(episode: Episode, data: Data) -> str:
    words = quoted(episode.week.plan.persona.voice.withdraw)
    return f"the user took delegation back for {topic_name(episode, _int(data['topic']))}: {words}"


def _restored(episode: Episode, data: Data) -> str:
    words = quoted(episode.week.plan.persona.voice.restore)
    return f"the user gave delegation back for {topic_name(episode, _int(data['topic']))}: {words}"


_SEEN: dict[str, Callable[[Episode, Data], str | None]] = {
    "signal": _asked,
    "deliver": _delivered,
    "refused": _stopped,
    "reaction": _reacted,
    "stated": _stated,
    "withdrawn": _withdrawn,
    "restored": _restored,
    "compete": _competed,
    "close": _lapsed,
}
"""How the user sees each name of the trace; what is not here they do not see."""
