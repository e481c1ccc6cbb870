"""TR-J: what judges are shown, when they are asked, and what becomes of their ratings."""

import copy
import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.vector import SyncVectorEnv

from proactivity_gym.baselines import policy
from proactivity_gym.llm.errors import BudgetExceeded
from proactivity_gym.llm.messages import Reply, Request
from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.llm.scripted import Scripted
from proactivity_gym.wrappers import EpisodeLog, JointReward
from proactivity_gym.wrappers.joint_reward import blended
from proactivity_gym.wrappers.judge_panel import Panel
from proactivity_gym.wrappers.trust_judge import TrustJudge
from proactivity_gym.wrappers.trust_judge_rating import CONSTRUCTS, rate
from tests.llm.judge_doubles import Asked, Noting, answering, played, serving, trust
from tests.wrappers.worlds import DISMISS_CARD, EDUCATION, WAIT, Env, finish, tiny

ORACLE = "oracle"


def episode_of(name: str, env: Env) -> Any:  # noqa: ANN401 (the environment's own)
    return played(name, env)


def judged(env: Env, seed: int = 0) -> tuple[float, dict[str, Any]]:
    return policy.play(policy.make(ORACLE, env), env, seed)


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    """Give a file of two judges that are being served: all 4, and 5 to 1 over the constructs."""
    scripts = (answering(lambda asked: trust(asked, 4)), answering(lambda asked: trust(asked, 5, 4, 3, 2, 1)))
    servers = [MockServer(script).start() for script in scripts]
    tables = [f'[[judge]]\nmodel = "m{n}"\nbase_url = "{server.url}"\n' for n, server in enumerate(servers)]
    path = tmp_path / "judges.toml"
    path.write_text("".join(tables))
    yield path
    for server in servers:
        server.stop()


# When, and what of it


def test_the_last_step_says_tr_j(file: Path) -> None:
    env = TrustJudge(tiny(), judges=file)
    _, info = env.reset(seed=0)
    assert info["terms"]["TR_J"] is None
    for action in DISMISS_CARD:
        info = env.step(action)[4]
        assert info["terms"]["TR_J"] is None
        assert "trust_judge" not in info
    _, info = finish(env)
    assert info["terms"]["TR_J"] == pytest.approx((4 + 3) / 2)
    constructs = dict(zip(CONSTRUCTS, (4.5, 4, 3.5, 3, 2.5), strict=True))
    assert info["trust_judge"] == {"TR_J": 3.5, "constructs": constructs, "by_judge": [4, 3], "asked": 2, "unscored": 0}
    assert env.trust_report is not None
    assert env.trust_report.ratings[0].answer.verdicts[0] is not None
    env.reset(seed=0)
    assert env.trust_report is None


def test_nothing_else_changes(file: Path) -> None:
    plain, env = gym.make(EDUCATION), TrustJudge(gym.make(EDUCATION), judges=file)
    first, second = judged(plain), judged(env)
    assert first[0] == second[0]
    assert second[1]["terms"] == {**first[1]["terms"], "TR_J": pytest.approx(3.5)}


def test_a_cut_off_week_is_judged_as_far_as_it_came(file: Path) -> None:
    env = TrustJudge(gym.wrappers.TimeLimit(tiny(), 6), judges=file)
    env.reset(seed=0)
    _, info = finish(env)
    assert info["trust_judge"]["asked"] in (0, 2)


def test_who_does_nothing_that_is_seen_is_rated_for_leaving_requests_alone() -> None:
    noting = Noting()
    report = rate(episode_of("noop", tiny()), Panel([noting, noting]))
    (rating,) = report.ratings
    assert noting.prompts()[0].count("time ran out for what the user had asked") == 1
    assert rating.score is report.tr_j is None
    assert (report.count.asked, report.count.unscored) == (2, 2)
    assert not report.count.complete
    assert report.by_judge == ()


def test_unscored_tasks_are_left_out_of_the_mean_and_counted() -> None:
    def second(asked: Asked) -> Scripted:
        data = str(asked["messages"])
        return Scripted("no" if "[12] " not in data else json.dumps(trust(asked, 5)))

    with serving(answering(lambda asked: trust(asked, 3)), second) as (_, panel):
        report = rate(episode_of(ORACLE, gym.make(EDUCATION)), panel)
    scores = [rating.score for rating in report.ratings]
    assert 0 < scores.count(None) < len(scores)
    assert report.tr_j == 4
    assert report.by_judge == (3, 5)
    assert report.count.unscored == scores.count(None)


def test_a_budget_that_ends_stops_the_step_and_judging_can_go_on() -> None:
    class Broke:
        def complete(self, request: Request) -> Reply:
            raise BudgetExceeded("spent")

    env = TrustJudge(tiny(), judges=[Broke(), Broke()])
    env.reset(seed=0)
    with pytest.raises(BudgetExceeded):
        finish(env)
    with pytest.raises(BudgetExceeded):
        env.judge()


