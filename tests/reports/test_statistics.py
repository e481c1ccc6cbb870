from math import inf, sqrt

import numpy as np
import pytest

from proactivity_gym.reports import bootstrap
from proactivity_gym.reports.statistics import Grouping, clustered, estimate, estimate_ratio, spread, t_975


def test_a_mean_needs_no_second_cluster() -> None:
    found = estimate([1.0, 3.0, None], clustered(["a", "a", "a"]))
    assert (found.mean, found.low, found.high, found.n) == (2.0, None, None, 2)


def test_no_values_have_no_mean() -> None:
    assert estimate([None], clustered(["a"])).mean is None
    assert estimate([], clustered([])).n == 0


def test_clusters_without_values_do_not_count() -> None:
    assert estimate([1.0, None], clustered(["a", "b"])).low is None


def test_equally_large_clusters_give_the_interval_of_their_means() -> None:
    # Cluster means 1, 2, 6: mean 3, standard deviation sqrt(7), so 3 +- 4.3027 sqrt(7) / sqrt(3).
    found = estimate([0.0, 2.0, 2.0, 2.0, 5.0, 7.0], clustered("aabbcc"))
    half = 4.3027 * sqrt(7) / sqrt(3)
    assert found.mean == 3.0
    assert found.high is not None and found.low is not None
    assert found.high - 3 == pytest.approx(half, rel=0.04)
    assert 3 - found.low == pytest.approx(half, rel=0.04)


def test_intervals_stay_on_the_scale() -> None:
    found = estimate([0.0, 0.0, 1.0], clustered([0, 1, 2]), (0.0, 1.0))
    assert (found.low, found.high) == (0.0, 1.0)


def test_values_of_one_cluster_stay_together() -> None:
    values = [1.0] * 50 + [0.0] * 50
    together = estimate(values, clustered([i // 50 for i in range(100)]))
    apart = estimate(values, clustered(range(100)))
    assert together.high is not None and apart.high is not None
    assert together.high - 0.5 > 50 * (apart.high - 0.5)


def test_the_same_seed_gives_the_same_interval() -> None:
    values, clusters = [1.0, 2.0, 4.0], clustered("abc")
    assert estimate(values, clusters) == estimate(values, clusters)
    assert estimate(values, clusters) != estimate(values, clusters, (-inf, inf), seed=1)


QUANTILES = {1: 12.7062, 2: 4.3027, 10: 2.2281, 11: 2.2010, 30: 2.0423, 1000: 1.9623}


@pytest.mark.parametrize(("freedom", "value"), QUANTILES.items())
def test_students_quantile(freedom: int, value: float) -> None:
    assert t_975(freedom) == pytest.approx(value, abs=0.001)


@pytest.mark.parametrize("clusters", [3, 10])
def test_intervals_cover_the_truth_as_often_as_they_say(clusters: int) -> None:
    generator = np.random.default_rng(7)
    covered, runs = 0, 1000
    for _ in range(runs):
        effects = generator.normal(50, 10, clusters)
        values = [float(v) for effect in effects for v in generator.normal(effect, 5, 6)]
        found = estimate(values, clustered([i // 6 for i in range(6 * clusters)]))
        assert found.low is not None and found.high is not None
        covered += found.low <= 50 <= found.high
    assert 0.93 <= covered / runs <= 0.97


@pytest.mark.parametrize("seeds", [3, 10])
def test_intervals_over_seeds_cover_the_mean_of_these_scenarios(seeds: int) -> None:
    generator = np.random.default_rng(11)
    scenarios, covered, runs = {"a": 20.0, "b": 50.0, "c": 80.0}, 0, 1000
    drawn = Grouping([i // 2 for i in range(2 * seeds)] * 3, [name for name in scenarios for _ in range(2 * seeds)])
    for _ in range(runs):
        weeks = [generator.normal(level, 10, seeds) for level in scenarios.values()]
        values = [float(v) for own in weeks for week in own for v in generator.normal(week, 4, 2)]
        found = estimate(values, drawn)
        assert found.low is not None and found.high is not None
        covered += found.low <= 50 <= found.high
    assert 0.93 <= covered / runs <= 0.97


def test_how_scenarios_differ_does_not_widen_an_interval_over_seeds() -> None:
    values = [10.0, 12.0, 90.0, 92.0]
    over_seeds = estimate(values, Grouping([0, 1, 0, 1], "aabb"))
    over_scenarios = estimate(values, clustered("aabb"))
    assert over_seeds.high is not None and over_scenarios.high is not None
    assert over_seeds.mean == over_scenarios.mean == 51
    assert over_seeds.high - 51 == pytest.approx(4.3027 * sqrt(0.5), rel=0.04)
    assert over_scenarios.high - 51 > 400


def test_a_scenario_with_one_seed_leaves_no_interval_over_seeds() -> None:
    assert estimate([1.0, 2.0, 3.0], Grouping([0, 1, 0], "aab")).low is None


def test_a_ratio_has_an_interval() -> None:
    found = estimate_ratio([(1.0, 2.0), (1.2, 2.0), (0.8, 2.0)], clustered("abc"))
    assert found.mean == pytest.approx(0.5)
    assert found.high is not None
    assert found.high - 0.5 == pytest.approx(4.3027 * 0.1 / sqrt(3), rel=0.04)


def test_a_ratio_to_nothing_is_none() -> None:
    assert estimate_ratio([(1.0, 0.0), (1.0, 0.0)], clustered("ab")).mean is None
    found = estimate_ratio([(1.0, 2.0), (1.0, -1.0)], clustered("ab"))
    assert (found.mean, found.low) == (2.0, None)


def test_other_statistics_have_intervals() -> None:
    found = estimate([0.0, 4.0, 5.0, 6.0, 100.0, 5.0], clustered(range(6)), statistic=bootstrap.middle_mean)
    assert found.mean == 5.0
    assert found.low is not None and found.low < 5


def test_spread_is_within_groups() -> None:
    assert spread([1.0, 3.0, 10.0, 12.0], ["a", "a", "b", "b"]) == pytest.approx(sqrt(2))
    assert spread([1.0, 3.0, None], ["a", "b", "a"]) is None
