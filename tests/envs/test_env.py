import gc
import pickle
import weakref
from itertools import islice
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from proactivity_gym.baselines.oracle import choose
from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.jobs import Job
from proactivity_gym.sim.parsing import ScenarioError
from proactivity_gym.sim.scoring import Weights, score
from proactivity_gym.sim.tools import ToolError
from proactivity_gym.sim.work import Tools
from tests.conformance.drivers import CASES, IDS, SCENARIOS, bare, digest, episode, likely_actions, played_by, steps
from tests.sim.tiny import PATH as TINY

WRONG: list[dict[str, Any]] = [
    {"persona": "D"},
    {"persona": ""},
    {"persona": "a"},
    {"persona": "A,B,"},
    {"scenario": "Nowhere"},
    {"scenario": "travel"},
    {"variation": "validation"},
    {"variation": 1},
    {"user": "human"},
    {"user": None},
    {"weights": (1, 1, 1)},
    {"weights": (1.0, 0.0, 0.0)},
    {"weights": (0.5, 0.5)},
    {"weights": {"tc": 0.5, "ta": 0.5}},
    {"weights": {"tc": 0.5, "ta": 0.25, "rt": 0.25}},
    {"weights": "equal"},
    {"weights": (float("nan"), 0.5, 0.5)},
    {"weights": None},
    {"render_mode": "svg"},
]
WRONG_WORKERS = ["nobody", "", "imperfect:x", "imperfect:2", "imperfect:-0.1", "imperfect:nan", "../imperfect"]


@pytest.mark.parametrize("arguments", WRONG)
def test_a_wrong_argument_is_refused_with_its_name_and_what_to_choose(arguments: dict[str, Any]) -> None:
    settings: dict[str, Any] = {"scenario": str(TINY), "persona": "A"} | arguments
    with pytest.raises(ValueError, match=r"\w") as caught:
        ProactivityEnv(**settings)
    said = str(caught.value)
    assert next(iter(arguments)) in said or isinstance(caught.value, ScenarioError)
    assert "\n" not in said


@pytest.mark.parametrize("worker", WRONG_WORKERS)
def test_a_worker_that_is_none_is_refused_at_reset(worker: str) -> None:
    env = ProactivityEnv(str(TINY), "A", worker=worker)
    with pytest.raises(ValueError, match="worker="):
        env.reset(seed=0)


@pytest.mark.parametrize(
    "weights", [(0.5, 0.25, 0.25), [0.5, 0.25, 0.25], np.array([0.5, 0.25, 0.25]), {"tc": 0.5, "ta": 0.25, "tr": 0.25}]
)
def test_weights_come_in_several_forms(weights: object) -> None:
    assert ProactivityEnv(str(TINY), "A", weights=weights).weights == Weights(0.5, 0.25, 0.25)


def test_weights_change_what_is_paid_and_nothing_else() -> None:
    env, other = (bare(IDS[0], weights=weights) for weights in ((1 / 3, 1 / 3, 1 / 3), (0.8, 0.1, 0.1)))
    for one in (env, other):
        episode(one, 1, likely_actions(1))
    assert env.episode.trace.entries == other.episode.trace.entries
    assert other.episode.tally.terms() == score(env.episode.trace.entries, env.episode.week, Weights(0.8, 0.1, 0.1))


def test_a_week_is_chosen_by_number_whatever_the_seed() -> None:
    env = bare(IDS[0], variation="test")
    weeks: list[list[int]] = []
    for seed in (1, 2):
        env.reset(seed=seed, options={"week": 7})
        assert env.week_seed == 7
        weeks.append(list(env.episode.week.record_at))
    assert weeks[0] == weeks[1]
    env.reset(seed=1)
    assert env.week_seed != 7


@pytest.mark.parametrize("variation", ["test", "written"])
@pytest.mark.parametrize("week", ["7", 1.5, -1, None, True])
def test_a_week_that_is_no_number_is_refused_and_nothing_is_lost(week: object, variation: str) -> None:
    env = bare(IDS[0], variation=variation)
    env.reset(seed=3)
    with pytest.raises(ValueError, match="week"):
        env.reset(options={"week": week})
    assert env.reset(seed=3)[1]["terms"]["J"] == 0


