"""The board of open signals: sixteen slots, a queue for what finds none, and what brings signals up and takes them off."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Protocol

from proactivity_gym.sim.schedule import INDEX, Kind, Schedule
from proactivity_gym.sim.scoring import Tally
from proactivity_gym.sim.trace import Row, Trace
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import MAX_SIGNALS, Reaction, SignalStatus

NO_SLOT = -1

_REVIEWED = INDEX
"""Stands for all signals of the last review in an event."""
_EXPIRY, _RETURN = Kind.EXPIRY.value, Kind.RETURN.value
_FRESH, _RETURNED, _NONE = SignalStatus.FRESH, SignalStatus.RETURNED, Reaction.NONE

FOLLOW_UP_OPEN_MIN = 720
"""How long an answer or a finished job stands as a signal."""


@dataclass(init=False, eq=False)
class OpenSignal:
    """A signal that stands open.

    One is made for nearly every step: what most of them never change is read from the class.
    """

    id: int
    """Unique in the episode."""
    index: int
    """Row of the plan that it shows."""
    task: int
    status: SignalStatus
    since: int
    expires: int
    reaction: Reaction = Reaction.NONE
    slot: int = NO_SLOT
    reviewed: bool = False
    """Shown by a review: it expires with the next one, unless it is snoozed."""


class Host(Protocol):
    """What the board needs of the episode."""

    now: int
    turn: bool
    week: Week
    schedule: Schedule
    trace: Trace
    tally: Tally

    def log(self, row: Row) -> None:
        """Add a row to the trace."""
        ...

    def note_read(self, records: Sequence[int]) -> None:
        """Mark records read, as far as they have appeared."""
        ...


class Board:
    """Which signal stands in which slot."""

    __slots__ = (
        "_attached", "_away", "_cells", "_deadlines", "_follow_ups", "_free", "_horizon", "_host", "_reviewed", "_rows",
        "_unknown", "all", "changed", "slots", "waiting",
    )  # fmt: skip

    def __init__(self, host: Host) -> None:
        """Start empty."""
        self._host = host
        self._rows, self._cells, self._unknown = host.week.plan.signals, host.trace.cells, host.tally.windows.unknown
        self.slots: list[OpenSignal | None] = [None] * MAX_SIGNALS
        self._free = list(range(MAX_SIGNALS))
        """Empty slots, a heap."""
        self.waiting: deque[OpenSignal] = deque()
        self.all: list[OpenSignal] = []
        """Every signal that ever stood open, by id."""
        self.changed: set[int] = set()
        """Slots whose occupant changed since an observer last looked."""
        self._away: dict[int, OpenSignal] = {}
        """Snoozed signals, by id."""
        self._follow_ups: dict[int, OpenSignal] = {}
        self._reviewed: list[OpenSignal] = []
        """What the last review showed."""
        self._attached = host.week.level.attached
        self._horizon, self._deadlines = host.week.plan.horizon, host.week.task_deadline

    def open(self) -> list[OpenSignal]:
        """Return the open signals, those with a slot first."""
        return [*filter(None, self.slots), *self.waiting]

    def show(self, index: int, status: SignalStatus, expires: int, reaction: Reaction = _NONE) -> OpenSignal:
        """Bring up a signal (a row of the plan) until a minute, and give the agent a turn."""
        signal = self._open(index, status, expires, reaction)
        if expires < self._horizon and not (signal.task >= 0 and self._host.now < expires == self._deadlines[signal.task]):
            # A deadline to come takes the signals of its task off, without an event of their own.
            self._host.schedule.push(expires, _EXPIRY, signal.id)
        return signal

    def show_reviewed(self, found: Sequence[int], following: int) -> None:
        """Bring up what a review found until the following one, or until it expires before that."""
        week, schedule = self._host.week, self._host.schedule
        self._reviewed = [self._open(index, _FRESH, min(following, week.signal_expires[index]), _NONE) for index in found]
        for signal in self._reviewed:
            signal.reviewed = True
            if signal.expires < following:
                schedule.push(signal.expires, _EXPIRY, signal.id)
        if found and following < self._horizon:
            schedule.push(following, _EXPIRY, _REVIEWED)

    def _open(self, index: int, status: SignalStatus, expires: int, reaction: Reaction) -> OpenSignal:
        host, signal = self._host, OpenSignal()
        signal.id, signal.index, signal.task = len(self.all), index, self._rows[index].task
        signal.status, signal.since, signal.expires = status, host.now, expires
        if reaction:
            signal.reaction = reaction
        self.all.append(signal)
        host.turn = True
        if self._attached:
            host.note_read(host.week.links(index))
        if self._free:
            self._seat(signal)
        else:
            self.waiting.append(signal)
        return signal

    def _seat(self, signal: OpenSignal) -> None:
        """Give a signal the first empty slot."""
        slot, host = heappop(self._free), self._host
        self.slots[slot] = signal
        signal.slot = slot
        self.changed.add(slot)
        row = (host.now, "signal", signal.index, slot, signal.task, signal.status)
        if signal.task in self._unknown:
            host.log(row)
        else:
            # Scoring looks at the first signal of a window's task alone.
            self._cells.extend(row)

    def remove(self, signal: OpenSignal) -> None:
        """Take a signal off; the first one of the queue takes its slot."""
        slot = signal.slot
        if slot < 0:
            if self.waiting and signal in self.waiting:
                self.waiting.remove(signal)
            return
        signal.slot = NO_SLOT
        self.slots[slot] = None
        heappush(self._free, slot)
        self.changed.add(slot)
        self._cells.extend((self._host.now, "gone", signal.index, slot))
        if self.waiting:
            self._seat(self.waiting.popleft())

    def expire(self, signal_id: int) -> None:
        """Take a signal off whose time is over, if it still stands; or all that the last review showed."""
        if signal_id == _REVIEWED:
            for signal in self._reviewed:
                if signal.slot >= 0 or self.waiting:
                    self.remove(signal)
            return
        signal = self.all[signal_id]
        if signal.slot >= 0 or self.waiting:
            self.remove(signal)

    def close(self, signal: OpenSignal) -> None:
        """Take a signal off, and with it every other one of the same task."""
        self.remove(signal)
        if signal.task >= 0:
            self.close_task(signal.task)

    def close_task(self, task: int) -> None:
        """Take every signal of a task off; snoozed ones do not come back."""
        found = [signal for signal in filter(None, self.slots) if signal.task == task]
        for signal in [*found, *(signal for signal in self.waiting if signal.task == task)] if self.waiting else found:
            self.remove(signal)
        if self._away:
            self._away = {key: signal for key, signal in self._away.items() if signal.task != task}

    def put_back(self, signal: OpenSignal, until: int) -> None:
        """Take a signal off until a minute; what a review showed is no longer the review's."""
        self.remove(signal)
        if signal.reviewed:
            signal.expires = self._host.week.signal_expires[signal.index]
        self._away[signal.id] = signal
        self._host.schedule.push(until, _RETURN, signal.id)

    def bring_back(self, signal_id: int) -> None:
        """Bring a snoozed signal up again, unless its matter was taken up or carried on since, or its time is over."""
        signal = self._away.pop(signal_id, None)
        if signal is None or signal.expires <= self._host.now:
            return
        again = self.show(signal.index, _RETURNED, signal.expires, signal.reaction)
        if self._follow_ups.get(signal.index) is signal:
            self._follow_ups[signal.index] = again

    def follow_up(self, index: int, status: SignalStatus, reaction: Reaction, deadline: int) -> None:
        """Bring up a signal that carries a matter on; a newer one takes the place of an older one."""
        older = self._follow_ups.get(index)
        if older is not None:
            self.remove(older)
            self._away.pop(older.id, None)
        expires = min(deadline, self._host.now + FOLLOW_UP_OPEN_MIN)
        if expires > self._host.now:
            self._follow_ups[index] = self.show(index, status, expires, reaction)
