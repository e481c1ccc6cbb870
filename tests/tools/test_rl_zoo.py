"""The page on RL Baselines3 Zoo, where it is installed: `make test-tools`."""

from pathlib import Path

import pytest

from tests.tools.pages import commands, run, shortened

pytest.importorskip("rl_zoo3", reason="it has an environment of its own: make test-tools")

NAME = "ProactivityGym-Education-PersonaB-v0"


def test_the_commands_train_and_show(tmp_path: Path) -> None:
    training, showing = commands("rl-zoo.md")
    printed = run(shortened(training, {"200000": "4096", "5000": "1000"}), tmp_path)
    assert "env_kwargs={'variation': 'train'}" in printed
    assert "eval_env_kwargs={'variation': 'test'}" in printed
    assert (tmp_path / "logs" / "ppo" / f"{NAME}_1" / f"{NAME}.zip").exists()
    assert "Mean reward:" in run(shortened(showing, {"1000": "300"}), tmp_path)
