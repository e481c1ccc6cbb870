"""D13, B15: memory, files and threads stay as they are, however long and often it is played."""

import gc
import threading

import gymnasium as gym
import psutil
import pytest

from tests.conformance.drivers import IDS, bare, likely_actions
from tests.conformance.test_resources import live
from tests.reliability.figures import RELEASE

pytestmark = pytest.mark.reliability

MIB = 2**20


def test_making_and_closing_leaves_no_environment_behind() -> None:
    gc.collect()
    before = live()
    for number in range(RELEASE.made):
        env = gym.make(IDS[number % len(IDS)], variation="train")
        env.reset(seed=number)
        env.close()
        del env
    gc.collect()
    assert live() <= before


def test_playing_on_and_on_takes_no_more_memory() -> None:
    """Growth is measured from a tenth of the way on, by when all caches are full."""
    process = psutil.Process()
    envs = [bare(env_id, variation="train") for env_id in IDS]
    actions = [likely_actions(number) for number in range(len(envs))]
    for number, env in enumerate(envs):
        env.reset(seed=number)
    rounds = RELEASE.soak_steps // len(envs)
    started = (0, 0, 0)
    for count in range(rounds):
        if count == rounds // 10:
            gc.collect()
            started = (process.memory_info().rss, process.num_fds(), threading.active_count())
        for env, drawn in zip(envs, actions, strict=True):
            if env.step(next(drawn))[2]:
                env.reset()
    gc.collect()
    grown = (process.memory_info().rss - started[0]) / MIB
    assert grown <= RELEASE.soak_mib * RELEASE.soak_steps * 0.9 / 1e6
    assert (process.num_fds(), threading.active_count()) == started[1:]
