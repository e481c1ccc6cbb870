import copy
import pickle
import warnings
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from proactivity_gym.envs.layout import BOUNDS, TOTAL
from proactivity_gym.wrappers import FlatActions, MaskedRow
from proactivity_gym.wrappers.flat_actions import ACTIONS
from tests.wrappers.worlds import EDUCATION, Env, tiny


def rows(**settings: Any) -> Env:  # noqa: ANN401 (of any kind)
    return MaskedRow(FlatActions(tiny(**settings)))


def test_a_row_is_the_mask_and_then_every_key() -> None:
    env, plain = rows(), tiny()
    seen, _ = env.reset(seed=0)
    expected, _ = plain.reset(seed=0)
    for _ in range(6):
        assert np.array_equal(seen[:ACTIONS] > 0, env.get_wrapper_attr("action_masks")())
        for key, cut in BOUNDS.items():
            assert np.array_equal(seen[ACTIONS:][cut], expected[key])
        assert seen in env.observation_space
        seen, expected = env.step(1)[0], plain.step((1, 0, 0))[0]
    assert seen.shape == (ACTIONS + TOTAL,) == (1797,)


def test_actions_must_be_flat() -> None:
    with pytest.raises(ValueError, match="wrap with FlatActions first"):
        MaskedRow(tiny())


def test_a_row_that_was_given_stays_as_it_is() -> None:
    env = rows()
    first, _ = env.reset(seed=0)
    kept = first.copy()
    for _ in range(5):
        env.step(0)
    assert np.array_equal(first, kept)


def test_it_is_rebuilt_copied_and_checked() -> None:
    env = MaskedRow(FlatActions(gym.make(EDUCATION, disable_env_checker=True)))
    assert env.spec is not None
    again = gym.make(pickle.loads(pickle.dumps(env.spec)))
    assert str(again) == str(env)
    env.reset(seed=3)
    twin = copy.deepcopy(env)
    assert np.array_equal(env.step(0)[0], twin.step(0)[0])
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r".*The environment .* is different from the unwrapped version", UserWarning)
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_masks_are_batched_with_the_rows(mode: str) -> None:
    many: Any = gym.make_vec(EDUCATION, num_envs=2, vectorization_mode=mode, wrappers=[FlatActions, MaskedRow])
    try:
        seen, _ = many.reset(seed=0)
        for _ in range(80):  # beyond the end of an episode
            assert seen.shape == (2, ACTIONS + TOTAL)
            assert np.array_equal(seen[:, :ACTIONS] > 0, np.stack(many.call("action_masks")))
            seen = many.step(seen[:, :ACTIONS].shape[1] - 1 - np.argmax(seen[:, ACTIONS - 1 :: -1], axis=1))[0]
    finally:
        many.close()