# As a wrapper


def test_the_spec_rebuilds_it_from_its_file(file: Path) -> None:
    env = JointReward(TrustJudge(tiny(), judges=str(file), hide="x"), tc=0.5, ta=0.25, tr=0.25, trust="judge")
    assert env.spec is not None
    assert "object at" not in str(env.spec)
    again = gym.make(pickle.loads(pickle.dumps(env.spec)))
    assert again.spec == env.spec
    assert str(again) == str(env)
    env.reset(seed=0)
    again.reset(seed=0)
    ends = [finish(each) for each in (env, again)]
    assert ends[0] == ends[1]
    assert ends[0][1]["terms"]["TR_J"] == 3.5


def test_the_spec_rebuilds_it_with_its_clients() -> None:
    noting = Noting()
    env = TrustJudge(tiny(), judges=[noting, noting])
    assert env.spec is not None
    again = gym.make(env.spec)
    assert again.spec == env.spec
    assert "object at" not in str(env.spec)
    again.reset(seed=0)
    finish(again)
    assert noting.requests


@pytest.mark.parametrize("copied", ["deepcopy", "pickle"])
def test_a_copy_goes_on_alike(copied: str, file: Path) -> None:
    env = TrustJudge(tiny(), judges=file)
    env.reset(seed=1)
    env.step(WAIT)
    twin: Env = copy.deepcopy(env) if copied == "deepcopy" else pickle.loads(pickle.dumps(env))
    assert finish(twin) == finish(env)


def test_vector_environments_and_logs_take_it(file: Path, tmp_path: Path) -> None:
    many = SyncVectorEnv([lambda: TrustJudge(EpisodeLog(tiny(), folder=tmp_path), judges=str(file))] * 2)
    many.reset(seed=[0, 1])
    found: list[float] = []
    for _ in range(12):
        *_, infos = many.step([WAIT, WAIT])
        found += [trj for trj in infos["terms"].get("TR_J", []) if trj]
    many.close()
    assert set(found) == {3.5}


def test_another_environment_is_refused() -> None:
    with pytest.raises(ValueError, match="needs an environment of proactivity_gym"):
        TrustJudge(gym.make("CartPole-v1"), judges=[Noting(), Noting()])
    with pytest.raises(ValueError, match="at least two"):
        TrustJudge(tiny(), judges=[Noting()])
    with pytest.raises(ValueError, match="nowhere"):
        TrustJudge(tiny(), judges="nowhere.toml")


# Being paid for it


def test_judged_trust_is_half_of_s_tr(file: Path) -> None:
    env = JointReward(TrustJudge(gym.make(EDUCATION), judges=file), tc=0.2, ta=0.3, tr=0.5, trust="judge")
    total, info = judged(env)
    terms = info["terms"]
    assert terms["TR_J"] == pytest.approx(3.5)
    trust_paid = (terms["S_TR"] + (3.5 - 1) / 4) / 2
    assert terms["J"] == pytest.approx(0.2 * terms["S_TC"] + 0.3 * terms["S_TA"] + 0.5 * trust_paid)
    assert total == pytest.approx(terms["J"])
    assert terms["S_TR"] == pytest.approx(1)  # the term itself stays


def test_by_default_and_where_all_is_unscored_it_is_not() -> None:
    with serving(*[answering(lambda asked: trust(asked, 1))] * 2) as (_, panel):
        env = TrustJudge(gym.make(EDUCATION), judges=panel)
        silent = TrustJudge(gym.make(EDUCATION), judges=[Noting(), Noting()])
        plain = judged(JointReward(silent, tc=0.2, ta=0.3, tr=0.5, trust="judge"))
        off = judged(JointReward(env, tc=0.2, ta=0.3, tr=0.5))
        paid = judged(JointReward(env, tc=0.2, ta=0.3, tr=0.5, trust="judge"))
    assert plain[0] == off[0] == pytest.approx(paid[0] + 0.25)


@pytest.mark.parametrize(
    ("depth", "rated", "paid"), [(0.5, None, 0.5), (None, 3, None), (0, 1, 0), (1, 5, 1), (0, 5, 0.5), (1, 3, 0.75)]
)
def test_the_blend(depth: float | None, rated: float | None, paid: float | None) -> None:
    assert blended(depth, rated) == paid


def test_trust_is_one_of_two() -> None:
    with pytest.raises(ValueError, match="trust='faith': choose one of depth, judge"):
        JointReward(tiny(), tc=0.5, ta=0.25, tr=0.25, trust="faith")
    with pytest.raises(ValueError, match="needs judges"):
        JointReward(tiny(), tc=0.5, ta=0.25, tr=0.25, trust="judge")
