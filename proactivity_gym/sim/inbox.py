"""What reaches the user, how they react, and what their trust makes of it."""

from bisect import bisect_right
from typing import Protocol

from proactivity_gym.sim import trust, user
from proactivity_gym.sim.delegation import Book
from proactivity_gym.sim.jobs import Job
from proactivity_gym.sim.schedule import FIRST, FURTHER, Kind, Schedule
from proactivity_gym.sim.timeline import NEVER, next_in, next_start
from proactivity_gym.sim.trace import Row, Trace
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import Depth, Phase, Reaction, SignalStatus, Timing

_NOOP, _PREPARE, _SUGGEST, _EXECUTE = Depth
_FREE, _FOCUS, _ASLEEP = Phase
_NOW = Timing.NOW
_PHASE, _READ, _ANSWER = Kind.PHASE.value, Kind.READ.value, Kind.ANSWER.value


class Host(Protocol):
    """What the inbox needs of the episode."""

    now: int
    week: Week
    schedule: Schedule
    trace: Trace

    @property
    def phase(self) -> Phase:
        """What the user is doing now."""
        ...

    def log(self, row: Row) -> None:
        """Add a row to the trace."""
        ...

    def draw(self) -> float | None:
        """Return the next number in [0, 1) of a stochastic user; None for a deterministic one."""
        ...


class Listener(Protocol):
    """Who hears of deliveries and answers."""

    def deadline(self, job: Job) -> int:
        """Return the deadline of the matter a job is about."""
        ...

    def credit(self, job: Job) -> None:
        """Learn that an offer was delivered."""
        ...

    def answered(self, job: Job, reaction: Reaction) -> None:
        """Learn that the user answered an offer."""
        ...

    def follow_up(self, job: Job, status: SignalStatus, reaction: Reaction) -> None:
        """Learn what the agent is to hear of."""
        ...


