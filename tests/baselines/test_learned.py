"""Learned policies act through the common policy, and files that cannot be used are refused in words."""

import io
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO, RecurrentPPO
from stable_baselines3 import A2C, DQN, PPO

from proactivity_gym.baselines import learned, policy
from proactivity_gym.baselines.learned import LearnedError
from proactivity_gym.baselines.learned_view import masks_of, row_of
from proactivity_gym.baselines.slot_policy import MaskableSlotPolicy, SlotPolicy
from proactivity_gym.train.vector import RowVecEnv
from proactivity_gym.wrappers import FlatActions
from proactivity_gym.wrappers.flat_actions import unflatten
from tests.cli.pgym import pgym, refused, rows_of

ENV_ID = "ProactivityGym/Travel-PersonaB-v0"
Env = gym.Env[Any, Any]


def plain() -> Env:
    return gym.make(ENV_ID)


def flat() -> Env:
    return FlatActions(plain())


def in_rows(make: Callable[[], Env]) -> RowVecEnv:
    return RowVecEnv([make()])


NO_NAMES: dict[str, Any] = {"names": False}
BIG_HEADS: dict[str, Any] = {"net_arch": [16]}
MODELS: dict[str, Callable[[], Any]] = {
    "PPO": lambda: PPO("MultiInputPolicy", plain(), device="cpu"),
    "PPO of another size": lambda: PPO("MultiInputPolicy", plain(), device="cpu", policy_kwargs=BIG_HEADS),
    "A2C": lambda: A2C("MultiInputPolicy", plain(), device="cpu"),
    "DQN": lambda: DQN("MultiInputPolicy", flat(), device="cpu", buffer_size=10),
    "MaskablePPO": lambda: MaskablePPO("MultiInputPolicy", plain(), device="cpu"),
    "MaskablePPO, flat": lambda: MaskablePPO("MultiInputPolicy", flat(), device="cpu"),
    "PPO on rows": lambda: PPO("MlpPolicy", in_rows(flat), device="cpu"),
    "PPO of slots": lambda: PPO(SlotPolicy, in_rows(flat), device="cpu"),
    "MaskablePPO of slots": lambda: MaskablePPO(MaskableSlotPolicy, in_rows(flat), device="cpu", policy_kwargs={"hidden": 8}),
    "MaskablePPO without names": lambda: MaskablePPO(MaskableSlotPolicy, in_rows(flat), device="cpu", policy_kwargs=NO_NAMES),
    "MaskablePPO of slots and parts": lambda: MaskablePPO(MaskableSlotPolicy, in_rows(plain), device="cpu"),
}


def saved(model: Any, folder: Path) -> str:  # noqa: ANN401 (any algorithm)
    """Save a model whose choices are clear-cut."""
    with torch.no_grad():
        for parameter in model.policy.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.3)
    path = folder / "model.zip"
    model.save(path)
    return str(path)


@pytest.mark.parametrize("named", MODELS)
def test_it_chooses_what_the_library_would(named: str, tmp_path: Path) -> None:
    torch.manual_seed(0)  # pyright: ignore[reportUnknownMemberType] (torch leaves it untyped)
    model = MODELS[named]()
    name = saved(model, tmp_path)
    env = plain()
    observation, info = env.reset(seed=0)
    chooser, trusting = policy.make(name, env), policy.make(f"trusted:{name}", env)
    for each in (chooser, trusting):
        each.reset(observation, info, 0, env.get_wrapper_attr("read"))
    acted = set[tuple[int, int, int]]()
    for _ in range(60):
        action = chooser.act(observation, info)
        assert action == trusting.act(observation, info) == expected(model, observation)
        acted.add(action)
        observation, _, over, _, info = env.step(env.action_space.sample() if len(acted) < 3 else action)
        if over:
            break


