"""The paper's human study (section 5.3, appendix G), put through the simulated user.

Nothing of ours is typed in: trust comes from `sim.trust`, acceptances and preferences from `sim.user`. Where the study
has people meet both kinds of misalignment, over- and under-intervention count half and half.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Literal

from proactivity_gym.sim import trust, user
from proactivity_gym.sim.user import Offer
from proactivity_gym.sim.words import Depth, Timing

Unit = Literal["points", "share", "people", "ratio"]
Kind = Literal["calibrated", "not used in the fit"]

STEP_TOLERANCE = 0.05
"""Points on the scale from 1 to 5 that a calibrated trust figure may be off."""
RATE_TOLERANCE = 0.03
"""What a calibrated rate may be off."""

SEQUENCES = ("AAA", "MMM", "AMA", "MAM")
"""Aligned (A) and misaligned (M) interventions, trust being rated after each. Our assumption: the paper only names
consistent, repeatedly misaligned and mixed logs."""
MISALIGNED = "OU"
"""M is over-intervention (O) in half of the cases and under-intervention (U) in the other half."""

OVER = (Depth.EXECUTE, Depth.SUGGEST)
"""Depth and expected depth where approval was required."""
UNDER = (Depth.SUGGEST, Depth.EXECUTE)
"""Depth and expected depth where execution was delegated."""
DEPTHS = {"A": (Depth.SUGGEST, Depth.SUGGEST), "O": OVER, "U": UNDER}

SLEPT = Offer(Timing.SLEEP, *DEPTHS["A"], wrong=False, competes=False, asked=False)
"""Right help at the right depth, made in sleep time and met at a free moment: the offer that others are variants of."""
AT_ONCE = replace(SLEPT, timing=Timing.NOW)
COMPETING = replace(AT_ONCE, competes=True)
INCOMPLETE = replace(SLEPT, wrong=True)

RESPONSES = 90
"""Answers to the pair of immediate and deferred help: 30 people, 3 scenarios."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One published figure beside ours."""

    name: str
    published: float
    ours: float
    unit: Unit
    kind: Kind
    tolerance: float | None
    """How far ours may be off; None where nothing was fitted."""
    how: str
    """How ours is computed."""
    source: str
    """Where the paper has it."""

    @property
    def holds(self) -> bool:
        """Whether ours is within the tolerance, if there is one."""
        return self.tolerance is None or abs(self.ours - self.published) <= self.tolerance


def figures() -> list[Figure]:
    """Return every figure of the study that the simulated user has an answer to, calibrated ones first."""
    return [*_trust_figures(), *_rate_figures(), *_preference_figures(), *_held_out_figures()]


# Trust


def levels(history: str) -> list[float]:
    """Return trust in [1, 5] after each intervention of a history of A, O and U, with all consequences of trust.

    Of these only one bears on the law: below 1.3 an offer is turned down unread, so it moves nothing. Withdrawn
    delegation changes which depth is the aligned one, not what meeting or missing it does.
    """
    level, found = trust.START, list[float]()
    for letter in history:
        depth, expected = DEPTHS[letter]
        read = depth != Depth.SUGGEST or not user.unread(replace(SLEPT, depth=depth, expected=expected), level)
        level = trust.after(level, depth, expected, wrong=False) if read else level
        found.append(level)
    return found


def histories(sequence: str) -> list[str]:
    """Return what a sequence of A and M stands for: every way in which its M are O or U."""
    return ["".join(letters) for letters in product(*(MISALIGNED if s == "M" else s for s in sequence))]


def ratings(sequence: str) -> list[float]:
    """Return mean trust after each intervention of a sequence of A and M."""
    return [_mean(column) for column in zip(*map(levels, histories(sequence)), strict=True)]


def step(pair: str) -> float:
    """Return the mean change of trust from one rating to the next where they follow `pair` (AM: A, then M)."""
    found = [
        after - before
        for sequence in SEQUENCES
        for (before, after), letters in zip(pairwise(ratings(sequence)), pairwise(sequence), strict=True)
        if "".join(letters) == pair
    ]
    return _mean(found)


