"""What has happened and what is under way, in words, as the user and their assistant would know it.

Told is a part of the trace: whether there is a task, what it earns and what the permission ledger made of it stays out.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

from proactivity_gym.sim.clock import Clock
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.interventions import ERRORS
from proactivity_gym.sim.jobs import Job
from proactivity_gym.sim.safe_text import printable, quoted
from proactivity_gym.sim.solutions import filler
from proactivity_gym.sim.texts import DAYS
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.trace import Entry, Value
from proactivity_gym.sim.week import Plan
from proactivity_gym.sim.words import ANY_TOPIC, Depth, Reaction, SignalStatus, Timing
from proactivity_gym.sim.world import Entry as Record

_ANSWERED = {
    Reaction.APPROVE: "approved",
    Reaction.DECLINE: "declined",
    Reaction.DEFER: "put off",
    Reaction.COMPLAIN_TOO_DEEP: "complained that it went too far",
    Reaction.COMPLAIN_TOO_TIMID: "complained that it did not go far enough",
}
_MADE = {Depth.PREPARE: "draft", Depth.SUGGEST: "offer", Depth.EXECUTE: "notice of what was done"}
_CAME = {SignalStatus.FRESH: "came up", SignalStatus.RETURNED: "came back"}


def local_time(episode: Episode, minute: int) -> str:
    """Write a minute as local time, `Mon 2027-03-08 09:30`; outside time `never` or `before the week`."""
    if abs(minute) >= NEVER:
        return "never" if minute > 0 else "before the week"
    return _written(episode.week.plan.clock, minute)


@lru_cache(maxsize=4096)
def _written(clock: Clock, minute: int) -> str:
    local = clock.local(minute)
    return f"{DAYS[local.weekday()][:3]} {local:%Y-%m-%d %H:%M}"


def topic_name(episode: Episode, row: int) -> str:
    """Return the name of a topic's row."""
    return episode.week.plan.scenario.topics[row - 1] if row else ANY_TOPIC


def record_shown(episode: Episode, record: int) -> Record:
    """Return a record that has appeared, as the world holds it by now."""
    return episode.reading.world(episode.now).get(episode.week.plan.records[record].id)


def reaction_words(episode: Episode, reaction: Reaction) -> str:
    """Return how the user words a reaction, between quotes."""
    voice = episode.week.plan.persona.voice
    words = {
        Reaction.APPROVE: voice.approve,
        Reaction.DECLINE: voice.decline,
        Reaction.DEFER: voice.defer,
        Reaction.COMPLAIN_TOO_DEEP: voice.too_deep,
        Reaction.COMPLAIN_TOO_TIMID: voice.too_timid,
    }
    return quoted(words[reaction])


TAKEN = {
    "approve": "approved",
    "decline": "declined",
    "too-deep": "complained as too deep",
    "too-timid": "complained as too timid",
}
"""How each reaction to earlier help is told, in the order in which they are counted."""


@lru_cache(maxsize=64)
def earlier_help(plan: Plan) -> list[str]:
    """Return what is told of help before the week, oldest first: the same in all weeks of a plan."""
    return [
        f"{p.days_ago} days before the week, {p.topic}, {p.depth.upper()}, {TAKEN[p.reaction]}: {quoted(p.text)}"
        for p in sorted(plan.persona.priors, key=lambda p: -p.days_ago)
    ]


def said_of_delegation(episode: Episode, at: int | None = None) -> list[str]:
    """Return in which words the user took delegation back or gave it back, and for which topics.

    Args:
        episode: the episode.
        at: the minute to tell of; None: all of them, of each topic the last word alone, with its time.
    """
    last: dict[int, tuple[int, str]] = {}
    for minute, name, data in episode.trace:
        if name in _DELEGATION and at in (None, minute):
            topic = int(data["topic"] or 0)
            last.pop(topic, None)
            last[topic] = minute, name
    topics: dict[str, list[str]] = {}
    for topic, (minute, name) in last.items():
        when = f" ({local_time(episode, minute)})" if at is None else ""
        topics.setdefault(name, []).append(f"{topic_name(episode, topic)}{when}")
    return [_delegation_words(episode, name, ", ".join(names)) for name, names in topics.items()]


def statement_words(episode: Episode, said: str) -> str:
    """Return the sentence of a statement, between quotes."""
    return quoted(filler(episode.week).fill(said) if "@{" in said else said)


def happened(episode: Episode, most: int) -> list[str]:
    """Return the last `most` things that happened, oldest first, one line each."""
    lines: list[str] = []
    for entry in reversed(episode.trace.entries):
        if len(lines) == most:
            break
        line = _told(episode, entry)
        if line:
            lines.append(f"{local_time(episode, entry[0])} {line}")
    return lines[::-1]


