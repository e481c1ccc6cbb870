"""How fast training is: as a share of what it would be if the environment cost nothing (`make bench`).

The same MaskablePPO trains on 64 environments and on a recording of them, which answers any action with what was seen before.
Time is processor time of this process; told are medians of pairs measured in turn.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# (the library's spaces, infos and counts have no types)

from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt
from sb3_contrib import MaskablePPO

from proactivity_gym.baselines.learned_view import masks_of
from proactivity_gym.baselines.slot_policy import MaskableSlotPolicy
from proactivity_gym.train import maskable_ppo, script
from proactivity_gym.train.vector import RowVecEnv
from proactivity_gym.train.weeks import Weeks

SETTINGS = maskable_ppo.Args()
RUNS = 5
ROLLOUTS = 4
"""Of each run; as many are recorded."""
TARGET = 0.45

Stepped = tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]


def main() -> None:
    """Print both speeds and the share."""
    script.set_up_torch(1)
    real, free = speeds()
    steps = SETTINGS.num_envs * SETTINGS.n_steps * ROLLOUTS
    share = median(freely / really for really, freely in zip(real, free, strict=True))
    print(f"training with {SETTINGS.num_envs} environments: {steps / median(real):8.0f} steps/s")
    print(f"the same on recorded observations:  {steps / median(free):8.0f} steps/s")
    print(f"share: {share:.2f} (target: at least {TARGET}) {'ok' if share >= TARGET else 'MISSED'}")


def speeds() -> tuple[list[float], list[float]]:
    """Return seconds of each run with real environments, and of each with recorded ones."""
    envs = Weeks().training(SETTINGS.num_envs, flat=True)
    envs.seed(0)
    model = model_on(envs)
    recording = record(envs)
    seconds: tuple[list[float], list[float]] = [], []
    for _ in range(RUNS):
        seconds[0].append(timed(lambda: learn(model)))
        seconds[1].append(timed(lambda: played_back(envs, recording, model)))
    return seconds


def model_on(envs: RowVecEnv) -> MaskablePPO:
    """Return a model with the settings of the training script."""
    return MaskablePPO(
        MaskableSlotPolicy,
        envs,
        n_steps=SETTINGS.n_steps,
        batch_size=SETTINGS.batch_size,
        n_epochs=SETTINGS.n_epochs,
        seed=0,
        device="cpu",
    )


def learn(model: MaskablePPO) -> None:
    """Train for a few rollouts."""
    model.learn(SETTINGS.num_envs * SETTINGS.n_steps * ROLLOUTS, reset_num_timesteps=False)


def record(envs: RowVecEnv) -> list[Stepped]:
    """Play at random among open signals, and keep what was seen."""
    generator = np.random.default_rng(0)
    envs.reset()
    kept: list[Stepped] = []
    for _ in range(SETTINGS.n_steps * ROLLOUTS):
        drawn = generator.random(envs.action_masks().shape)
        stepped: Any = envs.step(np.where(envs.action_masks(), drawn, -1.0).argmax(axis=1))
        kept.append(stepped)
    envs.drained()
    return kept


def played_back(envs: RowVecEnv, recording: list[Stepped], model: MaskablePPO) -> None:
    """Train for a few rollouts while the environments play back what was recorded."""
    step, masks = envs.step_wait, envs.action_masks
    position = -1

    def recorded() -> Stepped:
        nonlocal position
        position = (position + 1) % len(recording)
        return recording[position]

    envs.step_wait = recorded
    envs.action_masks = lambda: masks_of(recording[position][0], envs.action_space)
    try:
        learn(model)
    finally:
        envs.step_wait, envs.action_masks = step, masks


def timed(play: Callable[[], None]) -> float:
    """Return the processor time that something takes."""
    start = process_time()
    play()
    return process_time() - start


if __name__ == "__main__":
    main()
