"""What holds for every wrapper: it is rebuilt, copied, batched, checked and seen through."""

import copy
import pickle
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

from tests.wrappers.worlds import EDUCATION, NAMES, Env, tiny, wrapped

every = pytest.mark.parametrize("name", NAMES)


def action(name: str, generator: np.random.Generator) -> object:
    """Draw an action, mostly legal."""
    return int(generator.integers(0, 60)) if name == "flat" else generator.integers(0, [5, 4, 4])


def tail(name: str, env: Env, seed: int) -> list[object]:
    """Play to the end; return what came."""
    generator, over, came = np.random.default_rng(seed), False, list[object]()
    while not over:
        observation, reward, over, _, info = env.step(action(name, generator))
        digest = observation if isinstance(observation, str) else [v.tolist() for v in observation.values()]
        came.append((digest, float(reward), info["terms"], info["action_error"]))
    return came


@every
def test_the_spec_rebuilds_it_with_its_arguments(name: str, tmp_path: Path) -> None:
    env = wrapped(name, tiny(user="stochastic"), tmp_path)
    assert env.spec is not None
    assert "object at" not in str(env.spec)
    again = gym.make(pickle.loads(pickle.dumps(env.spec)))
    assert again.spec == env.spec
    assert str(again) == str(env)
    assert re.match(r"<\w+<OrderEnforcing<", str(again))
    env.reset(seed=2)
    again.reset(seed=2)
    assert tail(name, env, 1) == tail(name, again, 1)


def test_all_of_them_on_each_other_are_rebuilt(tmp_path: Path) -> None:
    env = tiny()
    for name in NAMES:
        env = wrapped(name, env, tmp_path)
    assert env.spec is not None
    again = gym.make(env.spec)
    assert str(again).startswith("<FlatActions<TextView<EpisodeLog<JointReward<")
    assert again.get_wrapper_attr("weights").tc == 0.5
    observation, _ = again.reset(seed=0)
    assert observation in again.observation_space


@every
@pytest.mark.parametrize("copied", ["deepcopy", "pickle"])
def test_a_copy_goes_on_alike_and_alone(name: str, copied: str, tmp_path: Path) -> None:
    env = wrapped(name, tiny(user="stochastic"), tmp_path)
    env.reset(seed=1)
    for _ in range(3):
        env.step(action(name, np.random.default_rng(5)))
    twin: Env = copy.deepcopy(env) if copied == "deepcopy" else pickle.loads(pickle.dumps(env))
    after = tail(name, twin, 7)
    assert tail(name, env, 7) == after
    env.close()
    twin.close()


@every
@pytest.mark.parametrize("kind", [SyncVectorEnv, AsyncVectorEnv])
def test_vector_environments_take_it(name: str, kind: type[SyncVectorEnv] | type[AsyncVectorEnv], tmp_path: Path) -> None:
    def make() -> Env:
        return wrapped(name, gym.make(EDUCATION), tmp_path)

    many: Any = kind([make] * 2)
    one = wrapped(name, gym.make(EDUCATION), tmp_path)
    try:
        many.reset(seed=[0, 1])
        many.action_space.seed(0)
        steps = [many.step(many.action_space.sample()) for _ in range(80)]  # beyond the end of an episode
        assert all(rewards.dtype == np.float64 for _, rewards, *_ in steps)
        assert steps[-1][0] in many.observation_space
        masks = many.call("action_masks")
        assert len(masks) == 2
        assert len(masks[0]) == (257 if name == "flat" else 25)
        assert one.observation_space == many.single_observation_space
    finally:
        many.close()


@every
def test_masks_and_reads_are_reached_through_it(name: str, tmp_path: Path) -> None:
    env = gym.wrappers.RecordEpisodeStatistics(wrapped(name, tiny(), tmp_path))
    env.reset(seed=0)
    assert env.get_wrapper_attr("action_masks")().sum() == (1 if name == "flat" else 9)
    assert env.get_wrapper_attr("read")("files.read", {"id": "hours"})["id"] == "hours"


@every
def test_the_checkers_find_no_fault(name: str, tmp_path: Path) -> None:
    env = wrapped(name, gym.make(EDUCATION, disable_env_checker=True), tmp_path)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r".*The environment .* is different from the unwrapped version", UserWarning)
        check_env(env, skip_render_check=True)
    if name != "text":  # stable-baselines3 has no texts
        from stable_baselines3.common.env_checker import check_env as check_for_sb3

        check_for_sb3(env)


@every
def test_maskable_ppo_finds_the_masks(name: str, tmp_path: Path) -> None:
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
    from stable_baselines3.common.vec_env import DummyVecEnv

    env = wrapped(name, tiny(), tmp_path)
    env.reset(seed=0)
    assert is_masking_supported(env)
    width = 257 if name == "flat" else 25
    assert get_action_masks(env).shape == (width,)
    if name != "text":
        many = DummyVecEnv([lambda: env])
        many.reset()
        assert get_action_masks(many).shape == (1, width)


def test_importing_them_is_cheap() -> None:
    heavy = "{'pydantic', 'torch', 'stable_baselines3', 'sb3_contrib', 'openai', 'proactivity_gym.envs.env'}"
    code = f"import sys, proactivity_gym.wrappers; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
