"""Trivial policies: what doing nothing, everything, or always the same earns."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from proactivity_gym.baselines import rows
from proactivity_gym.baselines.policy import WAIT, Action, Observation, Policy, Read
from proactivity_gym.sim.words import Depth, Timing


class Constant:
    """Does the same to every fresh signal (or to every signal at all), in slot order, then waits."""

    def __init__(self, depth: Depth, timing: Timing, continuations: bool = False) -> None:
        """Set what it does, and whether it does it to answers and finished jobs too."""
        self._depth, self._timing = depth, timing
        self._pick = rows.signals if continuations else rows.fresh

    def reset(self, observation: Observation, info: Mapping[str, Any], seed: int, read: Read) -> None:
        """Start an episode."""

    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        """Return the action for the first signal that is left."""
        for target, _ in self._pick(observation):
            return target, int(self._depth), int(self._timing)
        return WAIT


class Noop:
    """Never does anything."""

    def reset(self, observation: Observation, info: Mapping[str, Any], seed: int, read: Read) -> None:
        """Start an episode."""

    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        """Wait."""
        return WAIT


class Random:
    """Draws target (an open signal, or waiting), depth and timing evenly."""

    def __init__(self) -> None:
        """Set up; `reset` seeds it."""
        self._generator = np.random.default_rng(0)

    def reset(self, observation: Observation, info: Mapping[str, Any], seed: int, read: Read) -> None:
        """Start an episode."""
        self._generator = np.random.default_rng(seed)

    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        """Return a random action."""
        targets = [0, *(target for target, _ in rows.signals(observation))]
        target = targets[int(self._generator.integers(len(targets)))]
        return target, int(self._generator.integers(len(Depth))), int(self._generator.integers(len(Timing)))


POLICIES: dict[str, Callable[[], Policy]] = {
    "noop": Noop,
    "dismiss": lambda: Constant(Depth.NOOP, Timing.NOW),
    "prepare": lambda: Constant(Depth.PREPARE, Timing.NOW),
    "suggest": lambda: Constant(Depth.SUGGEST, Timing.NOW),
    "execute": lambda: Constant(Depth.EXECUTE, Timing.NOW),
    "spam": lambda: Constant(Depth.EXECUTE, Timing.NOW, continuations=True),
    "defer": lambda: Constant(Depth.SUGGEST, Timing.DUE),
    "random": Random,
}
"""The policies by name."""
