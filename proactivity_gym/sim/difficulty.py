"""Levels of difficulty: what they do to noise, to work and the user's own use, and to what is told of linked records.

No level moves a deadline, since texts name them; what a user expects is the same at all of them.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

Pick = Callable[[Sequence[float], float], float]
"""Chooses among an author's options by a number in [0, 1)."""


class Level(NamedTuple):
    """What one level does."""

    name: str
    noise: float
    """Factor on the chance that noise is there."""
    stretch: Pick
    """Chooses the factor on the work of a task."""
    overrun: Pick
    """Chooses by how much the user's own use of a resource differs from what is stated."""
    attached: bool
    """Whether the linked records that have appeared are read with the signal that brings them up."""
    told: bool
    """Whether links are told before they are read."""


def drawn(options: Sequence[float], u: float) -> float:
    """Choose evenly."""
    return options[int(u * len(options))]


def least(options: Sequence[float], _: float) -> float:
    """Choose the least."""
    return min(options)


def most(options: Sequence[float], _: float) -> float:
    """Choose the most."""
    return max(options)


EASY = Level("easy", 0.5, least, least, attached=True, told=True)
STANDARD = Level("standard", 1.0, drawn, drawn, attached=False, told=True)
HARD = Level("hard", float("inf"), most, most, attached=False, told=False)

LEVELS = {level.name: level for level in (EASY, STANDARD, HARD)}
DEFAULT = STANDARD.name
