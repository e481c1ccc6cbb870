"""D1 at its release figure: four algorithms learn on every id, with no wrapper of the user's own."""

from collections.abc import Callable
from typing import Any

import gymnasium as gym
import pytest
from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C, DQN, PPO

from proactivity_gym.wrappers import FlatActions
from tests.conformance.drivers import IDS
from tests.reliability.figures import RELEASE

pytestmark = pytest.mark.reliability


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.parametrize("algorithm", [PPO, MaskablePPO, A2C, DQN])
def test_it_learns_as_it_comes(env_id: str, algorithm: Callable[..., Any]) -> None:
    env = gym.make(env_id, variation="train")
    model = algorithm("MultiInputPolicy", FlatActions(env) if algorithm is DQN else env, device="cpu", seed=0)
    model.learn(RELEASE.learning_steps)
    assert model.num_timesteps >= RELEASE.learning_steps
    assert all(bool(parameter.isfinite().all()) for parameter in model.policy.parameters())
