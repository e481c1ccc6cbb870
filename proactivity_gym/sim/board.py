"""The board of open signals: sixteen slots, a queue for what finds none, and what brings signals up and takes them off."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from proactivity_gym.sim.schedule import INDEX, Kind, Schedule
from proactivity_gym.sim.trace import Row, Trace
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import MAX_SIGNALS, Reaction, SignalStatus

NO_SLOT = -1

_REVIEWED = INDEX
"""Stands for all signals of the last review in an event."""
_EXPIRY, _RETURN, _FRESH, _RETURNED, _NONE = Kind.EXPIRY, Kind.RETURN, SignalStatus.FRESH, SignalStatus.RETURNED, Reaction.NONE

FOLLOW_UP_OPEN_MIN = 720
"""How long an answer or a finished job stands as a signal."""


@dataclass(slots=True, eq=False)
class OpenSignal:
    """A signal that stands open."""

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

    def log(self, row: Row) -> None:
        """Add a row to the trace."""
        ...


class Board:
    """Which signal stands in which slot."""

    __slots__ = ("_away", "_follow_ups", "_horizon", "_host", "_reviewed", "all", "changed", "slots", "waiting")

    def __init__(self, host: Host) -> None:
        """Start empty."""
        self._host = host
        self.slots: list[OpenSignal | None] = [None] * MAX_SIGNALS
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
        self._horizon = host.week.plan.horizon

    def open(self) -> list[OpenSignal]:
        """Return the open signals, those with a slot first."""
        return [*filter(None, self.slots), *self.waiting]

    def show(self, index: int, status: SignalStatus, expires: int, reaction: Reaction = _NONE) -> OpenSignal:
        """Bring up a signal (a row of the plan) until a minute, and give the agent a turn."""
        signal = self._open(index, status, expires, reaction)
        if expires < self._horizon:
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
        host, shown, slots = self._host, self.all, self.slots
        signal = OpenSignal(len(shown), index, host.week.plan.signals[index].task, status, host.now, expires, reaction)
        shown.append(signal)
        host.turn = True
        if None in slots:
            self._seat(signal, slots.index(None))
        else:
            self.waiting.append(signal)
        return signal

    def _seat(self, signal: OpenSignal, slot: int) -> None:
        self.slots[slot] = signal
        signal.slot = slot
        self.changed.add(slot)
        host = self._host
        host.log((host.now, "signal", signal.index, slot, signal.task, signal.status))

    def remove(self, signal: OpenSignal) -> None:
        """Take a signal off; the first one of the queue takes its slot."""
        slot = signal.slot
        if slot == NO_SLOT:
            if self.waiting and signal in self.waiting:
                self.waiting.remove(signal)
            return
        signal.slot = NO_SLOT
        self.slots[slot] = None
        self.changed.add(slot)
        host = self._host
        host.trace.cells.extend((host.now, "gone", signal.index, slot))
        if self.waiting:
            self._seat(self.waiting.popleft(), slot)

    def expire(self, signal_id: int) -> None:
        """Take a signal off whose time is over, if it still stands; or all that the last review showed."""
        if signal_id == _REVIEWED:
            for signal in self._reviewed:
                self.remove(signal)
        else:
            self.remove(self.all[signal_id])

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
