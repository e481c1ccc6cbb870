"""Means with confidence intervals by a clustered bootstrap (the paper's protocol).

Episodes of one scenario are alike, so scenarios are drawn with all their personas and seeds, not episodes. With few
scenarios the percentiles of such a bootstrap cover far too little (of three: the true mean lies outside the widest in a
quarter of all runs), so its standard error is scaled by Student's t and the square root of k / (k - 1): for k equally large
clusters that is the exact interval of normal cluster means.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

DRAWS = 4000
"""Resamples of the bootstrap."""

_T_975 = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281)
"""0.975 quantile of Student's t, for 1 to 10 degrees of freedom."""
_Z_975 = 1.959964


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its 95 % interval."""

    mean: float | None
    """None: there are no values."""
    low: float | None = None
    """None: fewer than two clusters."""
    high: float | None = None
    n: int = 0
    """Values that it rests on."""


def estimate(
    values: Sequence[float | None],
    clusters: Sequence[object],
    bounds: tuple[float, float] = (-inf, inf),
    seed: int = 0,
) -> Estimate:
    """Return the mean of what is not None, with its interval.

    Args:
        values: one for each episode; None: it has none.
        clusters: which cluster each value belongs to.
        bounds: least and greatest possible value, to which the interval is cut.
        seed: of the resampling.
    """
    kept = [(v, c) for v, c in zip(values, clusters, strict=True) if v is not None]
    if not kept:
        return Estimate(None)
    numbers = [v for v, _ in kept]
    mean = float(np.mean(numbers))
    names = list(dict.fromkeys(c for _, c in kept))
    k = len(names)
    if k < 2:
        return Estimate(mean, n=len(kept))
    sums = np.array([sum(v for v, c in kept if c == name) for name in names])  # (k,)
    counts = np.array([sum(c == name for _, c in kept) for name in names])  # (k,)
    drawn = np.random.default_rng(seed).integers(k, size=(DRAWS, k))
    error = float(np.std(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)))
    half = t_975(k - 1) * sqrt(k / (k - 1)) * error
    return Estimate(mean, max(bounds[0], mean - half), min(bounds[1], mean + half), len(kept))


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
