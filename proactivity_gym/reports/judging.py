"""TC with judges: Semantics and Completion of what was done for each task, put together with the rules' components.

Semantics is the mean of correctness and grounding, Completion that of completeness and artifact quality, each in [0, 1], at the
depth that the agent chose. TC of a task is the mean of its applicable components with equal weights (paper, equation 3). What
rules can check is never asked of a judge, and no verdict changes a rule's component.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from proactivity_gym.reports.judging_material import of_matter, record_lines
from proactivity_gym.sim import solutions
from proactivity_gym.sim.checks import Expectation
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.jobs import Job
from proactivity_gym.sim.safe_text import quoted
from proactivity_gym.sim.trace import Value
from proactivity_gym.sim.words import Depth
from proactivity_gym.wrappers.judge_history import call_words, calls_of, masked
from proactivity_gym.wrappers.judge_panel import Answer, Count, Panel, Question, Verdict
from proactivity_gym.wrappers.judge_panel_reading import (
    NUMBERS,
    TEXT,
    TEXTS,
    Evidence,
    check_numbers,
    number_of,
    record,
    text_of,
    texts_of,
)

SEMANTICS = ("correctness", "grounding")
COMPLETION = ("completeness", "artifact_quality")
TEMPLATE = "judge_tc"
LONGEST_ARGUMENT = 4000
MOST_OTHERS = 20
"""Further records that the assistant had read, the latest first."""

_NUMBER = {"type": "number"}
_SCHEMA = record(
    {"code": TEXT, "quotes": TEXTS, "calls": NUMBERS, "reason": TEXT, **dict.fromkeys(SEMANTICS + COMPLETION, _NUMBER)}
)
_DONE = {
    Depth.PREPARE: "It is a private draft, which the person comes upon.",
    Depth.SUGGEST: "It is an offer: it takes effect if the person approves.",
    Depth.EXECUTE: "It was carried out without asking.",
}


@dataclass(frozen=True, slots=True)
class JudgedTask:
    """One closed task."""

    task: int
    id: str
    value: int
    rule: float
    """TC by rules alone: the mean of their components, in [0, 1]."""
    components: int
    """How many components the rules have here."""
    asked: bool
    """Whether the task asks for work: NOOP cases do not, and have neither Semantics nor Completion."""
    answer: Answer | None
    """None: there was no work that counts, so nobody was asked."""

    def part(self, names: Sequence[str]) -> float | None:
        """Return the mean over judges and some scores, in [0, 1]; 0 where work was asked for and there is none.

        None: unscored, or not applicable.
        """
        if self.answer is not None:
            return self.answer.mean(*names)
        return 0.0 if self.asked else None

    @property
    def tc(self) -> float | None:
        """TC with judges, in [0, 1]; None: unscored."""
        if self.answer is None:
            return self.rule
        semantics, completion = self.part(SEMANTICS), self.part(COMPLETION)
        if semantics is None or completion is None:
            return None
        return (self.components * self.rule + semantics + completion) / (self.components + 2)


@dataclass(frozen=True, slots=True)
class JudgedWork:
    """The tasks of an episode. Means are weighted by the tasks' values and leave out what is unscored."""

    tasks: tuple[JudgedTask, ...]

    @property
    def tc(self) -> float | None:
        """TC with judges, 0 to 100."""
        found = self._mean([task.tc for task in self.tasks])
        return None if found is None else 100 * found

    @property
    def semantics(self) -> float | None:
        """Semantics, in [0, 1]."""
        return self._mean([task.part(SEMANTICS) for task in self.tasks])

    @property
    def completion(self) -> float | None:
        """Completion, in [0, 1]."""
        return self._mean([task.part(COMPLETION) for task in self.tasks])

    def by_judge(self, names: Sequence[str], judges: int) -> tuple[float | None, ...]:
        """Return the means of each of a number of judges over some scores, of work that all of them scored."""
        scored = [task if task.answer and not task.answer.unscored else None for task in self.tasks]
        columns = [[task and task.answer and task.answer.by_judge(*names)[judge] for task in scored] for judge in range(judges)]
        return tuple(self._mean(column) for column in columns)

    @property
    def count(self) -> Count:
        """Verdicts asked for and missing."""
        return Count.of([task.answer for task in self.tasks if task.answer is not None])

    def record(self) -> dict[str, object]:
        """Return what JSON can carry of it."""
        tasks = {task.id: {"rule": task.rule, "TC": task.tc} for task in self.tasks}
        return {"TC": self.tc, "semantics": self.semantics, "completion": self.completion, "tasks": tasks}

    def _mean(self, scores: Sequence[float | None]) -> float | None:
        kept = [(task.value, score) for task, score in zip(self.tasks, scores, strict=True) if score is not None]
        return sum(v * s for v, s in kept) / sum(v for v, _ in kept) if kept else None


