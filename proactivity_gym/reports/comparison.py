"""Policies compared on the same weeks: interquartile means, paired differences, and the share of a gap that is closed.

An episode is compared with those of the other policy on the same id and seed, which is the same week.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any

import numpy as np

from proactivity_gym.reports import bootstrap
from proactivity_gym.reports.runs import COMPLETED, INTERRUPTED, SCORES, TERMS, Key, Row
from proactivity_gym.reports.statistics import Estimate, Grouping, estimate, estimate_ratio, spread
from proactivity_gym.reports.summary import BOUNDS, Summary, grouping, of_counts

LEFT_OUT, AS_ZERO = "left out", "as 0"
"""What becomes of episodes that failed."""
MEASURES = tuple(name for name in SCORES if name not in ("over", "under"))
"""What is compared: terms of which more is better."""
FIGURES = ("mean", "iqm", "difference", "better", "closed")
"""Figures of a policy: see `Compared`."""

_TIE = 1e-9
"""Sums of floats that differ by less are the same score."""
_NONE = Estimate(None)

Week = tuple[str, int]
"""Id and seed."""


@dataclass(frozen=True, slots=True)
class How:
    """What is compared with what."""

    unit: str
    """What is drawn together: one of `summary.UNITS`."""
    baseline: str
    """The policy that others are compared with."""
    ceiling: str | None = None
    """The policy that stands for all there is to gain; None: none does."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What a policy comes to in one term, under one convention for failures."""

    policy: str
    term: str
    failed: str
    """`LEFT_OUT` or `AS_ZERO`."""
    mean: Estimate
    iqm: Estimate
    """Interquartile mean: of the middle half of the episodes."""
    difference: Estimate
    """Mean difference to the baseline, week by week; no value for the baseline itself."""
    better: Estimate
    """Probability of doing better than the baseline on the same week, a tie counting half."""
    closed: Estimate
    """Share of the gap between baseline and ceiling that is closed; no value where there is no gap."""
    sd: float | None
    """Standard deviation between episodes of the same id."""

    def figures(self) -> dict[str, Estimate]:
        """Return the figures by name."""
        return dict(zip(FIGURES, (self.mean, self.iqm, self.difference, self.better, self.closed), strict=True))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Policies compared."""

    how: How
    summaries: list[Summary]
    compared: list[Compared]
    """Policy by policy, term by term; where something failed, once more with that as 0."""

    @property
    def incomplete(self) -> bool:
        """Whether more than 1 % of some policy's episodes have no score."""
        return any(each.incomplete for each in self.summaries)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield a flat row for each policy, term and convention."""
        kinds = dict.fromkeys(kind for each in self.summaries for kind in each.statuses)
        fixed = dict.fromkeys([COMPLETED, INTERRUPTED, *kinds], 0)
        whose = {each.policy: each for each in self.summaries}
        for each in self.compared:
            own = whose[each.policy]
            head = {"policy": each.policy, "term": each.term, "failed": each.failed, "drawn": self.how.unit}
            counts = {"planned": own.planned, "scored": own.scored, "incomplete": own.incomplete, "scenarios": own.scenarios}
            against = {"baseline": self.how.baseline, "ceiling": self.how.ceiling}
            yield head | counts | fixed | own.statuses | against | _flat(each)


def compare(planned: Mapping[str, int], rows: Sequence[Row], how: How) -> Comparison:
    """Compare the policies of which so many episodes were planned.

    Args:
        planned: episodes by policy.
        rows: of those policies, each episode once.
        how: what is compared with what.
    """
    conventions = {LEFT_OUT: [row for row in rows if row.status == COMPLETED]}
    if len(conventions[LEFT_OUT]) < len(rows):
        conventions[AS_ZERO] = [_as_zero(row) for row in rows]
    compared = [
        found for name, kept in conventions.items() for policy in planned for found in _of_policy(policy, kept, how, name)
    ]
    return Comparison(how, of_counts(planned, rows, how.unit), compared)


def planned_of(keys: Sequence[Key]) -> dict[str, int]:
    """Return how many episodes each policy should have: every week that any has, in as many repetitions as it has itself."""
    weeks = {(name, seed) for _, name, seed, _ in keys}
    repetitions: dict[str, set[int]] = {}
    for policy, _, _, repetition in keys:
        repetitions.setdefault(policy, set()).add(repetition)
    return {policy: len(weeks) * len(own) for policy, own in repetitions.items()}


def csv_text(comparison: Comparison) -> str:
    """Return the rows of a comparison as CSV; a text that a spreadsheet would take for a formula is marked as text."""
    rows = list(comparison.records())
    text = StringIO(newline="")
    writer = csv.DictWriter(text, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _harmless(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def _as_zero(row: Row) -> Row:
    return row if row.status == COMPLETED else replace(row, status=COMPLETED, terms=dict.fromkeys(TERMS, 0.0))


def _of_policy(policy: str, rows: Sequence[Row], how: How, failed: str) -> Iterator[Compared]:
    own = [row for row in rows if row.policy == policy]
    drawn = grouping(own, how.unit)
    for term in MEASURES:
        bounds = BOUNDS[term]
        values = [row.terms[term] for row in own]
        mean = estimate(values, drawn, bounds)
        middle = estimate(values, drawn, bounds, bootstrap.middle_mean)
        figures = (mean, middle, _NONE, _NONE, _NONE)
        if policy != how.baseline:
            figures = (mean, middle, *_against(own, rows, term, how))
        yield Compared(policy, term, failed, *figures, spread(values, [row.id for row in own]))


def _against(own: Sequence[Row], rows: Sequence[Row], term: str, how: How) -> tuple[Estimate, Estimate, Estimate]:
    """Return difference, probability of doing better, and share of the gap."""
    baseline = _by_week(rows, how.baseline, term)
    drawn = grouping(own, how.unit)
    pairs = [(row.terms[term], baseline.get((row.id, row.seed))) for row in own]
    width = BOUNDS[term][1] - BOUNDS[term][0]
    differences = [None if x is None or other is None else x - float(np.mean(other)) for x, other in pairs]
    wins = [None if x is None or other is None else _share_beaten(x, other) for x, other in pairs]
    found = estimate(differences, drawn, (-width, width)), estimate(wins, drawn, (0.0, 1.0))
    return *found, _closed(own, differences, (baseline, _by_week(rows, how.ceiling, term)), drawn)


def _closed(
    own: Sequence[Row],
    differences: Sequence[float | None],
    ends: tuple[Mapping[Week, list[float]], Mapping[Week, list[float]]],
    drawn: Grouping,
) -> Estimate:
    """Return the share of the gap between the ends, over weeks that all three played."""
    baseline, ceiling = ends
    gaps = {week: float(np.mean(ceiling[week]) - np.mean(baseline[week])) for week in ceiling.keys() & baseline.keys()}
    kept = [d is not None and (row.id, row.seed) in gaps for row, d in zip(own, differences, strict=True)]
    pairs = [(d, gaps[row.id, row.seed]) for row, d, keep in zip(own, differences, kept, strict=True) if keep and d is not None]
    return estimate_ratio(pairs, drawn.where(kept))


def _by_week(rows: Sequence[Row], policy: str | None, term: str) -> dict[Week, list[float]]:
    found: dict[Week, list[float]] = {}
    for row in rows:
        value = row.terms[term]
        if row.policy == policy and value is not None:
            found.setdefault((row.id, row.seed), []).append(value)
    return found


def _share_beaten(value: float, others: Sequence[float]) -> float:
    """Return the share of others that a value exceeds, a tie counting half."""
    return float(np.mean([0.5 if abs(value - other) <= _TIE else float(value > other) for other in others]))


def _flat(compared: Compared) -> dict[str, float | int | None]:
    flat: dict[str, float | int | None] = {"n": compared.mean.n, "sd": compared.sd}
    for name, found in compared.figures().items():
        flat |= {name: found.mean, f"{name}_low": found.low, f"{name}_high": found.high}
    return flat
