"""What comes of work: how each task stands, and where finished work goes at its depth."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from proactivity_gym.sim.jobs import Job
from proactivity_gym.sim.words import ActionClass, Depth, Outcome, Reaction, SignalStatus
from proactivity_gym.sim.work import Worker, content_of

if TYPE_CHECKING:
    from proactivity_gym.sim.episode import Episode

_TAKEN_EFFECT = (Outcome.APPROVED, Outcome.EXECUTED)
_EVERY_EFFECT = frozenset(ActionClass)
_DRAFTS = frozenset((ActionClass.DRAFT,))


_PREPARE, _EXECUTE = Depth.PREPARE, Depth.EXECUTE
_OPEN, _NONE = Outcome.OPEN, Reaction.NONE


@dataclass(init=False, eq=False)
class Matter:
    """How one task stands, or what a signal without a task seems to be about.

    One is made for every task at every reset: what it starts with is read from the class until it changes.
    """

    active: bool = False
    attempts: int = 0
    live: Job | None = None
    outcome: Outcome = Outcome.OPEN
    closed: bool = False
    decided: bool = False
    """Whether its first attempt, or its dismissal, has been made."""
    drafted: bool = False
    """Whether a draft with usable content stands."""
    approved: bool = False


class Outcomes:
    """Hears of jobs and answers, and settles tasks."""

    __slots__ = ("_episode", "_noise", "_rows", "_worker", "by_task", "matters")

    def __init__(self, episode: "Episode", worker: Worker | None) -> None:
        """Start with every task open; `worker` None is the reference worker."""
        self._episode = episode
        self._worker = worker
        self._rows = episode.week.plan.signals
        self.matters = [Matter() for _ in episode.week.plan.tasks]
        self._noise: dict[int, Matter] = {}
        self.by_task: dict[int, Outcome] = {}
        """Outcomes that conditions look at."""

    def _note(self, name: str, job: Job) -> None:
        self._episode.trace.cells.extend((self._episode.now, name, job.id, job.row.task))

    # What the resources report

    def job_started(self, job: Job, first: bool) -> None:
        """Let the worker work when its slot comes."""
        self._episode.log((self._episode.now, "start", job.id, job.row.task))
        if first:
            job.content = content_of(self._episode, job, self._worker)
            job.wrong = job.content.wrong

    def job_paused(self, job: Job) -> None:
        """Note that a job paused."""
        self._note("pause", job)

    def job_done(self, job: Job) -> None:
        """Bring finished work to where its depth takes it."""
        episode, task = self._episode, job.row.task
        episode.turn = True
        episode.trace.cells.extend((episode.now, "done", job.id, task, job.worked, job.wrong))
        if job.competed:
            episode.log((episode.now, "compete", job.id, task, job.competed, "resource", not job.excused))
        if task < 0 or episode.week.task_noop[task] or job.wrong:
            episode.log((episode.now, "waste", job.id, job.worked))
        if job.depth == _PREPARE:
            self._draft(job)
        elif job.depth == _EXECUTE:
            self._execute(job)
        episode.inbox.put(job)

    def matter(self, signal: int) -> Matter:
        """Return the matter of a signal (a row of the plan). Noise has one too: attempts on it are limited alike."""
        task = self._rows[signal].task
        if task >= 0:
            return self.matters[task]
        found = self._noise.get(signal)
        if found is None:
            found = self._noise[signal] = Matter()
        return found

    def _draft(self, job: Job) -> None:
        self.credit(job)
        matter = self.matter(job.signal)
        matter.live = None
        matter.drafted = matter.drafted or not job.wrong
        if job.row.task >= 0:
            self._apply(job, _DRAFTS)
            if matter.outcome == _OPEN:
                self._become(job.row.task, Outcome.DRAFTED)
        self.follow_up(job, SignalStatus.DRAFTED, _NONE)

    def _execute(self, job: Job) -> None:
        task = job.row.task
        self.matter(job.signal).live = None
        if task >= 0 and self._commit(job, Outcome.EXECUTED, permitted=job.expected == _EXECUTE):
            self.credit(job)
            self.settle(task, Outcome.EXECUTED)
        self.follow_up(job, SignalStatus.EXECUTED, _NONE)

    def _commit(self, job: Job, outcome: Outcome, permitted: bool) -> bool:
        """Let a job's actions take effect, once, unless the permission ledger refuses them; tell whether they stand."""
        task = job.row.task
        if self.matters[task].outcome in _TAKEN_EFFECT:
            return True
        if self._refuses(job, permitted):
            self._note("refused", job)
            return False
        if outcome == Outcome.APPROVED:
            self.matters[task].approved = True
            self._episode.log((self._episode.now, "approved", task))
        self._apply(job, _EVERY_EFFECT)
        self._note("commit", job)
        self._become(task, outcome)
        return True

    def _refuses(self, job: Job, permitted: bool) -> bool:
        """Tell whether the permission ledger refuses a job's actions, or there are none.

        Nobody permits what is unrecognised or an incomplete bundle. Without permission a consequential action is refused;
        any other takes effect against the user's wish.
        """
        week, content = self._episode.week, job.content
        if content is None or not content.commits(week, job.row.task):
            return True
        covered = permitted and content.outputs == 1
        return not covered and content.gravest(week, job.row.task) == ActionClass.CONSEQUENTIAL

    def _apply(self, job: Job, effects: frozenset[ActionClass]) -> None:
        """Let a job's calls of some effects change the world."""
        if job.content is not None and not (job.content.reference and job.content.wrong):
            self._episode.reading.apply(job.content, job.row.task, effects, self._episode.now)

    # What the inbox reports

    def credit(self, job: Job) -> None:
        """Let TC have an attempt that got to where it is scored; what is done on a NOOP case earns nothing."""
        episode, task = self._episode, job.row.task
        if task >= 0:
            helps = job.content is not None and not episode.week.task_noop[task]
            tc = job.content.tc(episode.reading.evidence(task)) if job.content and helps else 0.0
            late = episode.now > episode.week.task_deadline[task]
            episode.log((episode.now, "credit", job.id, task, tc, late))

    def answered(self, job: Job, reaction: Reaction) -> None:
        """Act on the user's answer: an approval applies exactly what was offered; what the ledger refuses it does not cover."""
        episode, task = self._episode, job.row.task
        matter = self.matter(job.signal)
        matter.live = None
        if task < 0:
            return
        if episode.now > episode.week.task_deadline[task]:
            return
        if reaction == Reaction.APPROVE and self._commit(job, Outcome.APPROVED, permitted=True):
            self.settle(task, Outcome.APPROVED)
            return
        if matter.outcome not in _TAKEN_EFFECT:
            self._become(task, Outcome.DECLINED)
        self.settle(task, Outcome.DECLINED)

    def follow_up(self, job: Job, status: SignalStatus, reaction: Reaction) -> None:
        """Bring an answer, a finished job or a notice to the agent."""
        self._episode.board.follow_up(job.signal, status, reaction, self.deadline(job))

    def deadline(self, job: Job) -> int:
        """Return the true deadline of a job's matter."""
        week, task = self._episode.week, job.row.task
        return week.task_deadline[task] if task >= 0 else week.signal_expires[job.signal]

    # Tasks

    def activate(self, task: int) -> None:
        """Note that a task's conditions were met."""
        matter, episode = self.matters[task], self._episode
        if not matter.active:
            matter.active = True
            episode.log((episode.now, "active", task))

    def dismiss(self, task: int) -> None:
        """Close a task that the agent decided to leave alone, unless an attempt came first."""
        matter = self.matters[task]
        if not matter.decided:
            matter.decided = True
            self._become(task, Outcome.DISMISSED)
            self.settle(task, Outcome.DISMISSED)

    def expire(self, task: int) -> None:
        """Close a task at its deadline."""
        self._episode.board.close_task(task)
        matter = self.matters[task]
        if matter.active and not matter.closed:
            if matter.outcome == _OPEN:
                self._become(task, Outcome.EXPIRED)
            self.settle(task, matter.outcome)

    def _become(self, task: int, outcome: Outcome) -> None:
        self.matters[task].outcome = outcome
        self.by_task[task] = outcome

    def settle(self, task: int, outcome: Outcome) -> None:
        """Close a task, once."""
        matter, episode = self.matters[task], self._episode
        if not matter.closed:
            matter.closed = True
            episode.log((episode.now, "close", task, outcome))
