"""A run that is killed and resumed gives the model of an undisturbed one, bit for bit."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO

from proactivity_gym.train import maskable_ppo, ppo
from proactivity_gym.train.run_directory import CHECKPOINT, EPISODES, EVALUATIONS, MODEL
from tests.train.running import SMALL, keeping, weeks

STEPS = SMALL | {"total_timesteps": 2048, "n_steps": 32, "frames": 2}
ALGORITHMS: list[tuple[ModuleType, type[Any]]] = [(maskable_ppo, MaskablePPO), (ppo, PPO)]
_RUN = "import sys; from tests.train import test_resume; test_resume.run(*sys.argv[1:])"


def run(algorithm: str, folder: str) -> None:
    """Train in a process that may be killed."""
    module = {"maskable_ppo": maskable_ppo, "ppo": ppo}[algorithm]
    module.train(module.Args(weeks(), keeping(Path(folder)), **STEPS))


def kill_one(algorithm: str, folder: Path) -> None:
    """Start a run and kill it at a random moment after its first checkpoint."""
    command = [sys.executable, "-c", _RUN, algorithm, str(folder)]
    with subprocess.Popen(command, env=os.environ | {"OMP_NUM_THREADS": "1"}) as running:
        while not (folder / CHECKPOINT).exists():
            assert running.poll() is None, "it ended before its first checkpoint"
            time.sleep(0.01)
        time.sleep(random.random() / 2)
        running.send_signal(signal.SIGKILL)


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("module", "algorithm"), ALGORITHMS, ids=["maskable_ppo", "ppo"])
def test_a_killed_run_goes_on_bit_for_bit(module: ModuleType, algorithm: type[Any], tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    kill_one(module.ALGORITHM, killed)
    assert not (killed / MODEL).exists(), "it ended before it was killed"
    module.train(module.Args(resume=killed))
    module.train(module.Args(weeks(), keeping(whole), **STEPS))
    one, other = (algorithm.load(folder / MODEL).policy.state_dict() for folder in (whole, killed))
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)
    for name in (EPISODES, EVALUATIONS):
        assert rows_of(whole / name) == rows_of(killed / name)
