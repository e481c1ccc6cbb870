"""The board of open signals: sixteen slots, and a queue for what finds none."""

from collections import deque
from dataclasses import dataclass

from proactivity_gym.sim.words import MAX_SIGNALS, Reaction, SignalStatus

NO_SLOT = -1


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


class Board:
    """Which signal stands in which slot."""

    __slots__ = ("all", "changed", "slots", "waiting")

    def __init__(self) -> None:
        """Start empty."""
        self.slots: list[OpenSignal | None] = [None] * MAX_SIGNALS
        self.waiting: deque[OpenSignal] = deque()
        self.all: list[OpenSignal] = []
        """Every signal that ever stood open, by id."""
        self.changed: set[int] = set()
        """Slots whose occupant changed since an observer last looked."""

    def place(self, signal: OpenSignal) -> bool:
        """Put a signal into the lowest free slot, or in the queue; tell whether it has a slot."""
        for slot, occupant in enumerate(self.slots):
            if occupant is None:
                self.slots[slot] = signal
                signal.slot = slot
                self.changed.add(slot)
                return True
        self.waiting.append(signal)
        return False

    def remove(self, signal: OpenSignal) -> OpenSignal | None:
        """Take a signal off; return the one from the queue that takes its slot, if any."""
        if signal.slot == NO_SLOT:
            if signal in self.waiting:
                self.waiting.remove(signal)
            return None
        slot, signal.slot = signal.slot, NO_SLOT
        self.slots[slot] = None
        self.changed.add(slot)
        if not self.waiting:
            return None
        successor = self.waiting.popleft()
        self.slots[slot] = successor
        successor.slot = slot
        return successor

    def open(self) -> list[OpenSignal]:
        """Return the open signals, those with a slot first."""
        return [signal for signal in self.slots if signal is not None] + list(self.waiting)
