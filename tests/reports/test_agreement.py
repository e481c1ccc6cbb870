"""Agreement: by numbers worked out by hand, and against scipy and scikit-learn."""

from typing import Any, cast

import numpy as np
import pytest

from proactivity_gym.reports.agreement import kappa, mae, of_labels, of_scores, pearson, spearman

NAMES = ("judge 1", "judge 2")


def test_pearson_by_hand() -> None:
    # Deviations (-1, 0, 1) and (-1, 1, 0): 1 / (sqrt 2 * sqrt 2).
    assert pearson([1, 2, 3], [1, 3, 2]) == pytest.approx(0.5)
    assert pearson([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
    assert pearson([1, 2], [5, 4]) == pytest.approx(-1)


def test_spearman_by_hand() -> None:
    assert spearman([1, 10, 100], [0, 1, 2]) == pytest.approx(1)
    # Ranks 1, 2, 3, 4 and 2, 1, 4, 3: 1 - 6 * 4 / (4 * 15).
    assert spearman([1, 2, 3, 4], [20, 10, 40, 30]) == pytest.approx(0.6)
    # Equal values share a rank: 1.5, 1.5, 3 and 1, 2, 3: deviations (-.5, -.5, 1), (-1, 0, 1).
    assert spearman([7, 7, 9], [1, 2, 3]) == pytest.approx(1.5 / np.sqrt(1.5 * 2))


def test_kappa_by_hand() -> None:
    # 20 both yes, 5 and 10 apart, 15 both no: agreement 0.7, by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5.
    first = [1] * 20 + [1] * 5 + [0] * 10 + [0] * 15
    second = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    assert kappa(first, second) == pytest.approx(0.4)
    assert kappa([0, 1], [0, 1]) == pytest.approx(1)
    assert kappa([0, 1], [1, 0]) == pytest.approx(-1)
    assert kappa([0, 0.5, 1], [0, 0.5, 0.5]) == pytest.approx((2 / 3 - 1 / 3) / (1 - 1 / 3))


def test_mae_by_hand() -> None:
    assert mae([1, 2, 3], [1, 4, 2]) == pytest.approx(1)


@pytest.mark.parametrize("pair", [([], []), ([1], [2])])
def test_what_cannot_be_told_is_none(pair: tuple[list[float], list[float]]) -> None:
    assert pearson(*pair) is None
    assert spearman(*pair) is None


def test_no_spread_is_none() -> None:
    assert pearson([0.1, 0.1, 0.1], [1, 2, 3]) is None
    assert spearman([1, 2, 3], [4, 4, 4]) is None
    assert kappa([], []) is None
    assert kappa([1, 1], [1, 1]) is None
    assert kappa([1, 1], [0, 0]) == 0
    assert mae([], []) is None


@pytest.mark.parametrize("seed", range(8))
def test_scipy_and_scikit_learn_say_the_same(seed: int) -> None:
    from scipy import stats  # pyright: ignore[reportMissingTypeStubs]
    from sklearn import metrics

    theirs, rated = cast("Any", stats), cast("Any", metrics)
    generator = np.random.default_rng(seed)
    x, y = generator.integers(1, 6, 30) / 4, generator.normal(size=30)
    y = x + y.round(1)  # ties in both
    assert pearson(x, y) == pytest.approx(theirs.pearsonr(x, y)[0])
    assert spearman(x, y) == pytest.approx(theirs.spearmanr(x, y)[0])
    assert mae(x, y) == pytest.approx(rated.mean_absolute_error(x, y))
    a, b = generator.integers(0, 3, (2, 40)).astype(float)
    assert kappa(a, b) == pytest.approx(rated.cohen_kappa_score(a, b))


def test_cases_without_a_score_are_left_out() -> None:
    found = of_scores("TR-J", NAMES, [1, None, 3, 2], [1, 5, None, 4])
    assert (found.n, found.first_mean, found.second_mean, found.mae) == (2, 1.5, 2.5, 1)
    assert found.pearson == pytest.approx(1)
    assert found.spearman == pytest.approx(1)
    assert (found.same, found.kappa) == (None, None)
    assert (found.measure, found.first, found.second) == ("TR-J", *NAMES)


def test_labels_have_a_share_and_a_kappa() -> None:
    found = of_labels("TA now", ("judge 1", "rule"), [1, 1, 0, 0, None], [1, 0, 0, 0, 1])
    assert (found.n, found.same, found.kappa) == (4, 0.75, 0.5)
    assert (found.first_mean, found.second_mean) == (0.5, 0.25)
    assert found.pearson is None


def test_nothing_to_compare() -> None:
    for compare in (of_scores, of_labels):
        found = compare("TA", NAMES, [None], [1])
        assert found.n == 0
        assert found.first_mean is found.mae is found.kappa is found.pearson is None


def test_unequal_lengths_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="argument 2 is longer"):
        of_scores("TR-J", NAMES, [1], [1, 2])
