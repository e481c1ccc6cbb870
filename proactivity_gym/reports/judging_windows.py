"""TA with judges: NOW and LATER in the primary window, as the paper's judges label them, to be compared with our rule.

The rule scores TA; the judges' labels stand beside it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from proactivity_gym.reports.judging_material import acts, of_matter, record_lines
from proactivity_gym.sim import solutions
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.happenings import local_time
from proactivity_gym.sim.safe_text import quoted
from proactivity_gym.sim.week import work_of
from proactivity_gym.sim.windows import WindowCase
from proactivity_gym.wrappers.judge_history import masked
from proactivity_gym.wrappers.judge_panel import Answer, Panel, Question, Verdict
from proactivity_gym.wrappers.judge_panel_reading import (
    NUMBERS,
    TEXT,
    TEXTS,
    Evidence,
    check_numbers,
    choice_of,
    record,
    text_of,
    texts_of,
    truth_of,
)

LABELS = ("now", "later", "both")
CONTINUATIONS = (0, 0.5, 1)
TEMPLATE = "judge_ta"

_TRUTH = {"type": "boolean"}
_SCHEMA = record(
    {
        "code": TEXT,
        "quotes": TEXTS,
        "entries": NUMBERS,
        "reason": TEXT,
        "now": _TRUTH,
        "later": _TRUTH,
        "continuation": {"type": "number", "enum": list(CONTINUATIONS)},
    }
)


@dataclass(frozen=True, slots=True)
class JudgedWindow:
    """The primary window of an episode. Labels are 1 or 0; `both` is TA."""

    id: str
    rule: Mapping[str, float]
    answer: Answer

    @property
    def ta(self) -> float | None:
        """TA as the judges see it, 0 to 100, averaged over them; None: unscored."""
        found = self.answer.mean("both")
        return None if found is None else 100 * found

    def record(self) -> dict[str, object]:
        """Return what JSON can carry of it."""
        judges = {name: list(self.answer.by_judge(name)) for name in (*LABELS, "continuation")}
        return {"id": self.id, "TA": self.ta, "rule": dict(self.rule), "judges": judges}


def judge_window(
    episode: Episode, panel: Panel, *, hide: Collection[str] = (), template: str | Path = TEMPLATE
) -> JudgedWindow | None:
    """Have a panel label the primary window; None: the episode has none that is settled, or nothing happened in it.

    Raises:
        LlmError: a server, a key or the budget failed.
    """
    case = next((case for case in episode.tally.windows.settled if case.row.primary), None)
    if case is None:
        return None
    log = [masked(line, hide) for line in acts(episode, _opened(episode, case), case.end)]
    if not log:
        return None
    numbered = "\n".join(f"[{number}] {line}" for number, line in enumerate(log, 1))
    near = dict.fromkeys(record for task in _pair(case) for record in of_matter(episode, task))
    records = record_lines(episode, near, case.end, _read(episode, case))
    blocks = (
        ("The two matters", _matters(episode, case)),
        ("The records they came with", "\n".join(records)),
        ("The log", numbered),
    )
    answer = panel.ask(Question(template, blocks, _SCHEMA, _Reader(Evidence(numbered), len(log))))
    rule = {"now": float(bool(case.now)), "later": float(case.later), "both": float(case.hit)}
    return JudgedWindow(case.row.id, rule, answer)


def _pair(case: WindowCase) -> tuple[int, int]:
    return case.row.urgent, case.row.later


def _opened(episode: Episode, case: WindowCase) -> int:
    """Return when the first of the two matters was known: an early decision about it counts, too."""
    pair = _pair(case)
    return min(minute for minute, name, data in episode.trace if name == "signal" and data["task"] in pair)


def _read(episode: Episode, case: WindowCase) -> set[int]:
    return {int(data["record"] or 0) for minute, name, data in episode.trace if name == "read" and minute <= case.end}


def _matters(episode: Episode, case: WindowCase) -> str:
    plan = episode.week.plan
    window = next(window for window in plan.scenario.windows if window.id == case.row.id)
    urgent, later = (_task(episode, task) for task in _pair(case))
    fill = solutions.filler(episode.week).fill
    return "\n".join(
        [
            f"The matter that cannot wait: {urgent}",
            f"The other matter, which can: {later}",
            f"They compete for: {window.scarce}. {fill(window.why)}",
            f"The first must be begun by {local_time(episode, case.end)}; the log ends there.",
        ]
    )


def _task(episode: Episode, task: int) -> str:
    week = episode.week
    source = week.plan.scenario.tasks[task]
    title = quoted(solutions.filler(week).fill(source.title))
    deadline = local_time(episode, week.task_deadline[task])
    return f"{title}, to be done by {deadline}; it takes {work_of(week, task)} min of work"


@dataclass(frozen=True, slots=True)
class _Reader:
    evidence: Evidence
    entries: int

    def __call__(self, found: Mapping[str, object]) -> Verdict:
        check_numbers(found, "entries", self.entries)
        now, later = truth_of(found, "now"), truth_of(found, "later")
        return Verdict(
            {"now": now, "later": later, "both": now * later, "continuation": choice_of(found, "continuation", CONTINUATIONS)},
            self.evidence.check(texts_of(found, "quotes")),
            {"reason": text_of(found, "reason")},
        )
