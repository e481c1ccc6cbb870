"""Rewards of other weights."""

from collections.abc import Mapping
from typing import Any, SupportsFloat

import gymnasium as gym

from proactivity_gym.sim.scoring import Terms, Weights, joint


class JointReward(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Pays J = tc S_TC + ta S_TA + tr S_TR as it settles, whatever weights the environment was made with.

    The undiscounted sum of an episode's rewards is J of these weights; `info["terms"]["J"]` says J so far. Every other
    term is left as it is.
    """

    def __init__(self, env: gym.Env[Any, Any], *, tc: float, ta: float, tr: float) -> None:
        """Take the weights of task completion, timing and trust: positive, summing to 1.

        Raises:
            ValueError: they are no weighting.
        """
        try:
            self.weights = Weights(float(tc), float(ta), float(tr))
        except TypeError as error:
            raise ValueError(f"weights must be numbers, not tc={tc!r}, ta={ta!r}, tr={tr!r}") from error
        weights = self.weights
        gym.utils.RecordConstructorArgs.__init__(self, tc=weights.tc, ta=weights.ta, tr=weights.tr)
        gym.Wrapper.__init__(self, env)
        self._joint = 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new week."""
        observation, info = self.env.reset(seed=seed, options=options)
        info = self._weighted(info)
        self._joint = info["terms"]["J"]
        return observation, info

    def step(self, action: object) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Act, and be paid what J has gained."""
        observation, _, terminated, truncated, info = self.env.step(action)
        info = self._weighted(info)
        before, self._joint = self._joint, info["terms"]["J"]
        return observation, self._joint - before, terminated, truncated, info

    def _weighted(self, info: Mapping[str, Any]) -> dict[str, Any]:
        """Return a copy of an info with J of these weights."""
        terms: Terms | None = info.get("terms")
        if terms is None:
            raise ValueError('JointReward needs info["terms"]: wrap an environment of proactivity_gym with it')
        return {**info, "terms": {**terms, "J": joint((terms["S_TC"], terms["S_TA"], terms["S_TR"]), self.weights)}}
