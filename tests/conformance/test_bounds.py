"""D18, B20, B22, B23: the sanity bounds of the design (section 5), over every id."""

from statistics import fmean

import pytest

from proactivity_gym.baselines import policy
from tests.conformance.bounds import AXES, RIGHT_NOW, earned
from tests.conformance.drivers import SINGLE, bare

WEEKS = 20
ROUNDING = 1e-9
AT_MOST = {
    "noop": 0.0,
    "dismiss": 0.20,
    "prepare": 0.35,
    "execute": 0.35,
    "spam": 0.35,
    "suggest": 0.45,
    "defer": 0.45,
    "random": 0.25,
}
"""Mean return over the written week and twenty of the stream `test`."""
CONSTANT = ("dismiss", "prepare", "suggest", "execute", "spam", "defer")
MOST_TR_D = 45.0


@pytest.fixture(scope="module", params=SINGLE)
def env_id(request: pytest.FixtureRequest) -> str:
    """Give one id after the other to all tests, so that each process plays what it needs once."""
    return request.param


def test_the_oracle_earns_everything_in_every_week(env_id: str) -> None:
    best = earned(env_id, "oracle", WEEKS)
    for paid, terms in zip(best.returns, best.terms, strict=True):
        assert paid == pytest.approx(1.0, abs=ROUNDING)
        for name in ("TC", "TA", "TR_D"):
            assert terms[name] == pytest.approx(100.0, abs=ROUNDING), name
        assert (terms["over"], terms["under"], terms["unattempted"]) == (0, 0, 0)


def test_the_oracle_suffers_little_from_a_user_who_draws(env_id: str) -> None:
    assert fmean(earned(env_id, "oracle", WEEKS, "stochastic").returns) >= 0.98


@pytest.mark.parametrize("name", AT_MOST)
def test_no_trivial_policy_earns_much(env_id: str, name: str) -> None:
    assert fmean(earned(env_id, name, WEEKS).returns) <= AT_MOST[name] + ROUNDING


def test_right_depth_without_timing_earns_about_two_thirds(env_id: str) -> None:
    assert 0.55 <= fmean(earned(env_id, RIGHT_NOW, WEEKS).returns) <= 0.75


@pytest.mark.parametrize("name", CONSTANT)
def test_no_constant_depth_is_often_right(env_id: str, name: str) -> None:
    share = earned(env_id, name, WEEKS).mean("TR_D")
    assert share is not None
    assert share <= MOST_TR_D


def test_no_policy_is_above_the_oracle_on_any_axis(env_id: str) -> None:
    best = earned(env_id, "oracle", WEEKS)
    above = [
        f"{name}: {axis}"
        for name in [*AT_MOST, "rules", RIGHT_NOW]
        for axis in AXES
        if (earned(env_id, name, WEEKS).mean(axis) or 0.0) > (best.mean(axis) or 0.0) + ROUNDING
    ]
    assert above == []


def test_the_return_is_what_is_paid_and_never_more_than_one(env_id: str) -> None:
    for name in [*AT_MOST, "oracle", "rules", RIGHT_NOW]:
        played = earned(env_id, name, WEEKS)
        for paid, terms in zip(played.returns, played.terms, strict=True):
            assert paid == pytest.approx(terms["J"], abs=ROUNDING)
            assert paid <= 1 + ROUNDING


def test_no_depth_is_expected_in_most_cases(env_id: str) -> None:
    env = bare(env_id)
    policy.play(policy.make("oracle", env), env, 0)
    first: dict[object, object] = {}
    for _, name, data in env.episode.trace:
        if name in ("attempt", "dismiss") and data["task"] != -1:
            first.setdefault(data["task"], data["expected"])
    expected = list(first.values())
    assert max(expected.count(depth) for depth in range(4)) / len(expected) <= MOST_TR_D / 100


def test_what_has_no_cases_is_none_and_not_a_number(env_id: str) -> None:
    env = bare(env_id)
    _, info = env.reset(seed=0)
    early = info["terms"]
    assert all(early[name] is None for name in ("TC", "TA", "TA_1", "CQ", "TR_D", "TR_D_paper", "TR_H", "TR_J"))
    assert early["J"] == 0.0
    idle = earned(env_id, "noop", WEEKS).terms[0]
    assert (idle["TC"], idle["TR_D"], idle["TR_H"]) == (0.0, 0.0, None)
