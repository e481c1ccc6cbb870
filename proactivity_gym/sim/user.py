"""The simulated user's decision about an offer: a utility, and an ordered rule over it.

The logits reproduce the acceptances and preferences of the paper's human study (section 5.3); which figure each answers is
said in `examples/human_study.py`, which computes them from this module.
"""

from dataclasses import dataclass
from math import exp

from proactivity_gym.sim import trust
from proactivity_gym.sim.words import Depth, Reaction, Timing

BASE_LATER = 3.79
"""An offer from work done in sleep time or a gap, at a free moment: 97.8 % accept it."""
BASE_NOW = 3.20
"""An offer made and delivered at once: 64.4 % prefer the former."""
COMPETES = -4.21
"""It competes with ongoing work: 26.7 % accept."""
WRONG = -2.75
"""Its content is wrong: 92.2 % prefer right content."""
DEEPER = -3.50
SHALLOWER = -1.15
"""Its depth is not the expected one: 88.3 % prefer aligned depth at equal content."""
TRUST_SLOPE = 0.8
"""Logits per point of trust away from the start; ours."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What the user can tell of an offer."""

    timing: Timing
    depth: Depth
    expected: Depth
    """NOOP: nothing is needed here."""
    wrong: bool
    competes: bool
    asked: bool
    """Whether it answers a request."""


def utility(offer: Offer, level: float) -> float:
    """Return the utility of an offer in logits, at trust `level` in [1, 5]."""
    u = BASE_NOW if offer.timing == Timing.NOW else BASE_LATER
    if offer.competes:
        u += COMPETES
    if offer.wrong:
        u += WRONG
    if offer.depth > offer.expected:
        u += DEEPER
    elif offer.depth < offer.expected:
        u += SHALLOWER
    return u + TRUST_SLOPE * (level - trust.START)


def acceptance(u: float) -> float:
    """Return the probability in [0, 1] that an offer of utility `u` is accepted."""
    return 1.0 / (1.0 + exp(-u))


def answer(offer: Offer, level: float, free_moment: bool, draw: float | None = None) -> Reaction:
    """Decide about an offer that is being read (or, below the lowest trust, is not).

    Args:
        offer: the offer; at a second presentation without `competes`.
        level: the user's trust.
        free_moment: whether a free moment is left before the deadline.
        draw: a number in [0, 1) for the stochastic user; None takes the sign of the utility.

    Returns:
        APPROVE, DECLINE or DEFER.
    """
    if unread(offer, level) or offer.expected == Depth.NOOP:
        return Reaction.DECLINE
    u = utility(offer, level)
    if u > 0 if draw is None else draw < acceptance(u):
        return Reaction.APPROVE
    only_because_it_competes = offer.competes and u - COMPETES > 0
    return Reaction.DEFER if only_because_it_competes and free_moment else Reaction.DECLINE


def unread(offer: Offer, level: float) -> bool:
    """Tell whether the user turns the offer down without reading it."""
    return level < trust.UNREAD_BELOW and not offer.asked
