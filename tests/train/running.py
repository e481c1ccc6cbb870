"""Small training runs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from proactivity_gym.train.run_directory import Keeping
from proactivity_gym.train.weeks import Weeks


def small(kind: Callable[..., Any], folder: Path, **settings: Any) -> Any:
    """Return the arguments of a run of a second or two."""
    weeks = Weeks(env_id="ProactivityGym/Mixed-v0", scenario="Travel,Education", user="stochastic")
    keeping = Keeping(folder, eval_every=1000, eval_weeks=2, checkpoint_every=256, progress=False)
    return kind(weeks, keeping, **{"total_timesteps": 1024, "num_envs": 4, "batch_size": 64, **settings})
