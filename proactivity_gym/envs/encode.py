"""From the state of an episode to the numbers of the observation.

One flat array is kept and rewritten only where something changed; an observation is a copy of it, cut into its keys. Scales
and columns are in `layout`.
"""

from functools import lru_cache
from math import cos, pi, sin

import numpy as np
import numpy.typing as npt

from proactivity_gym.envs.layout import BOUNDS, COLUMN, DELEGATION, TOTAL, WIDTH
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.delegation import BEFORE
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.timeline import NEVER, last_in, next_in, next_start
from proactivity_gym.sim.week import Plan, Week
from proactivity_gym.sim.words import MAX_SIGNALS, MAX_TOPICS, Depth, Phase, RecordStatus, Trigger

Observation = dict[str, npt.NDArray[np.float32]]

_DAY, _HALF_DAY, _TWO_DAYS = 1440.0, 720.0, 2880.0

_TOPIC, _STATUS = COLUMN["topic row 0"], COLUMN["status is fresh"]
_AGE, _BY = COLUMN["age, in two days"], COLUMN["stated deadline, in two days"]
_WORK = COLUMN["work, in half days"]
_CLASH = COLUMN["clashes with usage now"]
_FITS_IDLE, _FITS_SLEEP = COLUMN["fits before the stated deadline if IDLE"], COLUMN["fits before the stated deadline if SLEEP"]
_AMOUNT = COLUMN["an amount is at stake"]
_LINKED = COLUMN["records linked / 8"]
_NEWEST = COLUMN["newest linked record is none"]
_READ = COLUMN["share of linked records read"]
_REACTION = COLUMN["last reaction is none"]
_DELEGATION = COLUMN["delegation: nothing stated"]


