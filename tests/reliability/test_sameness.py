"""D4, D5, D1 (vectors) at their release figures."""

import copy
import json
import pickle
from itertools import islice, product
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.vector import AutoresetMode

from tests.conformance import test_vectors
from tests.conformance.drivers import IDS, bare, canonical, digest, likely_actions, played_by, steps
from tests.conformance.processes import python
from tests.reliability.figures import RELEASE

pytestmark = pytest.mark.reliability

CODE = f"""
import json
from tests.reliability.test_sameness import digests
print(json.dumps(digests({RELEASE.replay_seeds})))
"""


def digests(seeds: int) -> list[str]:
    """Return the digest of an episode of every id, with every seed."""
    return [
        digest(played_by("random", bare(env_id, variation="train", user="stochastic"), seed))
        for env_id, seed in product(IDS, range(seeds))
    ]


@pytest.mark.parametrize("hash_seed", [0, 1, 4242])
def test_fresh_processes_play_the_same(hash_seed: int, tmp_path: Path) -> None:
    told = python(CODE, tmp_path, {"PYTHONHASHSEED": str(hash_seed), "TZ": "Asia/Kathmandu"}, timeout=1800)
    assert json.loads(told) == digests(RELEASE.replay_seeds)


@pytest.mark.parametrize("env_id", IDS)
def test_a_copy_made_at_any_step_goes_on_as_the_original_does(env_id: str) -> None:
    env: Any = gym.make(env_id, variation="train", user="stochastic", worker="imperfect:0.3")
    env.reset(seed=1)
    actions = list(islice(likely_actions(1), 1000))
    for number, action in enumerate(actions):
        twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        assert len({digest(map(canonical, steps(twin, actions[number:]))) for twin in twins}) == 1
        following = env.step(action)
        if following[2]:
            return


@pytest.mark.parametrize(("env_id", "kind", "mode"), list(product(IDS, test_vectors.KINDS, AutoresetMode)))
def test_vectors_of_every_kind_and_mode(env_id: str, kind: str, mode: AutoresetMode) -> None:
    test_vectors.test_a_vector_environment_plays_what_single_ones_play(env_id, kind, mode)
