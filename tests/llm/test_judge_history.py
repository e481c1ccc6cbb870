"""What judges of trust are shown: the history as the user saw it, and nothing that is hidden from them."""

import gymnasium as gym
import pytest

from proactivity_gym.sim.tools import Call
from proactivity_gym.wrappers.judge_history import (
    LONGEST_HISTORY,
    LONGEST_TEXT,
    Turn,
    call_words,
    history,
    last_turns,
    masked,
    visible,
)
from proactivity_gym.wrappers.judge_panel import Panel
from proactivity_gym.wrappers.trust_judge import TrustJudge
from proactivity_gym.wrappers.trust_judge_rating import rate
from tests.llm.judge_doubles import EDUCATION, Noting, played


def test_each_task_is_rated_at_its_last_turn_from_what_came_before() -> None:
    noting = Noting()
    episode = played("oracle", gym.make(EDUCATION))
    turns = visible(episode)
    report = rate(episode, Panel([noting, noting]))
    assert [(r.task, r.turn) for r in report.ratings] == list(last_turns(turns).items())
    for rating, prompt in zip(report.ratings, noting.prompts()[::2], strict=True):
        assert turns[rating.turn].words in prompt
        assert all(later.words not in prompt for later in turns[rating.turn + 1 :])


def test_a_history_tells_what_the_user_saw() -> None:
    lines = history(visible(played("oracle", gym.make(EDUCATION)))).splitlines()
    assert lines[0].startswith("[1] Mon 2027-03-01 14:05 the assistant made an offer about mail")
    assert 'payments.pay: payee "Kestrel Learning"; amount 190' in lines[0]
    assert lines[0].count("into the user's focused work") == 1
    assert 'the user approved: "Read it twice. Yes, that can go."' in lines[1]
    told = "\n".join(lines)
    for words in (
        "the user wrote:",
        "the user came upon a private draft",
        "reported what it had done",
        "the user said about rota",
    ):
        assert words in told


WRONG = (
    "none of it took effect, for it was not permitted",
    "took no effect: it was incomplete",
    "there is nothing of substance in it",
    "it was made before the facts that it needs were known",
    "that the user was using",
    "the user declined",
    "the user put it off",
    "the user complained that it went too far",
    "the user complained that it did not go far enough",
    "the user took delegation back for",
    "the user gave delegation back for",
    "time ran out for what the user had asked",
)


def test_a_history_tells_what_went_wrong() -> None:
    plays = [(name, "reference") for name in ("spam", "rules", "suggest", "random")] + [("oracle", "imperfect:1")]
    names = ("ProactivityGym/Travel-PersonaA-v0", "ProactivityGym/Research-PersonaA-v0")
    envs = [(policy_name, gym.make(name, worker=worker)) for policy_name, worker in plays for name in names]
    told = "\n".join(turn.words for name, env in envs for turn in visible(played(name, env)))
    assert [words for words in WRONG if words not in told] == []


@pytest.mark.parametrize("name", ["oracle", "random", "spam"])
def test_hidden_truth_is_not_told(name: str) -> None:
    noting = Noting()
    episode = played(name, gym.make(EDUCATION))
    rate(episode, Panel([noting, noting]))
    told = "\n".join(noting.prompts())
    scenario = episode.week.plan.scenario
    for task in scenario.tasks:
        assert task.why not in told
        assert task.title not in told
        assert f"{task.id} " not in told.replace("-", "_")
    assert not any(
        word in told for word in ("latent", "noop", "NOOP", "expected", "SUGGEST", "EXECUTE", "PREPARE", "TR-", "oracle")
    )


def test_names_that_give_the_agent_away_are_masked() -> None:
    assert masked("Your Brain-7 (brain-7b): BRAIN-7!", ["Brain-7", " "]) == "Your the assistant (brain-7b): the assistant!"
    assert masked("C++ and c+", ["C+", "c++"]) == "the assistant and the assistant"
    assert masked("nothing", []) == "nothing"
    noting = Noting()
    env = TrustJudge(gym.make(EDUCATION), judges=[noting, noting], hide="Kestrel Learning, none")
    played("oracle", env)
    logs = [prompt.rpartition("The log of the person")[2] for prompt in noting.prompts()]
    assert "Kestrel Learning" not in "".join(logs)
    assert 'payee "the assistant"' in logs[0]


def test_a_long_history_loses_its_oldest_turns_and_says_so() -> None:
    turns = [Turn(0, number, "x" * 1000) for number in range(100)]
    told = history(turns)
    assert len(told) <= LONGEST_HISTORY + 50
    assert told.startswith("(41 earlier turns are left off)\n[42] ")
    assert told.endswith("[100] " + "x" * 1000)
    assert history([]) == ""


def test_long_texts_are_cut() -> None:
    told = call_words(Call("mail.send", {"to": ["a"], "body": "y" * (LONGEST_TEXT + 7)}))
    assert told == f"mail.send: to ['a']; body \"{'y' * LONGEST_TEXT}\" and 7 more characters"
