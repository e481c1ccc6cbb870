"""Evaluation on weeks that nothing was trained on: always the same ones, so that evaluations can be compared."""

# pyright: reportUnknownMemberType=false
# (the library's infos have no type parameters)

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from proactivity_gym.baselines.learned_view import Masks, Rows
from proactivity_gym.train.vector import RowVecEnv

FIRST_SEED = 1_000_000
"""Seed of the first held-out week; the others follow."""
SHOWN = ("J", "S_TC", "S_TA", "S_TR", "TC", "TA", "CQ", "TR_D", "TR_H", "over", "under", "unattempted")
COSTS = ("competing_minutes", "interruptions", "wasted_minutes", "false_alarms")


class Acting(Protocol):
    """What chooses actions for rows, the best of them, without drawing."""

    def __call__(self, rows: Rows, masks: Masks) -> npt.NDArray[np.int64]:
        """Return one action per row."""
        ...


class HeldOut:
    """The held-out weeks of a run."""

    def __init__(self, envs: RowVecEnv) -> None:
        """Take environments of the stream `test`, one per week."""
        self._envs = envs

    def evaluate(self, act: Acting) -> dict[str, float | None]:
        """Play one episode of each and return the mean of every term (None: no episode has it)."""
        envs = self._envs
        envs.seed(FIRST_SEED)
        rows = envs.reset()
        first: dict[int, dict[str, Any]] = {}
        while len(first) < envs.num_envs:
            rows = envs.step(act(np.asarray(rows), envs.action_masks()))[0]
            for episode in envs.drained()[0]:
                first.setdefault(episode["env"], episode)
        return means(list(first.values()))


def means(episodes: list[dict[str, Any]]) -> dict[str, float | None]:
    """Return the mean of every term over episodes that have it, and of their lengths."""
    found: dict[str, float | None] = {}
    for name in ("length", *SHOWN, *COSTS):
        values = [episode[name] for episode in episodes if episode[name] is not None]
        found[name] = float(np.mean(values)) if values else None
    return found
