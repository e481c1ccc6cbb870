import gymnasium as gym
import numpy as np
import pytest

from proactivity_gym.baselines import policy
from proactivity_gym.wrappers import JointReward
from tests.wrappers.worlds import DISMISS_CARD, EDUCATION, SUGGEST_PIZZA, finish, tiny


def test_rewards_are_the_increments_of_j_of_these_weights() -> None:
    # The card is worth 1 of 6 (S_TC), is 1 of 3 cases (S_TR); an attempt on noise makes that 1 of 4.
    env = JointReward(tiny(), tc=0.5, ta=0.25, tr=0.25)
    env.reset(seed=0)
    rewards = [float(env.step(action)[1]) for action in [*DISMISS_CARD, SUGGEST_PIZZA]]
    assert rewards == pytest.approx([0, 0, 0, 0, 1 / 12 + 1 / 12, 0, 1 / 16 - 1 / 12])
    rest, info = finish(env)
    assert rest == pytest.approx(0)
    assert info["terms"]["J"] == pytest.approx(1 / 12 + 1 / 16)


def test_equal_weights_change_nothing() -> None:
    plain, equal = tiny(), JointReward(tiny(), tc=1 / 3, ta=1 / 3, tr=1 / 3)
    for env in (plain, equal):
        env.reset(seed=0)
    for action in [*DISMISS_CARD, SUGGEST_PIZZA]:
        left, right = plain.step(action), equal.step(action)
        assert left[1] == right[1]
        assert left[4]["terms"] == right[4]["terms"]


@pytest.mark.parametrize("name", ["oracle", "random", "spam", "rules"])
@pytest.mark.parametrize("weights", [(0.8, 0.1, 0.1), (0.1, 0.8, 0.1), (0.1, 0.1, 0.8)])
def test_the_sum_of_rewards_is_j(name: str, weights: tuple[float, float, float]) -> None:
    env = JointReward(gym.make(EDUCATION, variation="test"), tc=weights[0], ta=weights[1], tr=weights[2])
    total, info = policy.play(policy.make(name, env), env, 5)
    terms = info["terms"]
    assert total == pytest.approx(terms["J"])
    assert terms["J"] == pytest.approx(np.dot(weights, [terms["S_TC"], terms["S_TA"], terms["S_TR"]]))
    assert env.reset(seed=6)[1]["terms"]["J"] == 0


def test_what_the_environment_says_is_copied() -> None:
    env = JointReward(tiny(), tc=0.8, ta=0.1, tr=0.1)
    env.reset(seed=0)
    info = [env.step(action)[4] for action in DISMISS_CARD][-1]
    own = env.unwrapped.episode.tally.terms()  # type: ignore[attr-defined]
    assert own["J"] == pytest.approx(1 / 3 * (1 / 6 + 1 / 3))
    assert info["terms"] == {**own, "J": pytest.approx(0.8 / 6 + 0.1 / 3)}


@pytest.mark.parametrize("weights", [(0.5, 0.5, 0), (0.5, 0.5, 0.5), (-1, 1, 1), (float("nan"), 0.5, 0.5)])
def test_weights_that_are_none_are_refused(weights: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="positive and sum to 1"):
        JointReward(tiny(), tc=weights[0], ta=weights[1], tr=weights[2])


def test_weights_of_another_kind_are_refused() -> None:
    with pytest.raises(ValueError, match="must be numbers"):
        JointReward(tiny(), tc=None, ta=0.5, tr=0.5)  # type: ignore[arg-type]


def test_another_environment_is_refused() -> None:
    env = JointReward(gym.make("CartPole-v1"), tc=0.5, ta=0.25, tr=0.25)
    with pytest.raises(ValueError, match="wrap an environment of proactivity_gym"):
        env.reset(seed=0)
