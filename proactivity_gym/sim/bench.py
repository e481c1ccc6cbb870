"""One resource in the course of an episode: the agent's jobs on it, and what they leave of it."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from proactivity_gym.sim.forecast import ResourceRow
from proactivity_gym.sim.timeline import Use, inside, next_start
from proactivity_gym.sim.week import SignalRow, UsageRow
from proactivity_gym.sim.words import Depth, Timing

if TYPE_CHECKING:
    from proactivity_gym.sim.work import Content


_NOW = Timing.NOW
_LINGER_MIN = 30
"""How much longer a use that outlasts its stated end is taken to go on."""


@dataclass(slots=True, eq=False)
class Job:
    """An attempt on its way."""

    id: int
    signal: int
    row: SignalRow
    depth: Depth
    timing: Timing
    expected: Depth
    left: int
    """Minutes of work left when it last stopped."""
    start: int
    """When it is planned to start, or last started."""
    by: int
    """Stated deadline."""
    excused: bool
    """It answers a request, or the next gap would miss the deadline: it cannot compete."""
    running: bool = False
    begun: bool = False
    worked: int = 0
    version: int = 0
    """Raised when a scheduled start or end no longer holds."""
    competed: int = 0
    interrupts: bool = False
    presented: bool = False
    """Whether the user put it off once."""
    wrong: bool = False
    content: "Content | None" = None
    """What its work came to, once its slot came."""


@dataclass(slots=True, eq=False)
class Bench:
    """One resource, the user's own use left aside but for what is foreseen of it."""

    row: ResourceRow
    horizon: int
    spent: int = 0
    """Units of a stock that the agent spent since the last reset."""
    taken: int = 0
    """Units that running jobs take."""
    running: list[Job] = field(default_factory=list[Job])
    queue: list[Job] = field(default_factory=list[Job])
    """NOW jobs that wait for each other, for opening, or for a reset."""
    paused: list[Job] = field(default_factory=list[Job])
    planned: list[Job] = field(default_factory=list[Job])
    forecast: list[Use] | None = None
    """The user's use as known now, where it came to differ from the stated one."""
    slowed: int = 0
    """Minutes that NOW jobs took from the user in the use that goes on."""
    _open: bool = False
    _known_until: int = -1
    """Until when it is known whether the resource is open."""

    def start(self, job: Job, now: int) -> None:
        """Let a job run."""
        job.running, job.start = True, now
        job.version += 1
        self.running.append(job)
        self.taken += job.row.demand
        if not job.begun:
            self.spent += job.row.demand
            job.begun = True

    def stop(self, job: Job, now: int) -> None:
        """Take a running job off."""
        self.running.remove(job)
        self.taken -= job.row.demand
        job.running = False
        job.version += 1
        job.worked += now - job.start
        job.left -= now - job.start

    def is_open(self, now: int) -> bool:
        """Tell whether the resource can be used now; who asks never goes back in time."""
        if now >= self._known_until:
            spans = self.row.open
            self._open = inside(spans, now)
            self._known_until = spans[1][bisect_right(spans[0], now) - 1] if self._open else next_start(spans, now)
        return self._open

    def fits(self, job: Job, now: int, used: int) -> bool:
        """Tell whether a job can run now beside the units that the user takes.

        NOW jobs look only at the agent's own, unless the resource is a stock.
        """
        if not self.is_open(now):
            return False
        taken = self.spent if self.row.stock else self.taken
        if job.timing != _NOW or self.row.stock:
            taken += used
        return taken + job.row.demand <= self.row.capacity

    def pausable(self, now: int) -> list[Job]:
        """Return the running jobs that give way, latest first: deferred ones whose work does not end this minute."""
        return [job for job in reversed(self.running) if job.timing != _NOW and job.start + job.left > now]

    def foresee(self, uses: Sequence[UsageRow], now: int) -> None:
        """Know of the user's uses what is seen: those that began last as stated (or another half hour), ended ones are over."""
        known = [use for use in uses if use.end > now and (use.stated or use.start <= now)]
        self.forecast = [(use.start, max(use.stated_end, now + _LINGER_MIN), use.units) for use in known]

    def own_uses(self, now: int) -> list[Use]:
        """Return what the agent's own live jobs take, or will take."""
        uses: list[Use] = []
        if self.row.stock:
            uses += [(now, self._reset_after(now), self.spent)] if self.spent else []
            uses += [(now, self._reset_after(job.start), job.row.demand) for job in self.planned + self.queue]
            return uses
        free_at = now
        for job in self.running:
            free_at = max(free_at, job.start + job.left)
            uses.append((now, job.start + job.left, job.row.demand))
        for job in self.queue + self.paused:
            uses.append((free_at, free_at + job.left, job.row.demand))
            free_at += job.left
        uses += [(job.start, job.start + job.left, job.row.demand) for job in self.planned]
        return uses

    def _reset_after(self, minute: int) -> int:
        return next((reset for reset in self.row.resets if reset > minute), self.horizon)

    def left(self, now: int, used: int) -> int:
        """Return the units free now beside those that the user takes."""
        if not self.is_open(now):
            return 0
        left = self.row.capacity - used - (self.spent if self.row.stock else self.taken)
        return left if left > 0 else 0

    def queued(self, now: int) -> int:
        """Return the minutes of work queued by the agent."""
        queued = 0
        for job in self.running:
            queued += job.start + job.left - now
        if self.queue or self.paused or self.planned:
            for job in (*self.queue, *self.paused, *self.planned):
                queued += job.left
        return queued
