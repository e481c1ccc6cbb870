"""The levels of difficulty over every id: solvable at each, the same at the default, and told in the observation."""

import re
from pathlib import Path
from statistics import fmean

import gymnasium as gym
import pytest

from proactivity_gym.baselines import policy, rows
from proactivity_gym.envs.env import DIFFICULTIES
from proactivity_gym.envs.layout import COLUMN
from proactivity_gym.scenarios import catalogue
from proactivity_gym.wrappers import EpisodeLog, load, replay
from proactivity_gym.wrappers.log_format import LogError
from tests.conformance.drivers import IDS, ROTATED_IDS, SINGLE, bare, digest, played_by, steps

WEEKS = 20
SETTLED = ("share of linked records read", "already resolved, as read", "facts out, as read")


@pytest.mark.parametrize("level", ["easy", "hard"])  # test_bounds has the standard
@pytest.mark.parametrize("env_id", SINGLE)
def test_the_oracle_earns_everything_at_every_level(env_id: str, level: str) -> None:
    env = bare(env_id, variation="test", difficulty=level)
    for seed in range(WEEKS):
        terms = policy.play(policy.make("oracle", env), env, seed)[1]["terms"]
        assert [terms[name] for name in ("TC", "TA", "TR_D")] == [pytest.approx(100.0)] * 3, seed


@pytest.mark.parametrize("env_id", SINGLE)
def test_the_oracle_earns_everything_in_written_weeks_of_every_level(env_id: str) -> None:
    for level in DIFFICULTIES:
        env = bare(env_id, difficulty=level)
        assert policy.play(policy.make("oracle", env), env, 0)[0] == pytest.approx(1.0)


def test_rules_earn_less_the_harder_it_is() -> None:
    means: list[float] = []
    for level in DIFFICULTIES:
        envs = [bare(env_id, variation="test", difficulty=level) for env_id in SINGLE]
        means.append(fmean(policy.play(policy.make("rules", env), env, seed)[0] for env in envs for seed in range(4)))
    assert means[0] > means[1] > means[2]


@pytest.mark.parametrize("env_id", ROTATED_IDS)
@pytest.mark.parametrize("variation", ["written", "train", "test"])
def test_the_default_is_standard(env_id: str, variation: str) -> None:
    plain = bare(env_id, variation=variation)
    named = bare(env_id, variation=variation, difficulty="standard")
    assert digest(played_by("random", plain, 3)) == digest(played_by("random", named, 3))


@pytest.mark.parametrize("level", ["easy", "hard"])
def test_a_level_is_another_week_and_the_same_each_time(level: str) -> None:
    for env_id in ROTATED_IDS:
        first = digest(played_by("random", bare(env_id, variation="test", difficulty=level), 3))
        assert first == digest(played_by("random", bare(env_id, variation="test", difficulty=level), 3))
        assert first != digest(played_by("random", bare(env_id, variation="test"), 3))


def fresh_rows(env_id: str, level: str) -> list[rows.Row]:
    """Return the rows of fresh signals that an agent sees who only waits."""
    env = bare(env_id, difficulty=level)
    observation, over = env.reset(seed=0)[0], False
    found: list[rows.Row] = []
    while not over:
        found += [row.copy() for _, row in rows.fresh(observation)]
        observation, _, over, _, _ = env.step((0, 0, 0))
    return found


@pytest.mark.parametrize("env_id", ROTATED_IDS)
def test_evidence_is_out_at_easy_and_links_are_untold_at_hard(env_id: str) -> None:
    seen = {level: fresh_rows(env_id, level) for level in DIFFICULTIES}
    told = {level: any(row[COLUMN["records linked / 8"]] for row in found) for level, found in seen.items()}
    assert told == {"easy": True, "standard": True, "hard": False}
    for name in SETTLED:
        assert any(row[COLUMN[name]] for row in seen["easy"]) or name == "already resolved, as read"
        assert not any(row[COLUMN[name]] for row in [*seen["standard"], *seen["hard"]])


@pytest.mark.parametrize("value", ["", "HARD", "medium", None, 1])
def test_an_unknown_level_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"difficulty=.*: choose one of easy, standard, hard"):
        bare(IDS[0], difficulty=value)


def test_vectors_take_it() -> None:
    made = gym.make_vec("ProactivityGym/Mixed-v0", num_envs=2, variation="test", difficulty="hard")
    made.reset(seed=0)
    assert [week.level.name for week in (env.unwrapped.episode.week for env in made.envs)] == ["hard", "hard"]  # type: ignore[attr-defined]
    made.close()


@pytest.mark.parametrize("level", DIFFICULTIES)
def test_a_log_carries_it(level: str, tmp_path: Path) -> None:
    env = EpisodeLog(gym.make(SINGLE[0], variation="test", difficulty=level), folder=tmp_path)
    policy.play(policy.make("rules", env), env, 4)
    assert env.log_path is not None
    log = load(env.log_path)
    assert log.header.difficulty == level
    assert replay(log).entries == env.unwrapped.episode.trace.entries  # type: ignore[attr-defined]


def test_a_log_that_does_not_say_it_is_standard(tmp_path: Path) -> None:
    env = EpisodeLog(gym.make(SINGLE[0]), folder=tmp_path)
    policy.play(policy.make("rules", env), env, 4)
    assert env.log_path is not None
    text = env.log_path.read_text(encoding="utf-8")
    for value, old in ((',"difficulty":"standard"', ""), ('"difficulty":"standard"', '"difficulty":"mad"')):
        changed = tmp_path / "changed.jsonl"
        assert value in text
        changed.write_text(text.replace(value, old), encoding="utf-8")
        if old:
            with pytest.raises(LogError, match="difficulty is none of easy, standard, hard"):
                load(changed)
        else:
            assert replay(load(changed)).entries == env.unwrapped.episode.trace.entries  # type: ignore[attr-defined]


def test_written_weeks_of_a_level_are_kept() -> None:
    assert catalogue.written_week("Travel", "A", "hard") is catalogue.written_week("Travel", "A", "hard")


@pytest.mark.parametrize("env_id", ROTATED_IDS)
def test_what_comes_attached_is_shown_in_full_once(env_id: str) -> None:
    env = bare(env_id, variation="test", difficulty="easy", text=True)
    _, info = env.reset(seed=3)
    several = 0
    for text in [info["text"], *(transition[-1]["text"] for transition in steps(env, iter(lambda: (0, 0, 0), None)))]:
        shown = re.findall(r"^record (\S+) \(", text, re.MULTILINE)
        assert len(shown) == len(set(shown)), text
        several += len(shown) > text.count("\nSLOT ")
    assert several
