from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from proactivity_gym.sim import trust, user
from proactivity_gym.sim.user import Offer
from proactivity_gym.sim.words import Depth, Reaction, Timing

GOOD = Offer(Timing.IDLE, Depth.SUGGEST, Depth.SUGGEST, wrong=False, competes=False, asked=False)
AT_ONCE = replace(GOOD, timing=Timing.NOW)
COMPETING = replace(AT_ONCE, competes=True)

DEPTHS = st.sampled_from([Depth.PREPARE, Depth.SUGGEST, Depth.EXECUTE])
LEVELS = st.floats(trust.LOWEST, trust.HIGHEST)
OFFERS = st.builds(
    Offer,
    timing=st.sampled_from(Timing),
    depth=DEPTHS,
    expected=DEPTHS,
    wrong=st.booleans(),
    competes=st.booleans(),
    asked=st.booleans(),
)


def decide(offer: Offer, level: float = trust.START, free_moment: bool = True, draw: float | None = None) -> Reaction:
    return user.answer(offer, level, free_moment, draw)


UTILITIES = {
    "after idle work": (GOOD, 3.79),
    "after sleep time": (replace(GOOD, timing=Timing.SLEEP), 3.79),
    "when due": (replace(GOOD, timing=Timing.DUE), 3.79),
    "at once": (AT_ONCE, 3.20),
    "competes": (COMPETING, -1.01),
    "wrong": (replace(GOOD, wrong=True), 1.04),
    "deeper": (replace(GOOD, expected=Depth.PREPARE), 0.29),
    "shallower": (replace(GOOD, expected=Depth.EXECUTE), 2.64),
    "everything": (replace(COMPETING, wrong=True, expected=Depth.PREPARE), -7.26),
}


@pytest.mark.parametrize(("offer", "expected"), UTILITIES.values(), ids=UTILITIES)
def test_utility_at_the_trust_of_the_start(offer: Offer, expected: float) -> None:
    assert user.utility(offer, trust.START) == pytest.approx(expected)


@pytest.mark.parametrize(("level", "expected"), [(4.98, 4.59), (3.98, 3.79), (1.48, 1.79), (1.0, 1.406)])
def test_trust_moves_utility(level: float, expected: float) -> None:
    assert user.utility(GOOD, level) == pytest.approx(expected)


def test_acceptance_is_a_sigmoid() -> None:
    assert user.acceptance(0.0) == 0.5
    assert user.acceptance(3.79) == pytest.approx(0.978, abs=0.0005)
    assert user.acceptance(3.20 - 4.21) == pytest.approx(0.267, abs=0.0005)


@given(st.floats(-30, 30))
def test_acceptances_of_opposite_utilities_add_up(u: float) -> None:
    assert user.acceptance(u) + user.acceptance(-u) == pytest.approx(1)


# The ordered rule


def test_a_good_offer_is_approved() -> None:
    assert decide(GOOD) == Reaction.APPROVE
    assert decide(AT_ONCE, free_moment=False) == Reaction.APPROVE


def test_below_the_lowest_trust_offers_go_unread_unless_asked_for() -> None:
    just_below = trust.UNREAD_BELOW - 1e-9
    assert decide(GOOD, just_below) == Reaction.DECLINE
    assert decide(GOOD, just_below, draw=0.0) == Reaction.DECLINE
    assert decide(GOOD, trust.UNREAD_BELOW) == Reaction.APPROVE
    assert decide(replace(GOOD, asked=True), just_below) == Reaction.APPROVE
    assert user.unread(GOOD, just_below)
    assert not user.unread(GOOD, trust.UNREAD_BELOW)
    assert not user.unread(replace(GOOD, asked=True), just_below)


@given(OFFERS, LEVELS, st.booleans(), st.none() | st.floats(0, 1, exclude_max=True))
def test_where_nothing_is_needed_every_offer_is_declined(
    offer: Offer, level: float, free_moment: bool, draw: float | None
) -> None:
    assert decide(replace(offer, expected=Depth.NOOP), level, free_moment, draw) == Reaction.DECLINE


