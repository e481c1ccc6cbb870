"""Each script trains, says what it did, and refuses what it cannot use."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gymnasium.envs.registration import registry

from proactivity_gym.baselines import learned
from proactivity_gym.envs.registration import MIXED_ID, register
from proactivity_gym.train import dqn, maskable_ppo, ppo, run_directory
from proactivity_gym.train.run_directory import (
    CONFIG,
    CURVES,
    EPISODES,
    EVALUATIONS,
    MODEL,
    SCENARIOS,
    VERSIONS,
    RunDirectory,
    RunError,
)
from proactivity_gym.train.weeks import Weeks
from tests.sim.tiny import edited
from tests.train.running import SMALL, keeping, weeks

SCRIPTS: dict[str, tuple[ModuleType, dict[str, Any]]] = {
    "maskable_ppo": (maskable_ppo, {"n_steps": 64}),
    "maskable_ppo of parts": (maskable_ppo, {"n_steps": 64, "actions": "multi"}),
    "maskable_ppo, mlp": (maskable_ppo, {"n_steps": 64, "policy": "mlp"}),
    "maskable_ppo of parts, mlp": (maskable_ppo, {"n_steps": 64, "policy": "mlp", "actions": "multi"}),
    "maskable_ppo, several frames": (maskable_ppo, {"n_steps": 64, "frames": 3, "hidden": 16}),
    "ppo": (ppo, {"n_steps": 64}),
    "ppo, mlp": (ppo, {"n_steps": 64, "policy": "mlp"}),
    "ppo, several frames": (ppo, {"n_steps": 64, "policy": "mlp", "frames": 2, "hidden": 16}),
    "dqn": (dqn, {"buffer_size": 1000, "learning_starts": 100}),
}


@pytest.mark.parametrize("named", SCRIPTS)
def test_a_script_trains_and_its_model_acts(named: str, tmp_path: Path) -> None:
    module, settings = SCRIPTS[named]
    folder = module.train(module.Args(weeks(), keeping(tmp_path / "run"), **SMALL | settings))
    run = RunDirectory(folder)
    config = json.loads(run.path(CONFIG).read_text())
    assert config["algorithm"] == module.ALGORITHM
    assert config["weeks"]["scenario"] == "Travel,Education"
    assert json.loads(run.path(VERSIONS).read_text())["torch"] != "not installed"
    assert json.loads(run.path(VERSIONS).read_text())["scenarios"]["Travel"] >= 1
    evaluated = [row["timesteps"] for row in run.rows(EVALUATIONS)]
    assert (evaluated[0], evaluated[-1]) == (0, 1024)
    episodes = run.rows(EPISODES)
    assert episodes
    assert all(row["return"] == pytest.approx(row["J"]) for row in episodes)
    assert list(run.path(CURVES).iterdir())
    assert run.path(MODEL).stat().st_size < 3_000_000
    assert learned.load(str(run.path(MODEL)))


def test_tensorboard_shows_terms_histograms_and_hyperparameters(tmp_path: Path) -> None:
    accumulator: Any = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    settings: dict[str, Any] = SMALL | {"n_steps": 128}
    folder = maskable_ppo.train(maskable_ppo.Args(weeks(), keeping(tmp_path / "run"), **settings))
    found = accumulator.EventAccumulator(str(folder / CURVES)).Reload().Tags()
    for name in ("TC", "TA", "CQ", "TR_D", "over", "under", "TR_H", "J", "false_alarms", "interruptions"):
        assert f"held out/{name}" in found["scalars"]
    assert "episodes/J" in found["scalars"]
    assert {"depth/EXECUTE", "timing/NOW"} <= set(found["scalars"])
    assert {"depth/chosen", "timing/chosen"} <= set(found["histograms"])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"env_id": "ProactivityGym/Travel-PersonaX-v0"}, "no such id"),
        ({"env_id": "CartPole-v1"}, "no such id"),
        ({"weights": (0.5, 0.5, 0.5)}, "sum to 1"),
        ({"user": "nobody"}, "deterministic"),
        ({"worker": "nobody"}, "reference"),
        ({"variation": "tset"}, "written"),
        ({"variation": "test"}, "evaluated on these weeks"),
        ({"env_id": "ProactivityGym/Mixed-v0", "scenario": "Travle,Education"}, "Travle"),
        ({"scenario": "Research"}, "--scenario: ProactivityGym/Travel-PersonaB-v0 names its own"),
        ({"persona": "A"}, "--persona: ProactivityGym/Travel-PersonaB-v0 names its own"),
    ],
)
def test_settings_that_are_none_are_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(RunError, match=said):
        Weeks(**changes).training(1, flat=True)


def test_no_environments_are_refused() -> None:
    with pytest.raises(RunError, match="at least one"):
        Weeks().held_out(0, flat=True)


@pytest.mark.parametrize("name", ["total_timesteps", "num_envs", "n_steps", "batch_size", "torch_threads"])
def test_counts_below_one_are_refused(name: str, tmp_path: Path) -> None:
    settings: dict[str, Any] = {name: 0}
    with pytest.raises(RunError, match=f"--{name.replace('_', '-')} 0: give"):
        maskable_ppo.train(maskable_ppo.Args(weeks(), keeping(tmp_path / "run"), **settings))
    assert not (tmp_path / "run").exists()


def test_a_folder_is_used_once(tmp_path: Path) -> None:
    args = maskable_ppo.Args(weeks(), keeping(tmp_path))
    run_directory.opened("maskable_ppo", MIXED_ID, args)
    with pytest.raises(RunError, match="--resume"):
        run_directory.opened("maskable_ppo", MIXED_ID, args)


def test_versions_name_the_scenario_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(edited(('name = "Tiny"', 'name = "OwnVersioned"'), ("version = 1", "version = 7")), encoding="utf-8")
    ids = register(str(path))
    run = run_directory.opened("ppo", ids[0], ppo.Args(Weeks(ids[0]), keeping(tmp_path / "run")))
    for name in ids:
        del registry[name]
    noted = json.loads(run.path(VERSIONS).read_text(encoding="utf-8"))[SCENARIOS]
    assert (noted["OwnVersioned"], noted["Travel"]) == (7, 1)


def test_only_a_run_of_its_own_that_has_not_ended_is_resumed(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=CONFIG):
        run_directory.resumed(ppo.Args(resume=tmp_path), "ppo")
    run = run_directory.opened("ppo", MIXED_ID, ppo.Args(weeks(), keeping(tmp_path / "run")))
    assert run_directory.resumed(ppo.Args(resume=run.folder), "ppo").weeks == weeks()
    with pytest.raises(RunError, match="run of ppo"):
        run_directory.resumed(maskable_ppo.Args(resume=run.folder), "maskable_ppo")
    run.path(MODEL).touch()
    with pytest.raises(RunError, match="has ended"):
        run_directory.resumed(ppo.Args(resume=run.folder), "ppo")


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    run = run_directory.opened("ppo", MIXED_ID, ppo.Args(weeks(), keeping(tmp_path), **SMALL))
    run.path(run_directory.CHECKPOINT).write_bytes(b"nothing")
    run.release()
    with pytest.raises(RunError, match="damaged"):
        ppo.train(ppo.Args(resume=tmp_path))


def test_an_unfinished_line_is_no_row(tmp_path: Path) -> None:
    run = RunDirectory(tmp_path)
    run.append("rows", [{"timesteps": 1}, {"timesteps": 5}])
    with run.path("rows").open("a") as file:
        file.write('{"timest')
    assert run.rows("rows") == [{"timesteps": 1}, {"timesteps": 5}]
    run.cut("rows", 4)
    assert run.path("rows").read_text() == '{"timesteps": 1}\n'


def test_the_command_line_refuses_in_one_line() -> None:
    command = [sys.executable, "-m", "proactivity_gym.train.maskable_ppo", "--env-id", "Nowhere-v0"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.count("\n") == 1
    assert "--env-id Nowhere-v0: no such id" in ended.stderr


@pytest.mark.parametrize("script", ["maskable_ppo", "ppo", "dqn", "sweep"])
def test_a_missing_extra_is_named(script: str) -> None:
    code = f"import sys; sys.modules['sb3_contrib'] = None; import proactivity_gym.train.{script}"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr == "training needs sb3_contrib: pip install 'proactivity-gym[train]'\n"


@pytest.mark.parametrize(
    ("script", "said"), [("ppo", "--resume {} goes on anew: there is no checkpoint yet"), ("dqn", "{} cannot be resumed")]
)
def test_an_interrupted_run_says_how_to_go_on(script: str, said: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = [
        sys.executable,
        "-m",
        f"proactivity_gym.train.{script}",
        "--run-dir",
        str(folder),
        "--eval-weeks",
        "2",
        "--num-envs",
        "2",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        while not (folder / EPISODES).exists():
            assert running.poll() is None
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        out, told = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert "steps" in told, "the bar"
    assert told.endswith(f"interrupted: {said.format(folder)}\n")
    assert "Traceback" not in told
