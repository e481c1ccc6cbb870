"""What training cannot use is refused in one line that says what to do, and exit code 2."""

import json
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from proactivity_gym.train import dqn, maskable_ppo, ppo, run_directory, script, trained, zoo
from proactivity_gym.train.run_directory import CHECKPOINT, CONFIG, EPISODES, MODEL, VERSIONS, RunError
from tests.train.running import SMALL, keeping, weeks
from tests.train.trained_runs import made

NUMBERS: list[tuple[str, float]] = [
    ("learning_rate", float("nan")),
    ("learning_rate", -1.0),
    ("gamma", 5.0),
    ("gae_lambda", float("nan")),
    ("ent_coef", -1.0),
    ("seed", 2**32),
    ("seed", -1),
    ("torch_threads", 99_999),
    ("hidden", 10**7),
    ("n_steps", 0),
]
RUN: dict[str, Any] = SMALL | {"n_steps": 16, "total_timesteps": 128, "n_epochs": 1}


@pytest.mark.parametrize(("name", "value"), NUMBERS)
def test_a_number_out_of_its_bounds_is_named(name: str, value: float, tmp_path: Path) -> None:
    given: Any = {name: value}
    with pytest.raises(RunError, match=f"--{name.replace('_', '-')} {value}: give a"):
        maskable_ppo.train(maskable_ppo.Args(weeks(), keeping(tmp_path / "run"), **given))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("envs", "steps", "batch"), [(2, 16, 1), (1, 1, 16), (3, 11, 16)])
@pytest.mark.parametrize("module", [maskable_ppo, ppo])
def test_a_batch_of_one_is_refused(module: ModuleType, envs: int, steps: int, batch: int, tmp_path: Path) -> None:
    args = module.Args(weeks(), keeping(tmp_path / "run"), num_envs=envs, n_steps=steps, batch_size=batch)
    with pytest.raises(RunError, match=f"--batch-size {batch}: of a rollout of {envs * steps} steps"):
        module.train(args)


def test_a_network_that_turned_to_nan_is_told(tmp_path: Path) -> None:
    script.set_up_torch(1)
    envs = weeks().training(2, flat=True)
    model: Any = maskable_ppo.MaskablePPO("MlpPolicy", envs, n_steps=16, batch_size=16, device="cpu")
    next(model.policy.parameters()).data.fill_(float("nan"))
    with pytest.raises(RunError, match=r"turned to NaN after \d+ steps: .* lower --learning-rate"):
        script.learn(model, 64, [], run_directory.RunDirectory(tmp_path))


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run with a checkpoint and without a model."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    often = keeping(folder)
    often.checkpoint_every = 64
    maskable_ppo.train(maskable_ppo.Args(weeks(), often, **RUN))
    (folder / MODEL).unlink()
    return folder


