"""An observation and its action mask in one row of numbers, for libraries that know neither dicts nor masks."""

from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from proactivity_gym.envs.layout import BOUNDS, TOTAL
from proactivity_gym.wrappers.flat_actions import ACTIONS


class MaskedRow(gym.ObservationWrapper[Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Makes the observation a Box of 1797 float32: the mask of the 257 actions, then all keys in the order of `envs.layout`.

    1 stands for an action worth sampling. The mask travels with the observation, so it is batched, stored and replayed with it.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        """Wrap an environment in `FlatActions`.

        Raises:
            ValueError: its actions are not those of `FlatActions`.
        """
        if env.action_space != gym.spaces.Discrete(ACTIONS):
            raise ValueError(
                f"MaskedRow needs actions in Discrete({ACTIONS}), not {env.action_space}: wrap with FlatActions first"
            )
        gym.utils.RecordConstructorArgs.__init__(self)
        gym.ObservationWrapper.__init__(self, env)
        low = np.concatenate((np.zeros(ACTIONS, np.float32), np.full(TOTAL, -1.0, np.float32)))
        self.observation_space = gym.spaces.Box(low, 1.0, dtype=np.float32)

    def observation(self, observation: Mapping[str, npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:  # (1797,)
        """Return mask and observation as a row."""
        row = np.empty(ACTIONS + TOTAL, np.float32)
        row[:ACTIONS] = self.env.get_wrapper_attr("action_masks")()
        for key, cut in BOUNDS.items():
            row[ACTIONS + cut.start : ACTIONS + cut.stop] = observation[key]
        return row
