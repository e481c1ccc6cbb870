"""Rewards of other weights."""

from collections.abc import Mapping
from typing import Any, SupportsFloat

import gymnasium as gym

from proactivity_gym.sim.scoring import Terms, Weights, joint

TRUSTS = ("depth", "judge")


class JointReward(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Pays J = tc S_TC + ta S_TA + tr S_TR as it settles, whatever weights the environment was made with.

    The undiscounted sum of an episode's rewards is J of these weights; `info["terms"]["J"]` says J so far. Every other
    term is left as it is.

    With `trust="judge"`, judged trust counts half of S_TR in J: S_TR' = (S_TR + (TR_J - 1) / 4) / 2, wherever an inner
    `TrustJudge` says TR_J, which is with the last step. Without a TR_J (before that, or where judges left all unscored),
    and by default (`trust="depth"`), S_TR counts alone.
    """

    def __init__(self, env: gym.Env[Any, Any], *, tc: float, ta: float, tr: float, trust: str = "depth") -> None:
        """Take the weights of task completion, timing and trust: positive, summing to 1; and what trust is.

        Raises:
            ValueError: they are no weighting; trust is neither "depth" nor "judge"; or nobody inside judges.
        """
        if trust not in TRUSTS:
            raise ValueError(f"trust={trust!r}: choose one of {', '.join(TRUSTS)}")
        if trust == "judge" and not env.has_wrapper_attr("trust_report"):
            raise ValueError('trust="judge" needs judges: JointReward(TrustJudge(env, judges=...), ..., trust="judge")')
        try:
            self.weights = Weights(float(tc), float(ta), float(tr))
        except TypeError as error:
            raise ValueError(f"weights must be numbers, not tc={tc!r}, ta={ta!r}, tr={tr!r}") from error
        weights = self.weights
        gym.utils.RecordConstructorArgs.__init__(self, tc=weights.tc, ta=weights.ta, tr=weights.tr, trust=trust)
        gym.Wrapper.__init__(self, env)
        self._judged = trust == "judge"
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
        trust = blended(terms["S_TR"], terms["TR_J"]) if self._judged else terms["S_TR"]
        return {**info, "terms": {**terms, "J": joint((terms["S_TC"], terms["S_TA"], trust), self.weights)}}


def blended(depth: float | None, judged: float | None) -> float | None:
    """Return the mean of S_TR, in [0, 1], and TR-J, 1 to 5, brought to [0, 1]; where one is missing, S_TR."""
    return depth if depth is None or judged is None else (depth + (judged - 1) / 4) / 2
