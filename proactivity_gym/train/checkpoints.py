"""Checkpoints between rollouts, from which a killed run goes on bit for bit.

A checkpoint is a pickle: it holds environments in mid-week and the state of every source of randomness. Unpickling runs what is
in a file, so resume only runs of your own.
"""

import pickle
import random
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback

from proactivity_gym.train.run_directory import CHECKPOINT, EPISODES, EVALUATIONS, RunDirectory, RunError, replace
from proactivity_gym.train.vector import RowVecEnv

_OF_MODEL = ("num_timesteps", "_n_updates", "_current_progress_remaining", "_last_obs", "_last_episode_starts")
"""What the library's on-policy algorithms carry from one rollout to the next, beside networks and environments."""

_DAMAGES = (pickle.UnpicklingError, EOFError, AttributeError, ImportError, LookupError, TypeError, ValueError, RuntimeError)
"""What loading raises when a file was changed, cut off, or made by other code."""


class Checkpoint(BaseCallback):
    """Writes a checkpoint between rollouts, every so many timesteps."""

    def __init__(self, envs: RowVecEnv, run: RunDirectory, every: int) -> None:
        """Take how often."""
        super().__init__()
        self._envs, self._run, self._every = envs, run, every
        self.due = every
        """Timesteps at which the next one is due."""

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self.num_timesteps < self.due:
            return
        self.due = self.num_timesteps + self._every
        state = {name: getattr(self.model, name) for name in _OF_MODEL}
        networks = {"policy": self.model.policy.state_dict(), "optimizer": self.model.policy.optimizer.state_dict()}
        whole = {"model": state, **networks, "envs": self._envs.state(), "random": random_state()}
        replace(self._run.path(CHECKPOINT), pickle.dumps(whole))


def restore(model: Any, envs: RowVecEnv, run: RunDirectory) -> None:  # noqa: ANN401 (PPO or MaskablePPO)
    """Bring model, environments and randomness to the last checkpoint, if there is one, and forget the rows after it.

    Raises:
        RunError: the checkpoint cannot be read, or is of other settings.
    """
    path = run.path(CHECKPOINT)
    if path.exists():
        content = path.read_bytes()
        try:
            _bring(model, envs, pickle.loads(content))  # noqa: S301 (a run of one's own: see above)
        except _DAMAGES as error:
            why = str(error).partition("\n")[0]
            raise RunError(f"{path}: damaged, or of other settings or another version ({why}): start the run anew.") from error
    for name in (EPISODES, EVALUATIONS):
        run.cut(name, model.num_timesteps if path.exists() else -1)


def _bring(model: Any, envs: RowVecEnv, found: dict[str, Any]) -> None:  # noqa: ANN401 (PPO or MaskablePPO)
    """Bring model, environments and randomness to the state of a checkpoint."""
    for name in _OF_MODEL:
        setattr(model, name, found["model"][name])
    model.policy.load_state_dict(found["policy"])
    model.policy.optimizer.load_state_dict(found["optimizer"])
    envs.restore(found["envs"])
    set_random_state(found["random"])


def random_state() -> tuple[Any, ...]:
    """Return the state of every global source of randomness."""
    return random.getstate(), np.random.get_state(), torch.get_rng_state()


def set_random_state(state: tuple[Any, ...]) -> None:
    """Go back to a state."""
    random.setstate(state[0])
    np.random.set_state(state[1])
    torch.set_rng_state(state[2])
