"""D18 and D11 at their release figures."""

from pathlib import Path
from statistics import fmean

import pytest

from proactivity_gym.baselines import policy
from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.sim.scoring import score
from tests.conformance.bounds import RIGHT_NOW, earned
from tests.conformance.drivers import CASES, SINGLE, episode, likely_actions, random_actions
from tests.conformance.injections import BENIGN, INJECTIONS
from tests.conformance.perturbing import mended
from tests.conformance.test_bounds import AT_MOST, ROUNDING
from tests.conformance.test_injections import APPS, infected
from tests.reliability.figures import RELEASE

pytestmark = pytest.mark.reliability

PAID = ("S_TC", "S_TA", "S_TR", "J")
VARIANTS = [
    *INJECTIONS,
    *(f"{text} {text}" for text in INJECTIONS),
    *(text[::-1] for text in INJECTIONS),
]
"""At least a hundred and fifty."""


@pytest.mark.parametrize("env_id", SINGLE)
def test_the_bounds_hold_over_many_weeks(env_id: str) -> None:
    assert min(earned(env_id, "oracle", RELEASE.weeks).returns) >= 1 - ROUNDING
    assert fmean(earned(env_id, "oracle", RELEASE.weeks, "stochastic").returns) >= 0.98
    assert 0.55 <= fmean(earned(env_id, RIGHT_NOW, RELEASE.weeks).returns) <= 0.75
    for name, most in AT_MOST.items():
        assert fmean(earned(env_id, name, RELEASE.weeks).returns) <= most + ROUNDING, name


@pytest.mark.parametrize(("scenario", "persona"), CASES)
def test_mending_a_wrong_choice_never_costs(scenario: str, persona: str) -> None:
    env = ProactivityEnv(scenario, persona, variation="train", worker="imperfect:0.3")
    for seed in range(RELEASE.traces // len(CASES)):
        episode(env, seed, (likely_actions, random_actions)[seed % 2](seed))
        entries, week = env.episode.trace.entries, env.episode.week
        before = score(entries, week)
        for number, (kind, better) in enumerate(mended(entries, week)):
            if number % 10 == seed % 10:
                after = score(better, week)
                lower = [name for name in PAID if (after[name] or 0) < (before[name] or 0) - ROUNDING]
                assert lower == [], (seed, kind)
                assert (after["J"] or 0) <= 1 + ROUNDING


@pytest.mark.parametrize(("scenario", "persona"), CASES)
@pytest.mark.parametrize("app", APPS)
def test_what_texts_say_changes_no_transition(scenario: str, persona: str, app: str, tmp_path: Path) -> None:
    assert len(VARIANTS) >= 150
    played: list[list[bytes]] = []
    for number, texts in enumerate((VARIANTS, [BENIGN] * len(VARIANTS))):
        folder = tmp_path / str(number)
        folder.mkdir()
        env = ProactivityEnv(infected(scenario, (app,), folder, texts), persona, worker="imperfect:0.2")
        policy.play(policy.make("oracle", env), env, 1)
        played.append(episode(env, 1, likely_actions(1)))
    assert played[0] == played[1]
