"""The slot policy (`baselines.slot_policy`) as far as acting needs it, in numpy: models of the zoo run on it, without torch."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from proactivity_gym.baselines.learned_view import Row
from proactivity_gym.envs.layout import BOUNDS, COLUMN, WIDTH
from proactivity_gym.sim.words import MAX_SIGNALS
from proactivity_gym.wrappers.flat_actions import ACTIONS, WAYS

CONTEXT = BOUNDS["signals"].start
"""Numbers of a row of numbers that come before the signals."""
PRESENT = COLUMN["present"]
NEVER = -1e8
"""Logit of what is not to be chosen."""
CROWD = 4.0
"""Signals that are open when many are: the scale of sums over them."""

Array = npt.NDArray[np.float32]
Weights = Mapping[str, Array]

_LAYERS = {
    "row_in": (WIDTH, None),
    "context_to_row": (CONTEXT, None),
    "context_in": (CONTEXT, None),
    "sum_in": (None, None),
    "row_out": (None, None),
    "summary_to_row": (None, None),
    "row_head": (None, WAYS),
    "head": (None, 1),
}
"""Inputs and outputs of each layer; None: the width of the hidden ones."""


def shapes(hidden: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of all weights, by name, with so wide hidden layers."""
    found: dict[str, tuple[int, ...]] = {}
    for name, (inputs, outputs) in _LAYERS.items():
        found[f"{name}.weight"] = (outputs or hidden, inputs or hidden)
        found[f"{name}.bias"] = (outputs or hidden,)
    return found


class SlotActor:
    """What a trained slot policy thinks of every action."""

    def __init__(self, weights: Weights) -> None:
        """Take the weights of its layers, named and shaped as in `shapes`."""
        self._layers = {name: (weights[f"{name}.weight"].T.copy(), weights[f"{name}.bias"]) for name in _LAYERS}

    def logits(self, row: Row) -> Array:  # (257,)
        """Return the logits of all actions, in the order of `FlatActions`; those on empty slots are `NEVER`."""
        context, table = row[:CONTEXT], row[CONTEXT:].reshape(MAX_SIGNALS, WIDTH)
        where = np.flatnonzero(table[:, PRESENT])
        rows = np.tanh(self._dense("row_in", table[where]) + self._dense("context_to_row", context))
        summary = np.tanh(self._dense("context_in", context) + self._dense("sum_in", rows.sum(axis=0) / CROWD))
        seen = np.tanh(self._dense("row_out", rows) + self._dense("summary_to_row", summary))
        found = np.full(ACTIONS, NEVER, np.float32)
        found[:1] = self._dense("head", summary)
        found[1:].reshape(MAX_SIGNALS, WAYS)[where] = self._dense("row_head", seen)
        return found

    def _dense(self, name: str, values: Array) -> Array:
        weight, bias = self._layers[name]
        return values @ weight + bias
