"""The board of open signals: sixteen slots, a queue for what finds none, and what brings signals up and takes them off."""

from collections import deque
from dataclasses import dataclass
from typing import Protocol

from proactivity_gym.sim.schedule import Kind, Schedule
from proactivity_gym.sim.trace import Value
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import MAX_SIGNALS, Reaction, SignalStatus

NO_SLOT = -1

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
    """Shown by a review: it goes with the next one."""


class Host(Protocol):
    """What the board needs of the episode."""

    now: int
    turn: bool
    week: Week
    schedule: Schedule

    def log(self, name: str, data: dict[str, Value]) -> None:
        """Add to the trace."""
        ...


class Board:
    """Which signal stands in which slot."""

    __slots__ = ("_follow_ups", "_host", "all", "changed", "slots", "waiting")

    def __init__(self, host: Host) -> None:
        """Start empty."""
        self._host = host
        self.slots: list[OpenSignal | None] = [None] * MAX_SIGNALS
        self.waiting: deque[OpenSignal] = deque()
        self.all: list[OpenSignal] = []
        """Every signal that ever stood open, by id."""
        self.changed: set[int] = set()
        """Slots whose occupant changed since an observer last looked."""
        self._follow_ups: dict[int, OpenSignal] = {}

    def open(self) -> list[OpenSignal]:
        """Return the open signals, those with a slot first."""
        return [*filter(None, self.slots), *self.waiting]

    def show(self, index: int, status: SignalStatus, expires: int, reaction: Reaction = Reaction.NONE) -> OpenSignal:
        """Bring up a signal (a row of the plan) until a minute, and give the agent a turn."""
        host = self._host
        signal = OpenSignal(len(self.all), index, host.week.plan.signals[index].task, status, host.now, expires, reaction)
        self.all.append(signal)
        host.turn = True
        if expires < host.week.plan.horizon:
            host.schedule.push(expires, Kind.EXPIRY, signal.id)
        if None in self.slots:
            self._seat(signal, self.slots.index(None))
        else:
            self.waiting.append(signal)
        return signal

    def _seat(self, signal: OpenSignal, slot: int) -> None:
        self.slots[slot] = signal
        signal.slot = slot
        self.changed.add(slot)
        data: dict[str, Value] = {"signal": signal.index, "slot": slot, "task": signal.task, "status": int(signal.status)}
        self._host.log("signal", data)

    def remove(self, signal: OpenSignal) -> None:
        """Take a signal off; the first one of the queue takes its slot."""
        if signal.slot == NO_SLOT:
            if self.waiting and signal in self.waiting:
                self.waiting.remove(signal)
            return
        slot, signal.slot = signal.slot, NO_SLOT
        self.slots[slot] = None
        self.changed.add(slot)
        self._host.log("gone", {"signal": signal.index, "slot": slot})
        if self.waiting:
            self._seat(self.waiting.popleft(), slot)

    def close(self, signal: OpenSignal) -> None:
        """Take a signal off, and with it every other one of the same task."""
        self.remove(signal)
        if signal.task >= 0:
            self.close_task(signal.task)

    def close_task(self, task: int) -> None:
        """Take every signal of a task off."""
        for signal in [signal for signal in self.open() if signal.task == task]:
            self.remove(signal)

    def follow_up(self, index: int, status: SignalStatus, reaction: Reaction, deadline: int) -> None:
        """Bring up a signal that carries a matter on; a newer one takes the place of an older one."""
        older = self._follow_ups.get(index)
        if older is not None:
            self.remove(older)
        expires = min(deadline, self._host.now + FOLLOW_UP_OPEN_MIN)
        if expires > self._host.now:
            self._follow_ups[index] = self.show(index, status, expires, reaction)
