"""What a network without names learns hangs on no scenario's own apps, topics and resources."""

from typing import Any

import gymnasium as gym
import numpy as np
import torch
from sb3_contrib import MaskablePPO

from proactivity_gym.baselines.learned_view import row_of
from proactivity_gym.baselines.slot_policy import MaskableSlotPolicy
from proactivity_gym.envs.layout import BOUNDS, COLUMN, SIGNAL, TOTAL, WIDTH
from proactivity_gym.train.vector import RowVecEnv
from proactivity_gym.wrappers import FlatActions
from tests.baselines.zoos import ENV_ID


def thought(network: Any, row: Any) -> Any:  # noqa: ANN401 (torch and numpy)
    with torch.no_grad():
        logits, latent = network(torch.as_tensor(row)[None])
    return np.concatenate((logits.numpy()[0], latent.numpy()[0]))


def test_without_names_nothing_hangs_on_them_even_after_learning() -> None:
    envs = RowVecEnv([FlatActions(gym.make(ENV_ID, variation="train")) for _ in range(2)])
    settings: dict[str, Any] = {"hidden": 8, "names": False}
    model: Any = MaskablePPO(MaskableSlotPolicy, envs, n_steps=64, batch_size=64, seed=0, device="cpu", policy_kwargs=settings)
    network: Any = model.policy.mlp_extractor
    before = network.row_in.weight.detach().clone()
    model.learn(128)
    learned = (network.row_in.weight.detach() != before).any(dim=0).numpy()
    naming = np.array([name.startswith(("app ", "topic row ", "resource row ")) for name in SIGNAL])
    assert naming.sum() == 16 + 12 + 4
    assert not learned[naming].any()
    assert learned[COLUMN["present"]]

    row = row_of(gym.make(ENV_ID).reset(seed=0)[0])
    other, clock = row.copy(), row.copy()
    other[BOUNDS["resources"]] += 0.5
    other[BOUNDS["delegation"]] -= 0.5
    table = other[BOUNDS["signals"]].reshape(-1, WIDTH)
    table[:, naming] = 1 - table[:, naming]
    clock[BOUNDS["clock"]] += 0.5
    assert row[BOUNDS["signals"]].reshape(-1, WIDTH)[:, COLUMN["present"]].any()
    np.testing.assert_array_equal(thought(network, other), thought(network, row))
    assert (thought(network, clock) != thought(network, row)).any()


def test_without_names_nothing_hangs_on_those_seen_before() -> None:
    envs = RowVecEnv([FlatActions(gym.make(ENV_ID))], frames=2)
    settings: dict[str, Any] = {"hidden": 8, "names": False}
    model: Any = MaskablePPO(MaskableSlotPolicy, envs, device="cpu", policy_kwargs=settings)
    network: Any = model.policy.mlp_extractor
    row = envs.reset()[0]
    row[TOTAL:] = row[:TOTAL]
    other, clock = row.copy(), row.copy()
    before = other[TOTAL:]
    before[BOUNDS["resources"]] += 0.5
    before[BOUNDS["delegation"]] -= 0.5
    naming = np.array([name.startswith(("app ", "topic row ", "resource row ")) for name in SIGNAL])
    before[BOUNDS["signals"]].reshape(-1, WIDTH)[:, naming] += 1
    clock[TOTAL:][BOUNDS["clock"]] += 0.5
    np.testing.assert_array_equal(thought(network, other), thought(network, row))
    assert (thought(network, clock) != thought(network, row)).any()
