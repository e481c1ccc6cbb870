"""Models of the zoo act by name, without torch; those that no longer hold are refused in words."""

import sys
from io import BytesIO
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest

from proactivity_gym.baselines import policy, zoo
from proactivity_gym.baselines.learned import LearnedError
from proactivity_gym.baselines.zoo import ZooPolicy
from proactivity_gym.scenarios import catalogue
from tests.baselines.zoos import ENV_ID, entry, opened
from tests.cli.pgym import pgym, process, refused, rows_of

MOST_BYTES, MOST_BYTES_OF_ALL = 120_000, 4_000_000


def current(name: str) -> bool:
    """Tell whether a model of the project's zoo was trained on today's scenarios."""
    versions = zoo.entries()[name].scenarios
    return all(catalogue.load(each).version == version for each, version in versions.items())


def test_every_model_has_its_file_and_every_file_its_entry() -> None:
    files = {path.stem: path for path in zoo.FOLDER.glob("*.npz")}
    assert files.keys() == zoo.entries().keys()
    assert all(path.stat().st_size < MOST_BYTES for path in files.values())
    assert sum(path.stat().st_size for path in files.values()) < MOST_BYTES_OF_ALL
    assert all(zoo.read(path) for path in files.values())


def test_a_model_earns_what_its_entry_says() -> None:
    name = next(name for name, found in zoo.entries().items() if current(name) and len(found.scores.ids) == 1)
    scores = zoo.entries()[name].scores
    env = gym.make(scores.ids[0], variation="test")
    seeds = range(scores.first_seed, scores.first_seed + scores.weeks)
    earned = [policy.play(zoo.load(f"zoo:{name}"), env, seed)[1]["terms"]["J"] for seed in seeds]
    assert float(np.mean(earned)) == pytest.approx(scores.J, abs=0.01)


def test_it_acts_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(tmp_path, monkeypatch, Some=entry())
    env = gym.make(ENV_ID)
    made = policy.make("zoo:Some", env)
    assert isinstance(made, ZooPolicy)
    assert policy.play(made, env, seed=0) == policy.play(zoo.load("zoo:Some"), env, seed=0)


def test_neither_torch_nor_stable_baselines_is_needed(tmp_path: Path) -> None:
    blocked = "".join(f"sys.modules[{name!r}] = None\n" for name in ("torch", "stable_baselines3", "sb3_contrib"))
    (tmp_path / "sitecustomize.py").write_text(f"import sys\n{blocked}")
    name = next(filter(current, zoo.entries()))
    played = ["run", "--policy", f"zoo:{name}", "--ids", ENV_ID, "--seeds", "0", "--json"]
    ended = process(tmp_path, *played, PYTHONPATH=":".join([str(tmp_path), *sys.path]))
    assert ended.stderr == "" or "Error" not in ended.stderr
    assert [row["status"] for row in rows_of(ended.stdout)] == ["completed"]


def test_an_unknown_name_is_refused_with_those_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(tmp_path, monkeypatch, Some=entry(), Other=entry())
    said = refused(pgym("run", "--policy", "zoo:Sone", "--ids", ENV_ID))
    assert "'Sone' (did you mean 'Some'?): there are Other, Some" in said


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"scenarios": {"Travel": 999}}, "trained on version 999 of Travel, which is now at"),
        ({"scenarios": {"Gone": 1}}, "the scenario Gone, which is no more"),
        ({"layout": "another"}, "laid out otherwise"),
    ],
)
def test_what_no_longer_holds_is_refused(
    changes: dict[str, object], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(tmp_path, monkeypatch, Old=entry(**changes))
    message = refused(pgym("run", "--policy", "zoo:Old", "--ids", ENV_ID))
    assert said in message
    assert "train it anew with proactivity_gym.train.maskable_ppo" in message


def test_files_that_are_no_models_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(tmp_path, monkeypatch, Some=entry())
    path = zoo.file_of("Some")
    whole = path.read_bytes()
    lone = BytesIO()
    np.save(lone, np.zeros(3))
    pickled = np.array([{"runs": "code"}], object)
    for spoil, said in (
        (lambda: path.write_bytes(b""), "damaged"),
        (lambda: path.write_bytes(whole[:2000]), "damaged"),
        (lambda: path.write_bytes(b"no zip at all"), "damaged"),
        (lambda: path.write_bytes(lone.getvalue()), "damaged"),
        (lambda: np.savez(path, weights=pickled), "damaged"),
        (lambda: np.savez(path, allow_pickle=False, **{"row_in.bias": np.zeros(8)}), "other names or shapes"),
        (path.unlink, "damaged"),
    ):
        spoil()
        with pytest.raises(LearnedError, match=said):
            zoo.load("zoo:Some")


def test_an_index_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LearnedError, match="FileNotFoundError"):
        zoo.entries(tmp_path)
    (tmp_path / zoo.INDEX).write_text('{"Some": {}}')
    with pytest.raises(LearnedError, match="no index of a zoo"):
        zoo.entries(tmp_path)


def test_an_index_reads_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(tmp_path, monkeypatch, B=entry(), A=entry(source="1"))
    assert zoo.entries() == {"A": entry(source="1"), "B": entry()}
    assert list(zoo.entries()) == ["A", "B"]


def test_numbers_are_actions() -> None:
    assert zoo.action_of(0) == (0, 0, 0)
    assert zoo.action_of(256) == (16, 3, 3)
    with pytest.raises(ValueError, match="257"):
        zoo.action_of(257)
