"""Train a policy with sb3-contrib and look at its three scores on a week it has not seen.

python examples/sb3.py [timesteps]
"""

import sys

import gymnasium as gym
from sb3_contrib import MaskablePPO

import proactivity_gym  # noqa: F401 (registers the ids)


def main(timesteps: int) -> None:
    """Train on varied weeks, play a held-out one."""
    env = gym.make("ProactivityGym/Education-PersonaB-v0", variation="train")
    model = MaskablePPO("MultiInputPolicy", env, n_steps=512, seed=0)
    model.learn(timesteps)  # pyright: ignore[reportUnknownMemberType] (its callback is typed loosely)

    test = gym.make("ProactivityGym/Education-PersonaB-v0", variation="test")
    observation, info = test.reset(seed=0)
    over = False
    while not over:
        action, _ = model.predict(observation, action_masks=test.get_wrapper_attr("action_masks")())
        observation, _, over, _, info = test.step(action)
    for name in ("TC", "TA", "TR_D", "J"):
        print(f"{name:5} {info['terms'][name]:.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
