import copy
import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest

import proactivity_gym
from proactivity_gym.baselines import policy
from proactivity_gym.sim.tools import ToolError
from proactivity_gym.wrappers import EpisodeLog, FlatActions, JointReward, Log, load, replay
from proactivity_gym.wrappers.log_format import Read
from tests.sim.tiny import PATH
from tests.wrappers.worlds import DISMISS_CARD, EDUCATION, SUGGEST_PIZZA, WAIT, Env, entries_of, finish, tiny

D13_BYTES = 20_000


def logged(env: Env) -> Log:
    """Read the log of the episode being played."""
    path = env.get_wrapper_attr("log_path")
    assert path is not None
    return load(path)


def test_a_log_by_hand(tmp_path: Path) -> None:
    env = EpisodeLog(tiny(weights=(0.5, 0.25, 0.25)), folder=tmp_path)
    env.reset(seed=7, options={"week": 3, "odd": object()})
    for action in DISMISS_CARD:
        env.step(action)
    header, *steps = [json.loads(text) for text in (tmp_path / "Tiny-PersonaA-v0-000001.jsonl").read_bytes().splitlines()]
    assert header.pop("sha256") == sha256(PATH.read_bytes()).hexdigest()
    assert header == {
        "schema": 1,
        "package": proactivity_gym.__version__,
        "id": "ProactivityGym/Tiny-PersonaA-v0",
        "source": str(PATH),
        "scenario_version": 1,
        "persona": "A",
        "variation": "written",
        "week": 0,
        "user": "deterministic",
        "worker": "reference",
        "weights": [0.5, 0.25, 0.25],
        "seed": 7,
        "options": {"week": 3},
        "draws": 0,
        "difficulty": "standard",
        "columns": ["target", "depth", "timing", "entries", "digest", "reward", "error"],
    }
    assert [step[:3] for step in steps] == [list(action) for action in DISMISS_CARD]
    assert steps[4][5] == pytest.approx(1 / 6)  # as in test_joint_reward
    assert [len(step) for step in steps] == [5, 5, 5, 5, 6, 5]
    assert logged(env).status == "interrupted"
    finish(env)
    log = logged(env)
    assert log.status == "completed"
    assert log.final is not None
    assert log.final.terms["J"] == pytest.approx(1 / 6)
    assert log.final.steps == len(log.steps)


@pytest.mark.parametrize("name", ["oracle", "random", "spam"])
def test_a_log_is_small(name: str, tmp_path: Path) -> None:
    env = EpisodeLog(gym.make(EDUCATION, user="stochastic", variation="test"), folder=tmp_path)
    policy.play(policy.make(name, env), env, 3)
    assert env.log_path is not None
    assert env.log_path.stat().st_size <= D13_BYTES


def test_each_episode_has_a_file_and_an_end(tmp_path: Path) -> None:
    env = EpisodeLog(tiny(), folder=tmp_path)
    env.reset(seed=0)
    finish(env)
    env.reset()
    env.reset()  # nothing happened: no file
    env.step(WAIT)
    env.reset()
    env.step(WAIT)
    env.close()
    env.close()
    assert [load(path).status for path in sorted(tmp_path.iterdir())] == ["completed", "cut off", "cut off"]


def test_a_reset_that_is_refused_leaves_the_log_of_the_week_that_goes_on(tmp_path: Path) -> None:
    env = EpisodeLog(tiny(), folder=tmp_path)
    env.reset(seed=0)
    env.step(SUGGEST_PIZZA)
    with pytest.raises(ValueError, match="week"):
        env.reset(options={"week": -1})
    finish(env)
    log = logged(env)
    assert log.status == "completed"
    assert replay(log).entries == entries_of(env)


def test_an_episode_that_a_time_limit_ends_is_truncated(tmp_path: Path) -> None:
    env = EpisodeLog(gym.make(EDUCATION, max_episode_steps=3), folder=tmp_path)
    env.reset(seed=0)
    assert [env.step(WAIT)[3] for _ in range(3)] == [False, False, True]
    log = logged(env)
    assert (log.status, len(log.steps)) == ("truncated", 3)
    assert len(replay(log)) == len(entries_of(env))


@pytest.mark.parametrize("action", [None, [1, 2], "x", (99, 0, 0), {"target": 1}, float("nan"), b"\xff", "\ud835"])
def test_no_action_breaks_it(action: object, tmp_path: Path) -> None:
    env = EpisodeLog(tiny(), folder=tmp_path)
    env.reset(seed=0)
    env.step(action)
    env.step('{"target": 1, "depth": "PREPARE", "timing": "IDLE"}')
    env.step((9, 1, 0))
    steps = logged(env).steps
    assert [(step.action, step.error) for step in steps] == [
        (None, "malformed-action"),
        ((1, 1, 1), None),
        ((9, 1, 0), "empty-slot"),
    ]
    replay(logged(env))


