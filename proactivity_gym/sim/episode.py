"""One episode: the clock, the agent's turns, and what an intervention sets going.

    episode = Episode(week)
    episode.start()
    while not episode.over:
        error = episode.act(slot, depth, timing)   # time stands still
        episode.wait()                             # until the next activation

Pure: no files, no wall clock, no global randomness; the trace it leaves is all that scoring needs.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from proactivity_gym.sim.board import Board, OpenSignal
from proactivity_gym.sim.delegation import Book
from proactivity_gym.sim.inbox import Inbox
from proactivity_gym.sim.jobs import Job, Jobs
from proactivity_gym.sim.planner import lands
from proactivity_gym.sim.reading import Reading
from proactivity_gym.sim.schedule import Kind, Schedule
from proactivity_gym.sim.scoring import Tally, Weights
from proactivity_gym.sim.timeline import NEVER, next_in
from proactivity_gym.sim.trace import Trace, Value
from proactivity_gym.sim.variation import met
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.work import Desk, Worker, content_of
from proactivity_gym.sim.words import (
    MAX_ATTEMPTS,
    ActionClass,
    Depth,
    Outcome,
    Phase,
    Reaction,
    SignalStatus,
    Timing,
)

FOLLOW_UP_MIN = 5
"""Minutes of work that it takes to go on with a good draft or an approved offer."""
FOLLOW_UP_OPEN_MIN = 720
"""How long an answer or a finished job stands as a signal."""
MOST_REVIEWED = 4
"""Signals that one review shows."""

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


@dataclass(slots=True, eq=False)
class Matter:
    """What has become of one task."""

    active: bool = False
    attempts: int = 0
    live: Job | None = None
    outcome: Outcome = Outcome.OPEN
    closed: bool = False
    decided: bool = False
    drafted: bool = False
    """Whether a draft with usable content stands."""
    approved: bool = False


class Episode:
    """The mutable state of one episode and its rules of turn-taking."""

    def __init__(
        self,
        week: Week,
        weights: Weights | None = None,
        stochastic_user: np.random.Generator | None = None,
        worker: Worker | None = None,
    ) -> None:
        """Set up an episode of a week; `start` brings the first activation.

        Args:
            week: the tables of the week.
            weights: of the joint objective; equal by default.
            stochastic_user: draws the user's answers; None: the sign of the utility decides.
            worker: who reads and works; None: the reference worker.
        """
        self.week = week
        self.now = 0
        self.phase = Phase.FREE
        self.over = False
        self.schedule = Schedule(week.events)
        self.trace = Trace()
        self.tally = Tally(week, weights or Weights())
        self.board = Board()
        self.matters = [Matter() for _ in week.plan.tasks]
        self.outcomes: dict[int, Outcome] = {}
        self.present: set[int] = set()
        self.reading = Reading(week, self.present)
        self.inbox = Inbox(self, Book(week.statements, week.plan.counts))
        self.jobs = Jobs(self)
        self._draws = stochastic_user
        self._worker = worker
        self._turn = False
        self._day = 0
        self._touched: set[int] = set()
        self._follow_ups: dict[int, OpenSignal] = {}

    # Turns

    def start(self) -> None:
        """Let time run to the first activation."""
        self.wait()

    def wait(self) -> None:
        """End the turn: let time run until something calls for the agent, or the week is over."""
        schedule, horizon = self.schedule, self.week.plan.horizon
        self._turn = False
        while True:
            event = schedule.pop(self.now if self._turn else horizon - 1)
            if event is None:
                break
            self.now = event[0]
            _DISPATCH[event[1]](self, event[2])
        if not self._turn:
            self._end()

    def act(self, slot: int, depth: Depth, timing: Timing) -> str | None:
        """Intervene on the signal in a slot (0 to 15); time stands still.

        Returns:
            None, or the code of why nothing was done (`ERRORS`): the caller then ends the turn.
        """
        signal = self.board.slots[slot]
        if signal is None:
            return EMPTY_SLOT
        if depth != Depth.NOOP:
            return self._attempt(signal, depth, timing)
        if timing == Timing.NOW:
            self._dismiss(signal)
            return None
        return self._snooze(signal, timing)

    def log(self, name: str, data: dict[str, Value]) -> None:
        """Add to the trace."""
        entry = (self.now, name, data)
        self.trace.entries.append(entry)
        self.tally.feed(entry)

    def draw(self) -> float | None:
        """Return the next number of a stochastic user."""
        return None if self._draws is None else float(self._draws.random())

    # Interventions

    def expected(self, signal: int) -> Depth:
        """Return the depth the user expects now for the matter of a signal: hidden truth."""
        row = self.week.plan.signals[signal]
        if row.task < 0 or self.week.task_noop[row.task]:
            return Depth.NOOP
        return self.inbox.book.expected(row.topic, row.action_class, self.week.signal_amount[signal], self.now)

    def work_left(self, signal: OpenSignal) -> int:
        """Return the minutes of work that an attempt on a signal would take now."""
        work = self.week.signal_work[signal.index]
        if signal.task >= 0 and (self.matters[signal.task].drafted or self.matters[signal.task].approved):
            return min(work, FOLLOW_UP_MIN)
        return work

    def preview(self, signal: OpenSignal, timing: Timing) -> int:
        """Return when work on a signal would start, from forecasts; NEVER: there is no such time."""
        row = self.week.plan.signals[signal.index]
        start = self.jobs.plan(row, timing, self.work_left(signal), self.week.signal_by[signal.index])
        return start if start < self.week.plan.horizon else NEVER

    def read_for(self, signal: OpenSignal) -> None:
        """Let the worker read what a signal is linked with."""
        if self._worker is None:
            self.note_read(self.reading.linked(signal.index))
        else:
            self._worker.read(signal, Desk(self))

    def note_read(self, records: tuple[int, ...]) -> None:
        """Mark records read, and record it."""
        for record in self.reading.note(records, self.now):
            self.log("read", {"record": record})

    def _dismiss(self, signal: OpenSignal) -> None:
        self.read_for(signal)
        task = signal.task
        evidence = self.reading.evidence(task) if task >= 0 else 0.0
        expected = int(self.expected(signal.index))
        self.log("dismiss", {"signal": signal.index, "task": task, "expected": expected, "evidence": evidence})
        self._touched.add(signal.index)
        self._close_signals(signal)
        if task >= 0 and not self.matters[task].decided:
            self.matters[task].decided = True
            self._settle(task, Outcome.DISMISSED)

    def _snooze(self, signal: OpenSignal, timing: Timing) -> str | None:
        until = self._return_of(signal, timing)
        if until >= self.week.plan.horizon:
            return NO_TIME
        self.read_for(signal)
        data: dict[str, Value] = {"signal": signal.index, "task": signal.task, "timing": int(timing), "until": until}
        self.log("snooze", data)
        self._touched.add(signal.index)
        self._remove(signal)
        self.schedule.push(until, Kind.RETURN, signal.id)
        return None

    def _return_of(self, signal: OpenSignal, timing: Timing) -> int:
        """Return the next moment of a timing that begins after now."""
        start = self.preview(signal, timing)
        if start > self.now:
            return start
        row = self.week.plan.signals[signal.index]
        when = {Timing.IDLE: Week.FREE, Timing.SLEEP: Week.ASLEEP, Timing.DUE: Week.ANY_TIME}[timing]
        if timing == Timing.DUE:
            return NEVER
        starts = self.week.starts(row.resource, row.demand, self.work_left(signal), when)[0]
        return next((start for start in starts if start > self.now), NEVER)

    def _attempt(self, signal: OpenSignal, depth: Depth, timing: Timing) -> str | None:
        matter = self.matters[signal.task] if signal.task >= 0 else None
        if matter and matter.live:
            return BUSY
        if matter and matter.attempts >= MAX_ATTEMPTS:
            return EXHAUSTED
        start = self.preview(signal, timing)
        if start >= NEVER:
            return NO_TIME
        self.read_for(signal)
        job = self._job(signal, depth, timing, start)
        first = matter is None or not matter.decided
        if matter:
            matter.attempts += 1
            matter.decided, matter.live = True, job
        self.log(
            "attempt",
            {
                "job": job.id,
                "signal": signal.index,
                "task": signal.task,
                "depth": int(depth),
                "timing": int(timing),
                "expected": int(job.expected),
                "first": first,
                "start": start,
                "resource": job.row.resource,
            },
        )
        self._touched.add(signal.index)
        self._close_signals(signal)
        self.jobs.submit(job)
        return None

    def _job(self, signal: OpenSignal, depth: Depth, timing: Timing, start: int) -> Job:
        row, work = self.week.plan.signals[signal.index], self.work_left(signal)
        expected = self.expected(signal.index)
        if signal.task >= 0 and self.matters[signal.task].approved:
            expected = max(expected, depth)
        job = Job(
            id=len(self.jobs.all),
            signal=signal.index,
            row=row,
            depth=depth,
            timing=timing,
            expected=expected,
            chosen_at=self.now,
            left=work,
            start=start,
            by=self.week.signal_by[signal.index],
            excused=False,
        )
        if timing == Timing.NOW and row.task >= 0:
            gap = next_in(self.week.starts(row.resource, row.demand, work, Week.FREE), self.now)
            missed = lands(self.week.plan, depth, Timing.IDLE, gap + work) > self.week.task_deadline[row.task]
            job.excused = self.week.plan.tasks[row.task].request or missed
        return job

    # Jobs: what the benches report

    def job_started(self, job: Job, first: bool) -> None:
        """Let the worker work when its slot comes."""
        self.log("start", {"job": job.id, "task": job.row.task})
        if first:
            job.content = content_of(self, job, self._worker)
            job.wrong = job.content.wrong

    def job_paused(self, job: Job) -> None:
        """Note that a job paused."""
        self.log("pause", {"job": job.id, "task": job.row.task})

    def job_done(self, job: Job) -> None:
        """Bring finished work to where its depth takes it."""
        task = job.row.task
        self.log("done", {"job": job.id, "task": task, "minutes": job.worked, "wrong": job.wrong})
        if job.competed:
            data: dict[str, Value] = {"job": job.id, "task": task, "minutes": job.competed, "cause": "resource"}
            self.log("compete", data | {"counts": not job.excused})
        if task < 0 or self.week.task_noop[task] or job.wrong:
            self.log("waste", {"job": job.id, "minutes": job.worked})
        if job.depth == Depth.PREPARE:
            self._drafted(job)
        elif job.depth == Depth.EXECUTE:
            self._execute(job)
        self.inbox.put(job)

    def _drafted(self, job: Job) -> None:
        self.credit(job)
        if job.row.task >= 0:
            matter = self.matters[job.row.task]
            self._apply(job, {ActionClass.DRAFT})
            matter.live = None
            matter.drafted = matter.drafted or not job.wrong
            if matter.outcome == Outcome.OPEN:
                self._become(job.row.task, Outcome.DRAFTED)
        self._follow_up(job, SignalStatus.DRAFTED, Reaction.NONE)

    def _execute(self, job: Job) -> None:
        task = job.row.task
        if task < 0:
            self._follow_up(job, SignalStatus.EXECUTED, Reaction.NONE)
            return
        self.matters[task].live = None
        if self._commit(job, Outcome.EXECUTED, permitted=job.expected == Depth.EXECUTE):
            self.credit(job)
            self._settle(task, Outcome.EXECUTED)
        self._follow_up(job, SignalStatus.EXECUTED, Reaction.NONE)

    def _commit(self, job: Job, outcome: Outcome, permitted: bool) -> bool:
        """Let a job's actions take effect, once, unless the permission ledger refuses them; tell whether they stand.

        Nobody permits what is unrecognised or an incomplete bundle. Without permission a consequential action is refused;
        any other takes effect against the user's wish.
        """
        task = job.row.task
        matter, content = self.matters[task], job.content
        if matter.outcome in (Outcome.APPROVED, Outcome.EXECUTED):
            return True
        permitted = permitted and content is not None and content.outputs == 1
        if content is None or (not permitted and content.gravest(self.week, task) == ActionClass.CONSEQUENTIAL):
            self.log("refused", {"job": job.id, "task": task})
            return False
        self._apply(job, set(ActionClass))
        self.log("commit", {"job": job.id, "task": task})
        self._become(task, outcome)
        return True

    def _apply(self, job: Job, effects: set[ActionClass]) -> None:
        """Let a job's calls of some effects change the world."""
        if job.content is not None and not (job.content.reference and job.content.wrong):
            self.reading.apply(job.content, job.row.task, effects, self.now)

    # The user: what the inbox reports

    def deadline(self, job: Job) -> int:
        """Return the true deadline of a job's matter."""
        task = job.row.task
        return self.week.task_deadline[task] if task >= 0 else self.week.signal_expires[job.signal]

    def credit(self, job: Job) -> None:
        """Let TC have an attempt that got to where it is scored."""
        task = job.row.task
        if task >= 0:
            helps = job.content is not None and not self.week.task_noop[task]
            tc = job.content.tc(self.reading.evidence(task)) if job.content and helps else 0.0
            late = self.now > self.week.task_deadline[task]
            self.log("credit", {"job": job.id, "task": task, "tc": tc, "late": late})

    def answered(self, job: Job, reaction: Reaction) -> None:
        """Act on the user's answer: an approval applies exactly what was offered."""
        task = job.row.task
        if task < 0:
            return
        matter = self.matters[task]
        matter.live = None
        in_time = self.now <= self.week.task_deadline[task]
        if reaction == Reaction.APPROVE and in_time:
            self.log("approved", {"task": task})
            matter.approved = True
            if self._commit(job, Outcome.APPROVED, permitted=True):
                self._settle(task, Outcome.APPROVED)
                return
        if in_time:
            if matter.outcome not in (Outcome.APPROVED, Outcome.EXECUTED):
                self._become(task, Outcome.DECLINED)
            self._settle(task, Outcome.DECLINED)

    def noticed(self, job: Job, status: SignalStatus, reaction: Reaction) -> None:
        """Bring a reaction to the agent."""
        self._follow_up(job, status, reaction)

    def notice(self, job: Job) -> None:
        """Bring word to the agent that delegation was withdrawn or given back."""
        self._follow_up(job, SignalStatus.NOTICE, Reaction.NONE)

    # Tasks and signals

    def _become(self, task: int, outcome: Outcome) -> None:
        self.matters[task].outcome = outcome
        self.outcomes[task] = outcome

    def _settle(self, task: int, outcome: Outcome) -> None:
        """Close a task, once."""
        matter = self.matters[task]
        if matter.closed:
            return
        matter.closed = True
        if matter.outcome == Outcome.OPEN or outcome in (Outcome.DISMISSED, Outcome.EXPIRED):
            self._become(task, outcome)
        self.log("close", {"task": task, "outcome": int(outcome)})

    def _show(self, signal: OpenSignal) -> None:
        """Give a signal a slot (or a place in the queue) and the agent a turn."""
        self._turn = True
        if signal.expires < self.week.plan.horizon:
            self.schedule.push(signal.expires, Kind.EXPIRY, signal.id)
        if self.board.place(signal):
            self._log_shown(signal)

    def _log_shown(self, signal: OpenSignal) -> None:
        data: dict[str, Value] = {"signal": signal.index, "slot": signal.slot, "task": signal.task}
        self.log("signal", data | {"status": int(signal.status)})

    def _open(self, index: int, status: SignalStatus, expires: int) -> OpenSignal:
        task = self.week.plan.signals[index].task
        signal = OpenSignal(len(self.board.all), index, task, status, self.now, expires)
        self.board.all.append(signal)
        return signal

    def _remove(self, signal: OpenSignal) -> None:
        successor = self.board.remove(signal)
        if successor is not None:
            self._log_shown(successor)

    def _close_signals(self, signal: OpenSignal) -> None:
        """Take a signal off, and with it every other one of the same task."""
        self._remove(signal)
        if signal.task >= 0:
            for other in self.board.open():
                if other.task == signal.task:
                    self._remove(other)

    def _follow_up(self, job: Job, status: SignalStatus, reaction: Reaction) -> None:
        """Open a signal that carries a job's matter on; a newer one takes the place of an older one."""
        older = self._follow_ups.get(job.signal)
        if older is not None:
            self._remove(older)
        expires = min(self.deadline(job), self.now + FOLLOW_UP_OPEN_MIN)
        if expires <= self.now:
            return
        signal = self._open(job.signal, status, expires)
        signal.reaction = reaction
        self._follow_ups[job.signal] = signal
        self._show(signal)

    # Events

    def _on_phase(self, phase: int) -> None:
        self.phase = Phase(phase)
        day = self.week.plan.clock.local(self.now).toordinal()
        if day != self._day:
            self._day = day
            self.inbox.offers_today = self.inbox.seen_today = 0
        self.inbox.deliver()

    def _on_statement(self, index: int) -> None:
        self.inbox.book.state(self.week.statements[index])
        self.log("stated", {"statement": index})
        self._turn = True

    def _on_deadline(self, task: int) -> None:
        matter = self.matters[task]
        for signal in self.board.open():
            if signal.task == task:
                self._remove(signal)
        if matter.active and not matter.closed:
            self._settle(task, Outcome.DRAFTED if matter.outcome == Outcome.DRAFTED else Outcome.EXPIRED)

    def _on_expiry(self, signal_id: int) -> None:
        signal = self.board.all[signal_id]
        self._remove(signal)

    def _on_record(self, index: int) -> None:
        row = self.week.plan.signals[index]
        requirements = self.week.plan.records[row.record].requirements
        if requirements and not met(requirements, self.outcomes):
            return
        self.present.add(row.record)
        if row.task >= 0:
            matter = self.matters[row.task]
            if not matter.active:
                matter.active = True
                self.log("active", {"task": row.task})
            if matter.closed:
                return
        if row.surfaces:
            self._show(self._open(index, SignalStatus.FRESH, self.week.signal_expires[index]))

    def _on_review(self, _: int) -> None:
        for signal in self.board.open():
            if signal.reviewed:
                self._remove(signal)
        shown = 0
        for index in self.week.ranking(self.now):
            if shown == MOST_REVIEWED:
                break
            if self._reviewable(index):
                following = next((r for r in self.week.plan.reviews if r > self.now), self.week.plan.horizon)
                signal = self._open(index, SignalStatus.FRESH, min(following, self.week.signal_expires[index]))
                signal.reviewed = True
                if signal.expires > self.now:
                    self._show(signal)
                    shown += 1
        self._turn = True

    def _reviewable(self, index: int) -> bool:
        row = self.week.plan.signals[index]
        if index in self._touched or not self.reading.there(row.record, self.now):
            return False
        return row.task < 0 or not (self.matters[row.task].closed or self.matters[row.task].decided)

    def _on_return(self, signal_id: int) -> None:
        signal = self.board.all[signal_id]
        closed = signal.task >= 0 and (self.matters[signal.task].closed or self.matters[signal.task].live is not None)
        if closed or signal.expires <= self.now:
            return
        again = self._open(signal.index, SignalStatus.RETURNED, signal.expires)
        again.reaction = signal.reaction
        self._show(again)

    def _end(self) -> None:
        """Bring the week to its last minute: what is open closes."""
        self.now = self.week.plan.horizon
        for task in range(len(self.matters)):
            self._on_deadline(task)
        for signal in self.board.open():
            self._remove(signal)
        self.log("end", {})
        self.over = True

    # Reads by the agent or a live worker

    def read(self, tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
        """Call a `read` tool on the world as it stands; what was read counts as evidence.

        Raises:
            ToolError: no such tool, wrong arguments, or a tool that does more than read.
        """
        result, fresh = self.reading.look(tool, arguments, self.now)
        for record in fresh:
            self.log("read", {"record": record})
        return result


_DISPATCH: dict[int, Callable[[Episode, int], None]] = {
    Kind.PHASE: Episode._on_phase,
    Kind.USE_END: lambda episode, index: episode.jobs.on_use(index, begins=False),
    Kind.USE_START: lambda episode, index: episode.jobs.on_use(index, begins=True),
    Kind.RESOURCE: lambda episode, index: episode.jobs.on_resource(index),
    Kind.JOB_END: lambda episode, key: episode.jobs.on_end(key),
    Kind.READ: lambda episode, _: episode.inbox.deliver(),
    Kind.ANSWER: lambda episode, job: episode.inbox.answer(episode.jobs.all[job]),
    Kind.JOB_START: lambda episode, key: episode.jobs.on_start(key),
    Kind.STATEMENT: Episode._on_statement,
    Kind.LAPSE: lambda episode, index: episode.inbox.book.lapse(episode.week.statements[index].topic, episode.now),
    Kind.DEADLINE: Episode._on_deadline,
    Kind.EXPIRY: Episode._on_expiry,
    Kind.RECORD: Episode._on_record,
    Kind.REVIEW: Episode._on_review,
    Kind.RETURN: Episode._on_return,
}
"""What each kind of event does."""
