"""The observation is what its layout says, at every step, however it was brought up to date."""

from itertools import islice

import numpy as np
import pytest

from proactivity_gym.baselines.policy import Observation
from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.envs.layout import COLUMN, SIGNAL, WIDTH
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.timeline import last_in
from proactivity_gym.sim.words import MAX_SIGNALS, Timing
from tests.conformance.drivers import CASES, ROTATED, likely_actions, random_actions
from tests.envs import plain_encoding as plain
from tests.sim.tiny import PATH as TINY

NEAR = 2e-6
"""What is lost between double and single precision."""
FITS = ("fits before the stated deadline if IDLE", "fits before the stated deadline if SLEEP")


def differences(observation: Observation, playing: Episode) -> list[str]:
    """Return every number of an observation that is not what it should be."""
    wanted = {
        "clock": list(plain.clock(playing).items()),
        "user": list(plain.user(playing).items()),
        "resources": list(plain.resources(playing).items()),
        "delegation": list(plain.delegation(playing).items()),
    }
    wrong: list[str] = []
    for key, numbers in wanted.items():
        for (name, number), seen in zip(numbers, observation[key].tolist(), strict=True):
            if abs(seen - number) > NEAR:
                wrong.append(f"{playing.now} {key}, {name}: {seen} instead of {number}")
    table = observation["signals"].reshape(MAX_SIGNALS, WIDTH)
    for slot, signal in enumerate(playing.board.slots):
        wrong += _of_row(table[slot].tolist(), signal, playing)
    return wrong


def _of_row(row: list[float], signal: OpenSignal | None, playing: Episode) -> list[str]:
    if signal is None:
        return [f"{playing.now} an empty row holds {row}"] if any(row) else []
    numbers = plain.signal(playing, signal)
    assert set(numbers) | set(FITS) == set(SIGNAL)
    return [
        f"{playing.now} signal {signal.index}, {name}: {row[COLUMN[name]]} instead of {number}"
        for name, number in numbers.items()
        if abs(row[COLUMN[name]] - number) > NEAR
    ]


@pytest.mark.parametrize(("scenario", "persona"), CASES)
@pytest.mark.parametrize("variation", ["train", "written"])
def test_every_number_is_what_the_layout_says(scenario: str, persona: str, variation: str) -> None:
    env = ProactivityEnv(scenario, persona, variation=variation, user="stochastic", worker="imperfect:0.3")
    for seed, draw in enumerate((random_actions, likely_actions)):
        observation, _ = env.reset(seed=seed)
        assert differences(observation, env.episode) == []
        for action in draw(seed):
            observation, _, over, _, _ = env.step(action)
            assert differences(observation, env.episode) == []
            if over:
                break


def test_what_is_read_with_tools_shows_in_the_next_observation() -> None:
    env = ProactivityEnv(*ROTATED[0])
    env.reset(seed=0)
    while not any(signal and len(env.episode.week.links(signal.index)) > 1 for signal in env.episode.board.slots):
        env.step((0, 0, 0))
    for record in range(len(env.episode.week.plan.records)):
        entry = env.episode.week.plan.scenario.records[record]
        if env.episode.reading.there(record, env.episode.now):
            env.read(f"{entry.app}.read", {"id": entry.id})
    observation, *_ = env.step((17, 0, 0))
    assert differences(observation, env.episode) == []
    assert observation["signals"].reshape(MAX_SIGNALS, WIDTH)[:, COLUMN["share of linked records read"]].max() > 0


@pytest.mark.parametrize(("scenario", "persona"), CASES)
def test_work_that_is_said_to_fit_lands_before_the_stated_deadline(scenario: str, persona: str) -> None:
    """As long as nothing differs from the forecast: the plan's start is the first, so it lands if any does."""
    env = ProactivityEnv(scenario, persona)
    observation, _ = env.reset(seed=0)
    week, over = env.episode.week, False
    free, horizon = week.plan.free, week.plan.horizon
    while not over:
        table = observation["signals"].reshape(MAX_SIGNALS, WIDTH)
        for slot, signal in enumerate(env.episode.board.slots):
            if signal is None or any(not u.stated or u.end != u.stated_end for u in week.usages):
                continue
            for timing, name in zip((Timing.IDLE, Timing.SLEEP), FITS, strict=True):
                start = env.episode.preview(signal, timing)
                lands = start + week.signal_work[signal.index] <= last_in(free, min(week.signal_by[signal.index], horizon - 1))
                assert table[slot, COLUMN[name]] == lands
        observation, _, over, _, _ = env.step((0, 0, 0))


def test_an_observation_is_the_caller_s_to_keep() -> None:
    env = ProactivityEnv(str(TINY), "A")
    first, _ = env.reset(seed=0)
    kept = {name: part.copy() for name, part in first.items()}
    for part in env.step((0, 0, 0))[0].values():
        part[:] = 9.0
    for action in islice(likely_actions(0), 5):
        observation, _, over, _, _ = env.step(action)
        assert all((part <= 1).all() for part in observation.values())
        if over:
            break
    assert all(np.array_equal(first[name], part) for name, part in kept.items())


def test_the_persona_is_no_feature() -> None:
    """Personas differ in what they said and in their rhythms: with these alike, the first observation is the same."""
    env = ProactivityEnv(*CASES[0])
    observation, _ = env.reset(seed=0)
    assert set(observation) == {"clock", "user", "resources", "delegation", "signals"}
    assert not any("persona" in name for name in SIGNAL)
