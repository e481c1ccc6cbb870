"""A sweep trains seven weightings, goes on where it stopped, and shows what each reached."""

import csv
from pathlib import Path
from typing import Any

import pytest

from proactivity_gym.train import maskable_ppo, script, sweep
from proactivity_gym.train.run_directory import EVALUATIONS, MODEL, RunDirectory, RunError
from proactivity_gym.train.weeks import Weeks
from tests.train.running import SMALL, keeping, weeks


def evaluated(folder: Path, scores: tuple[float, float, float]) -> None:
    """Make the folder of a run that has ended."""
    folder.mkdir(parents=True)
    nothing: dict[str, Any] = dict.fromkeys(sweep.COLUMNS, 0.0)
    row = nothing | dict(zip(("S_TC", "S_TA", "S_TR"), scores, strict=True))
    RunDirectory(folder).append(EVALUATIONS, [{**row, "timesteps": 0, "S_TC": 0.0}, {**row, "timesteps": 64}])
    (folder / MODEL).touch()


def test_weightings_are_weightings() -> None:
    assert len(sweep.WEIGHTINGS) == 7
    assert all(sum(weights) == pytest.approx(1) and min(weights) > 0 for weights in sweep.WEIGHTINGS.values())


def test_it_trains_what_is_not_trained_and_shows_all(tmp_path: Path) -> None:
    for name in list(sweep.WEIGHTINGS)[1:]:
        evaluated(tmp_path / name.replace(" ", "_"), (0.5, 0.2, 0.1))
    settings: dict[str, Any] = SMALL | {"n_steps": 16, "total_timesteps": 64}
    quiet = keeping(tmp_path)
    quiet.run_dir = None
    training = maskable_ppo.Args(weeks(), quiet, **settings)
    assert sweep.sweep(sweep.Args(training, tmp_path)) == tmp_path
    with (tmp_path / sweep.TABLE).open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["weighting"] for row in rows] == list(sweep.WEIGHTINGS)
    assert [row["timesteps"] for row in rows] == ["64"] * 7
    assert {row["S_TC"] for row in rows[1:]} == {"0.5"}
    assert float(rows[1]["weight_TC"]) == 0.98
    assert (tmp_path / "sweep.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "sweep.svg").read_text().count("<svg") == 1


def test_settings_of_single_runs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="--sweep-dir"):
        sweep.sweep(sweep.Args(maskable_ppo.Args(resume=tmp_path), tmp_path))
    with pytest.raises(RunError, match="--weights are of single runs"):
        sweep.sweep(sweep.Args(maskable_ppo.Args(Weeks(weights=(0.5, 0.3, 0.2))), tmp_path))


def test_an_interrupted_sweep_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(_: maskable_ppo.Args) -> Path:
        raise script.Interrupted("--resume one")

    monkeypatch.setattr(maskable_ppo, "train", stopped)
    with pytest.raises(script.Interrupted, match="the same command goes on"):
        sweep.sweep(sweep.Args(sweep_dir=tmp_path))


def test_points_that_lie_on_each_other_share_a_label() -> None:
    points = [(0.9, 1.0), (0.4, 0.0), (0.91, 0.99), (0.9, 0.7)]
    found = sweep.labels(["equal", "TR", "TA and TR", "TC"], points)
    assert found == {(0.9, 1.0): ["equal", "TA and TR"], (0.4, 0.0): ["TR"], (0.9, 0.7): ["TC"]}