def expected(model: Any, observation: dict[str, Any]) -> tuple[int, int, int]:  # noqa: ANN401 (any algorithm)
    """Return what the library's own `predict` says, in three parts."""
    library: Any = model
    row = row_of(observation)
    masks = masks_of(row[None], model.action_space)
    given = {"action_masks": masks} if isinstance(model, MaskablePPO) else {}
    seen = observation if type(library.observation_space) is gym.spaces.Dict else row
    chosen = np.asarray(library.predict(seen, deterministic=True, **given)[0]).reshape(-1)
    if len(chosen) == 3:
        return int(chosen[0]), int(chosen[1]), int(chosen[2])
    number = int(chosen[0]) - 1
    return (0, 0, 0) if number < 0 else (number // 16 + 1, number % 16 // 4, number % 4)


FRAMED: dict[str, Callable[[], Any]] = {
    "slots": lambda: MaskablePPO(MaskableSlotPolicy, RowVecEnv([flat()], frames=3), device="cpu"),
    "slots without names": lambda: PPO(SlotPolicy, RowVecEnv([flat()], frames=3), device="cpu", policy_kwargs=NO_NAMES),
    "a plain network": lambda: MaskablePPO("MlpPolicy", RowVecEnv([plain()], frames=3), device="cpu"),
}


@pytest.mark.parametrize("named", FRAMED)
def test_a_model_of_several_frames_sees_what_it_saw_in_training(named: str, tmp_path: Path) -> None:
    torch.manual_seed(0)  # pyright: ignore[reportUnknownMemberType] (torch leaves it untyped)
    model = FRAMED[named]()
    chooser, stacked, env = learned.load(saved(model, tmp_path)), model.get_env(), plain()
    for _ in range(2):
        stacked.seed(0)
        rows = stacked.reset()
        observation, info = env.reset(seed=0)
        chooser.reset(observation, info, 0, env.get_wrapper_attr("read"))
        for _ in range(40):
            masks = {"action_masks": stacked.env_method("action_masks")} if isinstance(model, MaskablePPO) else {}
            chosen = model.predict(rows, deterministic=True, **masks)[0]
            action, parts = chooser.act(observation, info), unflatten(chosen[0]) if chosen.ndim == 1 else chosen[0]
            assert parts is not None
            assert action == tuple(parts)
            rows = stacked.step(chosen)[0]
            observation, *_, info = env.step(action)


def test_a_recurrent_model_remembers_within_an_episode(tmp_path: Path) -> None:
    model = RecurrentPPO("MultiInputLstmPolicy", plain(), device="cpu", policy_kwargs={"lstm_hidden_size": 8})
    name = saved(model, tmp_path)
    with pytest.raises(LearnedError, match=f"trusted:{name}"):
        learned.load(name)
    first, second = (policy.play(learned.load(f"trusted:{name}"), plain(), seed=0) for _ in range(2))
    assert first == second


def test_a_network_of_ones_own_needs_trust(tmp_path: Path) -> None:
    model = PPO("MultiInputPolicy", plain(), device="cpu", policy_kwargs={"activation_fn": torch.nn.ReLU})
    name = saved(model, tmp_path)
    with pytest.raises(LearnedError, match="if you trust"):
        learned.load(name)
    assert learned.load(f"trusted:{name}")


class Trap:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


def test_nothing_in_a_file_is_run_without_trust(tmp_path: Path) -> None:
    model = MODELS["MaskablePPO of slots"]()
    sprung = tmp_path / "sprung"
    model.trap = Trap(sprung)
    name = saved(model, tmp_path)
    policy.play(learned.load(name), plain(), seed=0)
    assert not sprung.exists()
    learned.load(f"trusted:{name}")
    assert sprung.exists()


def test_weights_that_are_more_than_weights_are_refused(tmp_path: Path) -> None:
    name = saved(MODELS["MaskablePPO of slots"](), tmp_path)
    sprung = tmp_path / "sprung"

    def trapped(_: bytes) -> bytes:
        weights = io.BytesIO()
        torch.save({"weight": Trap(sprung)}, weights)
        return weights.getvalue()

    with pytest.raises(LearnedError, match="do not fit"):
        learned.load(rewritten(name, "policy.pth", trapped))
    assert not sprung.exists()


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    name = saved(MODELS["PPO on rows"](), tmp_path)
    assert learned.load(name)
    Path(name).write_bytes(b"broken")
    with pytest.raises(LearnedError, match="damaged"):
        learned.load(name)


def rewritten(path: str, part: str, change: Callable[[bytes], bytes]) -> str:
    """Return a copy of a model's zip with one file in it changed."""
    changed = f"{path}.{part}.{change.__name__}.zip"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(changed, "w") as new:
        for entry in old.namelist():
            new.writestr(entry, change(old.read(entry)) if entry == part else old.read(entry))
    return changed


def narrower(data: bytes) -> bytes:
    return json.dumps(json.loads(data) | {"policy_kwargs": {"net_arch": [3]}}).encode()


def halved(data: bytes) -> bytes:
    return data[: len(data) // 2]


def listed(data: bytes) -> bytes:
    return b"[" + data + b"]"


def test_files_that_are_no_models_are_refused(tmp_path: Path) -> None:
    name = saved(MODELS["PPO on rows"](), tmp_path)
    half = tmp_path / "half.zip"
    half.write_bytes(Path(name).read_bytes()[:1000])
    shutil.make_archive(str(tmp_path / "other"), "zip", tmp_path, "half.zip")
    for refused_file, said in (
        (str(half), "damaged"),
        (str(tmp_path / "other.zip"), "no model of stable-baselines3"),
        (str(tmp_path / "none.zip"), "No such file"),
        (str(tmp_path), "Is a directory"),
        (rewritten(name, "data", narrower), "do not fit"),
        (rewritten(name, "policy.pth", halved), "do not fit"),
        (rewritten(name, "data", listed), "no model of"),
    ):
        with pytest.raises(LearnedError, match=said):
            learned.load(refused_file if refused_file.endswith(".zip") else f"trusted:{refused_file}")


def of_nan(data: bytes) -> bytes:
    weights, written = torch.load(io.BytesIO(data)), io.BytesIO()
    torch.save({key: torch.full_like(value, torch.nan) for key, value in weights.items()}, written)
    return written.getvalue()


def of_numbers(_: bytes) -> bytes:
    written = io.BytesIO()
    torch.save({1: 2}, written)
    return written.getvalue()


DAMAGES: list[tuple[str, Callable[[bytes], bytes], str]] = [
    ("data", lambda _: b"[" * 200_000, "damaged"),
    ("policy.pth", lambda _: b"", "do not fit"),
    ("policy.pth", lambda _: b"junk", "do not fit"),
    ("policy.pth", of_numbers, "do not fit"),
    ("policy.pth", of_nan, "not all numbers"),
]


@pytest.mark.parametrize("trust", ["", "trusted:"])
@pytest.mark.parametrize(("part", "change", "said"), DAMAGES)
def test_a_damaged_part_is_refused(part: str, change: Callable[[bytes], bytes], said: str, trust: str, tmp_path: Path) -> None:
    name = rewritten(saved(MODELS["PPO on rows"](), tmp_path), part, change)
    with pytest.raises(LearnedError, match=f"{said}|cannot be loaded" if trust else said):
        learned.load(trust + name)


def test_a_zip_with_a_flipped_byte_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("data", "{" * 10_000)
    content = bytearray(path.read_bytes())
    content[40] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(LearnedError, match="damaged"):
        learned.load(str(path))


@pytest.mark.parametrize("trust", ["", "trusted:"])
def test_a_model_of_another_environment_is_refused(trust: str, tmp_path: Path) -> None:
    name = saved(PPO("MlpPolicy", gym.make("CartPole-v1"), device="cpu"), tmp_path)
    with pytest.raises(LearnedError, match="trained on other spaces"):
        learned.load(f"{trust}{name}")


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "_NEEDED", ("torch_that_is_not_there",))
    with pytest.raises(LearnedError, match=r"pip install 'proactivity-gym\[train\]'"):
        learned.load("model.zip")


def test_pgym_run_mixes_it_with_others(tmp_path: Path) -> None:
    name = saved(MODELS["MaskablePPO of slots"](), tmp_path)
    played = ["--ids", ENV_ID, "--seeds", "0:2", "--worker", "imperfect:0.2", "--log", str(tmp_path / "log"), "--json"]
    ended = pgym("run", "--policy", name, "--policy", "rules", *played)
    rows = rows_of(ended.stdout)
    assert [row["policy"] for row in rows] == [name, name, "rules", "rules"]
    assert all(row["status"] == "completed" for row in rows)
    assert len(list((tmp_path / "log").glob("*/seed-0/*.jsonl"))) == 2


def test_pgym_run_refuses_a_bad_model(tmp_path: Path) -> None:
    said = refused(pgym("run", "--policy", str(tmp_path / "none.zip"), "--ids", ENV_ID))
    assert "give the path of a saved model" in said
