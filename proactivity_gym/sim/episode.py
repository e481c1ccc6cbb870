"""One episode: the clock, the agent's turns, and the events that move it.

    episode = Episode(week)
    episode.start()
    while not episode.over:
        error = episode.act(slot, depth, timing)   # time stands still
        episode.wait()                             # until the next activation

Pure: no files, no wall clock, no global randomness; the trace it leaves is all that scoring needs.
"""

import reprlib
from collections.abc import Callable, Mapping, Sequence
from heapq import heappop

import numpy as np

from proactivity_gym.sim.board import Board, OpenSignal
from proactivity_gym.sim.delegation import Book
from proactivity_gym.sim.inbox import Inbox
from proactivity_gym.sim.interventions import EMPTY_SLOT, FOLLOW_UP_MIN, Interventions
from proactivity_gym.sim.jobs import Jobs
from proactivity_gym.sim.outcomes import Outcomes
from proactivity_gym.sim.reading import Reading
from proactivity_gym.sim.schedule import INDEX, Schedule
from proactivity_gym.sim.scoring import HANDLERS, Tally, Weights
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.tools import ToolError
from proactivity_gym.sim.trace import Row, Trace
from proactivity_gym.sim.variation import met
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import Depth, Phase, SignalStatus, Timing
from proactivity_gym.sim.work import Worker

