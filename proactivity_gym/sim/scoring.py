"""Scores: a fold over the trace. No other place knows how an outcome is paid.

TC, TA, CQ, TR-D and their weighted sum follow the paper (section 5.1, appendix E) with the deviations that docs/deviations.md
lists. Every term is always reported; a score without cases is None, never NaN.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass

from proactivity_gym.sim.trace import Entry, Value
from proactivity_gym.sim.week import Week, last_start
from proactivity_gym.sim.words import Depth, Outcome, Timing

Terms = dict[str, float | None]

TERM_NAMES = (
    "TC", "TA", "TA_1", "CQ", "TR_D", "TR_D_paper", "over", "under", "unattempted", "TR_H", "TR_J",
    "S_TC", "S_TA", "S_TR", "J", "competing_minutes", "interruptions", "wasted_minutes", "false_alarms",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the joint objective: positive, summing to 1 (paper, equation 1)."""

    tc: float = 1 / 3
    ta: float = 1 / 3
    tr: float = 1 / 3

    def __post_init__(self) -> None:
        """Refuse what is no weighting.

        Raises:
            ValueError: a weight is not positive, or they do not sum to 1.
        """
        values = (self.tc, self.ta, self.tr)
        if not all(0 < w < 1 for w in values) or abs(sum(values) - 1) > 1e-9:
            raise ValueError(f"weights must be positive and sum to 1, not {asdict(self)}: e.g. tc=0.5, ta=0.25, tr=0.25")


def joint(scores: tuple[float | None, float | None, float | None], weights: Weights) -> float:
    """Return the weighted sum of S_TC, S_TA and S_TR in [0, 1]; the weight of a missing score goes to the others."""
    pairs = [(w, s) for w, s in zip((weights.tc, weights.ta, weights.tr), scores, strict=True) if s is not None]
    total = sum(w for w, _ in pairs)
    return sum(w * s for w, s in pairs) / total if total else 0.0


@dataclass(slots=True)
class _Case:
    """One active task."""

    known: bool = False
    """Whether one of its signals was shown."""
    chosen: Depth | None = None
    expected: Depth | None = None
    over: bool = False
    """A later attempt that went deeper without approval."""
    approved: bool = False
    tc: float = 0.0
    outcome: Outcome | None = None

    @property
    def verdict(self) -> str:
        if self.chosen is None or self.expected is None:
            return "over" if self.over else "unattempted"
        if self.over or self.chosen > self.expected:
            return "over"
        return "under" if self.chosen < self.expected else "aligned"


@dataclass(slots=True)
class _WindowCase:
    """One decision window."""

    end: int
    now: bool | None = None
    spoiled: bool = False
    decided: bool = False
    early: bool = False
    quality: float = 0.0

    @property
    def later(self) -> bool:
        return self.decided and not self.early


