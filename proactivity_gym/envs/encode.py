"""From the state of an episode to the numbers of the observation.

One flat buffer is kept and rewritten only where something changed; an observation is a copy of it, cut into its keys. Scales
and columns are in `layout`.
"""

from array import array

import numpy as np
import numpy.typing as npt

from proactivity_gym.envs.ages import Ages
from proactivity_gym.envs.flat import Flat
from proactivity_gym.envs.layout import BOUNDS, RESOURCE, TOTAL
from proactivity_gym.envs.outlook import MOMENT, capped, outlook_of
from proactivity_gym.envs.signal_rows import SignalRows
from proactivity_gym.envs.told import Told
from proactivity_gym.sim.episode import Episode

Observation = dict[str, npt.NDArray[np.float32]]

_DAY = 1440.0
_OF_MINUTE = slice(MOMENT)
_CLOCK, _USER, _RESOURCES, _DELEGATION, _SIGNALS = BOUNDS.values()
_WIDTH = len(RESOURCE)
_CAPACITY, _LEFT, _THEN, _TONIGHT, _QUEUED = (
    _RESOURCES.start + RESOURCE.index(name)
    for name in (
        "capacity / 8",
        "share free now",
        "share free in the next gap",
        "share free tonight",
        "days queued by the agent",
    )
)


class Encoder:
    """Keeps the numbers of one episode's observation up to date."""

    __slots__ = ("_ages", "_buffer", "_episode", "_flat", "_outlook", "_rows", "_until")

    def __init__(self, episode: Episode) -> None:
        """Start on an episode."""
        self._episode = episode
        self._outlook = outlook_of(episode.week.plan)
        self._buffer = array("f", bytes(4 * TOTAL))
        self._flat = Flat(self._buffer, np.float32)
        self._ages = Ages()
        told = Told(episode.inbox.book, self._ages, self._buffer, _DELEGATION.start)
        self._rows = SignalRows(episode, told, self._ages, self._buffer)
        self._until = -1
        """When the stretch ends whose outlook is in the buffer."""
        for index, row in enumerate(episode.week.plan.resources):
            self._buffer[_RESOURCES.start + index * _WIDTH] = 1.0
            self._buffer[_CAPACITY + index * _WIDTH] = capped(row.capacity / 8)
        episode.inbox.book.changed.update(range(len(episode.week.plan.scenario.topics) + 1))

    def observe(self) -> Observation:
        """Return the observation of the present: a fresh dict of arrays that the caller may keep."""
        episode, now = self._episode, self._episode.now
        jobs = episode.jobs
        self._buffer[_OF_MINUTE] = self._outlook.moments[now]
        if now >= self._until:
            self._look_ahead(now)
        if episode.inbox.changed:
            self._user()
        self._rows.update(now)
        if jobs.running or jobs.changed:
            self._resources()
        flat = self._flat.view.copy()
        self._ages.write(flat, now)
        return {
            "clock": flat[_CLOCK],
            "user": flat[_USER],
            "resources": flat[_RESOURCES],
            "delegation": flat[_DELEGATION],
            "signals": flat[_SIGNALS],
        }

    def _user(self) -> None:
        """Write the counts of what reaches the user, and when they last reacted."""
        inbox, buffer = self._episode.inbox, self._buffer
        waiting, offers, seen = inbox.waiting(), inbox.offers_today, inbox.seen_today
        buffer[MOMENT] = waiting / 4 if waiting < 4 else 1.0
        buffer[MOMENT + 1] = offers / 8 if offers < 8 else 1.0
        buffer[MOMENT + 2] = seen / 8 if seen < 8 else 1.0
        self._ages.reacted(inbox.last_reaction)
        inbox.changed = False

    def _look_ahead(self, now: int) -> None:
        """Note what is foreseen to be free until the user's phase or a forecast changes."""
        stretch = self._outlook.stretch(now)
        end = _THEN + len(stretch.then) * _WIDTH
        self._buffer[_THEN:end:_WIDTH] = stretch.then
        self._buffer[_TONIGHT : end + 1 : _WIDTH] = stretch.tonight
        self._until = stretch.until
        if self._episode.over:
            self._episode.jobs.changed.update(range(len(stretch.then)))

    def _resources(self) -> None:
        """Write what changed of resources, and what is queued on those where work goes on."""
        jobs, buffer, now = self._episode.jobs, self._buffer, self._episode.now
        for index in jobs.changed:
            bench, start = jobs.benches[index], index * _WIDTH
            buffer[_LEFT + start] = bench.left(now, jobs.used[index]) / bench.row.capacity
            queued = bench.queued(now)
            buffer[_QUEUED + start] = queued / _DAY if queued < _DAY else 1.0
        for index in jobs.running:
            if index not in jobs.changed:
                queued = jobs.benches[index].queued(now)
                buffer[_QUEUED + index * _WIDTH] = queued / _DAY if queued < _DAY else 1.0
        jobs.changed.clear()
