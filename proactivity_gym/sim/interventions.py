"""What the agent does to a signal: dismiss, snooze, or attempt."""

from typing import TYPE_CHECKING

from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.forecast import When
from proactivity_gym.sim.jobs import Job
from proactivity_gym.sim.planner import lands
from proactivity_gym.sim.timeline import NEVER, next_in
from proactivity_gym.sim.week import SignalRow
from proactivity_gym.sim.words import MAX_ATTEMPTS, Depth, Timing
from proactivity_gym.sim.work import Desk, Worker

if TYPE_CHECKING:
    from proactivity_gym.sim.episode import Episode

FOLLOW_UP_MIN = 5
"""Minutes of work that it takes to go on with a good draft or an approved offer."""

EMPTY_SLOT = "empty-slot"
BUSY = "job-in-progress"
EXHAUSTED = "no-attempts-left"
NO_TIME = "no-such-time"
MALFORMED = "malformed-action"
ERRORS = {
    EMPTY_SLOT: "the target slot holds no signal",
    BUSY: "a job on the same matter is still under way",
    EXHAUSTED: f"the matter had its {MAX_ATTEMPTS} attempts",
    NO_TIME: "no moment of the chosen timing is left",
    MALFORMED: "the action is not three whole numbers within the action space",
}
"""Codes of `info["action_error"]`: the action counted as waiting."""

_NOOP, _NOW = Depth.NOOP, Timing.NOW
_WHEN = {Timing.IDLE: When.FREE, Timing.SLEEP: When.ASLEEP}


class Interventions:
    """The agent's hands."""

    __slots__ = ("_episode", "_worker", "touched")

    def __init__(self, episode: "Episode", worker: Worker | None) -> None:
        """Start with nothing touched; `worker` None is the reference worker."""
        self._episode = episode
        self._worker = worker
        self.touched: set[int] = set()
        """Rows of signals that the agent dealt with: no review shows them again."""

    def act(self, signal: OpenSignal, depth: Depth, timing: Timing) -> str | None:
        """Intervene on a signal; return None, or the code of why nothing was done."""
        if depth != _NOOP:
            return self._attempt(signal, depth, timing)
        if timing == _NOW:
            self._dismiss(signal)
            return None
        return self._snooze(signal, timing)

    def _read_for(self, signal: OpenSignal) -> None:
        """Let the worker read what a signal is linked with."""
        if self._worker is None:
            self._episode.note_read(self._episode.week.links(signal.index))
        else:
            self._worker.read(signal, Desk(self._episode))

    def _dismiss(self, signal: OpenSignal) -> None:
        episode, task = self._episode, signal.task
        self._read_for(signal)
        evidence = episode.reading.evidence(task) if task >= 0 else 0.0
        episode.log((episode.now, "dismiss", signal.index, task, episode.expected(signal.index), evidence))
        self.touched.add(signal.index)
        episode.board.close(signal)
        if task >= 0:
            episode.outcomes.dismiss(task)

    def _snooze(self, signal: OpenSignal, timing: Timing) -> str | None:
        episode = self._episode
        until = self._return_of(signal, timing)
        if until >= episode.week.plan.horizon:
            return NO_TIME
        self._read_for(signal)
        episode.log((episode.now, "snooze", signal.index, signal.task, timing, until))
        self.touched.add(signal.index)
        episode.board.put_back(signal, until)
        return None

    def _return_of(self, signal: OpenSignal, timing: Timing) -> int:
        """Return the next moment of a timing that begins after now."""
        episode = self._episode
        start = episode.preview(signal, timing)
        if start > episode.now or timing == Timing.DUE:
            return start if start > episode.now else NEVER
        row = episode.week.plan.signals[signal.index]
        starts = episode.week.plan.forecast.starts(row.resource, row.demand, episode.work_left(signal), _WHEN[timing])[0]
        return next((start for start in starts if start > episode.now), NEVER)

    def _attempt(self, signal: OpenSignal, depth: Depth, timing: Timing) -> str | None:
        episode = self._episode
        matter = episode.outcomes.matter(signal.index)
        if matter.live:
            return BUSY
        if matter.attempts >= MAX_ATTEMPTS:
            return EXHAUSTED
        row, work = episode.week.plan.signals[signal.index], episode.work_left(signal)
        start = episode.jobs.plan(row, timing, work, episode.week.signal_by[signal.index])
        if start >= episode.week.plan.horizon:
            return NO_TIME
        self._read_for(signal)
        job = Job(
            id=len(episode.jobs.all),
            signal=signal.index,
            row=row,
            depth=depth,
            timing=timing,
            expected=max(episode.expected(signal.index), depth) if matter.approved else episode.expected(signal.index),
            left=work,
            start=start,
            by=episode.week.signal_by[signal.index],
            excused=timing == _NOW and signal.task >= 0 and self._excused(signal.task, row, depth, work),
        )
        first = not matter.decided
        matter.attempts += 1
        matter.decided, matter.live = True, job
        self._log_attempt(job, first)
        self.touched.add(signal.index)
        episode.board.close(signal)
        episode.jobs.submit(job)
        return None

    def _log_attempt(self, job: Job, first: bool) -> None:
        row = job.row
        what = (job.id, job.signal, row.task, job.depth, job.timing, job.expected, first, job.start, row.resource)
        self._episode.log((self._episode.now, "attempt", *what))

    def _excused(self, task: int, row: SignalRow, depth: Depth, work_min: int) -> bool:
        """Tell whether work taken NOW cannot compete: it answers a request, or the next gap would miss the deadline."""
        episode, plan = self._episode, self._episode.week.plan
        if plan.tasks[task].request:
            return True
        gap = next_in(plan.forecast.starts(row.resource, row.demand, work_min, When.FREE), episode.now)
        return lands(plan, depth, Timing.IDLE, gap + work_min) > episode.week.task_deadline[task]