class Idler:
    """Reads nothing and does nothing."""

    def __init__(self) -> None:
        self.asked = 0

    def read(self, signal: OpenSignal, tools: Tools) -> None:
        """Read nothing."""

    def work(self, job: Job, tools: Tools) -> None:
        """Do nothing."""
        self.asked += 1


def test_a_worker_of_ones_own_works_for_one_episode() -> None:
    env, idler = bare(IDS[0]), Idler()
    scores: list[float | None] = []
    for options in ({"worker": idler}, None, {"worker": None}):
        env.reset(seed=0, options=options)
        while not env.episode.over:
            env.step(choose(env.episode))
        scores.append(env.episode.tally.terms()["TC"])
    assert idler.asked > 5
    assert scores[0] is not None
    assert scores[0] < 60
    assert scores[1:] == [100, 100]


@pytest.mark.parametrize("worker", ["reference", 3, object()])
def test_what_is_no_worker_is_refused(worker: object) -> None:
    env = bare(IDS[0])
    with pytest.raises(ValueError, match=r"options\['worker'\].*read and work"):
        env.reset(options={"worker": worker})


@pytest.mark.parametrize("options", [{"week": -1}, {"draws": "x"}, {"worker": 3}])
def test_a_reset_that_is_refused_changes_nothing(options: dict[str, Any]) -> None:
    envs = [bare(IDS[0], variation="train", user="stochastic") for _ in range(2)]
    for env in envs:
        env.reset(seed=0)
        env.step((1, 2, 0))
    with pytest.raises(ValueError, match="options"):
        envs[0].reset(seed=5, options=options)
    assert len({(env.week_seed, env.draws_seed) for env in envs}) == 1
    seen = [[env.step((0, 0, 0))[0]["signals"].tobytes(), env.reset()[0]["signals"].tobytes(), env.week_seed] for env in envs]
    assert seen[0] == seen[1]


def test_the_written_week_is_the_same_for_every_seed_and_a_varied_one_is_not() -> None:
    written, varied = bare(IDS[0]), bare(IDS[0], variation="train")
    assert len({digest(episode(written, seed, likely_actions(0))) for seed in range(3)}) == 1
    assert len({digest(episode(varied, seed, likely_actions(0))) for seed in range(3)}) == 3


@pytest.mark.parametrize("made_id", IDS[:3])
def test_an_episode_that_is_left_is_freed_without_the_garbage_collector(made_id: str) -> None:
    env = bare(made_id, variation="test", user="stochastic")
    env.reset(seed=0)
    for _ in steps(env, islice(likely_actions(0), 200)):
        pass
    gone = weakref.ref(env.episode)
    gc.disable()
    try:
        env.reset(seed=1)
        assert gone() is None
    finally:
        gc.enable()


def test_of_an_episode_kept_past_a_reset_trace_and_scores_stay() -> None:
    env = bare(IDS[0])
    env.reset()
    for _ in steps(env, islice(likely_actions(0), 200)):
        pass
    kept = env.episode
    rows, terms = list(kept.trace), kept.tally.terms().copy()
    env.reset()
    assert list(kept.trace) == rows
    assert kept.tally.terms() == terms == score(kept.trace, kept.week)


def test_the_streams_are_disjoint() -> None:
    def weeks(stream: str) -> set[tuple[Any, ...]]:
        env = bare(IDS[0], variation=stream)
        found: set[tuple[Any, ...]] = set()
        for number in range(60):
            env.reset(seed=0, options={"week": number})
            week = env.episode.week
            found.add((*week.record_at, *week.signal_work, *week.values.values(), *week.signal_expires))
        return found

    assert len(weeks("train")) > 50
    assert not weeks("train") & weeks("test")


