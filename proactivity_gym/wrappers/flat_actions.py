"""One number for an action, for algorithms that know only Discrete spaces."""

from typing import Any, SupportsFloat, cast

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from proactivity_gym.sim.words import MAX_SIGNALS, Depth, Timing

WAYS = len(Depth) * len(Timing)
"""Pairs of depth and timing."""
ACTIONS = 1 + MAX_SIGNALS * WAYS

_UNDERSTOOD = np.array(
    [(0, 0, 0)] + [(slot + 1, d, t) for slot in range(MAX_SIGNALS) for d in Depth for t in Timing], np.int64
)  # (257, 3)


def flat_space() -> gym.spaces.Discrete:
    """Return the space of numbers of actions."""
    return gym.spaces.Discrete(ACTIONS)


class FlatActions(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Makes the action space Discrete(257): 0 waits, 1 + 16 slot + 4 depth + timing intervenes (slots from 0).

    What is no whole number of that range counts as waiting, with `info["action_error"]`, as without this wrapper.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        """Wrap an environment whose actions are target, depth and timing.

        Raises:
            ValueError: its actions are something else.
        """
        expected = gym.spaces.MultiDiscrete([MAX_SIGNALS + 1, len(Depth), len(Timing)])
        if env.action_space != expected:
            raise ValueError(f"FlatActions needs actions in {expected}, not {env.action_space}: wrap with it once")
        gym.utils.RecordConstructorArgs.__init__(self)
        gym.Wrapper.__init__(self, env)
        self.action_space = flat_space()

    def step(self, action: object) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Act by number."""
        return self.env.step(unflatten(action))

    def action_masks(self) -> npt.NDArray[np.bool_]:  # (257,)
        """Return which actions are worth sampling: those on empty slots are masked, nothing else is."""
        targets: npt.NDArray[np.bool_] = self.env.get_wrapper_attr("action_masks")()[: MAX_SIGNALS + 1]
        return np.concatenate(([True], np.repeat(targets[1:], WAYS)))


def flatten(target: int, depth: int, timing: int) -> int:
    """Return the number of an action."""
    return 0 if target == 0 else 1 + (target - 1) * WAYS + depth * len(Timing) + timing


def unflatten(action: object) -> npt.NDArray[np.int64] | None:
    """Return target, depth and timing of a number, or None for what is none."""
    number: object = action
    if isinstance(action, np.ndarray | np.generic) and action.size == 1:
        number = cast("Any", action).item()
    if isinstance(number, bool) or not isinstance(number, int | float):
        return None
    known = 0 <= number < ACTIONS and number == int(number)
    return _UNDERSTOOD[int(number)].copy() if known else None
