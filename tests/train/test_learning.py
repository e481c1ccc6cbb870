"""Learning comes to something: 70,000 steps beat doing nothing and acting at random, on weeks that were never seen."""

from pathlib import Path

import gymnasium as gym
import pytest
from numpy import mean

from proactivity_gym.baselines import policy
from proactivity_gym.train import maskable_ppo
from proactivity_gym.train.run_directory import MODEL, Keeping
from proactivity_gym.train.weeks import Weeks

ENV_ID = "ProactivityGym/Travel-PersonaB-v0"
SEEDS = range(10)


def test_a_trained_policy_beats_random_and_nothing(tmp_path: Path) -> None:
    keeping = Keeping(tmp_path / "run", eval_weeks=4, progress=False)
    folder = maskable_ppo.train(maskable_ppo.Args(Weeks(ENV_ID), keeping, total_timesteps=70_000, seed=0))
    env = gym.make(ENV_ID, variation="test")
    scores = {
        name: mean([policy.play(policy.make(name, env), env, seed)[0] for seed in SEEDS])
        for name in (str(folder / MODEL), "random", "noop")
    }
    trained = scores[str(folder / MODEL)]
    assert scores["noop"] == pytest.approx(0.0, abs=1e-9)
    assert trained > 1.5 * scores["random"] > 0