def judge_work(episode: Episode, panel: Panel, *, hide: Collection[str] = (), template: str | Path = TEMPLATE) -> JudgedWork:
    """Have a panel judge the work of every closed task that came to what TC scores.

    Raises:
        LlmError: a server, a key or the budget failed.
    """
    week = episode.week
    cases = episode.tally.cases()
    best = _credited(episode)
    judged: list[JudgedTask] = []
    for task in _closed(episode):
        row = week.plan.tasks[task]
        asked = not week.task_noop[task]
        answer = None
        if asked and task in best:
            blocks, calls = _material(episode, task, best[task], hide)
            evidence = Evidence(*(text for _, text in blocks[1:]))
            answer = panel.ask(Question(template, blocks, _SCHEMA, _Reader(evidence, calls)))
        judged.append(JudgedTask(task, row.id, row.value, cases[task][1], 2 + row.constrained, asked, answer))
    return JudgedWork(tuple(judged))


def _closed(episode: Episode) -> list[int]:
    return [_int(data["task"]) for _, name, data in episode.trace if name == "close"]


def _credited(episode: Episode) -> dict[int, int]:
    """Return where in the trace each task got the credit that counts: its best one, in time, before it closed."""
    best: dict[int, tuple[float, int]] = {}
    closed: set[Value] = set()
    for place, (_, name, data) in enumerate(episode.trace):
        if name == "close":
            closed.add(data["task"])
        if name != "credit" or data["late"] or data["task"] in closed:
            continue
        task, tc = _int(data["task"]), float(data["tc"] or 0.0)
        if task not in best or tc > best[task][0]:
            best[task] = tc, place
    return {task: place for task, (_, place) in best.items()}


def _material(episode: Episode, task: int, place: int, hide: Collection[str]) -> tuple[tuple[tuple[str, str], ...], int]:
    """Return the blocks about a task whose credit stands at a place of the trace, and how many calls its work holds."""
    entries = episode.trace.entries
    now, _, data = entries[place]
    job = episode.jobs.all[_int(data["job"])]
    read = [_int(entry[2]["record"]) for entry in entries[:place] if entry[1] == "read"]
    near = of_matter(episode, task)
    far = [index for index in reversed(read) if index not in near][:MOST_OTHERS]
    records = "\n".join(record_lines(episode, [*near, *far], now, read))
    work, calls = _work(episode, job)
    blocks = (
        ("The matter, and what a right solution has to contain", _matter(episode, task)),
        ("The records that bear on it, then others that the assistant had read", records),
        ("The work", masked(work, hide)),
    )
    return blocks, calls


def _matter(episode: Episode, task: int) -> str:
    week = episode.week
    source = week.plan.scenario.tasks[task]
    parts = [_required(item) for item in solutions.expectations(week, task)]
    fill = solutions.filler(week).fill
    return "\n".join([f"{fill(source.title)}", f"Why: {fill(source.why)}", "A right solution makes these calls:", *parts])


def _required(item: Expectation) -> str:
    args = [f"{name} {quoted(str(value))}" for name, value in item.args.items()]
    free = [f"{name} in any wording" for name in sorted(item.free)]
    says = [f"{name} must say {', '.join(map(quoted, phrases))}" for name, phrases in item.contains.items() if phrases]
    avoids = [f"{name} must not say {', '.join(map(quoted, phrases))}" for name, phrases in item.avoids.items() if phrases]
    return f"- {item.tool}: {'; '.join([*args, *free, *says, *avoids])}"


def _work(episode: Episode, job: Job) -> tuple[str, int]:
    """Return a job's work in words, and how many calls it holds."""
    if job.content is not None and job.content.reference and job.content.wrong:
        return f"{_DONE[job.depth]}\nIt was made before the facts that it needs were known, and does not fit them.", 0
    calls = calls_of(episode, job)
    lines = [f"[{number}] {call_words(call, LONGEST_ARGUMENT)}" for number, call in enumerate(calls, 1)]
    return "\n".join([_DONE[job.depth], *(lines or ["It holds no calls."])]), len(lines)


@dataclass(frozen=True, slots=True)
class _Reader:
    evidence: Evidence
    calls: int

    def __call__(self, found: Mapping[str, object]) -> Verdict:
        check_numbers(found, "calls", self.calls)
        return Verdict(
            {name: number_of(found, name, (0, 1)) for name in SEMANTICS + COMPLETION},
            self.evidence.check(texts_of(found, "quotes")),
            {"reason": text_of(found, "reason")},
        )


def _int(value: Value) -> int:
    return int(value or 0)
