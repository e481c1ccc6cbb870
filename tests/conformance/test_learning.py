"""D1, B06, B12: the algorithms of stable-baselines3 learn on every id, with no wrapper of the user's own."""

from collections.abc import Callable
from typing import Any

import gymnasium as gym
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env

from tests.conformance.drivers import IDS

Algorithm = Callable[..., Any]
STEPS = 2048
ENVS = 16
"""Together they spend less time in torch than one after the other."""
SMALL: dict[str, Any] = {"batch_size": STEPS, "n_epochs": 1, "policy_kwargs": {"net_arch": [8]}, "device": "cpu", "seed": 0}


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def learn(algorithm: Algorithm, env: object, rollout: int) -> None:
    """Learn and see that it came to something."""
    model = algorithm("MultiInputPolicy", env, n_steps=rollout, **SMALL)
    before = [parameter.clone() for parameter in model.policy.parameters()]
    model.learn(STEPS)
    after = list(model.policy.parameters())
    assert model.num_timesteps == STEPS
    assert all(parameter.isfinite().all() for parameter in after)
    assert any(not torch.equal(one, other) for one, other in zip(before, after, strict=True))


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.parametrize("algorithm", [PPO, MaskablePPO])
def test_it_learns(env_id: str, algorithm: Algorithm) -> None:
    envs = make_vec_env(env_id, ENVS, seed=0, env_kwargs={"variation": "train"})
    learn(algorithm, envs, STEPS // ENVS)
    envs.close()


@pytest.mark.parametrize("algorithm", [PPO, MaskablePPO])
def test_it_learns_on_what_make_returns(algorithm: Algorithm) -> None:
    learn(algorithm, gym.make(IDS[0]), STEPS)
