"""From the state of an episode to the numbers of the observation.

One flat buffer is kept and rewritten only where something changed; an observation is a copy of it, cut into its keys. Scales
and columns are in `layout`. The buffer is an `array`, not a NumPy array: setting single numbers in it takes half the time.
"""

from array import array
from math import cos, pi, sin

import numpy as np
import numpy.typing as npt

from proactivity_gym.envs.layout import BOUNDS, DELEGATION, RESOURCE, TOTAL
from proactivity_gym.envs.signal_rows import AGE, SignalRows, age_of_statement, delegation_numbers
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.timeline import NEVER, next_in, next_start
from proactivity_gym.sim.words import Phase

Observation = dict[str, npt.NDArray[np.float32]]

_DAY, _HALF_DAY = 1440.0, 720.0
_KEYS = tuple((name, bounds) for name, bounds in BOUNDS.items())
_RESOURCES, _TABLE = BOUNDS["resources"].start, BOUNDS["delegation"].start
_PHASES = {phase: tuple(float(phase == other) for other in Phase) for phase in Phase}


class Encoder:
    """Keeps the numbers of one episode's observation up to date."""

    __slots__ = ("_buffer", "_dawn", "_episode", "_every", "_forecast_until", "_free_then", "_gap", "_night", "_rows", "_until", "_wake", "_weekday")

    def __init__(self, episode: Episode) -> None:
        """Start on an episode."""
        self._episode = episode
        self._buffer = array("f", bytes(4 * TOTAL))
        self._rows = SignalRows(episode, self._buffer, BOUNDS["signals"].start)
        self._dawn = -NEVER
        self._weekday = (0.0, 0.0)
        self._until = self._gap = self._night = self._wake = self._forecast_until = -1
        self._every = frozenset(range(len(episode.week.plan.resources)))
        self._free_then: list[tuple[float, float]] = []
        for topic in range(len(episode.week.plan.scenario.topics) + 1):
            episode.inbox.book.changed.add(topic)

    def observe(self) -> Observation:
        """Return the observation of the present: a fresh dict of arrays that the caller may keep."""
        episode, book, jobs = self._episode, self._episode.inbox.book, self._episode.jobs
        now = episode.now
        if book.changed or book.ageing:
            self._delegation()
        if now >= self._until:
            self._look_ahead(now)
            jobs.changed.update(self._every)
        if now >= self._forecast_until:
            self._forecast_until = episode.week.next_change(now)
            jobs.changed.update(self._every)
        self._rows.update()
        if jobs.busy or jobs.changed:
            self._resources(now)
        self._moment(now)
        book.changed.clear()
        flat = np.frombuffer(self._buffer, np.float32).copy()
        return {name: flat[bounds] for name, bounds in _KEYS}

    # Clock, user and resources

    def _moment(self, now: int) -> None:
        inbox, phase = self._episode.inbox, self._episode.phase
        if not self._dawn <= now < self._dawn + 1440:
            self._new_day(now)
        angle = 2 * pi * (now - self._dawn) / _DAY
        gap = 0 if phase == Phase.FREE else self._gap - now
        since = _DAY if inbox.last_reaction is None else now - inbox.last_reaction
        numbers = (
            sin(angle),
            cos(angle),
            *self._weekday,
            now / self._episode.week.plan.horizon,
            _capped((self._wake - now) / _DAY) if phase == Phase.SLEEP else 0.0,
            _capped((self._night - now) / _DAY),
            _capped(gap / _DAY),
            *_PHASES[phase],
            _capped(gap / _HALF_DAY) if phase == Phase.FOCUS else 0.0,
            _capped(inbox.waiting() / 4),
            _capped(inbox.offers_today / 8),
            _capped(inbox.seen_today / 8),
            _capped(since / _DAY),
        )
        self._buffer[: len(numbers)] = array("f", numbers)

    def _resources(self, now: int) -> None:
        episode, week, width = self._episode, self._episode.week, len(RESOURCE)
        free = episode.phase == Phase.FREE
        for index in episode.jobs.changed | episode.jobs.busy:
            row = week.plan.resources[index]
            left, queued = episode.jobs.state(index)
            then, tonight = self._free_then[index]
            if free:
                then = week.free_at(index, now) / row.capacity
            start = _RESOURCES + index * width
            numbers = (1.0, _capped(row.capacity / 8), left / row.capacity, then, tonight, _capped(queued / _DAY))
            self._buffer[start : start + width] = array("f", numbers)
        episode.jobs.changed.clear()

    def _look_ahead(self, now: int) -> None:
        """Note what holds until the user's phase changes: the next gap, the next night, and what is free then."""
        week, plan = self._episode.week, self._episode.week.plan
        self._gap, self._wake = next_in(plan.free, now), next_in(plan.awake, now)
        self._night = next_start(plan.asleep, now)
        self._until = min(next_start(spans, now) for spans in (plan.free, plan.focus, plan.asleep))
        tonight = next_in(plan.asleep, now)
        self._free_then = [
            (week.free_at(i, self._gap) / row.capacity, week.free_at(i, tonight) / row.capacity)
            for i, row in enumerate(plan.resources)
        ]

    def _new_day(self, now: int) -> None:
        local = self._episode.week.plan.clock.local(now)
        self._dawn = now - local.hour * 60 - local.minute
        angle = 2 * pi * local.weekday() / 7
        self._weekday = (sin(angle), cos(angle))

    # Delegation

    def _delegation(self) -> None:
        episode, width = self._episode, len(DELEGATION)
        book = episode.inbox.book
        for topic in book.changed:
            start = _TABLE + topic * width
            row = delegation_numbers(book.rows[topic], book.counts[topic], episode.now)
            self._buffer[start : start + width] = array("f", row)
        for topic, at in book.ageing.items():
            self._buffer[_TABLE + topic * width + AGE] = age_of_statement(at, episode.now)


def _capped(number: float) -> float:
    return number if number < 1.0 else 1.0