def test_reads_are_written_whichever_way_they_were_made(tmp_path: Path) -> None:
    env = EpisodeLog(tiny(), folder=tmp_path)
    env.reset(seed=0)
    nasty = "\ud835 \x00 \u2028 \x1b[2J"
    env.unwrapped.read("files.read", {"id": "hours"})  # type: ignore[attr-defined]
    env.get_wrapper_attr("read")("mail.search", {"query": nasty})
    with pytest.raises(ToolError):
        env.get_wrapper_attr("read")("mail.send", {"to": "Rui"})
    env.step(WAIT)
    env.get_wrapper_attr("read")("messages.read", {"id": "parcel-note"})
    env.step(WAIT)
    env.unwrapped.read("mail.read", {"id": "desk-mail"})  # type: ignore[attr-defined]
    env.close()
    log = logged(env)
    reads = [(event.tool, event.arguments) for event in log.events if isinstance(event, Read)]
    assert reads == [
        ("files.read", {"id": "hours"}),
        ("mail.search", {"query": nasty}),
        ("messages.read", {"id": "parcel-note"}),
        ("mail.read", {"id": "desk-mail"}),
    ]
    assert replay(log).entries == entries_of(env)


def test_it_stands_where_actions_are_what_the_world_takes(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"FlatActions\(EpisodeLog\(env\)\)"):
        EpisodeLog(FlatActions(tiny()), folder=tmp_path)
    env = FlatActions(EpisodeLog(tiny(), folder=tmp_path))
    env.reset(seed=0)
    env.step(0)
    env.step(1 + 3 * 4 + 1)
    assert [step.action for step in logged(env).steps] == [(0, 0, 0), (1, 3, 1)]


def test_rewards_are_those_it_saw(tmp_path: Path) -> None:
    env = EpisodeLog(JointReward(tiny(), tc=0.8, ta=0.1, tr=0.1), folder=tmp_path)
    env.reset(seed=0)
    for action in [*DISMISS_CARD, SUGGEST_PIZZA]:
        env.step(action)
    assert sum(step.reward or 0 for step in logged(env).steps) == pytest.approx(0.8 / 6 + 0.1 / 4)
    assert logged(env).header.weights == pytest.approx([1 / 3] * 3)


def test_a_reward_that_is_no_number_is_null(tmp_path: Path) -> None:
    env = EpisodeLog(gym.wrappers.TransformReward(tiny(), lambda _: float("nan")), folder=tmp_path)
    env.reset(seed=0)
    env.step(WAIT)
    assert logged(env).steps[0].reward is None


def test_what_cannot_be_played_again_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"made by gym\.make"):
        EpisodeLog(gym.make("CartPole-v1"), folder=tmp_path)
    with pytest.raises(ValueError, match=r"made by gym\.make"):
        from proactivity_gym.envs.env import ProactivityEnv

        EpisodeLog(ProactivityEnv("Education"), folder=tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError, match="give a folder"):
        EpisodeLog(tiny(), folder=tmp_path / "file")


def test_a_folder_stays_where_it_was_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    env = EpisodeLog(gym.make(EDUCATION), folder="runs")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    env.reset(seed=0)
    env.step(WAIT)
    assert env.log_path is not None
    assert env.log_path.parent == tmp_path / "runs"


def test_copies_write_whole_logs_of_their_own(tmp_path: Path) -> None:
    env = EpisodeLog(gym.make(EDUCATION, user="stochastic"), folder=tmp_path)
    env.reset(seed=4)
    for action in [WAIT, WAIT, (1, 2, 1), WAIT]:
        env.step(action)
    twin = copy.deepcopy(env)
    finish(env)
    finish(twin, (1, 2, 0))
    paths = [env.log_path, twin.log_path]
    assert len(set(paths)) == 2
    logs = [logged(env), logged(twin)]
    assert logs[0].steps[:4] == logs[1].steps[:4]
    for each, log in zip((env, twin), logs, strict=True):
        assert log.status == "completed"
        assert replay(log).entries == entries_of(each)


def test_vector_environments_write_a_file_an_episode(tmp_path: Path) -> None:
    def make() -> Env:
        return EpisodeLog(gym.make(EDUCATION), folder=tmp_path)

    many = gym.vector.AsyncVectorEnv([make] * 2)
    many.reset(seed=[1, 2])
    ends = 0
    while ends < 4:
        ends += int(many.step(np.zeros((2, 3), np.int64))[2].sum())
    many.close()
    logs = [load(path) for path in sorted(tmp_path.iterdir())]
    assert [log.status for log in logs].count("completed") == 4
    assert all(log.complete for log in logs)


def test_a_process_that_is_killed_leaves_what_it_did(tmp_path: Path) -> None:
    code = f"""
import os, signal, gymnasium, proactivity_gym
from proactivity_gym.wrappers import EpisodeLog
env = EpisodeLog(gymnasium.make({EDUCATION!r}), folder={str(tmp_path)!r})
env.reset(seed=0)
for _ in range(9):
    env.step((0, 0, 0))
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode != 0
    (path,) = tmp_path.iterdir()
    log = load(path)
    assert (len(log.steps), log.status) == (9, "interrupted")
    assert len(replay(log)) > 0


def test_a_full_disk_is_said_and_made_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env = EpisodeLog(tiny(), folder=tmp_path)
    env.reset(seed=0)
    env.step(WAIT)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space"):
            env.step(WAIT)
    finish(env)
    log = logged(env)
    assert log.status == "completed"
    assert replay(log).entries == entries_of(env)


_USUAL_WRITE = os.write


def full(file: int, data: bytes) -> int:
    """Take half of what is written, and say that there is no room, as a disk may."""
    _USUAL_WRITE(file, data[: len(data) // 2])
    raise OSError(28, os.strerror(28))
