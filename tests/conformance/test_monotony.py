"""D18: with all other outcomes fixed, mending one wrong choice never lowers a term of the return; B24: each check counts."""

from dataclasses import replace
from itertools import islice

import pytest

from proactivity_gym.baselines import policy
from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.sim.scoring import Weights, joint, score
from proactivity_gym.sim.trace import Entry
from proactivity_gym.sim.week import Week
from tests.conformance.drivers import CASES, likely_actions, steps
from tests.conformance.perturbing import MENDS, mended

PAID = ("S_TC", "S_TA", "S_TR", "J")
ROUNDING = 1e-9
SOMETIMES = {"unread", "too_deep_later", "timing"}
"""Kinds of mends that not every scenario has room for."""


def traces(scenario: str, persona: str) -> list[tuple[Week, list[Entry]]]:
    """Return the traces of bad and of middling play."""
    played: list[tuple[Week, list[Entry]]] = []
    for seed, name in enumerate(("random", "suggest", "spam", "rules", "random")):
        env = ProactivityEnv(scenario, persona, variation="train", worker="imperfect:0.3")
        policy.play(policy.make(name, env), env, seed)
        played.append((env.episode.week, env.episode.trace.entries))
    env = ProactivityEnv(scenario, persona, variation="train", user="stochastic")
    env.reset(seed=9)
    assert list(steps(env, likely_actions(9)))
    return [*played, (env.episode.week, env.episode.trace.entries)]


def falls(scenario: str, persona: str) -> tuple[list[str], set[str]]:
    """Return where mending lowered a term, and which mends were tried."""
    found: list[str] = []
    tried: set[str] = set()
    for week, entries in traces(scenario, persona):
        before = score(entries, week)
        for kind, better in mended(entries, week):
            after = score(better, week)
            tried.add(kind)
            found += [
                f"{kind}: {name} from {before[name]} to {after[name]}"
                for name in PAID
                if (after[name] or 0.0) < (before[name] or 0.0) - ROUNDING or (after[name] or 0.0) > 1 + ROUNDING
            ]
    return found, tried


@pytest.mark.parametrize(("scenario", "persona"), CASES)
def test_mending_a_wrong_choice_never_costs(scenario: str, persona: str) -> None:
    found, tried = falls(scenario, persona)
    assert found == []
    assert tried >= set(MENDS) - SOMETIMES


@pytest.mark.parametrize(("scenario", "persona"), CASES)
def test_what_is_paid_is_the_weighted_sum_of_what_is_published(scenario: str, persona: str) -> None:
    weights = Weights(0.5, 0.3, 0.2)
    for week, entries in traces(scenario, persona)[:3]:
        terms = score(entries, week, weights)
        paid = (terms["S_TC"], terms["S_TA"], terms["S_TR"])
        assert terms["J"] == pytest.approx(joint(paid, weights), abs=ROUNDING)
        assert terms["J"] == pytest.approx(0.5 * (paid[0] or 0) + 0.3 * (paid[1] or 0) + 0.2 * (paid[2] or 0), abs=ROUNDING)


def test_a_missing_score_leaves_its_weight_to_the_others() -> None:
    assert joint((1.0, None, 0.0), Weights()) == pytest.approx(0.5)
    assert joint((None, None, None), Weights()) == 0.0
    assert replace(Weights(), tc=1 / 3) == Weights()


@pytest.mark.parametrize(("scenario", "persona"), CASES)
def test_breaking_a_check_moves_a_published_component(scenario: str, persona: str) -> None:
    env = ProactivityEnv(scenario, persona)
    policy.play(policy.make("oracle", env), env, 0)
    week, entries = env.episode.week, env.episode.trace.entries
    best = score(entries, week)
    noops = {task for task, noop in enumerate(week.task_noop) if noop}
    assert best["J"] == pytest.approx(1.0)
    for place, (minute, name, data) in enumerate(entries):
        broken = [
            {**data, **change}
            for change in {
                "credit": [{"tc": 0.5}, {"late": True}],
                "dismiss": [{"evidence": 0.0}] if data.get("task") in noops else [],
                "attempt": [{"depth": (int(data.get("depth") or 0) % 3) + 1}],
            }.get(name, [])
        ]
        for other in broken:
            worse = score([*entries[:place], (minute, name, other), *entries[place + 1 :]], week)
            assert (worse["J"] or 0) < 1 - ROUNDING, (name, data, other)


def test_actions_for_traces_differ() -> None:
    assert list(islice(likely_actions(1), 5)) != list(islice(likely_actions(2), 5))