def test_several_scenarios_and_personas_are_drawn_from() -> None:
    env = ProactivityEnv(",".join(SCENARIOS), "A,C", variation="train")
    seen: set[tuple[str, str]] = set()
    for seed in range(12 * len(CASES)):
        env.reset(seed=seed)
        plan = env.episode.week.plan
        seen.add((plan.scenario.name, plan.persona.id))
    assert seen == {case for case in CASES if case[1] != "B"}


def test_mixed_draws_from_everything() -> None:
    env = bare("ProactivityGym/Mixed-v0")
    seen: set[tuple[str, str]] = set()
    for seed in range(16 * len(CASES)):
        env.reset(seed=seed)
        seen.add((env.episode.week.plan.scenario.name, env.episode.week.plan.persona.id))
    assert seen == set(CASES)


def test_the_rewards_of_an_episode_sum_to_the_published_scores() -> None:
    env = bare(IDS[0], variation="train")
    env.reset(seed=2)
    played = list(steps(env, likely_actions(2)))
    terms = played[-1][4]["terms"]
    assert sum(step[1] for step in played) == pytest.approx(terms["J"], abs=1e-9)
    assert terms == score(env.episode.trace.entries, env.episode.week)


def test_terms_are_the_caller_s_to_keep() -> None:
    env = bare(IDS[0])
    _, info = env.reset(seed=0)
    info["terms"]["J"] = 99.0
    assert env.step((0, 0, 0))[4]["terms"]["J"] == 0.0


def test_only_read_tools_can_be_called() -> None:
    env = bare(IDS[0])
    env.reset(seed=0)
    assert env.read("mail.search", {"query": ""})
    for tool, arguments in (
        ("mail.send", {"to": "x"}),
        ("nothing.at_all", {}),
        ("mail.search", {}),
        ("mail.read", {"id": "x"}),
    ):
        with pytest.raises(ToolError) as caught:
            env.read(tool, arguments)
        assert pickle.loads(pickle.dumps(caught.value)).tool == tool


def test_reading_changes_what_counts_as_evidence_and_no_clock() -> None:
    env = bare(IDS[0])
    env.reset(seed=0)
    now, reading = env.episode.now, env.episode.reading
    before = len(reading.read)
    mails = [i for i, row in enumerate(env.episode.week.plan.scenario.records) if row.app == "mail"]
    there = next(record for record in mails if reading.there(record, now))
    env.read("mail.read", {"id": env.episode.week.plan.records[there].id})
    assert (env.episode.now, len(reading.read)) == (now, before + 1)


def test_a_worker_with_errors_earns_less() -> None:
    paid: list[float] = []
    for rate in (0.0, 0.5, 1.0):
        env = bare(IDS[0], worker=f"imperfect:{rate}")
        played_by("oracle", env, 0)
        paid.append(env.episode.tally.joint())
    assert paid[0] == pytest.approx(1.0)
    assert paid[0] > paid[1] > paid[2]


def test_a_stochastic_user_answers_differently_by_seed_and_the_same_by_seed() -> None:
    env = bare(IDS[0], user="stochastic")
    first, again, *others = (digest(played_by("suggest", env, seed)) for seed in (1, 1, 2, 3, 4, 5))
    assert first == again
    assert {first} != set(others)


def test_the_page_of_the_environment_has_gymnasium_s_headings() -> None:
    page = ProactivityEnv.__doc__ or ""
    headings = [line.strip()[3:] for line in page.splitlines() if line.strip().startswith("## ")]
    assert headings == [
        "Description", "Action Space", "Observation Space", "Rewards", "Starting State", "Episode End", "Information",
        "Arguments", "Version History",
    ]  # fmt: skip


def test_the_spec_is_enough_to_make_the_same_again() -> None:
    env = gym.make(IDS[0], variation="train", weights=(0.5, 0.3, 0.2), user="stochastic", worker="imperfect:0.1")
    assert env.spec is not None
    again = gym.make(env.spec)
    assert episode(env, 4, islice(likely_actions(4), 50)) == episode(again, 4, islice(likely_actions(4), 50))
