"""A stratified bootstrap of clusters: how far a figure strays when what was drawn is drawn again.

Two designs are meant, and they answer different questions:

- one stratum, clusters = scenarios: would other scenarios of this kind say the same? A scenario is drawn with all of its
  personas, seeds and repetitions, which are alike;
- strata = scenarios, clusters = their seeds: these scenarios are the whole world; would other weeks of them say the same? Each
  scenario stays, and a seed is drawn with all its personas and repetitions.

Of a stratum's n clusters n - 1 are drawn, each weighing n / (n - 1): so the standard error of a mean has no downward bias,
however few clusters there are (Rao and Wu, "Resampling inference with complex survey data", JASA 83, 1988). The percentiles of
so few draws say too little (of three scenarios the true mean lies outside the widest of them in a quarter of all runs), so
only the standard error is used, and Student's t makes an interval of it: for a mean of n equally large clusters that is the
exact interval of normal cluster means.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

DRAWS = 4000
"""Resamples."""
_CELLS = 2_000_000
"""Weights held at a time."""

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.intp]

Statistic = Callable[[Array, Index, Array], Array]
"""Takes values (n, columns), the cluster of each (n,) and weights of clusters (draws, clusters).

Returns one figure for each draw, NaN where there is none.
"""


def mean(values: Array, index: Index, weights: Array) -> Array:
    """Return the mean of the first column."""
    return ratio(np.column_stack((values[:, 0], np.ones(len(values)))), index, weights)


def ratio(values: Array, index: Index, weights: Array) -> Array:
    """Return the sum of the first column over that of the second; NaN where the latter is not above 0."""
    sums = np.zeros((weights.shape[1], 2))
    np.add.at(sums, index, values)
    above, below = (weights @ sums).T
    return above / np.where(below > 0, below, np.nan)


def middle_mean(values: Array, index: Index, weights: Array) -> Array:
    """Return the interquartile mean of the first column: of n values the floor(n / 4) least and greatest are left out."""
    order = np.argsort(values[:, 0], kind="stable")
    up_to = np.cumsum(weights[:, index[order]], axis=1)  # (draws, n)
    total = up_to[:, -1:]
    cut = np.floor(total / 4 + _ROUNDING)
    kept = np.diff(np.clip(up_to, cut, total - cut), axis=1, prepend=cut)
    return kept @ values[order, 0] / kept.sum(axis=1)


_ROUNDING = 1e-9
"""Weights such as 3 / 2 add up to whole numbers but for this."""


def figure(statistic: Statistic, values: Array) -> float | None:
    """Return a statistic of values (n, columns), each counting once; None: it has none."""
    found = float(statistic(values, np.arange(len(values)), np.ones((1, len(values))))[0])
    return None if np.isnan(found) else found


def standard_error(
    statistic: Statistic, values: Array, clusters: Sequence[object], strata: Sequence[object], seed: int = 0
) -> tuple[float, int] | None:
    """Return the standard error of a statistic, and its degrees of freedom.

    Args:
        statistic: what is worked out anew for each resample.
        values: (n, columns).
        clusters: which cluster each row of values belongs to; a name counts within its stratum.
        strata: which stratum it belongs to.
        seed: of the resampling.

    Returns:
        None where it cannot be told: a stratum has one cluster only, or the statistic has no value in some resample.
    """
    members: dict[object, dict[object, None]] = {}
    for stratum, cluster in zip(strata, clusters, strict=True):
        members.setdefault(stratum, {})[cluster] = None
    sizes = tuple(len(own) for own in members.values())
    if min(sizes, default=0) < 2:
        return None
    places = {cell: place for place, cell in enumerate((stratum, own) for stratum in members for own in members[stratum])}
    index = np.array([places[cell] for cell in zip(strata, clusters, strict=True)])
    figures = np.concatenate([statistic(values, index, weights) for weights in _resamples(sizes, len(values), seed)])
    return None if np.isnan(figures).any() else (float(np.std(figures)), sum(sizes) - len(sizes))


def _resamples(sizes: tuple[int, ...], n: int, seed: int) -> Iterator[Array]:
    """Yield weights of clusters (draws, clusters), `DRAWS` in all, so many at a time that n values for each fit in memory."""
    counts, scale = _counts(sizes, seed), np.concatenate([np.full(size, size / (size - 1)) for size in sizes])
    step = max(1, _CELLS // n)
    for start in range(0, DRAWS, step):
        yield counts[start : start + step].astype(np.float64) * scale


@lru_cache(maxsize=4)  # the figures of a comparison rest on the same clusters
def _counts(sizes: tuple[int, ...], seed: int) -> npt.NDArray[np.int16]:
    """Return how often each cluster is drawn, (DRAWS, clusters); those of a stratum stand together."""
    generator = np.random.default_rng(seed)
    drawn = [generator.multinomial(size - 1, np.full(size, 1 / size), size=DRAWS) for size in sizes]
    return np.hstack(drawn).astype(np.int16)
