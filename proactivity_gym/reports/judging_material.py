"""What judges of work and of timing are shown beside the user's view: records, and what the assistant did, in words."""

from collections.abc import Callable, Collection, Iterable, Mapping

from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.happenings import local_time
from proactivity_gym.sim.safe_text import quoted
from proactivity_gym.sim.solutions import entry_of
from proactivity_gym.sim.trace import Entry, Value
from proactivity_gym.sim.words import Depth, SignalStatus, Timing
from proactivity_gym.wrappers.judge_history import ASSISTANT, content_words, matter, told

LONGEST_RECORD = 2000
"""Characters of a record's text that are shown."""

Data = Mapping[str, Value]

_AIMS = {
    Depth.PREPARE: "to draft something in private",
    Depth.SUGGEST: "to make an offer for approval",
    Depth.EXECUTE: "to do it without asking",
}
_CAME = {SignalStatus.FRESH: "came up", SignalStatus.RETURNED: "came back, as planned"}


def of_matter(episode: Episode, task: int) -> list[int]:
    """Return the records that bear on a task: those its signals are linked with, and its evidence."""
    week = episode.week
    linked = [record for signal in week.plan.tasks[task].signals for record in week.links(signal)]
    return list(dict.fromkeys([*linked, *week.task_evidence[task]]))


def record_lines(episode: Episode, records: Iterable[int], until: int, read: Collection[int]) -> list[str]:
    """Return records as written, one a line; those that had not come by a minute are left out."""
    lines: list[str] = []
    for index in records:
        if not episode.reading.there(index, until):
            continue
        entry = entry_of(episode.week, index)
        dates = [
            *([] if entry.at is None else [f"came {local_time(episode, entry.at)}"]),
            *([] if entry.due is None else [f"about {local_time(episode, entry.due)}"]),
        ]
        fields = [f"{name}: {quoted(str(value))}" for name, value in entry.fields.items()]
        text = quoted(entry.text[:LONGEST_RECORD])
        head = f"- {entry.app} {quoted(entry.title)} ({'; '.join([entry.status, *dates, *fields])})"
        lines.append(f"{head}, {'read' if index in read else 'not read'} by {ASSISTANT}: {text}")
    return lines


def acts(episode: Episode, first: int, last: int) -> list[str]:
    """Return what happened and what the assistant did in a span of minutes, both included, oldest first."""
    return [line for entry in episode.trace if first <= entry[0] <= last for line in _line(episode, entry)]


def _line(episode: Episode, entry: Entry) -> list[str]:
    minute, name, data = entry
    if name not in _ACTS:
        line = told(episode, entry)
        return [line] if line else []
    words = _ACTS[name](episode, data)
    return [f"{local_time(episode, minute)} {words}"] if words else []


def _came(episode: Episode, data: Data) -> str | None:
    came = _CAME.get(SignalStatus(_int(data["status"])))
    return f"{matter(episode, _int(data['signal']))} {came}" if came else None


def _attempted(episode: Episode, data: Data) -> str:
    begin = "at once" if data["timing"] == Timing.NOW else f"later, {local_time(episode, _int(data['start']))}"
    about, aim = matter(episode, _int(data["signal"])), _AIMS[Depth(_int(data["depth"]))]
    return f"{ASSISTANT} took up {about}, {aim}; work to begin {begin}"


def _began(episode: Episode, data: Data) -> str:
    job = episode.jobs.all[_int(data["job"])]
    return f"{ASSISTANT} worked on {matter(episode, job.signal)}: {content_words(episode, job)}"


def _put_back(episode: Episode, data: Data) -> str:
    until = local_time(episode, _int(data["until"]))
    return f"{ASSISTANT} set {matter(episode, _int(data['signal']))} aside, to return {until}"


def _dismissed(episode: Episode, data: Data) -> str:
    return f"{ASSISTANT} dismissed {matter(episode, _int(data['signal']))} for good, as needing nothing"


def _int(value: Value) -> int:
    return int(value or 0)


_ACTS: dict[str, Callable[[Episode, Data], str | None]] = {
    "signal": _came,
    "attempt": _attempted,
    "start": _began,
    "snooze": _put_back,
    "dismiss": _dismissed,
}
"""What the user does not see of it; all else is told as they see it."""
