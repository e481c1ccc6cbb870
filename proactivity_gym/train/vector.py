"""Many environments as stable-baselines3 wants them, without what slows its own vector down.

An observation is one row of numbers, in the order of `proactivity_gym.envs.layout`, written in place; with several frames those
before it follow in the same row. Masks of all environments are read off the rows at once; infos are empty but at the end of an
episode. Measured, 64 environments: docs/training.md.
"""

# pyright: reportUnknownMemberType=false, reportUnknownParameterType=false, reportUnknownArgumentType=false
# (the library's spaces and infos have no type parameters)

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from stable_baselines3.common.env_util import is_wrapped
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from proactivity_gym.baselines.learned_view import Masks, Rows, masks_of, push, row_space, write_row


class RowVecEnv(VecEnv):
    """Steps environments one after the other; finished episodes start anew at once, as everywhere in stable-baselines3."""

    def __init__(self, envs: Sequence[gym.Env[Any, Any]], frames: int = 1) -> None:
        """Take environments of one action space, and how many observations a row holds."""
        self.envs = list(envs)
        self.metadata = envs[0].metadata
        space = row_space(frames)
        self._rows = np.zeros((len(envs), *space.shape), np.float32)
        self._returns = np.zeros(len(envs))
        self._lengths = np.zeros(len(envs), np.int64)
        self.finished: list[dict[str, Any]] = []
        """Episodes that ended since `drained`: the environment's number, return, length, and every term."""
        self._taken: list[npt.NDArray[np.int64]] = []
        super().__init__(len(envs), space, envs[0].action_space)

    def reset(self) -> Rows:
        """Start every environment anew, with the seeds that were set, if any."""
        self._rows[:] = 0.0
        for index, env in enumerate(self.envs):
            observation, self.reset_infos[index] = env.reset(seed=self._seeds[index])
            write_row(observation, self._rows[index])
        self._reset_seeds()
        self._returns[:] = 0.0
        self._lengths[:] = 0
        return self._rows.copy()

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = actions
        self._taken.append(actions)

    def step_wait(self) -> VecEnvStepReturn:
        """Step every environment."""
        rewards = np.zeros(self.num_envs, np.float32)
        dones = np.zeros(self.num_envs, np.bool_)
        infos: list[dict[str, Any]] = [{}] * self.num_envs
        push(self._rows)
        for index, env in enumerate(self.envs):
            observation, reward, dones[index], _, info = env.step(self._actions[index])
            rewards[index] = reward
            self._returns[index] += float(reward)
            if dones[index]:
                self._lengths[index] += 1
                observation, infos[index] = self._turn(index, observation, info)
            write_row(observation, self._rows[index])
        self._lengths += ~dones
        return self._rows.copy(), rewards, dones, infos

    def _turn(self, index: int, last: dict[str, npt.NDArray[np.float32]], info: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Note the episode that ended and start the next: its first observation, and the info of the last step."""
        told, length = float(self._returns[index]), int(self._lengths[index])
        self.finished.append({"env": index, "return": told, "length": length, **info["terms"]})
        self._returns[index], self._lengths[index] = 0.0, 0
        row = self._rows[index]
        write_row(last, row)
        ended = {"terminal_observation": row.copy(), "episode": {"r": told, "l": length, "t": 0.0}}
        row[:] = 0.0
        observation, self.reset_infos[index] = self.envs[index].reset()
        return observation, ended

    def drained(self) -> tuple[list[dict[str, Any]], npt.NDArray[np.int64]]:
        """Return the episodes that ended and the actions taken (N or (N, 3)) since this was last called."""
        finished, taken = self.finished, self._taken
        self.finished, self._taken = [], []
        return finished, np.concatenate(taken)

    def action_masks(self) -> Masks:
        """Return the masks of all environments."""
        return masks_of(self._rows, self.action_space)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute of environments."""
        return [self.envs[index].get_wrapper_attr(attr_name) for index in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:  # noqa: ANN401 (as in VecEnv)
        """Set an attribute of environments."""
        for index in self._get_indices(indices):
            self.envs[index].set_wrapper_attr(attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any) -> Any:  # noqa: ANN401
        """Call a method of environments; the masks of all come as one array."""
        if method_name == "action_masks" and indices is None:
            return self.action_masks()
        chosen = self._get_indices(indices)
        return [self.envs[index].get_wrapper_attr(method_name)(*method_args, **method_kwargs) for index in chosen]

    def env_is_wrapped(self, wrapper_class: type[gym.Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None) -> list[bool]:
        """Tell which environments have a wrapper."""
        return [is_wrapped(self.envs[index], wrapper_class) for index in self._get_indices(indices)]

    def close(self) -> None:
        """Close every environment."""
        for env in self.envs:
            env.close()

    def state(self) -> dict[str, Any]:
        """Return what a checkpoint must hold to go on from here; it can be pickled."""
        return {"envs": self.envs, "rows": self._rows, "returns": self._returns, "lengths": self._lengths}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state.

        Raises:
            ValueError: it is of another number of environments.
        """
        if len(state["envs"]) != self.num_envs:
            raise ValueError(f"{len(state['envs'])} environments, not {self.num_envs}")
        self.envs = state["envs"]
        self._rows, self._returns, self._lengths = state["rows"], state["returns"], state["lengths"]
