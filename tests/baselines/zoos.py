"""Zoos of the tests: a small network that nobody trained, and an entry that says what one likes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from proactivity_gym.baselines import zoo
from proactivity_gym.baselines.slot_actor import Array, shapes
from proactivity_gym.baselines.zoo import Entry, Scores
from proactivity_gym.scenarios import catalogue

ENV_ID = "ProactivityGym/Travel-PersonaB-v0"


def weights(seed: int = 0, hidden: int = 8) -> dict[str, Array]:
    """Return weights with clear-cut choices."""
    generator = np.random.default_rng(seed)
    return {name: generator.normal(0, 0.4, shape).astype(np.float32) for name, shape in shapes(hidden).items()}


def entry(**changes: Any) -> Entry:  # noqa: ANN401 (fields of an entry)
    """Return an entry that fits today's Travel."""
    scores = Scores([ENV_ID], 2, 1000, 0.5, 50.0, None, 50.0)
    settings = {"total_timesteps": 10, "seed": 1}
    made = Entry("maskable_ppo", settings, "0", zoo.layout_digest(), {"Travel": catalogue.load("Travel").version}, scores)
    return replace(made, **changes)


def opened(folder: Path, monkeypatch: pytest.MonkeyPatch, **entries: Entry) -> Path:
    """Make a folder the zoo, with a model of each entry."""
    monkeypatch.setattr(zoo, "FOLDER", folder)
    (folder / zoo.INDEX).write_text(zoo.index_text(entries))
    for name in entries:
        np.savez(zoo.file_of(name), allow_pickle=False, **weights())
    return folder