def under_way(episode: Episode) -> list[str]:
    """Return the agent's jobs that have not come to their end with the user, one line each."""
    last = {int(e[2]["job"] or 0): e for e in episode.trace if e[1] in ("attempt", "done", "deliver", "reaction")}
    lines: list[str] = []
    for job in episode.jobs.all:
        working = last[job.id][1] == "attempt"
        state = _working(episode, job) if working else _with_user(job, last[job.id])
        if state:
            lines.append(f"{_matter(episode, job.signal)}: {job.depth.name}, {job.timing.name}; {state}")
    return lines


def _working(episode: Episode, job: Job) -> str:
    if job.running:
        return f"running until {local_time(episode, job.start + job.left)}"
    if job.begun:
        return f"paused, {job.left} min left"
    if job.timing != Timing.NOW and episode.now < job.start < NEVER:
        return f"planned for {local_time(episode, job.start)}, {job.left} min"
    return f"waits for room, {job.left} min"


def _with_user(job: Job, last: Entry) -> str | None:
    _, name, data = last
    made = _MADE[job.depth]
    if name == "done":
        return f"done; the {made} waits for the user"
    if name == "deliver":
        return f"done; the user looks at the {made}" if job.depth == Depth.SUGGEST else None
    return f"done; the {made} waits for the user's next free moment" if data["reaction"] == Reaction.DEFER else None


def _matter(episode: Episode, signal: int) -> str:
    record = record_shown(episode, episode.week.plan.signals[signal].record)
    return f"{record.app} {quoted(record.title)}"


def _told(episode: Episode, entry: Entry) -> str | None:
    teller = _TOLD.get(entry[1])
    return teller(episode, entry[2]) if teller else None


def _of_signal(episode: Episode, data: Mapping[str, Value]) -> str:
    return _matter(episode, int(data["signal"] or 0))


def _of_job(episode: Episode, data: Mapping[str, Value]) -> str:
    return _matter(episode, episode.jobs.all[int(data["job"] or 0)].signal)


def _signal(episode: Episode, data: Mapping[str, Value]) -> str | None:
    came = _CAME.get(SignalStatus(int(data["status"] or 0)))
    return f"{_of_signal(episode, data)} {came}" if came else None


def _wait(_: Episode, data: Mapping[str, Value]) -> str | None:
    error = data.get("error")
    return f"your action counted as waiting: {ERRORS.get(str(error), printable(str(error)))}" if error else None


def _attempt(episode: Episode, data: Mapping[str, Value]) -> str:
    depth, timing = Depth(int(data["depth"] or 0)), Timing(int(data["timing"] or 0))
    return f"you took up {_of_signal(episode, data)}: {depth.name}, {timing.name}"


def _snooze(episode: Episode, data: Mapping[str, Value]) -> str:
    return f"you put {_of_signal(episode, data)} back until {local_time(episode, int(data['until'] or 0))}"


def _deliver(episode: Episode, data: Mapping[str, Value]) -> str:
    made = _MADE[episode.jobs.all[int(data["job"] or 0)].depth]
    how = ", interrupting the user's focus" if data["focus"] else ""
    return f"the {made} for {_of_job(episode, data)} reached the user{how}"


def _reaction(episode: Episode, data: Mapping[str, Value]) -> str:
    reaction = Reaction(int(data["reaction"] or 0))
    return f"on {_of_job(episode, data)} the user {_ANSWERED[reaction]}: {reaction_words(episode, reaction)}"


def _stated(episode: Episode, data: Mapping[str, Value]) -> str:
    statement = episode.week.statements[int(data["statement"] or 0)]
    return f"the user said about {topic_name(episode, statement.topic)}: {statement_words(episode, statement.said)}"


_DELEGATION = ("withdrawn", "restored")


def _delegation_words(episode: Episode, name: str, topics: str) -> str:
    voice = episode.week.plan.persona.voice
    return f"delegation {name} for {topics}: {quoted(voice.withdraw if name == 'withdrawn' else voice.restore)}"


def _delegation_told(name: str) -> Callable[[Episode, Mapping[str, Value]], str]:
    return lambda episode, data: _delegation_words(episode, name, topic_name(episode, int(data["topic"] or 0)))


_TOLD: dict[str, Callable[[Episode, Mapping[str, Value]], str | None]] = {
    "signal": _signal,
    "wait": _wait,
    "dismiss": lambda episode, data: f"you dismissed {_of_signal(episode, data)}",
    "snooze": _snooze,
    "attempt": _attempt,
    "start": lambda episode, data: f"work on {_of_job(episode, data)} began or went on",
    "pause": lambda episode, data: f"work on {_of_job(episode, data)} paused",
    "done": lambda episode, data: f"work on {_of_job(episode, data)} is done",
    "deliver": _deliver,
    "reaction": _reaction,
    "stated": _stated,
    **{name: _delegation_told(name) for name in _DELEGATION},
}
"""How each name of the trace is told; what is not here is not told."""
