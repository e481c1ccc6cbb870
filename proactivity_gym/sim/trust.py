"""The trust law: how one noticed attempt moves the user's trust.

Trust t lies in [1, 5] and starts at 3.98. The coefficients are our fit of six published figures (paper, section 5.3 and
appendix G); the split between over- and under-intervention and the step for wrong content are ours (DESIGN.md).
"""

from proactivity_gym.sim.words import Depth

START = 3.98
LOWEST, HIGHEST = 1.0, 5.0

GAIN = 0.44
"""Share of the way to full trust that an aligned attempt with usable content goes."""
LOSS = 0.65
"""Share of the way to no trust that a misaligned attempt goes, before the split by direction."""
OVER, UNDER = 1.1, 0.9
"""Split of the loss: going too far costs more than stopping short."""
WRONG = 0.73
"""Loss for wrong content: 0.65 x 2.44 / 2.16, the ratio of the published rating gaps."""
UNNEEDED_OFFER = 0.30
"""Loss for an offer where nothing is needed."""

WITHDRAW_BELOW = 2.0
"""An over-intervention or wrong content that takes trust below this withdraws delegation for the topic."""
RESTORE_ABOVE = 3.5
"""Delegation comes back above this."""
UNREAD_BELOW = 1.3
"""Offers that answer no request are declined unread below this."""


_NOOP, _PREPARE, _EXECUTE = Depth.NOOP, Depth.PREPARE, Depth.EXECUTE


def after(trust: float, depth: Depth, expected: Depth, wrong: bool) -> float:
    """Return trust after the user noticed an attempt.

    Args:
        trust: level before, in [1, 5].
        depth: depth of the attempt, PREPARE or more.
        expected: depth expected when it was chosen; NOOP for noise and NOOP cases.
        wrong: whether its content is wrong.

    Returns:
        The level after, in [1, 5].
    """
    down = trust - LOWEST
    if expected == _NOOP:
        if depth == _PREPARE:
            return trust
        return trust - (LOSS * OVER if depth == _EXECUTE else UNNEEDED_OFFER) * down
    if wrong:
        return trust - WRONG * down
    if depth == expected:
        return trust + GAIN * (HIGHEST - trust)
    return trust - LOSS * (OVER if depth > expected else UNDER) * down
