from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proactivity_gym.sim import trust
from proactivity_gym.sim.words import Depth

NOOP, PREPARE, SUGGEST, EXECUTE = Depth
ATTEMPTS = (PREPARE, SUGGEST, EXECUTE)
LEVELS = st.floats(trust.LOWEST, trust.HIGHEST)
EVENTS = st.tuples(st.sampled_from(ATTEMPTS), st.sampled_from(Depth), st.booleans())

BY_HAND = {
    "as expected": (3.98, SUGGEST, SUGGEST, False, 3.98 + 0.44 * 1.02),
    "as expected, executed": (2.0, EXECUTE, EXECUTE, False, 3.32),
    "deeper": (3.0, EXECUTE, SUGGEST, False, 3.0 - 0.715 * 2.0),
    "much deeper": (3.0, EXECUTE, PREPARE, False, 3.0 - 0.715 * 2.0),
    "shallower": (3.0, SUGGEST, EXECUTE, False, 3.0 - 0.585 * 2.0),
    "a draft found where more was expected": (3.0, PREPARE, SUGGEST, False, 3.0 - 0.585 * 2.0),
    "wrong": (3.0, SUGGEST, SUGGEST, True, 3.0 - 0.73 * 2.0),
    "wrong and deeper: not both": (3.0, EXECUTE, SUGGEST, True, 3.0 - 0.73 * 2.0),
    "wrong and shallower": (3.0, SUGGEST, EXECUTE, True, 3.0 - 0.73 * 2.0),
    "an offer where nothing is needed": (3.0, SUGGEST, NOOP, False, 3.0 - 0.30 * 2.0),
    "execution where nothing is needed": (3.0, EXECUTE, NOOP, False, 3.0 - 0.715 * 2.0),
    "a draft where nothing is needed": (3.0, PREPARE, NOOP, False, 3.0),
}


@pytest.mark.parametrize(("before", "depth", "expected", "wrong", "after"), BY_HAND.values(), ids=BY_HAND)
def test_the_law_by_hand(before: float, depth: Depth, expected: Depth, wrong: bool, after: float) -> None:
    assert trust.after(before, depth, expected, wrong) == pytest.approx(after)


def test_the_step_for_wrong_content_has_the_ratio_of_the_published_rating_gaps() -> None:
    assert round(trust.LOSS * 2.44 / 2.16, 2) == trust.WRONG


def test_the_thresholds_stand_in_their_order() -> None:
    marks = (trust.LOWEST, trust.UNREAD_BELOW, trust.WITHDRAW_BELOW, trust.RESTORE_ABOVE, trust.START, trust.HIGHEST)
    assert all(low < high for low, high in pairwise(marks))


def test_both_directions_average_to_the_fitted_loss() -> None:
    over, under = trust.after(3.0, EXECUTE, SUGGEST, False), trust.after(3.0, SUGGEST, EXECUTE, False)
    assert (over + under) / 2 == pytest.approx(3.0 - trust.LOSS * 2.0)


@given(LEVELS, st.lists(EVENTS, max_size=60))
def test_trust_stays_on_its_scale(level: float, events: list[tuple[Depth, Depth, bool]]) -> None:
    for depth, expected, wrong in events:
        level = trust.after(level, depth, expected, wrong)
        assert trust.LOWEST <= level <= trust.HIGHEST


@given(LEVELS)
def test_only_what_was_expected_and_right_raises_trust(level: float) -> None:
    for depth, expected, wrong in product(ATTEMPTS, Depth, (False, True)):
        after = trust.after(level, depth, expected, wrong)
        if depth == expected and not wrong:
            assert after >= level
        else:
            assert after <= level


@given(LEVELS, LEVELS)
def test_who_trusted_more_before_does_so_after(one: float, other: float) -> None:
    low, high = min(one, other), max(one, other)
    for depth, expected, wrong in product(ATTEMPTS, Depth, (False, True)):
        assert trust.after(low, depth, expected, wrong) <= trust.after(high, depth, expected, wrong) + 1e-12


@given(LEVELS)
def test_going_too_far_costs_at_least_as_much_as_stopping_short(level: float) -> None:
    assert trust.after(level, EXECUTE, SUGGEST, False) <= trust.after(level, SUGGEST, EXECUTE, False)


@pytest.mark.parametrize("limit", [trust.LOWEST, trust.HIGHEST])
def test_the_ends_of_the_scale_are_at_rest(limit: float) -> None:
    move = (SUGGEST, SUGGEST) if limit == trust.HIGHEST else (EXECUTE, SUGGEST)
    assert trust.after(limit, *move, False) == limit
