"""Policies that were learned: a model saved by stable-baselines3 or sb3-contrib acts as any other policy.

Models may see the environment's Dict or one row of numbers, act in three parts or by one number, be masked or not, and be
recurrent. They choose the action that they think best; nothing is drawn.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces

from proactivity_gym.baselines import learned_file
from proactivity_gym.baselines.learned_file import TRUSTED, LearnedError
from proactivity_gym.baselines.learned_view import frames_in, masks_of, push, row_space, write_row
from proactivity_gym.baselines.policy import WAIT, Action, Observation, Read
from proactivity_gym.wrappers.flat_actions import unflatten

ENDING = ".zip"
"""How the names of learned policies end: they are paths of model files."""
_NEEDED = ("torch", "stable_baselines3", "sb3_contrib")


def is_learned(name: str) -> bool:
    """Tell whether the name of a policy is that of a model's file."""
    return name.startswith(TRUSTED) or name.endswith(ENDING)


def load(name: str) -> "Learned":
    """Return the policy of a file: its path, with `trusted:` before it if its pickles may be run.

    Raises:
        LearnedError: the model cannot be used; the message says what to do.
    """
    missing = [package for package in _NEEDED if find_spec(package) is None]
    if missing:
        raise LearnedError(f"{name}: learned policies need {missing[0]}: pip install 'proactivity-gym[train]'")
    path = Path(name.removeprefix(TRUSTED))
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise LearnedError(f"{path}: {error.strerror}: give the path of a saved model") from error
    return Learned(_loaded(path, name.startswith(TRUSTED), changed))


@lru_cache(maxsize=8)
def _loaded(path: Path, trusted: bool, changed: int) -> Any:  # noqa: ANN401, ARG001 (either library's; a changed file is another)
    """Return the policy in a file, read once for many episodes."""
    return learned_file.unpickle(path) if trusted else learned_file.read(path)


class Learned:
    """Acts as a policy of stable-baselines3 or sb3-contrib thinks best."""

    def __init__(self, policy: Any) -> None:  # noqa: ANN401 (a policy of either library)
        """Take the policy; its spaces must be those of this project's environments."""
        self._policy = policy
        self._sees_rows = isinstance(policy.observation_space, spaces.Box)
        frames = frames_in(policy.observation_space.shape) if self._sees_rows else 1
        self._row = np.zeros(row_space(frames or 1).shape, np.float32)
        """The present observation, and those before it."""
        self._masked = hasattr(getattr(policy, "action_dist", None), "apply_masking")
        self._memory: Any = None
        """What a recurrent policy remembers."""
        self._first = True

    def reset(self, observation: Observation, info: Mapping[str, Any], seed: int, read: Read) -> None:
        """Start an episode with nothing remembered."""
        self._memory, self._first = None, True
        self._row[:] = 0.0

    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        """Return the best action."""
        row = self._row
        push(row)
        write_row(observation, row)
        masks: dict[str, Any] = {}
        if self._masked:
            masks["action_masks"] = masks_of(row[np.newaxis], self._policy.action_space)[0]
        seen = row if self._sees_rows else dict(observation)
        starts = np.array([self._first])
        chosen, self._memory = self._policy.predict(seen, self._memory, starts, deterministic=True, **masks)
        self._first = False
        action = unflatten(chosen) if isinstance(self._policy.action_space, spaces.Discrete) else chosen
        return WAIT if action is None else (int(action[0]), int(action[1]), int(action[2]))
