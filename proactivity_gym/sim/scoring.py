"""Scores: a fold over the trace. No other place knows how an outcome is paid.

TC, TA, CQ, TR-D and their weighted sum follow the paper (section 5.1, appendix E) with the deviations that docs/deviations.md
lists. Every term is always reported; a score without cases is None, never NaN.
"""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field

from proactivity_gym.sim.trace import Entry, Row, row_of
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.windows import WindowCase, WindowTally
from proactivity_gym.sim.words import Depth, Outcome

Terms = dict[str, float | None]

TERMS = {
    "TC": "task capability, 0 to 100: mean over closed tasks, weighted by value",
    "TA": "temporal allocation, %: windows whose urgent task was taken NOW and whose other task was explicitly deferred",
    "TA_1": "the same over the scenario's primary window alone, as in the paper",
    "CQ": "continuation quality, 0 to 1: deferred work done in time without conflict 1, late or in conflict 0.5",
    "TR_D": "depth agreement, %: closed tasks whose first attempt (or dismissal) was as deep as expected",
    "TR_D_paper": "the same with silence read as NOOP, as in the paper",
    "over": "closed tasks taken deeper than expected",
    "under": "closed tasks taken less deep than expected",
    "unattempted": "closed tasks on which nothing was decided",
    "TR_H": "the simulated user's trust, 1 to 5, averaged over noticed attempts",
    "TR_J": "trust as rated by judges, 1 to 5; None without the judge wrapper",
    "S_TC": "TC as paid, 0 to 1",
    "S_TA": "TA as paid, 0 to 1",
    "S_TR": "TR-D as paid, 0 to 1",
    "J": "weighted sum of S_TC, S_TA and S_TR",
    "competing_minutes": "minutes that jobs took a resource the user was at",
    "interruptions": "deliveries into focus",
    "wasted_minutes": "work that came to nothing",
    "false_alarms": "attempts on signals with nothing behind them",
}
"""The terms, in order, and what each says."""


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
    tc, ta, tr = scores
    if tc is not None and ta is not None and tr is not None:
        return (weights.tc * tc + weights.ta * ta + weights.tr * tr) / (weights.tc + weights.ta + weights.tr)
    total = earned = 0.0
    for weight, score in ((weights.tc, tc), (weights.ta, ta), (weights.tr, tr)):
        if score is not None:
            total += weight
            earned += weight * score
    return earned / total if total else 0.0


@dataclass(slots=True)
class _Case:
    """One active task."""

    chosen: Depth | None = None
    expected: Depth | None = None
    over: bool = False
    """Whether a later attempt went deeper without approval."""
    approved: bool = False
    tc: float = 0.0
    outcome: Outcome | None = None

    @property
    def verdict(self) -> str:
        if self.chosen is None or self.expected is None:
            return "unattempted"
        if self.over or self.chosen > self.expected:
            return "over"
        return "under" if self.chosen < self.expected else "aligned"


@dataclass(slots=True)
class _Sums:
    """Sums over closed tasks."""

    value: int = 0
    earned: float = 0.0
    path_earned: float = 0.0
    path_aligned: int = 0
    silent_right: int = 0
    verdicts: dict[str, int] = field(default_factory=lambda: {"aligned": 0, "over": 0, "under": 0, "unattempted": 0})