def test_an_offer_is_put_off_only_because_it_competes_and_only_to_a_free_moment() -> None:
    assert decide(COMPETING) == Reaction.DEFER
    assert decide(COMPETING, free_moment=False) == Reaction.DECLINE
    assert decide(replace(COMPETING, wrong=True)) == Reaction.DEFER
    hopeless = replace(COMPETING, wrong=True, expected=Depth.PREPARE)
    assert decide(hopeless) == Reaction.DECLINE
    assert decide(replace(hopeless, competes=False)) == Reaction.DECLINE


def test_competing_help_is_approved_if_trust_outweighs_it() -> None:
    slept = replace(COMPETING, timing=Timing.SLEEP)
    assert user.utility(slept, trust.HIGHEST) > 0
    assert decide(slept, trust.HIGHEST) == Reaction.APPROVE


@given(OFFERS, LEVELS)
def test_a_second_presentation_is_never_put_off(offer: Offer, level: float) -> None:
    assert decide(replace(offer, competes=False), level) != Reaction.DEFER


@given(OFFERS, LEVELS)
def test_what_was_put_off_is_approved_when_it_is_presented_again(offer: Offer, level: float) -> None:
    if decide(offer, level) == Reaction.DEFER:
        assert decide(replace(offer, competes=False), level) == Reaction.APPROVE


def test_at_utility_zero_nobody_says_yes() -> None:
    zero = trust.START - user.BASE_LATER / user.TRUST_SLOPE
    assert user.utility(replace(GOOD, asked=True), zero) == pytest.approx(0, abs=1e-12)
    assert decide(replace(GOOD, asked=True), zero - 1e-9) == Reaction.DECLINE
    assert decide(replace(GOOD, asked=True), zero + 1e-9) == Reaction.APPROVE


# The stochastic user


@pytest.mark.parametrize(("offer", "failed"), [(GOOD, Reaction.DECLINE), (COMPETING, Reaction.DEFER)])
def test_a_draw_below_the_acceptance_approves(offer: Offer, failed: Reaction) -> None:
    rate = user.acceptance(user.utility(offer, trust.START))
    assert decide(offer, draw=rate - 1e-9) == Reaction.APPROVE
    assert decide(offer, draw=rate) == failed
    assert decide(offer, free_moment=False, draw=rate) == Reaction.DECLINE


@given(OFFERS, LEVELS, st.booleans())
def test_the_deterministic_user_answers_as_a_draw_of_one_half(offer: Offer, level: float, free_moment: bool) -> None:
    assume(abs(user.utility(offer, level)) > 1e-9)
    assert decide(offer, level, free_moment) == decide(offer, level, free_moment, draw=0.5)


# Acceptance is monotone in each attribute


@given(OFFERS, LEVELS)
def test_no_fault_makes_an_offer_more_welcome(offer: Offer, level: float) -> None:
    for better, worse in (
        (replace(offer, wrong=False), replace(offer, wrong=True)),
        (replace(offer, competes=False), replace(offer, competes=True)),
        (replace(offer, timing=Timing.SLEEP), replace(offer, timing=Timing.NOW)),
        (replace(offer, depth=offer.expected), offer),
    ):
        assert user.utility(better, level) >= user.utility(worse, level)


@given(OFFERS, st.lists(LEVELS, min_size=2).map(sorted))
def test_more_trust_never_makes_an_offer_less_welcome(offer: Offer, levels: list[float]) -> None:
    for low, high in pairwise(levels):
        assert user.utility(offer, low) <= user.utility(offer, high)


@given(OFFERS, LEVELS)
def test_going_too_far_is_worse_than_stopping_short(offer: Offer, level: float) -> None:
    over = replace(offer, depth=Depth.EXECUTE, expected=Depth.SUGGEST)
    under = replace(offer, depth=Depth.SUGGEST, expected=Depth.EXECUTE)
    assert user.utility(over, level) < user.utility(under, level)
