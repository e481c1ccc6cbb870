"""How well two judges agree, or a judge and a rule: correlations, mean difference, Cohen's kappa.

What cannot be told (too few values, no spread) is None, never NaN.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Scores = Sequence[float | None]
_Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two series of scores of the same cases. Where one has no score the case is left out."""

    measure: str
    first: str
    second: str
    n: int
    first_mean: float | None
    second_mean: float | None
    mae: float | None
    """Mean absolute difference."""
    pearson: float | None = None
    """Of scores on a scale."""
    spearman: float | None = None
    same: float | None = None
    """Of labels: the share of cases that got the same one."""
    kappa: float | None = None
    """Of labels: agreement beyond chance."""


def of_scores(measure: str, names: tuple[str, str], first: Scores, second: Scores) -> Agreement:
    """Compare scores on a scale."""
    x, y = _paired(first, second)
    return Agreement(measure, *names, len(x), _mean(x), _mean(y), mae(x, y), pearson=pearson(x, y), spearman=spearman(x, y))


def of_labels(measure: str, names: tuple[str, str], first: Scores, second: Scores) -> Agreement:
    """Compare labels, such as 0 and 1."""
    x, y = _paired(first, second)
    same = _mean((x == y).astype(np.float64))
    return Agreement(measure, *names, len(x), _mean(x), _mean(y), mae(x, y), same=same, kappa=kappa(x, y))


def pearson(first: Sequence[float] | _Array, second: Sequence[float] | _Array) -> float | None:
    """Return the linear correlation in [-1, 1]; None: fewer than two cases, or no spread."""
    x, y = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    x, y = x - x.mean(), y - y.mean()
    found = float(x @ y / (np.sqrt(x @ x) * np.sqrt(y @ y)))
    return min(1.0, max(-1.0, found))


def spearman(first: Sequence[float] | _Array, second: Sequence[float] | _Array) -> float | None:
    """Return the correlation of ranks in [-1, 1], equal values sharing theirs; None: as for `pearson`."""
    return pearson(_ranks(np.asarray(first, np.float64)), _ranks(np.asarray(second, np.float64)))


def kappa(first: Sequence[float] | _Array, second: Sequence[float] | _Array) -> float | None:
    """Return Cohen's kappa: agreement beyond what the frequencies of the labels give by chance.

    None: there are no cases, or both series hold one and the same label only.
    """
    x, y = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if not len(x):
        return None
    chance = sum(float((x == label).mean() * (y == label).mean()) for label in np.union1d(x, y))
    return None if chance == 1 else (float((x == y).mean()) - chance) / (1 - chance)


def mae(first: Sequence[float] | _Array, second: Sequence[float] | _Array) -> float | None:
    """Return the mean absolute difference; None: there are no cases."""
    return _mean(np.abs(np.asarray(first, np.float64) - np.asarray(second, np.float64)))


def _paired(first: Scores, second: Scores) -> tuple[_Array, _Array]:
    """Return the cases that have both scores."""
    kept = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    return np.array([a for a, _ in kept], np.float64), np.array([b for _, b in kept], np.float64)


def _ranks(values: _Array) -> _Array:
    """Return ranks from 1; equal values get the mean of theirs."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place]


def _mean(values: _Array) -> float | None:
    return float(values.mean()) if len(values) else None
