"""Which weeks a run trains on and is evaluated on."""

from dataclasses import dataclass
from typing import Any

import gymnasium as gym

from proactivity_gym.envs import registration
from proactivity_gym.sim.parsing import ScenarioError
from proactivity_gym.sim.spelling import suggestion
from proactivity_gym.train.run_directory import RunError
from proactivity_gym.train.vector import RowVecEnv
from proactivity_gym.wrappers import FlatActions

TEST = "test"
"""The stream of weeks that nothing is trained on."""


@dataclass
class Weeks:
    """What the weeks are: arguments of the environment."""

    env_id: str = "ProactivityGym/Travel-PersonaB-v0"
    """Id of the environment."""
    scenario: str | None = None
    """For Mixed: scenarios to draw from, with commas; all by default."""
    persona: str | None = None
    """For Mixed: personas to draw from, with commas; all by default."""
    variation: str = "train"
    """Stream of weeks to train on: train, or written for the one written week."""
    difficulty: str = "standard"
    """easy, standard or hard: of the weeks to train on and to be evaluated on."""
    weights: tuple[float, float, float] = (1 / 3, 1 / 3, 1 / 3)
    """Weights of TC, TA and TR in the reward."""
    user: str = "deterministic"
    """deterministic or stochastic."""
    worker: str = "reference"
    """Who does the work of jobs."""

    def training(self, count: int, flat: bool, frames: int = 1) -> RowVecEnv:
        """Return environments to train on, with one number per action (`flat`) or three, and so many observations at a time.

        Raises:
            RunError: an argument is none that the environment takes, or the weeks are those to be evaluated on.
        """
        if self.variation == TEST:
            raise RunError(f"--variation {TEST}: policies are evaluated on these weeks: train on train, or on written.")
        return self._environments(self.variation, count, flat, frames)

    def held_out(self, count: int, flat: bool, frames: int = 1) -> RowVecEnv:
        """Return environments to evaluate on.

        Raises:
            RunError: an argument is none that the environment takes.
        """
        return self._environments(TEST, count, flat, frames)

    def _environments(self, variation: str, count: int, flat: bool, frames: int) -> RowVecEnv:
        if count < 1:
            raise RunError(f"{count} environments: at least one is needed.")
        return RowVecEnv([self._environment(variation, flat) for _ in range(count)], frames)

    def _environment(self, variation: str, flat: bool) -> gym.Env[Any, Any]:
        if self.env_id not in registration.ids():
            raise RunError(f"--env-id {self.env_id}: no such id{suggestion(self.env_id, registration.ids())}: see `pgym list`.")
        drawn = {name: value for name in ("scenario", "persona") if (value := getattr(self, name)) is not None}
        if drawn and self.env_id != registration.MIXED_ID:
            # The environment would take them, and train on other weeks than the id, which names the run, says.
            raise RunError(
                f"--{next(iter(drawn))}: {self.env_id} names its own: give it with --env-id {registration.MIXED_ID}."
            )
        given: dict[str, Any] = {
            "weights": self.weights,
            "user": self.user,
            "worker": self.worker,
            "difficulty": self.difficulty,
            **drawn,
        }
        try:
            env = gym.make(self.env_id, disable_env_checker=True, variation=variation, **given)
            env.reset(seed=0)  # a worker is looked up here
        except (ValueError, ScenarioError) as error:
            raise RunError(f"{self.env_id}: {error}") from error
        return FlatActions(env) if flat else env