class Encoder:
    """Keeps the numbers of one episode's observation up to date."""

    __slots__ = ("_book", "_day", "_episode", "_flat", "_minute", "_read", "_rows", "_seen", "_watch", "_week")

    def __init__(self, episode: Episode) -> None:
        """Start on an episode."""
        self._episode = episode
        self._week = episode.week
        self._flat = np.zeros(TOTAL, np.float32)
        self._rows = self._flat[BOUNDS["signals"]].reshape(MAX_SIGNALS, WIDTH)
        self._minute = self._book = self._read = -1
        self._day = (0, 0, 0.0, 0.0)
        self._seen = (-1, -1)
        self._watch: list[tuple[OpenSignal, int, int, int, int, int]] = []

    def __getstate__(self) -> dict[str, object]:
        """Leave out the view into the array, which would come back as a copy."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "_rows"}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restore the view."""
        for name, value in state.items():
            setattr(self, name, value)
        self._rows = self._flat[BOUNDS["signals"]].reshape(MAX_SIGNALS, WIDTH)

    def observe(self) -> Observation:
        """Return the observation of the present: a fresh dict of arrays that the caller may keep."""
        episode = self._episode
        now = episode.now
        reading, book = episode.reading.version, episode.inbox.book.version
        changed = episode.board.changed
        if book != self._book:
            self._book = book
            self._delegation()
            changed |= {slot for slot, signal in enumerate(episode.board.slots) if signal}
        if reading != self._read or now != self._minute:
            self._read = reading
            changed_reading = {slot for slot, signal in enumerate(episode.board.slots) if signal} - changed
            for slot in changed_reading:
                self._evidence(slot)
        if changed:
            for slot in changed:
                self._signal(slot)
            self._watching()
            changed.clear()
        self._moment(now)
        self._minute = now
        flat = self._flat.copy()
        return {name: flat[bounds] for name, bounds in BOUNDS.items()}

    # Clock, user and resources

    def _moment(self, now: int) -> None:
        plan, inbox = self._week.plan, self._episode.inbox
        phase = self._episode.phase
        focus_left = next_in(plan.free, now) - now if phase == Phase.FOCUS else 0
        since = _DAY if inbox.last_reaction is None else now - inbox.last_reaction
        wake = next_in(plan.awake, now)
        numbers = [
            *self._time_of_day(now),
            now / plan.horizon,
            min(1.0, (wake - now) / _DAY),
            min(1.0, (next_start(plan.asleep, now) - now) / _DAY),
            min(1.0, (next_in(plan.free, now) - now) / _DAY),
            float(phase == Phase.FREE),
            float(phase == Phase.FOCUS),
            float(phase == Phase.SLEEP),
            min(1.0, focus_left / _HALF_DAY),
            min(1.0, inbox.waiting() / 4),
            min(1.0, inbox.offers_today / 8),
            min(1.0, inbox.seen_today / 8),
            min(1.0, since / _DAY),
        ]
        used: list[int] = []
        gap, night = next_in(plan.free, now), next_in(plan.asleep, now)
        for index, row in enumerate(plan.resources):
            free, queued, taken = self._episode.jobs.state(index)
            used.append(taken)
            capacity = row.capacity
            numbers += (
                1.0,
                min(1.0, capacity / 8),
                free / capacity,
                self._week.free_at(index, gap) / capacity,
                self._week.free_at(index, night) / capacity,
                min(1.0, queued / _DAY),
            )
        self._flat[: len(numbers)] = numbers
        for signal, slot, by, last_idle, last_sleep, resource in self._watch:
            row = self._rows[slot]
            row[_AGE] = min(1.0, (now - signal.since) / _TWO_DAYS)
            if by < NEVER:
                row[_BY] = max(-1.0, min(1.0, (by - now) / _TWO_DAYS))
            row[_CLASH] = used[resource] + self._demand(signal) > plan.resources[resource].capacity
            row[_FITS_IDLE] = now <= last_idle
            row[_FITS_SLEEP] = now <= last_sleep

    def _demand(self, signal: OpenSignal) -> int:
        return self._week.plan.signals[signal.index].demand

    def _time_of_day(self, now: int) -> tuple[float, float, float, float]:
        start, end, day_sin, day_cos = self._day
        if not start <= now < end:
            clock = self._week.plan.clock
            local = clock.local(now)
            start = now - local.hour * 60 - local.minute
            day_sin, day_cos = sin(2 * pi * local.weekday() / 7), cos(2 * pi * local.weekday() / 7)
            self._day = (start, start + 1440, day_sin, day_cos)
        angle = 2 * pi * (now - start) / _DAY
        return sin(angle), cos(angle), day_sin, day_cos

    # Delegation

    def _delegation(self) -> None:
        table = self._flat[BOUNDS["delegation"]].reshape(MAX_TOPICS, len(DELEGATION))
        book = self._episode.inbox.book
        for topic in range(len(self._week.plan.scenario.topics) + 1):
            table[topic] = self._delegation_row(book.rows[topic], book.counts[topic])

    def _delegation_row(self, stated: tuple[Depth, int] | None, counts: list[int]) -> list[float]:
        numbers = [0.0] * 5
        if stated is None:
            numbers[0] = 1.0
        else:
            depth, at = stated
            numbers[int(depth)] = 1.0
            numbers[4] = 1.0 if at == BEFORE else min(1.0, (self._episode.now - at) / _DAY / 8)
        return numbers + [min(1.0, count / 8) for count in counts]

    # Signals

    def _signal(self, slot: int) -> None:
        """Write the row of a slot anew."""
        signal = self._episode.board.slots[slot]
        row = self._rows[slot]
        if signal is None:
            row[:] = 0.0
            return
        week = self._week
        static = week.plan.signals[signal.index]
        row[:] = _static_rows(week.plan)[signal.index]
        row[_STATUS + signal.status] = 1.0
        row[_REACTION + signal.reaction] = 1.0
        row[_WORK] = min(1.0, week.signal_work[signal.index] / _HALF_DAY)
        row[_BY - 1] = week.signal_by[signal.index] < NEVER
        row[_BY] = 1.0
        amount = week.signal_amount[signal.index]
        book = self._episode.inbox.book
        limit = book.limit(static.topic)
        if amount:
            row[_AMOUNT] = 1.0
            row[_AMOUNT + 1] = min(1.0, amount / limit / 2) if limit else 0.0
        row[_DELEGATION:] = self._delegation_row(book.stated(static.topic), book.counts[static.topic])
        self._evidence(slot)

    def _evidence(self, slot: int) -> None:
        """Write what the linked records say, as far as they have appeared and been read."""
        signal = self._episode.board.slots[slot]
        if signal is None:
            return
        row, reading, now = self._rows[slot], self._episode.reading, self._episode.now
        linked = [r for r in reading.linked(signal.index) if reading.there(r, now)]
        read = sum(r in reading.read for r in linked)
        row[_LINKED] = min(1.0, (len(linked) - 1) / 8)
        row[_NEWEST : _NEWEST + len(RecordStatus)] = 0.0
        others = linked[1:] or linked
        newest = max(others, key=lambda r: (self._week.record_at[r], r))
        row[_NEWEST + self._week.plan.records[newest].status] = 1.0
        row[_READ] = read / len(linked)
        row[_READ + 1] = reading.settled_seen(linked)
        ready = signal.task < 0 or now >= self._week.task_ready[signal.task]
        row[_READ + 2] = ready and read == len(linked)

    def _watching(self) -> None:
        """Note of each open signal up to when deferred work would still meet its stated deadline."""
        self._watch = []
        for slot, signal in enumerate(self._episode.board.slots):
            if signal is None:
                continue
            row, week = self._week.plan.signals[signal.index], self._week
            by, work = week.signal_by[signal.index], week.signal_work[signal.index]
            landing = last_in(week.plan.free, min(by, week.plan.horizon - 1))
            idle = last_in(week.starts(row.resource, row.demand, work, Week.FREE), landing - work)
            sleep = last_in(week.starts(row.resource, row.demand, work, Week.ASLEEP), landing - work)
            self._watch.append((signal, slot, by, idle, sleep, row.resource))


@lru_cache(maxsize=128)
def _static_rows(plan: Plan) -> npt.NDArray[np.float32]:  # (signals, WIDTH)
    """Return the columns of each signal that never change."""
    rows = np.zeros((len(plan.signals), WIDTH), np.float32)
    for row, signal in zip(rows, plan.signals, strict=True):
        row[0] = 1.0
        row[COLUMN["app 0"] + signal.app] = 1.0
        row[COLUMN["trigger is user"] + signal.trigger] = 1.0
        row[_TOPIC + signal.topic] = 1.0
        row[_WORK + 1] = min(1.0, signal.review_min / 60)
        row[COLUMN["resource row 0"] + signal.resource] = 1.0
        row[_CLASH - 1] = signal.demand / plan.resources[signal.resource].capacity
        row[COLUMN["class is read"] + signal.action_class] = 1.0
        row[COLUMN["reversible"]] = signal.reversible
        row[COLUMN["asked for"]] = signal.trigger == Trigger.USER
    return rows
