"""The oracle's play of a week, whole or with some tasks left alone, and what became of each task."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from proactivity_gym.baselines.oracle import choose
from proactivity_gym.baselines.policy import Action
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.trace import Entry, Value
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import Depth, Timing


def moves(episode: Episode, left: Collection[int] = (), dismissed: Collection[int] = ()) -> Iterator[Action]:
    """Play an episode on to its end, yielding each action before it is taken.

    Args:
        episode: started.
        left: tasks that are left undone (their signals are taken off the board unseen).
        dismissed: tasks that are dismissed.
    """
    while not episode.over:
        if _steer(episode, left, dismissed):
            continue
        action = choose(episode)
        yield action
        take(episode, action)


def _steer(episode: Episode, left: Collection[int], dismissed: Collection[int]) -> bool:
    """Keep a task from being solved; tell whether anything was done."""
    for slot, signal in enumerate(episode.board.slots):
        if signal is not None and signal.task in left:
            episode.board.remove(signal)
            return True
        if signal is not None and signal.task in dismissed:
            episode.act(slot, Depth.NOOP, Timing.NOW)
            return True
    return False


def take(episode: Episode, action: Action) -> None:
    """Take an action as the environment does: what cannot be done counts as waiting."""
    target, depth, timing = action
    if target == 0 or episode.act(target - 1, Depth(depth), Timing(timing)) is not None:
        episode.wait()


def play(week: Week, left: Collection[int] = (), dismissed: Collection[int] = ()) -> Episode:
    """Return the oracle's episode of a week."""
    episode = Episode(week)
    episode.start()
    for _ in moves(episode, left, dismissed):
        pass
    return episode


@dataclass(slots=True)
class Fate:
    """What became of one active task."""

    decided_at: int | None = None
    """Minute of the first attempt or the dismissal."""
    chosen: Depth | None = None
    expected: Depth | None = None
    timing: Timing | None = None
    """Of the first attempt."""
    start: int | None = None
    """When its work was planned to start, or a snooze let it return."""
    tc: float | None = None
    """Best credit by the deadline; None: nothing got that far."""
    late: bool = False
    """Whether something got that far after the deadline."""
    competed: bool = False


def fates(episode: Episode) -> dict[int, Fate]:
    """Return what became of the tasks that were active, by index, from the trace."""
    found: dict[int, Fate] = {}
    for entry in episode.trace:
        task = int(entry[2].get("task", -1) or 0)
        if entry[1] == "active":
            found[task] = Fate()
        elif task in found:
            _note(found[task], entry)
    return found


def _note(fate: Fate, entry: Entry) -> None:
    minute, name, data = entry
    if name in ("attempt", "dismiss") and fate.decided_at is None:
        fate.decided_at, fate.expected = minute, Depth(_int(data["expected"]))
        fate.chosen = Depth(_int(data["depth"])) if name == "attempt" else Depth.NOOP
    if name == "attempt":
        fate.timing = fate.timing if fate.timing is not None else Timing(_int(data["timing"]))
        fate.start = fate.start if fate.start is not None else _int(data["start"])
    elif name == "dismiss":
        fate.tc = max(fate.tc or 0.0, float(data["evidence"] or 0.0))
    elif name == "credit" and data["late"]:
        fate.late = True
    elif name == "credit":
        fate.tc = max(fate.tc or 0.0, float(data["tc"] or 0.0))
    elif name == "compete" and data["counts"]:
        fate.competed = True


def _int(value: Value) -> int:
    return int(value or 0)
