"""The rows of a run, policy by policy: counts, means, intervals."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

from proactivity_gym.reports.runs import COMPLETED, INTERRUPTED, TERMS, Planned, Row
from proactivity_gym.reports.statistics import Estimate, Grouping, clustered, estimate, spread

MISSING_ALLOWED = 0.01
"""Share of planned episodes without a score above which a run is incomplete."""

SCENARIO, SEED, REPETITION = UNITS = ("scenario", "seed", "repetition")
"""What may be drawn together: scenarios with all they have; seeds within each scenario; repetitions with all they have."""

BOUNDS = {
    "TC": (0.0, 100.0),
    "TA": (0.0, 100.0),
    "TR_D": (0.0, 100.0),
    "TA_1": (0.0, 100.0),
    "TR_D_paper": (0.0, 100.0),
    "CQ": (0.0, 1.0),
    "S_TC": (0.0, 1.0),
    "S_TA": (0.0, 1.0),
    "S_TR": (0.0, 1.0),
    "J": (0.0, 1.0),
    "TR_H": (1.0, 5.0),
    "TR_J": (1.0, 5.0),
}
"""Least and greatest value of each term; the others count from 0."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a policy came to."""

    policy: str
    planned: int
    statuses: dict[str, int]
    """Episodes by status; they add up to `planned`."""
    terms: dict[str, Estimate]
    """Means over the scored episodes."""
    failed_as_zero: dict[str, float | None]
    """Means with the failed episodes counted as 0 (the other convention)."""
    spread: float | None
    """How much J differs between seeds of one id."""
    scenarios: int
    """How many scenarios the means rest on."""

    @property
    def scored(self) -> int:
        """Episodes that have scores."""
        return self.statuses.get(COMPLETED, 0)

    @property
    def incomplete(self) -> bool:
        """Whether so many episodes lack scores that the means should not be cited."""
        return self.planned - self.scored > MISSING_ALLOWED * self.planned


def cluster_unit(rows: Sequence[Row]) -> str:
    """Return what intervals are clustered by: `scenario`, or `seed` where there is but one scenario."""
    return SCENARIO if len({row.scenario for row in rows}) > 1 else SEED


def grouping(rows: Sequence[Row], unit: str) -> Grouping:
    """Return what is drawn together of rows, by one of `UNITS`."""
    if unit == SEED:
        return Grouping([row.seed for row in rows], [row.scenario for row in rows])
    return clustered([row.scenario if unit == SCENARIO else row.repetition for row in rows])


def summaries(planned: Sequence[Planned], rows: Sequence[Row]) -> list[Summary]:
    """Return one summary for each policy, in the order of the plan."""
    return of_counts(Counter(each.policy for each in planned), rows, cluster_unit(rows))


def of_counts(planned: Mapping[str, int], rows: Sequence[Row], unit: str) -> list[Summary]:
    """Return one summary for each policy of which so many episodes were planned."""
    return [_summary(name, count, [row for row in rows if row.policy == name], unit) for name, count in planned.items()]


def _summary(name: str, planned: int, rows: Sequence[Row], unit: str) -> Summary:
    statuses = Counter(row.status for row in rows)
    statuses[INTERRUPTED] = planned - len(rows)
    scored = [row for row in rows if row.status == COMPLETED]
    drawn = grouping(scored, unit)
    failed = len(rows) - len(scored)
    terms: dict[str, Estimate] = {}
    zeros: dict[str, float | None] = {}
    for term in TERMS:
        values = [row.terms[term] for row in scored]
        terms[term] = found = estimate(values, drawn, BOUNDS.get(term, (0.0, inf)))
        zeros[term] = (found.mean or 0.0) * found.n / (found.n + failed) if found.n + failed else None
    within = spread([row.terms["J"] for row in scored], [row.id for row in scored])
    return Summary(
        name, planned, {s: n for s, n in statuses.items() if n}, terms, zeros, within, len({row.scenario for row in scored})
    )