MOST_REVIEWED = 4
"""Signals that one review shows."""


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
        self.over = False
        self.turn = False
        """Whether something called for the agent since it last waited."""
        self.schedule = Schedule(week.events)
        self.trace = Trace()
        self.tally = Tally(week, weights or Weights())
        self.board = Board(self)
        self.outcomes = Outcomes(self, worker)
        self.present: set[int] = set()
        """Conditional records that appeared."""
        self.reading = Reading(week, self.present)
        self.inbox = Inbox(self, self.outcomes, Book(week.statements, week.plan.counts))
        self.jobs = Jobs(self, self.outcomes)
        self._hands = Interventions(self, worker)
        self._draws = stochastic_user
        self._handlers = _heard_by(self)

    @property
    def phase(self) -> Phase:
        """What the user is doing now."""
        return self.week.plan.phase(self.now)

    # Turns

    def start(self) -> None:
        """Let time run to the first activation."""
        self.wait()

    def wait(self, refused: str | None = None) -> None:
        """End the turn: let time run until something calls for the agent, or the week is over.

        Args:
            refused: code of the action that was refused and therefore ended the turn (`interventions.ERRORS`).
        """
        if refused is not None:
            self.trace.cells.extend((self.now, "wait", refused))
        heap, handlers, until = self.schedule.heap, self._handlers, self.week.plan.horizon - 1
        self.turn = False
        while heap[0][0] <= until:
            self.now, kind, key = heappop(heap)
            handlers[kind](key & INDEX)
            if self.turn:
                until = self.now
        if not self.turn and not self.over:
            self._end()

    def act(self, slot: int, depth: Depth, timing: Timing) -> str | None:
        """Intervene on the signal in a slot (0 to 15); time stands still.

        Returns:
            None, or the code of why nothing was done (`interventions.ERRORS`): the caller then ends the turn.
        """
        signal = self.board.slots[slot]
        return EMPTY_SLOT if signal is None else self._hands.act(signal, depth, timing)

    def log(self, row: Row) -> None:
        """Add a row to the trace and tell the tally; a row that scoring does not look at goes to `trace.cells` directly."""
        self.trace.cells.extend(row)
        HANDLERS[row[1]](self.tally, row)

    def draw(self) -> float | None:
        """Return the next number of a stochastic user."""
        return None if self._draws is None else float(self._draws.random())

    def read(self, tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
        """Call a `read` tool on the world as it stands; what was read counts as evidence.

        Raises:
            ToolError: no such tool, wrong arguments, or a tool that does more than read.
        """
        if not isinstance(tool, str) or not isinstance(arguments, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] (agents)
            raise ToolError(reprlib.repr(tool), None, "name a tool and give its arguments by name")
        result, fresh = self.reading.look(tool, arguments, self.now)
        for record in fresh:
            self.trace.cells.extend((self.now, "read", record))
        return result

    def note_read(self, records: Sequence[int]) -> None:
        """Mark records read, as far as they have appeared, and record it."""
        fresh = self.reading.note(records, self.now)
        if fresh:
            for record in fresh:
                self.trace.cells.extend((self.now, "read", record))

    def leave(self) -> None:
        """Let go of all but the trace and the scores: nothing can be done or seen in it any more.

        Its parts refer back to it. Memory is freed at once this way; else the garbage collector would have to find it, time and
        again, while other episodes are played.
        """
        del self.board, self.outcomes, self.inbox, self.jobs, self._hands, self._handlers

    # What a decision looks at

    def expected(self, signal: int) -> Depth:
        """Return the depth the user expects now for the matter of a signal (a row of the plan): hidden truth."""
        row = self.week.plan.signals[signal]
        if row.task < 0 or self.week.task_noop[row.task]:
            return _NOOP
        return self.inbox.book.expected(row.topic, row.action_class, self.week.signal_amount[signal], self.now)

    def work_left(self, signal: OpenSignal) -> int:
        """Return the minutes of work that an attempt on a signal would take now."""
        work = self.week.signal_work[signal.index]
        matter = self.outcomes.matter(signal.index)
        return min(work, FOLLOW_UP_MIN) if matter.drafted or matter.approved else work

    def preview(self, signal: OpenSignal, timing: Timing) -> int:
        """Return when work on a signal would start, from forecasts; NEVER: there is no such time."""
        row = self.week.plan.signals[signal.index]
        start = self.jobs.plan(row, timing, self.work_left(signal), self.week.signal_by[signal.index])
        return start if start < self.week.plan.horizon else NEVER

    # Events

    def on_statement(self, index: int) -> None:
        """Learn that the user makes a statement."""
        self.inbox.book.state(self.week.statements[index])
        self.trace.cells.extend((self.now, "stated", index))
        self.turn = True

    def on_lapse(self, index: int) -> None:
        """Learn that a statement no longer holds."""
        self.inbox.book.lapse(self.week.statements[index].topic, self.now)

    def on_answer(self, job: int) -> None:
        """Learn that the user answers an offer."""
        self.inbox.answer(self.jobs.all[job])

    def on_record(self, index: int) -> None:
        """Let a record of a signal appear, if its conditions are met."""
        week, outcomes = self.week, self.outcomes
        row = week.plan.signals[index]
        requirements = week.plan.records[row.record].requirements
        if requirements and not met(requirements, outcomes.by_task):
            return
        self.present.add(row.record)
        if row.task >= 0:
            outcomes.activate(row.task)
            if outcomes.matters[row.task].closed:
                return
        if row.surfaces:
            self.board.show(index, _FRESH, week.signal_expires[index])

    def on_review(self, following: int) -> None:
        """Show what a review turns up, until the following one."""
        # What the last review showed has expired by now: expiries come before reviews.
        self.turn = True
        touched, found = self._hands.touched, list[int]()
        for index in self.week.ranking(self.now):
            if index not in touched and self._reviewable(index):
                found.append(index)
                if len(found) == MOST_REVIEWED:
                    break
        self.board.show_reviewed(found, following)

    def _reviewable(self, index: int) -> bool:
        """Tell whether a review shows a candidate, whose time has come."""
        row = self.week.plan.signals[index]
        if self.week.plan.records[row.record].requirements and row.record not in self.present:
            return False
        if row.task < 0:
            return True
        matter = self.outcomes.matters[row.task]
        return not (matter.closed or matter.decided)

    def _end(self) -> None:
        """Bring the week to its last minute: what is open closes."""
        self.now = self.week.plan.horizon
        shown = {signal.task for signal in self.board.open()}
        for task, matter in enumerate(self.outcomes.matters):
            if task in shown or not matter.closed:
                self.outcomes.expire(task)
        for signal in self.board.open():
            self.board.remove(signal)
        self.trace.cells.extend((self.now, "end"))
        self.over = True


_FRESH, _NOOP = SignalStatus.FRESH, Depth.NOOP


def _heard_by(episode: Episode) -> tuple[Callable[[int], None], ...]:
    """Return who hears of each kind of event, in the order of `Kind`."""
    return (
        episode.inbox.on_phase,  # PHASE
        episode.jobs.on_use_end,  # USE_END
        episode.jobs.on_use_start,  # USE_START
        episode.jobs.on_resource,  # RESOURCE
        episode.jobs.on_end,  # JOB_END
        episode.inbox.deliver,  # READ
        episode.on_answer,  # ANSWER
        episode.jobs.on_start,  # JOB_START
        episode.on_statement,  # STATEMENT
        episode.on_lapse,  # LAPSE
        episode.outcomes.expire,  # DEADLINE
        episode.board.expire,  # EXPIRY
        episode.on_record,  # RECORD
        episode.on_review,  # REVIEW
        episode.board.bring_back,  # RETURN
    )
