"""Folders of runs that have ended, made without training."""

import json
from pathlib import Path
from typing import Any

from sb3_contrib import MaskablePPO

from proactivity_gym.baselines.slot_policy import MaskableSlotPolicy
from proactivity_gym.train.run_directory import CONFIG, EVALUATIONS, MODEL, RunDirectory
from proactivity_gym.train.weeks import Weeks

TRAVEL_B = "ProactivityGym/Travel-PersonaB-v0"
MIXED = "ProactivityGym/Mixed-v0"


def made(folder: Path, env_id: str = TRAVEL_B, seed: int = 1, steps: int = 100, **weeks: str) -> Path:
    """Make the folder of a run whose small network nobody trained, with two evaluations."""
    folder.mkdir(parents=True)
    drawn = {"env_id": env_id, "scenario": None, "persona": None, **weeks}
    config = {"algorithm": "maskable_ppo", "weeks": drawn, "total_timesteps": steps, "seed": seed, "keeping": {"run_dir": "x"}}
    (folder / CONFIG).write_text(json.dumps({**config, "resume": None}))
    network(seed).save(folder / MODEL)
    RunDirectory(folder).append(EVALUATIONS, [{"timesteps": 0, "J": 0.1}, {"timesteps": steps, "J": 0.5}])
    return folder


def network(seed: int = 1, flat: bool = True) -> Any:  # noqa: ANN401 (the library's algorithm)
    """Return a model with a narrow network."""
    envs = Weeks().training(1, flat)
    return MaskablePPO(MaskableSlotPolicy, envs, device="cpu", seed=seed, policy_kwargs={"hidden": 8})