def changed(folder: Path, name: str = CONFIG, /, **settings: object) -> None:
    path = folder / name
    path.write_text(json.dumps({**json.loads(path.read_text()), **settings}))


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a number": (lambda run: (run / CHECKPOINT).write_bytes(pickle.dumps(42)), CHECKPOINT),
    "empty": (lambda run: (run / CHECKPOINT).write_bytes(pickle.dumps({"model": {}})), CHECKPOINT),
    "another width": (lambda run: changed(run, hidden=32), CHECKPOINT),
    "other environments": (lambda run: changed(run, num_envs=8), "4 environments, not 8"),
    "bytes in rows": (lambda run: (run / EPISODES).write_bytes(b"\xff\n"), f"{EPISODES}: line 1 is damaged"),
    "no rows": (lambda run: (run / EPISODES).write_bytes(b'{"timesteps": 1}\nnothing\n'), f"{EPISODES}: line 2 is damaged"),
    "no versions": (lambda run: (run / VERSIONS).write_bytes(b"{"), f"{VERSIONS}: damaged"),
    "an older scenario": (lambda run: changed(run, VERSIONS, scenarios={"Travel": 0}), "other versions of scenarios"),
    "no timesteps": (lambda run: (run / EPISODES).write_bytes(b"{}\n"), f"{EPISODES}: line 1 is damaged"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_run_is_not_resumed(damage: str, unfinished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(unfinished, folder)
    harm, told = DAMAGES[damage]
    harm(folder)
    with pytest.raises(RunError, match=told):
        maskable_ppo.train(maskable_ppo.Args(resume=folder))


def test_a_run_is_resumed_with_its_own_settings_alone(unfinished: Path) -> None:
    with pytest.raises(RunError, match="give no others beside it"):
        maskable_ppo.train(maskable_ppo.Args(resume=unfinished, seed=7))


def test_a_run_that_another_process_trains_in_is_not_resumed(unfinished: Path) -> None:
    holding = run_directory.RunDirectory(unfinished)
    holding.hold()
    with pytest.raises(RunError, match=r"another run \(process \d+\) writes there"):
        maskable_ppo.train(maskable_ppo.Args(resume=unfinished))
    holding.release()


def test_a_folder_of_unprintable_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="printable"):
        run_directory.opened("dqn", "ProactivityGym/Mixed-v0", dqn.Args(weeks(), keeping(tmp_path / "a\udcff")))


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"weeks": {"env_id": 3}}, "no config.json of a training run"),
        ({"weeks": {"env_id": "Foo/Bar-v0"}}, "trained on Foo/Bar-v0, which is no id here"),
        ({"weeks": {"env_id": "ProactivityGym/Mixed-v0", "scenario": "Nope"}}, "scenario Nope, which there is not"),
        ({"seed": "x"}, "no config.json of a training run"),
    ],
)
def test_settings_of_no_run_are_refused(config: dict[str, object], told: str, tmp_path: Path) -> None:
    folder = made(tmp_path / "run")
    changed(folder, **config)
    with pytest.raises(RunError, match=told):
        trained.read(folder)


@pytest.mark.parametrize("content", ["junk", "[]", '{"scenarios": [1]}'])
def test_damaged_versions_are_refused(content: str, tmp_path: Path) -> None:
    folder = made(tmp_path / "run")
    (folder / VERSIONS).write_text(content)
    with pytest.raises(RunError, match=f"{VERSIONS}: damaged"):
        trained.read(folder)


def test_the_zoo_takes_no_model_that_it_cannot_hold_and_no_seed_below_zero(tmp_path: Path) -> None:
    folder = made(tmp_path / "run")
    with pytest.raises(RunError, match="--first-seed -5"):
        zoo.add(zoo.Args(folder, first_seed=-5, zoo_dir=tmp_path / "zoo"))
    model = dqn.DQN("MlpPolicy", weeks().training(1, flat=True), buffer_size=1, device="cpu")
    model.save(folder / MODEL)
    with pytest.raises(RunError, match="slot policies alone"):
        zoo.add(zoo.Args(folder, zoo_dir=tmp_path / "zoo"))


@pytest.mark.parametrize(
    ("script_name", "options", "told"),
    [
        ("maskable_ppo", ["--worker", "llm:none.toml"], "none.toml: No such file"),
        ("maskable_ppo", ["--run-dir", "file/run", "--num-envs", "2"], "file/run: Not a directory"),
        ("dqn", ["--buffer-size", "10000000000000", "--eval-weeks", "1"], "not enough memory"),
        ("zoo", ["run", "--zoo-dir", "zoo"], "index.json: no index of a zoo"),
        ("rllib", [], "RLlib is not installed"),
    ],
)
def test_the_command_line_refuses_without_a_traceback(script_name: str, options: list[str], told: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "zoo").mkdir()
    (tmp_path / "zoo" / "index.json").write_text('{"x":')
    made(tmp_path / "run")
    command = [sys.executable, "-m", f"proactivity_gym.train.{script_name}", *options]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert told in ended.stderr
    assert ended.stderr.count("\n") == 1
