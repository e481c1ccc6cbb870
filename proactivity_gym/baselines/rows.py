"""The signals of an observation, by name, as scripted policies read them."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from proactivity_gym.baselines.policy import Observation
from proactivity_gym.envs.layout import COLUMN, WIDTH
from proactivity_gym.sim.words import MAX_SIGNALS

Row = npt.NDArray[np.float32]  # (WIDTH,)

_PRESENT = COLUMN["present"]
_FRESH, _RETURNED = COLUMN["status is fresh"], COLUMN["status is returned"]


def signals(observation: Observation) -> Iterator[tuple[int, Row]]:
    """Yield target and row of every open signal."""
    table = observation["signals"].reshape(MAX_SIGNALS, WIDTH)
    for slot in np.flatnonzero(table[:, _PRESENT]):
        yield int(slot) + 1, table[slot]


def fresh(observation: Observation) -> Iterator[tuple[int, Row]]:
    """Yield target and row of every open signal that stands for the matter itself, not for an answer or a finished job."""
    for target, row in signals(observation):
        if row[_FRESH] or row[_RETURNED]:
            yield target, row