class Tally:
    """The scores of an episode so far."""

    __slots__ = (
        "_cases", "_noise", "_noticed", "_path_value", "_stale", "_sums", "_terms", "_trust", "_week", "_weights", "windows",
    )  # fmt: skip

    def __init__(self, week: Week, weights: Weights) -> None:
        """Start with nothing settled."""
        self._week = week
        self._weights = weights
        self._cases: dict[int, _Case] = {}
        self.windows = WindowTally(week)
        self._path_value = sum(week.plan.tasks[i].value for i in week.reference_tasks)
        self._sums = _Sums()
        self._noise: set[int] = set()
        self._noticed = 0
        self._trust = 0.0
        """Sum of the levels of trust after each of the noticed attempts."""
        self._terms: Terms = dict.fromkeys(TERMS) | dict.fromkeys(_COSTS, 0.0)
        self._stale = True
        """Whether terms over closed tasks must be computed anew; the other terms are always up to date."""

    def feed(self, entry: Entry) -> None:
        """Take one entry of the trace."""
        handler = HANDLERS.get(entry[1])
        if handler is not None:
            handler(self, row_of(entry))

    def joint(self) -> float:
        """Return J so far; its increments are the rewards."""
        return self.terms()["J"] or 0.0

    def terms(self) -> Terms:
        """Return every term of `TERMS`, over what is settled so far; the dict goes on changing: copy it to keep it."""
        if self._stale or self.windows.stale:
            if self._stale:
                self._refresh_cases()
            if self.windows.stale:
                self._refresh_windows()
            scores = self._terms["S_TC"], self._terms["S_TA"], self._terms["S_TR"]
            self._terms["J"] = joint(scores, self._weights)
        return self._terms

    def cases(self) -> dict[int, tuple[str, float]]:
        """Return verdict and TC of every active task."""
        return {task: (case.verdict, case.tc) for task, case in self._cases.items()}

    # What the rows of the trace mean

    def _on_active(self, row: Row) -> None:
        self._cases.setdefault(row[2], _Case())

    def _on_signal(self, row: Row) -> None:
        if row[4] in self.windows.unknown:
            self.windows.known(row[4])

    def _on_dismiss(self, row: Row) -> None:
        _, _, _, task, expected, evidence = row
        case = self._cases.get(task)
        if case is not None and case.chosen is None:
            case.chosen, case.expected = Depth.NOOP, expected
            if expected == Depth.NOOP:
                case.tc = evidence

    def _on_snooze(self, row: Row) -> None:
        minute, _, _, task, _, until = row
        self.windows.deferred(task, minute, until)

    def _on_attempt(self, row: Row) -> None:
        _, _, _, signal, task, depth, _, expected, *_ = row
        self.windows.attempted(row)
        if task < 0:
            self._noise.add(signal)
            self._cost("false_alarms", 1)
            self._stale = True
            return
        case = self._cases[task]
        if case.chosen is None:
            case.chosen, case.expected = depth, expected
        elif depth > expected and not case.approved:
            self._revise(task, case)

    def _revise(self, task: int, case: _Case) -> None:
        """Let a later attempt that went too deep change a case, closed or not."""
        if case.outcome is not None:
            self._count(task, case, -1)
        case.over = True
        if case.outcome is not None:
            self._count(task, case, 1)

    def _on_start(self, row: Row) -> None:
        minute, _, _, task = row
        self.windows.started(task, minute)

    def _on_credit(self, row: Row) -> None:
        _, _, job, task, tc, late = row
        case = self._cases[task]
        if not late and case.outcome is None:
            case.tc = max(case.tc, tc)
        self.windows.done(task, job, late)

    def _on_compete(self, row: Row) -> None:
        _, _, job, _, minutes, cause, counts = row
        self._cost("competing_minutes", minutes)
        self._cost("interruptions", cause == "focus")
        if counts:
            self.windows.compete(job)

    def _on_waste(self, row: Row) -> None:
        self._cost("wasted_minutes", row[3])

    def _cost(self, name: str, amount: int) -> None:
        self._terms[name] = (self._terms[name] or 0.0) + amount

    def _on_approved(self, row: Row) -> None:
        self._cases[row[2]].approved = True

    def _on_trust(self, row: Row) -> None:
        self._noticed += 1
        _, _, _, level = row
        self._trust += level
        self._terms["TR_H"] = self._trust / self._noticed

    def _on_close(self, row: Row) -> None:
        _, _, task, outcome = row
        case = self._cases[task]
        case.outcome = outcome
        self._count(task, case, 1)
        self.windows.closed(task)

    def _count(self, task: int, case: _Case, sign: int) -> None:
        """Add a closed task to the sums, or take it out again."""
        sums, value, verdict = self._sums, self._week.plan.tasks[task].value, case.verdict
        sums.value += sign * value
        sums.earned += sign * value * case.tc
        sums.verdicts[verdict] += sign
        if task in self._week.reference_tasks:
            sums.path_earned += sign * value * case.tc
            sums.path_aligned += sign * (verdict == "aligned")
        if verdict == "unattempted" and self._week.task_noop[task]:
            sums.silent_right += sign
        self._stale = True

    # From sums to terms

    def _refresh_cases(self) -> None:
        terms, sums, path = self._terms, self._sums, self._week.reference_tasks
        aligned, over, under, unattempted = sums.verdicts.values()
        terms["over"], terms["under"], terms["unattempted"] = float(over), float(under), float(unattempted)
        cases = aligned + over + under + unattempted
        if cases:
            terms["TC"] = 100 * sums.earned / sums.value
            terms["TR_D"] = 100 * aligned / cases
            terms["TR_D_paper"] = 100 * (aligned + sums.silent_right) / cases
        if path:
            terms["S_TC"] = sums.path_earned / self._path_value
            terms["S_TR"] = sums.path_aligned / (len(path) + len(self._noise))
        self._stale = False

    def _refresh_windows(self) -> None:
        terms, settled = self._terms, self.windows.settled
        if settled:
            terms["TA"] = _share(settled)
            terms["TA_1"] = _share([window for window in settled if window.row.primary])
            terms["CQ"] = sum(window.quality for window in settled) / len(settled)
        terms["S_TA"] = self.windows.paid()
        self.windows.stale = False


def score(entries: Iterable[Entry], week: Week, weights: Weights | None = None) -> Terms:
    """Return the terms of a whole trace, with other weights if wanted."""
    tally = Tally(week, weights or Weights())
    for entry in entries:
        tally.feed(entry)
    return tally.terms()


def _share(windows: list[WindowCase]) -> float | None:
    return 100 * sum(w.hit for w in windows) / len(windows) if windows else None


_COSTS = ("competing_minutes", "interruptions", "wasted_minutes", "false_alarms")

HANDLERS: dict[str, Callable[[Tally, Row], None]] = {
    name.removeprefix("_on_"): method for name, method in vars(Tally).items() if name.startswith("_on_")
}
"""One method per name of the trace that scoring looks at."""