class Tally:
    """The scores of an episode so far."""

    __slots__ = (
        "_cases",
        "_competed",
        "_costs",
        "_dirty",
        "_noise",
        "_terms",
        "_trust",
        "_week",
        "_weights",
        "_windows",
    )

    def __init__(self, week: Week, weights: Weights) -> None:
        """Start with nothing settled."""
        self._week = week
        self._weights = weights
        self._cases: dict[int, _Case] = {}
        plan = week.plan
        self._windows = [
            _WindowCase(last_start(plan, week.task_deadline[w.urgent], plan.tasks[w.urgent], task_work(week, w.urgent)))
            for w in plan.windows
        ]
        self._competed: set[int] = set()
        self._noise: set[int] = set()
        self._trust: list[float] = []
        self._costs = {"competing_minutes": 0, "interruptions": 0, "wasted_minutes": 0, "false_alarms": 0}
        self._terms: Terms = {}
        self._dirty = True

    def feed(self, entry: Entry) -> None:
        """Take one entry of the trace."""
        handler = _HANDLERS.get(entry[1])
        if handler is not None:
            handler(self, entry[0], entry[2])
            self._dirty = True

    def joint(self) -> float:
        """Return J so far; its increments are the rewards."""
        return self.terms()["J"] or 0.0

    def terms(self) -> Terms:
        """Return every term, over what is settled so far."""
        if self._dirty:
            self._terms = self._compute()
            self._dirty = False
        return self._terms

    # What the entries mean

    def _on_active(self, minute: int, data: Mapping[str, Value]) -> None:
        self._cases.setdefault(_int(data["task"]), _Case())

    def _on_signal(self, minute: int, data: Mapping[str, Value]) -> None:
        case = self._cases.get(_int(data["task"]))
        if case is not None:
            case.known = True

    def _on_dismiss(self, minute: int, data: Mapping[str, Value]) -> None:
        case = self._cases.get(_int(data["task"]))
        if case is not None and case.chosen is None:
            case.chosen, case.expected = Depth.NOOP, Depth(_int(data["expected"]))
            if case.expected == Depth.NOOP:
                case.tc = float(data["evidence"] or 0.0)

    def _on_snooze(self, minute: int, data: Mapping[str, Value]) -> None:
        self._decide_later(_int(data["task"]), minute, _int(data["until"]))

    def _on_attempt(self, minute: int, data: Mapping[str, Value]) -> None:
        task, depth, expected = _int(data["task"]), Depth(_int(data["depth"])), Depth(_int(data["expected"]))
        if task < 0:
            self._noise.add(_int(data["signal"]))
            self._costs["false_alarms"] += 1
        else:
            self._attempt_on_case(self._cases[task], depth, expected)
            self._decide_later(task, minute, _int(data["start"]))
        if data["timing"] == Timing.NOW:
            self._take_now(minute, task, _int(data["resource"]), bool(data["first"]))

    def _attempt_on_case(self, case: _Case, depth: Depth, expected: Depth) -> None:
        if case.chosen is None:
            case.chosen, case.expected = depth, expected
        elif depth > expected and not case.approved:
            case.over = True

    def _decide_later(self, task: int, minute: int, start: int) -> None:
        for row, window in zip(self._week.plan.windows, self._windows, strict=True):
            if row.later == task and minute <= window.end <= start:
                window.decided = True

    def _take_now(self, minute: int, task: int, resource: int, first: bool) -> None:
        """Note work taken NOW: the urgent task of an open window, or something else on the same scarce thing."""
        tasks = self._week.plan.tasks
        for row, window in zip(self._week.plan.windows, self._windows, strict=True):
            if window.now is not None or not self._open(row.urgent, row.later):
                if row.urgent == task and first:
                    window.now = False
                continue
            if row.urgent == task:
                window.now = first and minute <= window.end and not window.spoiled
            elif tasks[row.urgent].resource == resource:
                window.spoiled = True

    def _open(self, urgent: int, later: int) -> bool:
        """Tell whether both tasks of a window are known."""
        return all(task in self._cases and self._cases[task].known for task in (urgent, later))

    def _on_start(self, minute: int, data: Mapping[str, Value]) -> None:
        for row, window in zip(self._week.plan.windows, self._windows, strict=True):
            if row.later == data["task"] and minute < window.end:
                window.early = True

    def _on_credit(self, minute: int, data: Mapping[str, Value]) -> None:
        task, late = _int(data["task"]), bool(data["late"])
        case = self._cases[task]
        if not late and case.outcome is None:
            case.tc = max(case.tc, float(data["tc"] or 0.0))
        for row, window in zip(self._week.plan.windows, self._windows, strict=True):
            if row.later == task:
                clean = not late and data["job"] not in self._competed
                window.quality = max(window.quality, 1.0 if clean else 0.5)

    def _on_compete(self, minute: int, data: Mapping[str, Value]) -> None:
        self._costs["competing_minutes"] += _int(data["minutes"])
        self._costs["interruptions"] += data["cause"] == "focus"
        if data["counts"]:
            self._competed.add(_int(data["job"]))

    def _on_waste(self, minute: int, data: Mapping[str, Value]) -> None:
        self._costs["wasted_minutes"] += _int(data["minutes"])

    def _on_approved(self, minute: int, data: Mapping[str, Value]) -> None:
        self._cases[_int(data["task"])].approved = True

    def _on_trust(self, minute: int, data: Mapping[str, Value]) -> None:
        self._trust.append(float(data["level"] or 0.0))

    def _on_close(self, minute: int, data: Mapping[str, Value]) -> None:
        self._cases[_int(data["task"])].outcome = Outcome(_int(data["outcome"]))

    # From settled cases to terms

    def _compute(self) -> Terms:
        week, rows = self._week, self._week.plan.tasks
        closed = {i: case for i, case in self._cases.items() if case.outcome is not None}
        verdicts = [case.verdict for case in closed.values()]
        aligned = verdicts.count("aligned")
        silent_right = sum(c.verdict == "unattempted" and week.task_noop[i] for i, c in closed.items())
        settled = [w for w in range(len(self._windows)) if week.plan.windows[w].later in closed and self._both_active(w)]
        hits = {w: bool(self._windows[w].now) and self._windows[w].later for w in settled}
        primary = [hits[w] for w in settled if week.plan.windows[w].primary]
        scores = self._paid(closed, hits)
        return {
            "TC": _percent(sum(rows[i].value * c.tc for i, c in closed.items()), sum(rows[i].value for i in closed)),
            "TA": _percent(sum(hits.values()), len(hits)),
            "TA_1": _percent(sum(primary), len(primary)),
            "CQ": sum(self._windows[w].quality for w in settled) / len(settled) if settled else None,
            "TR_D": _percent(aligned, len(closed)),
            "TR_D_paper": _percent(aligned + silent_right, len(closed)),
            "over": float(verdicts.count("over")),
            "under": float(verdicts.count("under")),
            "unattempted": float(verdicts.count("unattempted")),
            "TR_H": sum(self._trust) / len(self._trust) if self._trust else None,
            "TR_J": None,
            "S_TC": scores[0],
            "S_TA": scores[1],
            "S_TR": scores[2],
            "J": joint(scores, self._weights),
            **{name: float(cost) for name, cost in self._costs.items()},
        }

    def _both_active(self, index: int) -> bool:
        row = self._week.plan.windows[index]
        noop = self._week.task_noop
        return {row.urgent, row.later} <= self._cases.keys() and not noop[row.urgent] and not noop[row.later]

    def _paid(
        self, closed: Mapping[int, _Case], hits: Mapping[int, bool]
    ) -> tuple[float | None, float | None, float | None]:
        """Return S_TC, S_TA and S_TR: the denominators are the reference path's."""
        week, rows = self._week, self._week.plan.tasks
        path = week.reference_tasks
        s_tc = s_tr = s_ta = None
        if path:
            earned = sum(rows[i].value * case.tc for i, case in closed.items() if i in path)
            s_tc = earned / sum(rows[i].value for i in path)
            matched = sum(case.verdict == "aligned" for i, case in closed.items() if i in path)
            s_tr = matched / (len(path) + len(self._noise))
        if week.reference_windows:
            won = sum(self._windows[w].quality for w, hit in hits.items() if hit and w in week.reference_windows)
            q = min(1.0, len(self._competed) / max(1, week.reference_attempts))
            s_ta = won / len(week.reference_windows) * (1 - q / 2)
        return s_tc, s_ta, s_tr


def task_work(week: Week, task: int) -> int:
    """Return the minutes of work of a task in this week."""
    signals = week.plan.tasks[task].signals
    return week.signal_work[signals[0]] if signals else week.plan.tasks[task].work_min


def score(entries: Iterable[Entry], week: Week, weights: Weights | None = None) -> Terms:
    """Return the terms of a whole trace, with other weights if wanted."""
    tally = Tally(week, weights or Weights())
    for entry in entries:
        tally.feed(entry)
    return tally.terms()


def _percent(part: float, whole: float) -> float | None:
    return 100.0 * part / whole if whole else None


def _int(value: Value) -> int:
    return int(value or 0)


_HANDLERS: dict[str, Callable[[Tally, int, Mapping[str, Value]], None]] = {
    name.removeprefix("_on_"): method for name, method in vars(Tally).items() if name.startswith("_on_")
}
"""One method per name of the trace that scoring looks at."""
