"""Whether it helps a policy to see earlier observations too: MaskablePPO on stacked frames, with what the libraries bring.

    python -m benchmarks.frames --id ProactivityGym/Living-PersonaA-v0 --frames 4 --steps 160000

Flattened observations, Gymnasium's frame stacking, sb3-contrib's MaskablePPO with its own plain network: nothing of this
project but the environment and `FlatActions`, which keeps masks. Told is J over held-out weeks.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# (the libraries' spaces and observations have no types)

from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean
from time import process_time
from typing import Any

import gymnasium as gym
import torch
import tyro
from gymnasium.wrappers import FlattenObservation, FrameStackObservation
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

import proactivity_gym  # noqa: F401  # pyright: ignore[reportUnusedImport] (it registers the ids)
from proactivity_gym.wrappers import FlatActions


@dataclass
class Setting:
    """What is trained, and for how long."""

    id: str = "ProactivityGym/Living-PersonaA-v0"
    frames: int = 4
    """Observations that the policy sees at a time, the present one included."""
    steps: int = 160_000
    envs: int = 64
    held_out: int = 40
    """Weeks of `test` that are played at the end."""
    seed: int = 1


def main(setting: Setting) -> None:
    """Train, play, and print a row of the table."""
    torch.set_num_threads(1)
    start = process_time()
    model = trained(setting)
    seconds = process_time() - start
    print(
        f"{setting.id}  frames {setting.frames}  steps {setting.steps}  J {joint(model, setting):.3f}  {seconds:.0f} s",
        flush=True,
    )


def trained(setting: Setting) -> MaskablePPO:
    """Train with the settings of `train.maskable_ppo`, but for the network."""
    envs = DummyVecEnv([_maker(setting, "train")] * setting.envs)
    envs.seed(setting.seed)
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        learning_rate=lambda left: 2e-3 * left,
        n_steps=32,
        batch_size=512,
        n_epochs=4,
        gamma=0.99,
        gae_lambda=0.95,
        ent_coef=0.02,
        policy_kwargs={"net_arch": [64, 64]},
        seed=setting.seed,
    )
    return model.learn(setting.steps)


def joint(model: MaskablePPO, setting: Setting) -> float:
    """Return the mean of J over held-out weeks."""
    env = _maker(setting, "test")()
    scores: list[float] = []
    for seed in range(1000, 1000 + setting.held_out):
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            masks = env.get_wrapper_attr("action_masks")()
            action, _ = model.predict(observation, action_masks=masks, deterministic=True)
            observation, _, over, _, info = env.step(int(action))
        scores.append(info["terms"]["J"])
    return fmean(scores)


def _maker(setting: Setting, variation: str) -> Callable[[], gym.Env[Any, Any]]:
    def make() -> gym.Env[Any, Any]:
        made: gym.Env[Any, Any] = FlatActions(FlattenObservation(gym.make(setting.id, variation=variation)))
        return FlattenObservation(FrameStackObservation(made, setting.frames)) if setting.frames > 1 else made

    return make


if __name__ == "__main__":
    main(tyro.cli(Setting))
