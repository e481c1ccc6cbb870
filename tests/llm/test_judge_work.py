"""TC with judges: what they are shown, what their grades make of TC, and what they cannot touch."""

from typing import Any

import gymnasium as gym
import pytest

from proactivity_gym.reports.judging import COMPLETION, SEMANTICS, JudgedTask, JudgedWork, judge_work
from proactivity_gym.reports.judging_agreement import agreements, judge_episode, rows
from proactivity_gym.reports.plays import moves
from proactivity_gym.sim import solutions
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.jobs import Job
from proactivity_gym.sim.scoring import Terms
from proactivity_gym.sim.work import Desk, Tools
from proactivity_gym.wrappers.judge_panel import Answer, Panel, Verdict
from tests.llm.judge_doubles import (
    EDUCATION,
    Asked,
    Noting,
    answering,
    blocks_of,
    everything,
    outside,
    played,
    prompt_of,
    serving,
    trust,
    work,
)

GRADES = (1, 0.5, 0.5, 0)


def graded(*grades: float) -> Verdict:
    return Verdict(dict(zip(SEMANTICS + COMPLETION, grades, strict=True)), (), {})


def task(**changes: Any) -> JudgedTask:  # noqa: ANN401 (of any kind)
    answer = Answer((graded(1, 0.5, 0.5, 0), graded(0.5, 0.5, 1, 1)))
    made: dict[str, Any] = {"task": 0, "id": "t", "value": 1, "rule": 0.8, "components": 3, "asked": True, "answer": answer}
    return JudgedTask(**made | changes)


def test_tc_is_the_mean_of_its_components() -> None:
    # Semantics (0.75 + 0.5) / 2, Completion (0.25 + 1) / 2, and three of the rules whose mean is 0.8.
    assert task().part(SEMANTICS) == task().part(COMPLETION) == 0.625
    assert task().tc == pytest.approx((3 * 0.8 + 0.625 + 0.625) / 5)
    assert task(components=2, rule=0.5).tc == pytest.approx((1 + 1.25) / 4)


def test_work_that_is_missing_is_worth_nothing_and_a_noop_case_has_none() -> None:
    assert task(answer=None, rule=0.0).part(SEMANTICS) == 0
    assert task(answer=None, rule=0.0).tc == 0
    assert task(answer=None, rule=0.75, asked=False).part(COMPLETION) is None
    assert task(answer=None, rule=0.75, asked=False).tc == 0.75


def test_what_is_unscored_is_left_out_and_counted() -> None:
    half = task(answer=Answer((graded(1, 1, 1, 1), None)))
    assert half.tc is half.part(SEMANTICS) is None
    found = JudgedWork((half, task(value=3), task(value=1, answer=None, rule=0.0)))
    assert found.tc == pytest.approx(100 * 3 * task().tc / 4)  # type: ignore[operator]
    assert found.semantics == pytest.approx(3 * 0.625 / 4)
    assert found.by_judge(SEMANTICS, 2) == (0.75, 0.5)
    assert (found.count.asked, found.count.unscored) == (4, 1)
    assert JudgedWork(()).tc is None


def test_an_episode_is_judged_task_by_task() -> None:
    episode = played("oracle", gym.make(EDUCATION))
    with serving(*[answering(lambda asked: work(asked, *GRADES))] * 2) as (servers, panel):
        found = judge_work(episode, panel)
    asked = [each for each in found.tasks if each.answer is not None]
    assert len(servers[0].calls) == len(asked) == sum(each.asked for each in found.tasks)
    rule = sum(each.rule * each.value for each in found.tasks) / sum(each.value for each in found.tasks)
    assert 100 * rule == pytest.approx(episode.tally.terms()["TC"])
    assert len(found.tasks) == len(episode.tally.cases())
    for each in found.tasks:
        expected = (each.components + 0.75 + 0.25) / (each.components + 2) if each.asked else 1.0
        assert each.tc == pytest.approx(expected)
    assert (found.semantics, found.completion) == (pytest.approx(0.75), pytest.approx(0.25))


def test_judges_are_shown_the_matter_the_records_and_the_work() -> None:
    noting = Noting()
    episode = played("oracle", gym.make(EDUCATION))
    judge_work(episode, Panel([noting, noting]), hide=["lab-monday"])
    matter, records, done = blocks_of(noting.prompts()[0])
    assert matter.splitlines()[2] == "A right solution makes these calls:"
    assert "the allowance" in records
    assert "not read by the assistant" not in records
    assert "@{" not in matter + records + done
    assert done.startswith("It is an offer: it takes effect if the person approves.\n[1] course.book")
    assert "lab-monday" in matter
    assert "lab-monday" not in done


def test_what_is_nobodys_work_is_not_asked_about() -> None:
    noting = Noting()
    found = judge_work(played("noop", gym.make(EDUCATION)), Panel([noting, noting]))
    assert not noting.requests
    assert found.tasks
    assert {each.tc for each in found.tasks if each.asked} == {0}


def test_work_done_too_early_is_said_to_be_that() -> None:
    noting = Noting()
    found = judge_work(played("execute", gym.make(EDUCATION)), Panel([noting, noting]))
    done = [blocks_of(prompt)[-1] for prompt in noting.prompts()]
    assert any(text.endswith("does not fit them.") for text in done)
    assert found.tc == pytest.approx(sum(100 * t.rule * t.value for t in found.tasks if not t.answer) / _values(found))


def _values(found: JudgedWork) -> int:
    return sum(each.value for each in found.tasks if not each.answer)


