import dataclasses
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from proactivity_gym.baselines import policy
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.scoring import Weights, score
from proactivity_gym.sim.tools import ToolError
from proactivity_gym.wrappers import EpisodeLog, Log, ReplayError, load, replay, rescore
from tests.sim.tiny import PATH
from tests.wrappers.worlds import DISMISS_CARD, EDUCATION, SUGGEST_PIZZA, WAIT, Env, entries_of, finish, tiny

Entries = list[Any]


def played(env: Env, name: str, seed: int | None, folder: Path) -> tuple[Log, Entries]:
    """Play a policy that also reads; return the log and the trace."""
    env = EpisodeLog(env, folder=folder)
    observation, info = env.reset(seed=seed)
    read = env.get_wrapper_attr("read")
    chosen = policy.make(name, env)
    chosen.reset(observation, info, 1, read)
    records = [(r.app, r.id) for r in catalogue.load("Education").records]
    generator, over = np.random.default_rng(8), False
    while not over:
        app, record = records[int(generator.integers(len(records)))]
        tool, arguments = (f"{app}.read", {"id": record}) if generator.random() < 0.7 else ("mail.search", {"query": "a"})
        with suppress(ToolError):  # the record may not have appeared yet
            (read if generator.random() < 0.5 else env.unwrapped.read)(tool, arguments)  # type: ignore[attr-defined]
        observation, _, over, _, info = env.step(chosen.act(observation, info))
    assert env.log_path is not None
    return load(env.log_path), entries_of(env)


@pytest.mark.parametrize("name", ["oracle", "random", "rules", "suggest", "spam"])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"user": "stochastic", "variation": "test"},
        {"worker": "imperfect:0.5", "user": "stochastic", "variation": "train", "weights": (0.6, 0.2, 0.2)},
    ],
    ids=["plain", "stochastic", "imperfect"],
)
def test_a_replay_is_the_same_trace(name: str, settings: dict[str, Any], tmp_path: Path) -> None:
    log, entries = played(gym.make(EDUCATION, **settings), name, 11, tmp_path)
    assert any(entry[1] == "read" for entry in entries)
    assert replay(log).entries == entries
    assert log.final is not None
    assert rescore(log, Weights(*log.header.weights)) == pytest.approx(log.final.terms)


@pytest.mark.parametrize("name", [EDUCATION, "ProactivityGym/Mixed-v0"])
def test_episodes_without_a_seed_are_played_again_too(name: str, tmp_path: Path) -> None:
    env = EpisodeLog(gym.make(name, user="stochastic", variation="test"), folder=tmp_path)
    for _ in range(4):
        env.reset()
        finish(env, (1, 2, 1))
        assert env.log_path is not None
        log = load(env.log_path)
        assert log.header.seed is None
        assert replay(log).entries == entries_of(env)
    assert len({load(path).header.week for path in tmp_path.iterdir()}) == 4


def test_a_chosen_week_is_played_again(tmp_path: Path) -> None:
    env = EpisodeLog(gym.make(EDUCATION, variation="train"), folder=tmp_path)
    env.reset(seed=1, options={"week": 17})
    finish(env)
    assert env.log_path is not None
    log = load(env.log_path)
    assert (log.header.week, log.header.seed, log.header.options) == (17, 1, {"week": 17})
    assert replay(log).entries == entries_of(env)


@pytest.fixture
def log(tmp_path: Path) -> Log:
    """Return the log of an episode on tiny that earned 1/6 of TC and 1/4 of TR."""
    env = EpisodeLog(tiny(), folder=tmp_path)
    env.reset(seed=0)
    for action in [*DISMISS_CARD, SUGGEST_PIZZA]:
        env.step(action)
    finish(env)
    assert env.log_path is not None
    return load(env.log_path)


def test_other_weights_by_hand(log: Log) -> None:
    terms = rescore(log, (0.8, 0.1, 0.1))
    assert log.final is not None
    assert terms == {**log.final.terms, "J": pytest.approx(0.8 / 6 + 0.1 / 4)}
    week = catalogue.written_week(str(PATH), "A")
    assert terms == pytest.approx(score(replay(log), week, Weights(0.8, 0.1, 0.1)))
    with pytest.raises(ValueError, match="sum to 1"):
        rescore(log, (1, 1, 1))


def test_a_log_that_was_cut_off_is_scored_as_far_as_it_goes(log: Log) -> None:
    short = dataclasses.replace(log, events=log.events[:6], final=None)
    assert rescore(short, (0.8, 0.1, 0.1))["J"] == pytest.approx(0.8 / 6 + 0.1 / 3)
    assert len(replay(short)) < len(replay(log))


def other_action(log: Log) -> Log:
    events = list(log.events)
    events[4] = dataclasses.replace(log.steps[4], action=WAIT)
    return dataclasses.replace(log, events=tuple(events))


def other_error(log: Log) -> Log:
    events = list(log.events)
    events[4] = dataclasses.replace(log.steps[4], error="empty-slot")
    return dataclasses.replace(log, events=tuple(events))


def other_trace(log: Log) -> Log:
    assert log.final is not None
    return dataclasses.replace(log, final=dataclasses.replace(log.final, trace="00"))


def more_steps(log: Log) -> Log:
    return dataclasses.replace(log, events=(*log.events, dataclasses.replace(log.steps[-1], line=99)))


def other_header(**edits: Any) -> Callable[[Log], Log]:  # noqa: ANN401 (of any kind)
    return lambda log: dataclasses.replace(log, header=dataclasses.replace(log.header, **edits))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (other_action, r"line 6: action \(0, 0, 0\) brought \(.*now it brings \(.*the trace now goes on \["),
        (other_error, r"line 6: action \(2, 0, 0\) brought"),
        (other_trace, r"differs after the last step \(\d+ entries\).*proactivity_gym 0"),
        (more_steps, "line 99: the episode was still going on"),
        (other_header(sha256="00"), r"its file is not the one that was played: it was version 1, SHA-256 00"),
        (other_header(week=5), "week 5 was asked for and 0 came: play it again with proactivity_gym 0"),
        (other_header(worker="llm:x"), r"worker 'llm:x' may not do the same again"),
    ],
)
def test_the_first_difference_is_named(change: Callable[[Log], Log], message: str, log: Log) -> None:
    with pytest.raises(ReplayError, match=message):
        replay(change(log))


def test_a_read_that_is_refused_is_named(tmp_path: Path) -> None:
    env = EpisodeLog(tiny(), folder=tmp_path)
    env.reset(seed=0)
    env.read("files.read", {"id": "hours"})
    assert env.log_path is not None
    log = load(env.log_path)
    assert len(replay(log)) == len(entries_of(env))
    events = tuple(dataclasses.replace(event, arguments={"id": "gone"}) for event in log.events)  # type: ignore[call-arg]
    with pytest.raises(ReplayError, match=r"line 2: a read that succeeded is refused now \(files.read"):
        replay(dataclasses.replace(log, events=events))


def test_a_scenario_that_moved_is_shown_the_way_to(log: Log, tmp_path: Path) -> None:
    moved = shutil.copy(PATH, tmp_path / "moved.toml")
    lost = other_header(source=str(tmp_path / "gone.toml"))(log)
    with pytest.raises(ValueError, match="no such file"):
        replay(lost)
    assert replay(lost, scenario=str(moved)).entries == replay(log).entries
