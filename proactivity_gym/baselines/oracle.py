"""The oracle: right depth, right time, from hidden truth. It is the reference path, and the proof that a week can be solved.

It alone holds a door to the episode; every other policy sees observations.
"""

from collections.abc import Callable, Mapping
from typing import Any

from proactivity_gym.baselines.policy import WAIT, Action, Observation, Read
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.planner import lands
from proactivity_gym.sim.timeline import NEVER, inside
from proactivity_gym.sim.week import last_start, work_of
from proactivity_gym.sim.words import Depth, Phase, Timing

_LATER = (Timing.IDLE, Timing.SLEEP, Timing.DUE)


class Oracle:
    """Plays the reference path."""

    def __init__(self, door: Callable[[], Episode]) -> None:
        """Take the door: a function that returns the episode being played."""
        self._door = door

    def reset(self, observation: Observation, info: Mapping[str, Any], seed: int, read: Read) -> None:
        """Start an episode; nothing is kept from one decision to the next."""

    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        """Return the next right intervention."""
        return choose(self._door())


def choose(episode: Episode) -> Action:
    """Return the next right intervention in an episode, or WAIT when this activation has none left."""
    for slot, signal in enumerate(episode.board.slots):
        if signal is not None:
            choice = _for_signal(episode, signal)
            if choice is not None:
                return slot + 1, int(choice[0]), int(choice[1])
    return WAIT


def _for_signal(episode: Episode, signal: OpenSignal) -> tuple[Depth, Timing] | None:
    """Return depth and timing for a signal; None leaves it open for now."""
    task = signal.task
    if task < 0 or episode.outcomes.matters[task].decided:
        return Depth.NOOP, Timing.NOW
    ready = episode.week.task_ready[task]
    if episode.week.task_noop[task]:
        return (Depth.NOOP, Timing.NOW) if episode.now >= ready else None
    depth = episode.expected(signal.index)
    timing = _timing(episode, signal, depth)
    return None if timing is None else (depth, timing)


def _timing(episode: Episode, signal: OpenSignal, depth: Depth) -> Timing | None:
    week, task = episode.week, signal.task
    after = max(episode.now, week.task_ready[task])
    for index in week.reference_windows:
        window = week.plan.windows[index]
        if window.urgent == task and not _settled(episode, window.later):
            if not _known(episode, window.later) and episode.now < _end(episode, task):
                return None
            return Timing.NOW if episode.now >= after else None
        if window.later == task:
            after = max(after, _end(episode, window.urgent))
    for timing in _LATER:
        start = episode.preview(signal, timing)
        if after <= start < NEVER and _in_time(episode, signal, depth, (timing, start)):
            return timing
    return Timing.NOW if after <= episode.now and _harmless_now(episode, signal, depth) else None


def _known(episode: Episode, task: int) -> bool:
    return any(s.task == task for s in episode.board.slots if s) or episode.outcomes.matters[task].decided


def _settled(episode: Episode, task: int) -> bool:
    return episode.outcomes.matters[task].closed


def _end(episode: Episode, urgent: int) -> int:
    week = episode.week
    return last_start(week.plan, week.task_deadline[urgent], week.plan.tasks[urgent], work_of(week, urgent))


def _in_time(episode: Episode, signal: OpenSignal, depth: Depth, slot: tuple[Timing, int]) -> bool:
    """Tell whether an attempt in a slot (timing, start) lands, and is answered, by the deadline."""
    plan = episode.week.plan
    timing, start = slot
    landing = lands(plan, depth, timing, start + episode.work_left(signal))
    if depth == Depth.SUGGEST:
        landing += plan.signals[signal.index].review_min + plan.latency_min
    return landing <= episode.week.task_deadline[signal.task]


def _harmless_now(episode: Episode, signal: OpenSignal, depth: Depth) -> bool:
    """Tell whether work taken NOW competes with nothing, or is excused; at the last moment it is taken all the same."""
    week, task = episode.week, signal.task
    row, work = week.plan.signals[signal.index], episode.work_left(signal)
    if week.plan.tasks[task].request or not any(
        _in_time(episode, signal, depth, (Timing.IDLE, start))
        for start in [episode.preview(signal, Timing.IDLE)]
        if start < NEVER
    ):
        return True
    user_takes = episode.jobs.used[row.resource]
    ends_free = inside(week.plan.free, episode.now + work)
    return episode.phase == Phase.FREE and ends_free and user_takes == 0
