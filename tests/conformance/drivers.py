"""How the conformance and the reliability tests play: ids, players, recorded transitions and their digests."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any, cast

import gymnasium as gym
import numpy as np

from proactivity_gym.baselines import policy, rows
from proactivity_gym.baselines.policy import WAIT, Action, Observation, Read
from proactivity_gym.envs import registration
from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.envs.registration import MIXED_ID, ids
from proactivity_gym.scenarios import catalogue

IDS = ids()
"""Every id, Mixed included."""
SINGLE = [name for name in IDS if name != MIXED_ID]
SCENARIOS = catalogue.names()
CASES = [(scenario, persona) for scenario in SCENARIOS for persona in catalogue.PERSONAS]
ROTATED = list(zip(SCENARIOS, cycle(catalogue.PERSONAS), strict=False))
"""Each scenario with one persona, each persona in turn: where all pairs would take too long."""
ROTATED_IDS = [registration.env_id(*case) for case in ROTATED] + [MIXED_ID]
"""The ids of those, and Mixed."""

Env = gym.Env[Any, Any]
Transition = tuple[Observation, float, bool, bool, dict[str, Any]]


def bare(env_id: str, **settings: object) -> ProactivityEnv:
    """Return the environment of an id without any wrapper."""
    arguments = cast("dict[str, Any]", settings)
    return cast("ProactivityEnv", gym.make(env_id, disable_env_checker=True, **arguments).unwrapped)


def canonical(transition: Sequence[Any]) -> bytes:
    """Return what was observed, paid and told as bytes: equal for equal transitions and for nothing else."""
    observation, rest = transition[0], list(transition[1:])
    parts = [f"{name}{array.dtype}{array.shape}".encode() + array.tobytes() for name, array in sorted(observation.items())]
    return b"".join(parts) + json.dumps(rest, sort_keys=True, allow_nan=False).encode()


def random_actions(seed: int) -> Iterator[Action]:
    """Yield actions of the whole action space, drawn evenly."""
    generator = np.random.default_rng(seed)
    while True:
        yield from map(tuple, generator.integers((17, 4, 4), size=(64, 3)).tolist())


def likely_actions(seed: int) -> Iterator[Action]:
    """Yield actions on the first slots, which are seldom empty, and now and then a wait."""
    generator = np.random.default_rng(seed)
    while True:
        yield from map(tuple, generator.integers((5, 4, 4), size=(64, 3)).tolist())


def steps(env: Env, actions: Iterable[object]) -> Iterator[Transition]:
    """Step to the end of the episode, or as long as there are actions."""
    for action in actions:
        observation, reward, terminated, truncated, info = env.step(action)
        yield observation, float(reward), terminated, truncated, info
        if terminated or truncated:
            return


def episode(env: Env, seed: int | None, actions: Iterable[object]) -> list[bytes]:
    """Play an episode and return its canonical transitions, the reset's first."""
    return [canonical(env.reset(seed=seed)), *map(canonical, steps(env, actions))]


def digest(parts: Iterable[bytes]) -> str:
    """Return one hash of canonical transitions."""
    return hashlib.sha256(b"\n".join(parts)).hexdigest()


def played_by(name: str, env: Env, seed: int) -> list[bytes]:
    """Let a policy of the project play an episode; return its canonical transitions."""
    player = policy.make(name, env)
    observation, info = env.reset(seed=seed)
    recorded = [canonical((observation, info))]
    player.reset(observation, info, seed, cast("ProactivityEnv", env.unwrapped).read)
    over = False
    while not over:
        transition = env.step(player.act(observation, info))
        recorded.append(canonical(transition))
        observation, _, terminated, truncated, info = transition
        over = terminated or truncated
    return recorded


class RightDepthNow:
    """Takes every fresh signal at the depth that is expected, at once: depth from hidden truth, time from nowhere."""

    def __init__(self, env: ProactivityEnv) -> None:
        self._env = env

    def reset(self, observation: Observation, info: Mapping[str, Any], seed: int, read: Read) -> None:
        """Start an episode."""

    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        """Return the next intervention."""
        board = self._env.episode.board
        for target, _row in rows.fresh(observation):
            signal = board.slots[target - 1]
            if signal is not None:
                return target, int(self._env.episode.expected(signal.index)), 0
        return WAIT
