"""What learned policies see: an observation as one row of numbers, and which actions are worth choosing, read off it."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from proactivity_gym.envs.layout import BOUNDS, COLUMN, TOTAL, WIDTH
from proactivity_gym.sim.words import MAX_SIGNALS, Depth, Timing
from proactivity_gym.wrappers.flat_actions import WAYS

_CUTS = tuple(BOUNDS.items())
_PRESENT = BOUNDS["signals"].start + COLUMN["present"] + WIDTH * np.arange(MAX_SIGNALS)

Row = npt.NDArray[np.float32]  # (frames * TOTAL,)
Rows = npt.NDArray[np.float32]  # (N, frames * TOTAL)
Masks = npt.NDArray[np.bool_]  # (N, 257) or (N, 25)


def row_space(frames: int = 1) -> spaces.Box:
    """Return the space of an observation as one row, its keys in the order of `proactivity_gym.envs.layout`.

    With several frames the row goes on with the observations before it, newest first; before the first there are zeros.
    """
    return spaces.Box(-1.0, 1.0, (frames * TOTAL,), np.float32)


def frames_in(shape: object) -> int | None:
    """Return how many observations a row of some shape holds; None: it is no such row."""
    sizes = list(cast("Sequence[object]", shape)) if isinstance(shape, (tuple, list)) else []
    length = sizes[0] if len(sizes) == 1 else None
    return length // TOTAL if isinstance(length, int) and length > 0 and length % TOTAL == 0 else None


def push(rows: Rows) -> None:
    """Make room at the start of rows, or of one row, for the next observation: the oldest drops out."""
    rows[..., TOTAL:] = rows[..., :-TOTAL]


def write_row(observation: Mapping[str, npt.NDArray[np.float32]], row: Row) -> None:
    """Write an observation at the start of a row."""
    for key, cut in _CUTS:
        row[cut] = observation[key]


def row_of(observation: Mapping[str, npt.NDArray[np.float32]]) -> Row:
    """Return an observation as a row."""
    row = np.empty(TOTAL, np.float32)
    write_row(observation, row)
    return row


def masks_of(rows: Rows, action_space: gym.Space[Any]) -> Masks:
    """Return which actions are worth sampling, as the environment's `action_masks` says, from observations alone."""
    present = rows[:, _PRESENT] > 0  # (N, 16)
    always = np.ones((len(rows), 1), np.bool_)
    if isinstance(action_space, spaces.Discrete):
        return np.concatenate((always, np.repeat(present, WAYS, axis=1)), axis=1)
    return np.concatenate((always, present, np.ones((len(rows), len(Depth) + len(Timing)), np.bool_)), axis=1)
