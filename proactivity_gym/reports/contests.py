"""Lint: in a decision window two tasks really compete."""

from collections.abc import Iterator
from copy import deepcopy

from proactivity_gym.baselines.oracle import choose
from proactivity_gym.reports.findings import Places, Report, Study
from proactivity_gym.reports.plays import moves, take
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import Depth, Timing

_DEFERRED = (Timing.IDLE, Timing.SLEEP, Timing.DUE)


def check(study: Study, report: Report) -> None:
    """Report windows in which deferring the urgent task, or doing the other one first, does no harm."""
    places = Places()
    for persona, label, week in study.each():
        for complaint in _complaints(week):
            places.add(complaint, persona, label)
    places.report(report)


def _complaints(week: Week) -> Iterator[tuple[str, str]]:
    episode = Episode(week)
    episode.start()
    urgent = {week.plan.windows[i].urgent: i for i in week.reference_windows}
    for target, depth, timing in moves(episode):
        signal = episode.board.slots[target - 1] if target else None
        if signal is None or timing != Timing.NOW or depth == Depth.NOOP or signal.task not in urgent:
            continue
        row = week.plan.windows[urgent.pop(signal.task)]
        where = f"window {row.id}"
        if week.task_ready[row.later] > episode.now:
            yield where, "the facts of its later task are not out when the urgent one must be taken"
        harmless = [t.name for t in _DEFERRED if _survives(episode, signal, Depth(depth), t)]
        if harmless and _in_time(_overtaken(week, row.later), signal.task):
            ways = ", ".join(harmless)
            yield where, f"no contest: its urgent task is still in time when deferred ({ways}) or done second"


def _survives(episode: Episode, signal: OpenSignal, depth: Depth, timing: Timing) -> bool:
    """Tell whether the task of a signal is still in time when deferred."""
    if episode.preview(signal, timing) + episode.work_left(signal) > episode.week.task_deadline[signal.task]:
        return False  # most cases, and no fork is needed to see it
    fork = deepcopy(episode)
    return fork.act(signal.slot, depth, timing) is None and _in_time(fork, signal.task)


def _overtaken(week: Week, later: int) -> Episode:
    """Return an episode in which the other task has been taken NOW, as soon as it was known."""
    episode = Episode(week)
    episode.start()
    for _ in moves(episode):
        signal = next((s for s in episode.board.slots if s is not None and s.task == later), None)
        if signal is not None:
            episode.act(signal.slot, episode.expected(signal.index), Timing.NOW)
            break
    return episode


def _in_time(fork: Episode, task: int) -> bool:
    """Play a fork on and tell whether a task gets its credit by its deadline."""
    seen = 0
    deadline = fork.week.task_deadline[task]
    while not fork.over and fork.now <= deadline:
        take(fork, choose(fork))
        entries = fork.trace.entries
        if any(e[1] == "credit" and e[2]["task"] == task and not e[2]["late"] for e in entries[seen:]):
            return True
        seen = len(entries)
    return False
