from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats as untyped

from proactivity_gym.reports import bootstrap
from proactivity_gym.reports.bootstrap import Array, figure, mean, middle_mean, ratio, standard_error

stats: Any = untyped  # scipy's functions are not typed through


def column(values: Sequence[float]) -> Array:
    return np.array(values, np.float64)[:, None]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7, 8, 30, 101])
def test_the_interquartile_mean_is_a_trimmed_mean(n: int) -> None:
    values = np.random.default_rng(n).normal(size=n)
    assert figure(middle_mean, values[:, None]) == pytest.approx(float(stats.trim_mean(values, 0.25)), rel=1e-12)


def test_a_weight_is_a_repetition() -> None:
    values, counts = np.random.default_rng(5).normal(size=9), np.array([2, 0, 1, 3, 0, 1, 1, 4, 0])
    repeated = np.repeat(values, counts)
    index, weights = np.arange(9), counts[None].astype(np.float64)
    assert mean(values[:, None], index, weights)[0] == pytest.approx(float(repeated.mean()), rel=1e-12)
    assert middle_mean(values[:, None], index, weights)[0] == pytest.approx(float(stats.trim_mean(repeated, 0.25)), rel=1e-12)


def test_a_cluster_weighs_as_a_whole() -> None:
    values = column([1.0, 2.0, 30.0])
    assert mean(values, np.array([0, 0, 1]), np.array([[1.0, 3.0]]))[0] == pytest.approx(93 / 5)


def test_a_ratio_is_of_sums() -> None:
    assert figure(ratio, np.array([[1.0, 2.0], [5.0, 4.0]])) == 1.0
    assert figure(ratio, np.array([[1.0, 0.0]])) is None


@pytest.mark.parametrize("n", [5, 40])
def test_another_implementation_finds_the_same_error(n: int) -> None:
    values = np.random.default_rng(n).gamma(2.0, size=n)
    other = stats.bootstrap((values,), np.mean, n_resamples=20_000, rng=1, method="percentile").standard_error
    found = standard_error(mean, values[:, None], range(n), [0] * n)
    assert found is not None
    # The usual bootstrap draws n of n, and so has an error that is too small by this factor.
    assert found[0] == pytest.approx(float(other) * sqrt(n / (n - 1)), rel=0.04)
    assert found[1] == n - 1


def test_the_error_of_an_interquartile_mean_is_that_of_another_implementation() -> None:
    values = np.random.default_rng(2).normal(size=60)

    def trimmed(sample: Array, axis: int) -> Array:
        return stats.trim_mean(sample, 0.25, axis=axis)

    other = stats.bootstrap((values,), trimmed, n_resamples=10_000, rng=1, method="percentile").standard_error
    found = standard_error(middle_mean, values[:, None], range(60), [0] * 60)
    assert found is not None
    assert found[0] == pytest.approx(float(other), rel=0.06)


def test_strata_keep_their_size() -> None:
    values = column([0.0, 2.0, 100.0, 104.0])
    found = standard_error(mean, values, [0, 1, 0, 1], ["a", "a", "b", "b"])
    assert found is not None
    # Standard errors within strata 1 and 2, each of half the weight: sqrt((1 / 2)^2 + (2 / 2)^2).
    assert found == (pytest.approx(sqrt(0.25 + 1), rel=0.04), 2)


def test_strata_may_be_mixed_up_in_the_rows() -> None:
    values, order = column([0.0, 2.0, 100.0, 104.0, 7.0]), [3, 0, 2, 4, 1]
    clusters, strata = [0, 1, 0, 1, 1], ["a", "a", "b", "b", "a"]
    plain = standard_error(mean, values, clusters, strata)
    mixed = standard_error(mean, values[order], [clusters[i] for i in order], [strata[i] for i in order])
    assert plain is not None and mixed is not None
    assert mixed[0] == pytest.approx(plain[0], rel=0.06)


@pytest.mark.parametrize(("clusters", "strata"), [([0, 0], [0, 0]), ([0, 1, 2], [0, 0, 1]), ([], [])])
def test_one_cluster_tells_no_error(clusters: list[int], strata: list[int]) -> None:
    assert standard_error(mean, np.ones((len(clusters), 1)), clusters, strata) is None


def test_a_figure_that_some_resample_lacks_has_no_error() -> None:
    assert standard_error(ratio, np.array([[1.0, 2.0], [1.0, -1.0]]), [0, 1], [0, 0]) is None


def test_little_memory_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(0).normal(size=(12, 1))
    at_once = standard_error(middle_mean, values, range(12), [0] * 12)
    monkeypatch.setattr(bootstrap, "_CELLS", 100)
    assert standard_error(middle_mean, values, range(12), [0] * 12) == at_once
