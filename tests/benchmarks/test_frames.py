"""The benchmark of stacked frames trains on what it says."""

from typing import Any

import pytest

from benchmarks import frames

OBSERVATION = 1540


@pytest.mark.parametrize("count", [1, 3])
def test_the_policy_sees_as_many_observations_as_asked(count: int, capsys: pytest.CaptureFixture[str]) -> None:
    setting = frames.Setting(frames=count, steps=64, envs=2, held_out=1)
    frames.main(setting)
    told = capsys.readouterr().out.split()
    assert told[:5] == [setting.id, "frames", str(count), "steps", "64"]
    assert 0 <= float(told[6]) <= 1
    model: Any = frames.trained(setting)
    assert model.observation_space.shape == (count * OBSERVATION,)
