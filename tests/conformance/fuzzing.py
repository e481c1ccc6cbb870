"""Driving with drawn actions: what must hold at every step, and the shortest list of actions that breaks it."""

import math
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import numpy as np

from proactivity_gym.baselines.policy import WAIT, Action
from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.sim.interventions import ERRORS
from proactivity_gym.sim.scoring import TERMS
from tests.conformance.drivers import Transition, bare, likely_actions, random_actions

ROUNDING = 1e-9


def fault(env: ProactivityEnv, transition: Transition) -> str | None:
    """Return what is wrong with a transition."""
    observation, reward, terminated, truncated, info = transition
    if observation not in env.observation_space:
        return "the observation is not in its space"
    if any(part.dtype != np.float32 for part in observation.values()):
        return "the observation has another type than its space"
    if not (math.isfinite(reward) and -1 - ROUNDING <= reward <= 1 + ROUNDING):
        return f"the reward is {reward}"
    if truncated or not isinstance(terminated, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        return f"the flags are {terminated}, {truncated}"
    return fault_of_info(info)


def fault_of_info(info: dict[str, Any]) -> str | None:
    """Return what is wrong with an info."""
    if set(info) != {"terms", "action_error"} or list(info["terms"]) != list(TERMS):
        return f"info has other keys: {info}"
    if info["action_error"] is not None and info["action_error"] not in ERRORS:
        return f"no such code: {info['action_error']}"
    if any(value is not None and not math.isfinite(value) for value in info["terms"].values()):
        return f"a term is no number: {info['terms']}"
    paid = [info["terms"][name] for name in ("S_TC", "S_TA", "S_TR", "J")]
    if not all(value is None or -ROUNDING <= value <= 1 + ROUNDING for value in paid):
        return f"what is paid is out of range: {paid}"
    return None


def run(env: ProactivityEnv, seed: int, actions: Sequence[Action]) -> tuple[int, str | None]:
    """Play actions, over as many episodes as they last; return how many were played, and the first fault."""
    env.reset(seed=seed)
    paid = 0.0
    for number, action in enumerate(actions, 1):
        observation, reward, terminated, truncated, info = env.step(action)
        wrong = fault(env, (observation, reward, terminated, truncated, info))
        paid += reward
        if wrong is None and terminated:
            wrong = None if abs(paid - info["terms"]["J"]) < ROUNDING else f"rewards sum to {paid}, not to J"
            paid = 0.0
            env.reset()
        if wrong is not None:
            return number, wrong
    return len(actions), None


def shrink(actions: Sequence[Action], breaks: Callable[[Sequence[Action]], bool]) -> list[Action]:
    """Return a list that still breaks, with as many actions as possible cut off or made to wait."""
    best = list(actions)
    for index in range(len(best)):
        if best[index] != WAIT:
            tried = [*best[:index], WAIT, *best[index + 1 :]]
            best = tried if breaks(tried) else best
    return best


def fuzz(env_id: str, seeds: int, steps: int, **settings: object) -> int:
    """Play drawn actions with many seeds; return how many steps were played.

    Raises:
        AssertionError: something does not hold; it names id, seed and the shortest actions found.
    """
    env = bare(env_id, **settings)
    total = 0
    for seed in range(seeds):
        draw = (random_actions, likely_actions)[seed % 2]
        actions = list(islice(draw(seed), steps))
        played, wrong = run(env, seed, actions)
        total += played
        if wrong is not None:
            shortest = shrink(actions[:played], lambda tried, seed=seed: run(env, seed, tried)[1] is not None)
            raise AssertionError(f"{env_id}, {settings}, seed {seed}: {wrong}\n{shortest}")
    return total
