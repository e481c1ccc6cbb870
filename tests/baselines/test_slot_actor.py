"""The network in numpy thinks what the one in torch does."""

from typing import Any

import gymnasium as gym
import numpy as np
import torch
from sb3_contrib import MaskablePPO

from proactivity_gym.baselines.learned_view import row_of
from proactivity_gym.baselines.slot_actor import NEVER, SlotActor, shapes
from proactivity_gym.baselines.slot_policy import MaskableSlotPolicy
from proactivity_gym.envs.layout import SHAPES, TOTAL
from proactivity_gym.train.vector import RowVecEnv
from proactivity_gym.wrappers import FlatActions
from tests.baselines.zoos import ENV_ID, weights


def test_it_agrees_with_torch_over_a_week() -> None:
    envs = RowVecEnv([FlatActions(gym.make(ENV_ID))])
    model: Any = MaskablePPO(MaskableSlotPolicy, envs, device="cpu", policy_kwargs={"hidden": 8})
    network: Any = model.policy.mlp_extractor
    given = weights(3)
    network.load_state_dict({name: torch.from_numpy(array) for name, array in given.items()}, strict=False)  # pyright: ignore[reportUnknownMemberType]
    actor, env = SlotActor(given), gym.make(ENV_ID)
    generator = np.random.default_rng(0)
    observation, over, chosen = env.reset(seed=0)[0], False, set[int]()
    while not over:
        row = row_of(observation)
        with torch.no_grad():
            expected = network.forward_actor(torch.from_numpy(row)[None]).numpy()[0]  # pyright: ignore[reportUnknownMemberType]
        found = actor.logits(row)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)
        number = int(model.predict(row, deterministic=True)[0])
        assert int(np.argmax(found)) == number
        chosen.add(number)
        open_slots = np.flatnonzero(env.get_wrapper_attr("action_masks")()[:17])
        observation, _, over, _, _ = env.step((int(generator.choice(open_slots)), *generator.integers(4, size=2)))
    assert len(chosen) > 3


def test_with_nothing_open_it_waits() -> None:
    found = SlotActor(weights()).logits(np.zeros(TOTAL, np.float32))
    assert found.shape == (257,)
    assert (found[1:] == np.float32(NEVER)).all()
    assert int(np.argmax(found)) == 0


def test_shapes_follow_from_the_width() -> None:
    assert shapes(8)["row_head.weight"] == (16, 8)
    assert shapes(8)["context_in.weight"] == (8, TOTAL - SHAPES["signals"])
    assert len(shapes(8)) == 16
