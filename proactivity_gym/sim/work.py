"""The content of a job: who produces its calls, and what they are worth."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from proactivity_gym.sim import checks, solutions
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.jobs import Job
from proactivity_gym.sim.tools import Call
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import ActionClass
from proactivity_gym.sim.world import TOOLS, World

if TYPE_CHECKING:
    from proactivity_gym.sim.episode import Episode


class Tools(Protocol):
    """The tools of the world, as a worker sees them."""

    def call(self, tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
        """Call a tool; calls that do more than read make up the job's content.

        Raises:
            ToolError: there is no such tool, or its arguments are wrong.
        """
        ...


class Worker(Protocol):
    """Who reads before a decision and produces a job's calls when its slot comes."""

    def read(self, signal: OpenSignal, tools: Tools) -> None:
        """Read what a decision about a signal needs."""
        ...

    def work(self, job: Job, tools: Tools) -> None:
        """Do a job's work by calling tools."""
        ...


class Content:
    """What a job's work came to, checked once."""

    __slots__ = ("_calls", "_constraints", "outputs", "wrong")

    def __init__(self, calls: Sequence[Call] | None, outputs: float, constraints: float | None, facts_out: bool) -> None:
        """Take the calls made (None: the reference calls), the shares of checks that hold, and whether the facts were out."""
        self._calls = calls
        self.outputs = outputs if facts_out else 0.0
        self._constraints = constraints if facts_out or constraints is None else 0.0
        self.wrong = self.outputs < 1 or (self._constraints is not None and self._constraints < 1)

    @property
    def reference(self) -> bool:
        """Whether the reference worker made it."""
        return self._calls is None

    def tc(self, evidence: float) -> float:
        """Return the mean of the applicable components Evidence, Outputs and Constraints, in [0, 1] (paper, equation 3)."""
        parts = [evidence, self.outputs] + ([] if self._constraints is None else [self._constraints])
        return sum(parts) / len(parts)

    def calls(self, week: Week, task: int) -> Sequence[Call]:
        """Return the calls."""
        return solutions.calls(week, task) if self._calls is None else self._calls

    def commits(self, week: Week, task: int) -> bool:
        """Whether it holds anything to take effect: a commit, or a draft where drafts are all that the task needs."""
        if self._calls is None:
            return not week.task_noop[task]
        least = min(week.plan.tasks[task].action_class, ActionClass.COMMIT)
        return bool(self._calls) and checks.gravest(self._calls) >= least

    def gravest(self, week: Week, task: int) -> ActionClass:
        """Return the class of the gravest call."""
        return week.plan.tasks[task].action_class if self._calls is None else checks.gravest(self._calls)


class Desk:
    """Where a live worker sits: reads go to the world as it stands, other calls to a fork of it, and are kept."""

    def __init__(self, episode: "Episode") -> None:
        """Open a desk in an episode."""
        self.episode = episode
        self.calls: list[Call] = []
        self._fork: World | None = None

    def call(self, tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
        """Call a tool (see `Tools`)."""
        known = TOOLS.get(tool)
        if known is None or known.effect == ActionClass.READ:
            return self.episode.read(tool, arguments)
        if self._fork is None:
            self._fork = self.episode.reading.world(self.episode.now).fork()
        result = self._fork.call(tool, arguments)
        self.calls.append(Call(tool, dict(arguments)))
        return result


def content_of(episode: "Episode", job: Job, worker: Worker | None) -> Content:
    """Have a job's content produced and check it."""
    task, week = job.row.task, episode.week
    facts_out = task < 0 or episode.now >= week.task_ready[task]
    if worker is None:
        episode.note_read(episode.week.links(job.signal))
        constrained = task >= 0 and week.plan.tasks[task].constrained
        return Content(None, 1.0, 1.0 if constrained else None, facts_out)
    desk = Desk(episode)
    worker.work(job, desk)
    if task < 0 or week.task_noop[task]:
        return Content(desk.calls, 1.0, None, facts_out)
    expected = solutions.expectations(week, task)
    return Content(desk.calls, checks.outputs(expected, desk.calls), checks.constraints(expected, desk.calls), facts_out)
