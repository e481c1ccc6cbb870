"""Small training runs."""

from pathlib import Path
from typing import Any

from proactivity_gym.train.run_directory import Keeping
from proactivity_gym.train.weeks import Weeks

SMALL: dict[str, Any] = {"total_timesteps": 1024, "num_envs": 4, "batch_size": 64}


def weeks() -> Weeks:
    """Return two scenarios, with a user who draws answers."""
    return Weeks(env_id="ProactivityGym/Mixed-v0", scenario="Travel,Education", user="stochastic")


def keeping(folder: Path) -> Keeping:
    """Return frequent looks and checkpoints, without a bar."""
    return Keeping(folder, eval_every=1000, eval_weeks=2, checkpoint_every=256, progress=False)
