"""The benchmark of training measures what it says."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from benchmarks import training
from proactivity_gym.train.weeks import Weeks


def test_it_prints_both_speeds_and_their_share(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(training, "SETTINGS", replace(training.SETTINGS, num_envs=4, n_steps=16, batch_size=32))
    monkeypatch.setattr(training, "RUNS", 1)
    training.main()
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("training with 4 environments:")
    assert "target: at least 0.45" in told[2]


def test_a_recording_is_played_back_and_the_environments_are_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "SETTINGS", replace(training.SETTINGS, num_envs=2, n_steps=8, batch_size=16))
    envs: Any = Weeks().training(2, flat=True)
    envs.seed(0)
    model: Any = training.model_on(envs)
    recording = training.record(envs)
    minutes = envs.get_attr("episode")[0].now
    training.played_back(envs, recording, model)
    assert model.num_timesteps == 2 * 8 * training.ROLLOUTS
    assert envs.get_attr("episode")[0].now <= minutes, "but for the reset at the start, they stood still"
    envs.step(np.zeros(2, np.int64))
    assert envs.get_attr("episode")[0].now > 0