class Inbox:
    """The user's side: deliveries, reactions, trust, and delegation withdrawn and regained."""

    __slots__ = (
        "_awaited",
        "_host",
        "_listener",
        "_looks",
        "_not_before",
        "book",
        "busy_until",
        "changed",
        "last_reaction",
        "offers_today",
        "pending",
        "seen_today",
        "trust",
    )

    def __init__(self, host: Host, listener: Listener, book: Book) -> None:
        """Start with nothing delivered and trust at its start."""
        self._host = host
        self._listener = listener
        self.book = book
        self.trust = trust.START
        self.busy_until = 0
        self.pending: list[Job] = []
        """What waits to be delivered."""
        self._not_before: dict[int, int] = {}
        self._awaited = NEVER
        """The change of phase that will be heard of."""
        self._looks: set[int] = set()
        """Minutes in which deliveries will be looked at."""
        self.offers_today = 0
        self.seen_today = 0
        """Interruptions of focus today."""
        self.last_reaction: int | None = None
        self.changed = True
        """Whether the last reaction or the counts of what waits or came today changed since an observer set this to False."""

    def waiting(self) -> int:
        """Return how many offers wait to be delivered or answered."""
        return len([job for job in self.pending if job.depth == _SUGGEST])

    def on_phase(self, which: int) -> None:
        """Learn that the user's phase changes; the first time of a day, its counts start anew."""
        if which == FIRST:
            self.offers_today = self.seen_today = 0
            self.changed = True
        if self.pending:
            self.deliver()
            self._await_phase()

    # Delivery

    def put(self, job: Job) -> None:
        """Take what a job made: an offer, the notice of an execution, or a draft to be found."""
        host = self._host
        at_once = job.timing == _NOW and host.phase != _ASLEEP and job.depth != _PREPARE
        self._not_before[job.id] = when = host.now if at_once else next_in(host.week.plan.free, host.now)
        self.pending.append(job)
        self.changed = True
        if when > host.now:
            self._look_again(when)
        self.deliver()
        self._await_phase()

    def deliver(self, _: int = 0) -> None:
        """Deliver what can be, also when an event says so: offers one at a time, in order, each when the user gets to it."""
        host = self._host
        waiting = [job for job in self.pending if self._not_before[job.id] <= host.now]
        if not waiting:
            return
        phase = host.phase
        for job in waiting:
            if phase == _ASLEEP or ((job.timing != _NOW or job.presented) and phase != _FREE):
                self._put_off(job)
            elif job.depth != _SUGGEST:
                self.pending.remove(job)
                self._arrive(job)
                self._notice(job)
            elif host.now >= self.busy_until:
                self.pending.remove(job)
                self._offer(job)
            else:
                self._look_again(self.busy_until)

    def _await_phase(self) -> None:
        """Hear of the next change of phase if something waits for one, once however much does."""
        host = self._host
        starts = host.week.plan.phase_starts
        following = bisect_right(starts, host.now)
        if self.pending and following < len(starts) and starts[following] != self._awaited:
            self._awaited = starts[following]
            host.schedule.push(self._awaited, _PHASE, FURTHER)

    def _put_off(self, job: Job) -> None:
        self._not_before[job.id] = next_in(self._host.week.plan.free, self._host.now)
        self._look_again(self._not_before[job.id])

    def _look_again(self, minute: int) -> None:
        """Have deliveries looked at in a minute, once however many wait for it."""
        if minute < NEVER and minute not in self._looks:
            self._looks.add(minute)
            self._host.schedule.push(minute, _READ, 0)

    def _arrive(self, job: Job) -> None:
        host = self._host
        focus = host.phase == _FOCUS and not job.presented
        self.changed = True
        host.trace.cells.extend((host.now, "deliver", job.id, job.row.task, focus))
        if focus:
            job.interrupts = True
            self.seen_today += 1
            host.log((host.now, "compete", job.id, job.row.task, 0, "focus", not job.excused))

    def _offer(self, job: Job) -> None:
        host = self._host
        self.offers_today += 1
        self._arrive(job)
        if not job.presented:
            self._listener.credit(job)
        self.busy_until = host.now + job.row.review_min
        host.schedule.push(self.busy_until + host.week.plan.latency_min, _ANSWER, job.id)

    # Reactions

    def answer(self, job: Job) -> None:
        """Let the user answer an offer they have read."""
        host = self._host
        competes = (job.competed > 0 or job.interrupts) and not job.excused and not job.presented
        asked = job.row.task >= 0 and host.week.plan.tasks[job.row.task].request
        offer = user.Offer(job.timing, job.depth, job.expected, job.wrong, competes, asked)
        free_again = next_start(host.week.plan.free, host.now)
        reaction = user.answer(offer, self.trust, free_again < self._listener.deadline(job), host.draw())
        if reaction == Reaction.DEFER:
            self.hear(job, reaction)
            job.presented = True
            self.pending.append(job)
            self.changed = True
            self._not_before[job.id] = free_again
            self._look_again(free_again)
            self._await_phase()
            self._listener.follow_up(job, SignalStatus.DEFERRED, reaction)
            return
        self.hear(job, reaction)
        self._listener.answered(job, reaction)
        if user.unread(offer, self.trust):
            self._listener.follow_up(job, SignalStatus.DECLINED, reaction)
            return
        told = self._judge(job)
        heard = self._complaint(job) or reaction
        if heard != reaction:
            self.hear(job, heard)
        status = SignalStatus.APPROVED if reaction == Reaction.APPROVE else SignalStatus.DECLINED
        self._listener.follow_up(job, SignalStatus.NOTICE if told else status, heard)

    def _notice(self, job: Job) -> None:
        """Let the user come upon an execution or a draft."""
        told = self._judge(job)
        complaint = self._complaint(job)
        if complaint is not None:
            self.hear(job, complaint)
        if told or complaint is not None:
            status = SignalStatus.NOTICE if told else SignalStatus.COMPLAINED
            self._listener.follow_up(job, status, complaint or Reaction.NONE)

    def _complaint(self, job: Job) -> Reaction | None:
        if job.depth == _EXECUTE and job.expected < _EXECUTE:
            return Reaction.COMPLAIN_TOO_DEEP
        if _NOOP < job.depth < job.expected:
            return Reaction.COMPLAIN_TOO_TIMID
        return None

    def hear(self, job: Job, reaction: Reaction) -> None:
        """Record a reaction."""
        self.book.note(job.row.topic, reaction)
        host = self._host
        self.last_reaction = host.now
        self.changed = True
        host.trace.cells.extend((host.now, "reaction", job.id, job.row.task, job.row.topic, reaction))

    # Trust

    def _judge(self, job: Job) -> bool:
        """Move trust for a noticed attempt; tell whether the user takes delegation back, or gives it back, over it."""
        host, before = self._host, self.trust
        self.trust = trust.after(before, job.depth, job.expected, job.wrong)
        host.log((host.now, "trust", job.id, self.trust))
        too_far = job.wrong or job.depth > job.expected
        if self.trust < trust.WITHDRAW_BELOW and self.trust < before and too_far:
            if not self.book.withdraw(job.row.topic, host.now):
                return False
            host.trace.cells.extend((host.now, "withdrawn", job.row.topic))
            return True
        if self.trust > trust.RESTORE_ABOVE and self.trust > before and self.book.withdrawn:
            for topic in self.book.restore(host.now):
                host.trace.cells.extend((host.now, "restored", topic))
            return True
        return False