@pytest.mark.parametrize(
    "change",
    [
        {"calls": []},
        {"calls": [99]},
        {"calls": [True]},
        {"calls": "1"},
        {"quotes": []},
        {"quotes": "text"},
        {"quotes": ["nobody ever wrote this"]},
        {"quotes": ["A right solution makes these calls"]},
        {"reason": ""},
        {"grounding": 1.01},
        {"grounding": None},
    ],
)
def test_cited_calls_and_quotes_must_be_there(change: dict[str, object]) -> None:
    episode = played("oracle", gym.make(EDUCATION))
    with serving(*[answering(lambda asked: work(asked, *GRADES) | change)] * 2) as (_, panel):
        found = judge_work(episode, panel)
    assert all(each.answer is None or each.answer.verdicts == (None, None) for each in found.tasks)


# What judges cannot touch


class Wordy:
    """Does the reference work, with every text of free wording said several times over."""

    def __init__(self, times: int) -> None:
        self.times = times

    def read(self, signal: OpenSignal, tools: Tools) -> None:
        assert isinstance(tools, Desk)
        tools.episode.note_read(tools.episode.week.links(signal.index))

    def work(self, job: Job, tools: Tools) -> None:
        assert isinstance(tools, Desk)
        week = tools.episode.week
        if job.row.task < 0:
            return
        rules = solutions.expectations(week, job.row.task)
        for call, rule in zip(solutions.calls(week, job.row.task), rules, strict=True):
            padded = {
                name: " ".join([value] * self.times) if name in rule.free and isinstance(value, str) else value
                for name, value in call.arguments.items()
            }
            tools.call(call.tool, padded)


def wordy(times: int) -> Episode:
    episode = Episode(played("noop", gym.make(EDUCATION)).week, worker=Wordy(times))
    episode.start()
    for _ in moves(episode):
        pass
    return episode


def test_saying_it_five_times_moves_rule_scores_by_nothing() -> None:
    terms: list[Terms] = [wordy(times).tally.terms() for times in (1, 5)]
    assert terms[0] == terms[1]
    assert terms[0]["TC"] == 100


@pytest.mark.parametrize("score", [1, 5])
def test_no_verdict_touches_what_rules_score(score: int) -> None:
    episode = played("oracle", gym.make(EDUCATION))
    before, entries = episode.tally.terms().copy(), list(episode.trace.entries)

    def verdict(asked: Asked) -> dict[str, object]:
        rules = prompt_of(asked)[0]
        if '"now"' in rules:
            return everything(asked) | {"now": score == 5}
        return work(asked, *[score == 5] * 4) if '"grounding"' in rules else trust(asked, score)

    with serving(*[answering(verdict)] * 2) as (_, panel):
        judged = judge_episode(episode, panel)
    assert episode.tally.terms() == before
    assert episode.trace.entries == entries
    assert judged.work is not None
    assert [each.rule for each in judged.work.tasks] == [1.0] * len(judged.work.tasks)


# Together


def test_a_judged_episode_says_all() -> None:
    episode = played("oracle", gym.make(EDUCATION))
    with serving(*[answering(everything)] * 2) as (_, panel):
        judged = judge_episode(episode, panel)
        less = judge_episode(episode, panel, ["trust"])
    told: Any = judged.record()
    assert told["unscored"] == 0
    assert told["asked"] == judged.count.asked > 20
    assert told["trust"]["TR_J"] == 3
    assert told["work"]["semantics"] == pytest.approx(0.75)  # grades of `everything`
    assert told["window"]["judges"]["now"] == [1, 1]
    assert less.record()["work"] is less.record()["window"] is None
    with pytest.raises(ValueError, match="cannot judge taste"):
        judge_episode(episode, Panel([Noting(), Noting()]), ["taste"])


def test_judges_are_compared_with_each_other_and_with_the_rule() -> None:
    def scripted(place: int) -> Any:  # noqa: ANN401 (a script)
        def verdict(asked: Asked) -> dict[str, object]:
            answer = everything(asked)
            return answer | ({"later": True} if "later" in answer and place else {})

        return answering(verdict)

    episodes = [played(name, gym.make(EDUCATION)) for name in ("oracle", "spam")]
    with serving(scripted(0), scripted(1)) as (_, panel):
        judged = [judge_episode(episode, panel) for episode in episodes]
    told = agreements(judged)
    measures = [(row.measure, row.first, row.second) for row in told]
    assert measures[:3] == [(name, "judge 1", "judge 2") for name in ("TC semantics", "TC completion", "TR-J")]
    assert ("TA later", "judge 2", "rule") in measures
    by_name = {(row.measure, row.first, row.second): row for row in told}
    assert by_name["TR-J", "judge 1", "judge 2"].mae == 0
    apart = by_name["TA later", "judge 1", "judge 2"]
    assert (apart.same, apart.first_mean, apart.second_mean) == (0, 0, 1)
    assert rows(told)[0]["measure"] == "TC semantics"
    assert agreements([]) == []


def test_panels_of_different_sizes_are_not_mixed() -> None:
    episode, noting = played("oracle", gym.make(EDUCATION)), Noting()
    judged = [judge_episode(episode, Panel([noting] * size), ["window"]) for size in (2, 3)]
    with pytest.raises(ValueError, match="different sizes"):
        agreements(judged)
    three = agreements(judged[1:])
    assert len(three) == 3 * 3 + 3 * 6
    assert all(row.n == 0 for row in three)


def test_the_same_rules_for_all_cases() -> None:
    noting = Noting()
    judge_work(played("oracle", gym.make(EDUCATION)), Panel([noting, noting]))
    assert len({str(request.messages[0]["content"]) for request in noting.requests}) == 1
    assert len({outside(prompt) for prompt in noting.prompts()}) == 1
