"""D5, D6, B09, B16: copies go on as the original does, and a reset cleans everything."""

import copy
import pickle
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from proactivity_gym.baselines.policy import Action
from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.sim.world import APPS
from tests.conformance.drivers import IDS, Env, bare, canonical, digest, episode, likely_actions, random_actions, steps
from tests.conformance.processes import python

COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}
MOMENTS = 10
SETTINGS: dict[str, Any] = {"variation": "train", "user": "stochastic", "worker": "imperfect:0.3"}


def rest(env: Env, actions: list[Action]) -> str:
    """Play the rest of an episode and return its digest."""
    return digest(map(canonical, steps(env, actions)))


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("env_id", IDS)
def test_a_copy_goes_on_as_the_original_does(env_id: str, way: str) -> None:
    env: Any = gym.make(env_id, **SETTINGS)
    env.reset(seed=11)
    actions = list(islice(likely_actions(11), 300))
    moments = set(np.random.default_rng(len(env_id)).choice(60, MOMENTS, replace=False).tolist())
    for number in range(60):
        if number in moments:
            twin = COPIES[way](env)
            witness = copy.deepcopy(env)
            left = actions[number:]
            assert rest(twin, left) == rest(witness, left)
        if env.step(actions[number])[2]:
            break


def test_playing_a_copy_leaves_the_original_alone() -> None:
    env = bare(IDS[0], **SETTINGS)
    env.reset(seed=2)
    actions = list(islice(likely_actions(5), 400))
    before = [copy.deepcopy(env) for _ in range(2)]
    for way in COPIES.values():
        rest(way(env), actions[100:])
    assert len({rest(one, actions) for one in (env, *before)}) == 1


def test_a_copy_keeps_its_settings_and_its_random_numbers() -> None:
    env = bare(IDS[0], weights=(0.5, 0.25, 0.25), **SETTINGS)
    env.reset(seed=3)
    twins = [way(env) for way in COPIES.values()]
    follow = [digest(episode(one, None, random_actions(1))) for one in (env, *twins)]
    assert len(set(follow)) == 1
    assert all(twin.weights == env.weights for twin in twins)


def test_it_pickles_before_the_first_reset_and_into_another_process(tmp_path: Path) -> None:
    env = bare(IDS[0], **SETTINGS)
    fresh = pickle.loads(pickle.dumps(env))
    wanted = digest(episode(env, 9, random_actions(9)))
    assert digest(episode(fresh, 9, random_actions(9))) == wanted
    (tmp_path / "env").write_bytes(pickle.dumps(env))
    code = """
import pathlib, pickle
from tests.conformance.drivers import digest, episode, random_actions
print(digest(episode(pickle.loads(pathlib.Path("env").read_bytes()), 9, random_actions(9))))
"""
    assert python(code, tmp_path).strip() == wanted


def dirty(env: ProactivityEnv, seed: int) -> None:
    """Leave an episode in the middle of as much as possible: open offers, paused jobs, trust used up."""
    env.reset(seed=seed)
    spam = cycle([(target, 3, timing) for target in range(1, 5) for timing in range(4)] + [(0, 0, 0)])
    for _ in islice(steps(env, spam), 60):
        pass
    for app in APPS:
        env.read(f"{app}.search", {"query": "e"})


@pytest.mark.parametrize("env_id", IDS)
def test_nothing_of_an_episode_survives_a_reset(env_id: str) -> None:
    env = bare(env_id, **SETTINGS)
    fresh = digest(episode(bare(env_id, **SETTINGS), 21, likely_actions(4)))
    for seed in (21, 22):
        dirty(env, seed)
        assert digest(episode(env, 21, likely_actions(4))) == fresh


def test_two_environments_at_a_time_do_not_disturb_each_other() -> None:
    envs = [bare(IDS[0], variation="test") for _ in range(2)]
    alone = [digest(episode(bare(IDS[0], variation="test"), seed, likely_actions(seed))) for seed in range(2)]
    firsts = [[canonical(env.reset(seed=seed))] for seed, env in enumerate(envs)]
    players = [steps(env, likely_actions(seed)) for seed, env in enumerate(envs)]
    open_ = [0, 1]
    while open_:
        for index in list(open_):
            transition = next(players[index], None)
            if transition is None:
                open_.remove(index)
            else:
                firsts[index].append(canonical(transition))
    assert [digest(parts) for parts in firsts] == alone
