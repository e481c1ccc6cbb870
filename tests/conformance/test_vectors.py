"""D1, B02, B07, B10: vector environments of every kind and autoreset mode play what single ones play."""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, Protocol, cast

import gymnasium as gym
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.vector import AutoresetMode

from tests.conformance.drivers import IDS, bare, canonical, random_actions

KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "sync": ("sync", {}),
    "async-shared": ("async", {"context": "forkserver", "shared_memory": True}),
    "async-spawned": ("async", {"context": "spawn", "shared_memory": False}),
}
ENVS = 2
STEPS = 140
ROTATION = [(IDS[number % len(IDS)], kind, mode) for number, (kind, mode) in enumerate(
    (kind, mode) for kind in KINDS for mode in AutoresetMode
)]  # fmt: skip
"""Each kind with each mode, every time on another id."""


class VectorEnv(Protocol):
    """What the tests use of a vector environment (Gymnasium's own types leave out seeds in lists)."""

    def reset(self, *, seed: list[int] | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start new episodes."""
        ...

    def step(self, actions: npt.NDArray[np.int64]) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Step in all sub-environments."""
        ...

    def close(self) -> None:
        """End it."""
        ...


Seen = list[tuple[dict[str, Any], float, bool, bool]]
"""Observation, reward, terminated, truncated of one sub-environment, step by step; the reset's comes first."""


def actions_for(seed: int) -> list[tuple[int, int, int]]:
    """Return actions that reach the end of a week soon: every other one waits."""
    drawn = islice(random_actions(seed), STEPS)
    return [action if number % 2 else (0, 0, 0) for number, action in enumerate(drawn)]


def single(env_id: str, seed: int, mode: AutoresetMode) -> tuple[Seen, list[bytes]]:
    """Play one environment in a loop that resets as a mode says; return what is seen, and the last transitions."""
    env = bare(env_id, variation="train", user="stochastic")
    seen: Seen = [(env.reset(seed=seed)[0], 0.0, False, False)]
    finals: list[bytes] = []
    over = False
    for action in actions_for(seed):
        if over and mode != AutoresetMode.SAME_STEP:
            seen.append((env.reset()[0], 0.0, False, False))
            over = False
            continue
        observation, reward, over, truncated, info = env.step(action)
        if over:
            finals.append(canonical((observation, info["terms"]["J"])))
            observation = env.reset()[0] if mode == AutoresetMode.SAME_STEP else observation
        seen.append((observation, reward, over, truncated))
    return seen, finals


def part(batch: Mapping[str, Any], index: int) -> dict[str, Any]:
    """Return one sub-environment's share of a batched observation."""
    return {name: rows[index] for name, rows in batch.items()}


def final_of(batch: object, index: int) -> dict[str, Any]:
    """Return one final observation: batched like others, or one object each, as Gymnasium's version has it."""
    if isinstance(batch, dict):
        return part(cast("dict[str, Any]", batch), index)
    return cast("list[dict[str, Any]]", batch)[index]


def vectorised(envs: VectorEnv, seeds: Sequence[int], mode: AutoresetMode) -> tuple[list[Seen], list[list[bytes]]]:
    """Play the vector environment with the same actions; return the same for each sub-environment."""
    observations, _ = envs.reset(seed=list(seeds))
    seen: list[Seen] = [[(part(observations, i), 0.0, False, False)] for i in range(ENVS)]
    finals: list[list[bytes]] = [[] for _ in range(ENVS)]
    over = np.zeros(ENVS, np.bool_)
    for actions in zip(*(actions_for(seed) for seed in seeds), strict=True):
        observations, rewards, over, truncated, infos = envs.step(np.array(actions))
        for i in range(ENVS):
            seen[i].append((part(observations, i), float(rewards[i]), bool(over[i]), bool(truncated[i])))
            if over[i] and mode == AutoresetMode.SAME_STEP:
                last = final_of(infos["final_obs"], i)
                finals[i].append(canonical((last, float(infos["final_info"]["terms"]["J"][i]))))
            elif over[i]:
                finals[i].append(canonical((part(observations, i), float(infos["terms"]["J"][i]))))
    return seen, finals


def make_vector(env_id: str, kind: str, mode: AutoresetMode) -> VectorEnv:
    """Return a vector environment."""
    way, settings = KINDS[kind]
    made = gym.make_vec(env_id, ENVS, way, {"autoreset_mode": mode, **settings}, variation="train", user="stochastic")
    return cast("VectorEnv", made)


@pytest.mark.parametrize(("env_id", "kind", "mode"), ROTATION)
def test_a_vector_environment_plays_what_single_ones_play(env_id: str, kind: str, mode: AutoresetMode) -> None:
    envs = make_vector(env_id, kind, mode)
    try:
        played = disabled(envs) if mode == AutoresetMode.DISABLED else vectorised(envs, (3, 4), mode)
    finally:
        envs.close()
    for index, (seen, finals) in enumerate(zip(*played, strict=True)):
        wanted, last = single(env_id, 3 + index, mode)
        assert finals == last
        assert len(last) >= 1, "no episode ended: nothing was tried"
        assert [canonical(step) for step in seen] == [canonical(step) for step in wanted]


def disabled(envs: VectorEnv) -> tuple[list[Seen], list[list[bytes]]]:
    """Play with resets by hand: a sub-environment that is over is reset by mask while the other's step is not lost."""
    observations, _ = envs.reset(seed=[3, 4])
    seen: list[Seen] = [[(part(observations, i), 0.0, False, False)] for i in range(ENVS)]
    finals: list[list[bytes]] = [[] for _ in range(ENVS)]
    plans = [iter(actions_for(seed)) for seed in (3, 4)]
    over = np.zeros(ENVS, np.bool_)
    while min(len(one) for one in seen) <= STEPS:
        if over.any():
            observations, _ = envs.reset(options={"reset_mask": over.copy()})
            for i in np.flatnonzero(over).tolist():
                next(plans[i], None)
                seen[i].append((part(observations, i), 0.0, False, False))
        observations, rewards, over, truncated, infos = envs.step(np.array([next(plan, (0, 0, 0)) for plan in plans]))
        for i in range(ENVS):
            seen[i].append((part(observations, i), float(rewards[i]), bool(over[i]), bool(truncated[i])))
            if over[i]:
                finals[i].append(canonical((part(observations, i), float(infos["terms"]["J"][i]))))
    ends = [sum(step[2] for step in one[: STEPS + 1]) for one in seen]
    return [one[: STEPS + 1] for one in seen], [last[:end] for last, end in zip(finals, ends, strict=True)]


@pytest.mark.parametrize("env_id", IDS)
def test_each_sub_environment_has_a_week_of_its_own(env_id: str) -> None:
    envs: Any = gym.make_vec(env_id, 8, "sync", variation="train")
    observations, _ = envs.reset(seed=3)
    weeks: Callable[[int], tuple[Any, ...]] = lambda i: tuple(envs.envs[i].unwrapped.episode.week.record_at)  # noqa: E731
    assert len({weeks(i) for i in range(8)}) >= 2
    for i in range(8):
        alone, _ = bare(env_id, variation="train").reset(seed=3 + i)
        assert canonical((part(observations, i),)) == canonical((alone,))
    envs.close()
