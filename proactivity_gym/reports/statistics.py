"""Figures with 95 % intervals, by the bootstrap of `reports.bootstrap` and Student's t; how much repetitions differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from proactivity_gym.reports import bootstrap
from proactivity_gym.reports.bootstrap import Statistic

_T_975 = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281)
"""0.975 quantile of Student's t, for 1 to 10 degrees of freedom."""
_Z_975 = 1.959964


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its 95 % interval."""

    mean: float | None
    """None: there are no values."""
    low: float | None = None
    """None: the interval cannot be told."""
    high: float | None = None
    n: int = 0
    """Values that it rests on."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """What is drawn together, for each value."""

    clusters: Sequence[object]
    strata: Sequence[object]
    """Within which clusters are drawn; one and the same: clusters are drawn from all."""

    def where(self, kept: Sequence[bool]) -> "Grouping":
        """Return that of some of the values."""
        chosen = [place for place, wanted in enumerate(kept) if wanted]
        return Grouping([self.clusters[place] for place in chosen], [self.strata[place] for place in chosen])


def clustered(clusters: Sequence[object]) -> Grouping:
    """Return clusters that are drawn from all."""
    return Grouping(clusters, [None] * len(clusters))


def estimate(
    values: Sequence[float | None],
    grouping: Grouping,
    bounds: tuple[float, float] = (-inf, inf),
    statistic: Statistic = bootstrap.mean,
    seed: int = 0,
) -> Estimate:
    """Return a statistic of what is not None, with its interval.

    Args:
        values: one for each episode; None: it has none.
        grouping: of the values.
        bounds: least and greatest possible value, to which the interval is cut.
        statistic: `bootstrap.mean` or `bootstrap.middle_mean`.
        seed: of the resampling.
    """
    kept = [v for v in values if v is not None]
    columns = np.array(kept, np.float64)[:, None]
    return _estimated(statistic, columns, grouping.where([v is not None for v in values]), bounds, seed)


def estimate_ratio(pairs: Sequence[tuple[float, float]], grouping: Grouping, seed: int = 0) -> Estimate:
    """Return the sum of the first of each pair over the sum of the second, with its interval."""
    return _estimated(bootstrap.ratio, np.array(pairs, np.float64).reshape(-1, 2), grouping, (-inf, inf), seed)


def _estimated(
    statistic: Statistic, columns: bootstrap.Array, grouping: Grouping, bounds: tuple[float, float], seed: int
) -> Estimate:
    n = len(columns)
    middle = bootstrap.figure(statistic, columns) if n else None
    found = bootstrap.standard_error(statistic, columns, grouping.clusters, grouping.strata, seed)
    if middle is None or found is None:
        return Estimate(middle, n=n)
    error, freedom = found
    half = t_975(freedom) * error
    return Estimate(middle, max(bounds[0], middle - half), min(bounds[1], middle + half), n)


def t_975(freedom: int) -> float:
    """Return the 0.975 quantile of Student's t (beyond ten degrees of freedom to 0.001, by Cornish and Fisher)."""
    if freedom <= len(_T_975):
        return _T_975[freedom - 1]
    z = _Z_975
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def spread(values: Sequence[float | None], groups: Sequence[object]) -> float | None:
    """Return how much repetitions differ: the standard deviation within groups, pooled; None: nothing was repeated."""
    squares, freedom = 0.0, 0
    for group in dict.fromkeys(groups):
        own = [v for v, g in zip(values, groups, strict=True) if g == group and v is not None]
        if len(own) > 1:
            squares += float(np.var(own)) * len(own)
            freedom += len(own) - 1
    return sqrt(squares / freedom) if freedom else None
