"""What a run trained is read from its folder."""

from pathlib import Path

import pytest

from proactivity_gym.scenarios import catalogue
from proactivity_gym.train import trained
from proactivity_gym.train.run_directory import CONFIG, MODEL, RunError
from tests.train.trained_runs import MIXED, TRAVEL_B, made


def test_a_run_of_one_id(tmp_path: Path) -> None:
    run = trained.read(made(tmp_path / "run", seed=3, steps=70))
    assert (run.script, run.env_id, run.short_name, run.seed, run.steps) == ("maskable_ppo", TRAVEL_B, "Travel-PersonaB", 3, 70)
    assert (run.ids, run.scenarios, run.mixed, run.left_out) == ([TRAVEL_B], ["Travel"], False, [])
    assert run.settings.keys() == {"weeks", "total_timesteps", "seed"}, "not where it was kept"
    assert [row["J"] for row in run.evaluations()] == [0.1, 0.5]


def test_a_run_of_all(tmp_path: Path) -> None:
    run = trained.read(made(tmp_path / "run", MIXED))
    assert run.mixed
    assert run.short_name == "Mixed"
    assert run.scenarios == catalogue.names()
    assert len(run.ids) == 3 * len(catalogue.names())
    assert run.left_out == []


def test_a_run_of_some(tmp_path: Path) -> None:
    run = trained.read(made(tmp_path / "run", MIXED, scenario="Travel, Research", persona="A,B"))
    assert run.ids == [f"ProactivityGym/{name}-Persona{persona}-v0" for name in ("Travel", "Research") for persona in "AB"]
    assert set(run.left_out) == set(catalogue.names()) - {"Travel", "Research"}


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=rf"no {CONFIG} of a training run"):
        trained.read(tmp_path)
    (tmp_path / CONFIG).write_text("[]")
    with pytest.raises(RunError, match="ValidationError"):
        trained.read(tmp_path)
    (made(tmp_path / "run") / MODEL).unlink()
    with pytest.raises(RunError, match="has not ended"):
        trained.read(tmp_path / "run")
