"""A run's model goes into the zoo with what it earns, and plays from there."""

from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from proactivity_gym.baselines import policy, zoo
from proactivity_gym.scenarios import catalogue
from proactivity_gym.train import zoo as script
from proactivity_gym.train.run_directory import MODEL, VERSIONS, RunError
from proactivity_gym.train.zoo import Args
from tests.train.trained_runs import MIXED, TRAVEL_B, made, network


def test_a_model_plays_from_the_zoo_as_its_entry_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zoo, "FOLDER", tmp_path / "zoo")
    path = script.add(Args(made(tmp_path / "run"), weeks=2, zoo_dir=zoo.FOLDER))
    assert path == tmp_path / "zoo" / "Travel-PersonaB.npz"
    found = zoo.entries()["Travel-PersonaB"]
    assert found.script == "maskable_ppo"
    assert (found.settings["seed"], found.settings["total_timesteps"]) == (1, 100)
    assert found.scenarios == {"Travel": catalogue.load("Travel").version}
    assert (found.scores.ids, found.scores.weeks, found.scores.first_seed) == ([TRAVEL_B], 2, 1000)
    env = gym.make(TRAVEL_B, variation="test")
    terms = [policy.play(zoo.load("zoo:Travel-PersonaB"), env, seed)[1]["terms"] for seed in (1000, 1001)]
    for name, told in (("J", found.scores.J), ("TC", found.scores.TC), ("TA", found.scores.TA), ("TR_D", found.scores.TR_D)):
        assert told == pytest.approx(np.mean([each[name] for each in terms]))


def test_a_zoo_keeps_what_it_has_until_the_scores_are_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    args = Args(made(tmp_path / "run"), name="Mine", weeks=1, zoo_dir=tmp_path / "zoo")
    before = script.add(args).read_bytes()
    network(seed=2).save(tmp_path / "run" / MODEL)

    def killed(*_: Any) -> zoo.Scores:  # noqa: ANN401 (whatever it is given)
        raise KeyboardInterrupt

    monkeypatch.setattr(script, "scores_of", killed)
    with pytest.raises(KeyboardInterrupt):
        script.add(args)
    assert zoo.file_of("Mine", args.zoo_dir).read_bytes() == before


def test_what_acting_does_not_need_stays_out(tmp_path: Path) -> None:
    model = made(tmp_path / "run") / MODEL
    script_content = script.file_content(model)
    assert script_content == script.file_content(model), "the same model, the same bytes"
    (tmp_path / "model.npz").write_bytes(script_content)
    with np.load(tmp_path / "model.npz") as file:
        assert {str(file[name].dtype) for name in file.files} == {"float16"}
        assert not any("value" in name or "optimizer" in name for name in file.files)


def test_the_same_model_is_not_scored_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    args = Args(made(tmp_path / "run"), name="Mine", weeks=1, zoo_dir=tmp_path / "zoo")
    scored: list[Any] = []

    def scores(*given: Any) -> zoo.Scores:  # noqa: ANN401 (whatever it is given)
        scored.append(given)
        return zoo.Scores([TRAVEL_B], 1, 1000, 0.5, None, None, None)

    monkeypatch.setattr(script, "scores_of", scores)
    for _ in range(2):
        script.add(args)
    assert len(scored) == 1
    network(seed=2).save(tmp_path / "run" / MODEL)
    script.add(args)
    assert len(scored) == 2
    assert list(zoo.entries(tmp_path / "zoo")) == ["Mine"]


def test_a_mixed_model_is_scored_on_all_it_was_trained_on(tmp_path: Path) -> None:
    run = made(tmp_path / "run", MIXED, scenario="Travel,Education", persona="B")
    script.add(Args(run, weeks=1, zoo_dir=tmp_path / "zoo"))
    found = zoo.entries(tmp_path / "zoo")["Mixed"]
    assert found.scenarios.keys() == {"Travel", "Education"}
    assert found.scores.ids == [TRAVEL_B, "ProactivityGym/Education-PersonaB-v0"]


def test_models_of_another_kind_are_refused(tmp_path: Path) -> None:
    run = made(tmp_path / "run")
    network(flat=False).save(run / MODEL)
    with pytest.raises(RunError, match="--policy slots --actions flat"):
        script.add(Args(run, zoo_dir=tmp_path / "zoo"))
    (run / MODEL).write_bytes(b"broken")
    with pytest.raises(RunError, match="damaged"):
        script.add(Args(run, zoo_dir=tmp_path / "zoo"))


def test_a_model_of_an_older_scenario_is_refused(tmp_path: Path) -> None:
    run = made(tmp_path / "run")
    (run / VERSIONS).write_text('{"scenarios": {"Travel": 999}}')
    with pytest.raises(RunError, match="trained on version 999 of Travel, which is now at"):
        script.add(Args(run, zoo_dir=tmp_path / "zoo"))


def test_settings_that_cannot_be_are_refused(tmp_path: Path) -> None:
    run = made(tmp_path / "run")
    with pytest.raises(RunError, match="--name"):
        script.add(Args(run, name="../elsewhere"))
    with pytest.raises(RunError, match="--weeks 0"):
        script.add(Args(run, weeks=0))
    with pytest.raises(RunError, match="config"):
        script.add(Args(tmp_path / "nowhere"))