def _trust_figures() -> list[Figure]:
    published = {"AM": (-1.86, "5.3"), "MA": (1.27, "5.3"), "AA": (0.17, "G.5"), "MM": (-0.44, "G.5")}
    how = "mean change between ratings"
    found = [
        _fitted(f"trust step {a} to {m}", figure, step(a + m), how, source) for (a, m), (figure, source) in published.items()
    ]
    first, *_, last = ratings("AMA")
    how = "mean trust over AOA and AUA"
    return [
        *found,
        _fitted("trust after the first of A-M-A", 4.43, first, how, "5.3"),
        _fitted("trust after the last of A-M-A", 3.43, last, how, "5.3"),
    ]


def _fitted(name: str, published: float, ours: float, how: str, source: str) -> Figure:
    return Figure(name, published, ours, "points", "calibrated", STEP_TOLERANCE, how, source)


# Acceptances and preferences


def accepts(offer: Offer) -> float:
    """Return the share of people who accept an offer, at the trust that they start with."""
    return user.acceptance(user.utility(offer, trust.START))


def prefers(one: Offer, other: Offer) -> float:
    """Return the share of people who choose one offer over another."""
    return user.acceptance(_gap(one, other))


def _gap(one: Offer, other: Offer) -> float:
    return user.utility(one, trust.START) - user.utility(other, trust.START)


def _rate(name: str, published: float, ours: float, how: str, source: str) -> Figure:
    return Figure(name, published, ours, "share", "calibrated", RATE_TOLERANCE, how, source)


def _rate_figures() -> list[Figure]:
    both = prefers(SLEPT, AT_ONCE)
    return [
        _rate("accept rough sleep-time help", 0.978, accepts(SLEPT), "sigmoid u(slept)", "5.3"),
        _rate("accept help that competes", 0.267, accepts(COMPETING), "sigmoid u(at once, competes)", "5.3"),
        _rate("prefer sleep time to at once", 0.644, both, "sigmoid [u(slept) - u(at once)]", "5.3"),
    ]


def _preference_figures() -> list[Figure]:
    right = prefers(SLEPT, INCOMPLETE)
    aligned = _mean(prefers(_aligned(way), _misaligned(way)) for way in (OVER, UNDER))
    over, under = (prefers(replace(_aligned(way), wrong=True), _misaligned(way)) for way in (OVER, UNDER))
    how = "sigmoid [u(aligned, wrong) - u({}, right)]"
    return [
        _rate("prefer right content", 0.922, right, "sigmoid [u(right) - u(wrong)]", "5.3"),
        _rate("prefer aligned depth", 0.883, aligned, "sigmoid [u(aligned) - u(misaligned)], mean of both ways", "5.3"),
        _rate("aligned, incomplete; approval required", 0.683, over, how.format("deeper"), "G.5"),
        _rate("aligned, incomplete; execution delegated", 0.150, under, how.format("shallower"), "G.5"),
    ]


def _aligned(way: tuple[Depth, Depth]) -> Offer:
    return replace(SLEPT, depth=way[1], expected=way[1])


def _misaligned(way: tuple[Depth, Depth]) -> Offer:
    return replace(SLEPT, depth=way[0], expected=way[1])


# Not used in the fit


def _held_out_figures() -> list[Figure]:
    slept, at_once = accepts(SLEPT), accepts(COMPETING)
    flips = RESPONSES * (1 - at_once) * slept
    content = _gap(SLEPT, INCOMPLETE)
    depth = _mean(_gap(_aligned(way), _misaligned(way)) for way in (OVER, UNDER))
    return [
        _held_out("accept correct sleep-time help", 0.944, slept, "share", "sigmoid u(slept)"),
        _held_out("gain over help that competes", 0.677, slept - at_once, "share", "difference of the two acceptances"),
        _held_out(f"flips to accept, of {RESPONSES}", 63, flips, "people", "90 P(reject competing) P(accept slept)"),
        _held_out(
            "rating gap, content over depth",
            2.44 / 2.16,
            content / depth,
            "ratio",
            "ratio of gaps in u",
        ),
    ]


def _held_out(name: str, published: float, ours: float, unit: Unit, how: str) -> Figure:
    return Figure(name, published, ours, unit, "not used in the fit", None, how, "G.5")


def _mean(values: Iterable[float]) -> float:
    kept: Sequence[float] = list(values)
    return sum(kept) / len(kept)
