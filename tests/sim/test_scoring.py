"""Every term by hand, on made-up traces: a trace is a list of (minute, name, particulars)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proactivity_gym.sim.scoring import TERMS, Tally, Terms, Weights, joint, score
from proactivity_gym.sim.trace import Entry, Value
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import Depth, Outcome, Timing
from tests.sim.shop import DESK, EXECUTE, IDLE, NOOP, NOW, PREPARE, SLEEP, SUGGEST, Shop, matter, noise, nothing, use, window

ONE, TWO, CARD, RUSH, EXTRA = range(5)
WEEK = Shop(
    matter("one", "08T08:00", "value = 3"),
    matter("two", "08T08:00", "value = 1"),
    nothing("card", "08T08:00", "value = 2"),
    matter("rush", "08T08:00", "value = 2", 'topic = "errands"', "deadline = 2027-03-08T10:00:00"),
    # Off the reference path: there the offer of `one` is approved.
    matter("extra", "08T12:00", "value = 4", 'requires = [{ task = "one", outcome = ["executed"] }]'),
    noise("pizza"),
    window("rush", "two", "primary = true"),
).episode.week
"""On the reference path: four tasks worth 3 + 1 + 2 + 2 = 8, three attempts and one window, which ends at 09:45."""


def entry(name: str, minute: int = 480, **data: Value) -> Entry:
    """Return an entry."""
    return minute, name, data


def attempt(task: int, depth: Depth, expected: Depth, minute: int = 480, **data: Value) -> Entry:
    """Return an attempt."""
    usual: dict[str, Value] = {"job": task, "signal": task, "timing": NOW, "first": True, "start": minute, "resource": 0}
    return minute, "attempt", {**usual, "task": task, "depth": depth, "expected": expected, **data}


def case(task: int, *deeds: Entry, tc: float | None = None, outcome: Outcome = Outcome.EXPIRED) -> list[Entry]:
    """Return the whole course of a task."""
    credit = [] if tc is None else [entry("credit", job=task, task=task, tc=tc, late=False)]
    return [entry("active", task=task), *deeds, *credit, entry("close", task=task, outcome=outcome)]


def dismissed(task: int, expected: Depth = NOOP, evidence: float = 1.0) -> Entry:
    """Return a dismissal."""
    return entry("dismiss", signal=task, task=task, expected=expected, evidence=evidence)


def terms(*entries: Entry, week: Week = WEEK) -> Terms:
    """Return the terms of a trace."""
    return score(entries, week)


RIGHT = attempt(ONE, SUGGEST, SUGGEST)

# TC


def test_at_first_nothing_is_settled() -> None:
    first = terms()
    assert list(first) == list(TERMS)
    assert terms(entry("wait", error=None), entry("end")) == first  # of which scoring knows nothing
    null = ("TC", "TA", "TA_1", "CQ", "TR_D", "TR_D_paper", "TR_H", "TR_J")
    assert {name for name, value in first.items() if value is None} == set(null)
    assert {value for name, value in first.items() if name not in null} == {0.0}


def test_tc_is_weighted_by_value() -> None:
    course = case(ONE, RIGHT, tc=1.0) + case(TWO, attempt(TWO, SUGGEST, SUGGEST), tc=0.5)
    assert terms(*course)["TC"] == pytest.approx(100 * (3 * 1 + 1 * 0.5) / 4)
    assert terms(*course)["S_TC"] == pytest.approx((3 * 1 + 1 * 0.5) / 8)


def test_tc_takes_the_best_attempt_before_closing() -> None:
    better = entry("credit", job=5, task=ONE, tc=0.9, late=False)
    worse = entry("credit", job=6, task=ONE, tc=0.2, late=False)
    course = case(ONE, RIGHT, better, worse, tc=0.5)
    assert terms(*course)["TC"] == pytest.approx(90)
    assert terms(*case(ONE, RIGHT, tc=0.5), better)["TC"] == pytest.approx(50)


def test_tc_counts_nothing_after_the_deadline() -> None:
    assert terms(*case(ONE, RIGHT, entry("credit", job=0, task=ONE, tc=1.0, late=True)))["TC"] == 0


def test_tc_of_a_noop_task_is_the_evidence_read_when_it_was_dismissed() -> None:
    assert terms(*case(CARD, dismissed(CARD, evidence=0.5)))["TC"] == 50
    assert terms(*case(CARD, attempt(CARD, SUGGEST, NOOP), tc=0.0))["TC"] == 0
    assert terms(*case(CARD))["TC"] == 0
    assert terms(*case(ONE, dismissed(ONE, SUGGEST)))["TC"] == 0  # where something was needed


def test_open_tasks_are_no_cases_yet() -> None:
    course = terms(*case(ONE, RIGHT, tc=1.0), entry("active", task=TWO), attempt(TWO, EXECUTE, SUGGEST))
    assert (course["TC"], course["TR_D"], course["over"]) == (100, 100, 0)


# TR-D

VERDICTS: list[tuple[list[Entry], str]] = [
    ([attempt(ONE, SUGGEST, SUGGEST)], "aligned"),
    ([attempt(ONE, EXECUTE, SUGGEST)], "over"),
    ([attempt(ONE, PREPARE, SUGGEST)], "under"),
    ([dismissed(ONE, SUGGEST)], "under"),
    ([], "unattempted"),
    ([entry("snooze", signal=0, task=ONE, timing=SLEEP, until=900)], "unattempted"),
    ([attempt(ONE, PREPARE, SUGGEST), attempt(ONE, SUGGEST, SUGGEST)], "under"),  # the first one counts
    ([attempt(ONE, SUGGEST, SUGGEST), attempt(ONE, PREPARE, SUGGEST)], "aligned"),
    ([attempt(ONE, SUGGEST, SUGGEST), attempt(ONE, EXECUTE, SUGGEST)], "over"),  # unless a later one goes too deep
    ([attempt(ONE, PREPARE, SUGGEST), attempt(ONE, EXECUTE, SUGGEST)], "over"),
    ([attempt(ONE, SUGGEST, SUGGEST), entry("approved", task=ONE), attempt(ONE, EXECUTE, SUGGEST)], "aligned"),
    ([attempt(ONE, SUGGEST, SUGGEST), dismissed(ONE, NOOP)], "aligned"),  # a continuation dismissed
]


@pytest.mark.parametrize(("deeds", "verdict"), VERDICTS)
def test_verdicts(deeds: list[Entry], verdict: str) -> None:
    course = terms(*case(ONE, *deeds))
    counts = {name: course[name] for name in ("over", "under", "unattempted")}
    assert counts == {name: float(name == verdict) for name in counts}
    assert course["TR_D"] == course["TR_D_paper"] == (100 if verdict == "aligned" else 0)
    tally = Tally(WEEK, Weights())
    for item in case(ONE, *deeds):
        tally.feed(item)
    assert tally.cases() == {ONE: (verdict, 0.0)}


def test_tr_d_is_a_mean_over_closed_tasks() -> None:
    course = [*case(ONE, RIGHT), *case(TWO), *case(CARD, dismissed(CARD)), *case(RUSH, attempt(RUSH, SUGGEST, EXECUTE))]
    result = terms(*course)
    assert (result["TR_D"], result["over"], result["under"], result["unattempted"]) == (50, 0, 1, 1)
    assert result["S_TR"] == 2 / 4


def test_the_paper_reads_silence_as_noop() -> None:
    result = terms(*case(CARD), *case(ONE))
    assert (result["TR_D"], result["TR_D_paper"], result["unattempted"]) == (0, 50, 2)
    assert terms(*case(CARD, attempt(CARD, PREPARE, NOOP)))["TR_D_paper"] == 0


def test_going_too_far_after_closing_changes_the_case_and_nothing_else_does() -> None:
    closed = case(ONE, RIGHT, tc=1.0, outcome=Outcome.DECLINED)
    assert (terms(*closed)["TR_D"], terms(*closed)["S_TR"]) == (100, 1 / 4)
    for later, aligned in ((EXECUTE, 0), (SUGGEST, 1), (PREPARE, 1)):
        result = terms(*closed, attempt(ONE, later, SUGGEST))
        assert (result["TR_D"], result["over"], result["S_TR"]) == (100 * aligned, 1 - aligned, aligned / 4)
        assert (result["TC"], result["S_TC"]) == (100, 3 / 8)
    twice = terms(*closed, attempt(ONE, EXECUTE, SUGGEST), attempt(ONE, EXECUTE, SUGGEST))
    assert (twice["over"], twice["S_TR"]) == (1, 0)


# What is paid


def test_noise_attempted_dilutes_s_tr_once_per_signal() -> None:
    pizza = attempt(-1, SUGGEST, NOOP, signal=5, job=9)
    pasta = attempt(-1, PREPARE, NOOP, signal=6, job=10)
    course = case(ONE, RIGHT)
    assert terms(*course)["S_TR"] == 1 / 4
    assert terms(*course, pizza)["S_TR"] == 1 / 5
    twice = terms(*course, pizza, pizza, pasta)
    assert (twice["S_TR"], twice["false_alarms"], twice["TR_D"]) == (1 / 6, 3, 100)


def test_off_the_reference_path_cases_are_reported_and_not_paid() -> None:
    course = case(ONE, RIGHT, tc=1.0) + case(EXTRA, attempt(EXTRA, EXECUTE, SUGGEST), tc=0.5)
    result = terms(*course)
    assert result["TC"] == pytest.approx(100 * (3 + 4 * 0.5) / 7)
    assert (result["TR_D"], result["over"]) == (50, 1)
    assert (result["S_TC"], result["S_TR"]) == (3 / 8, 1 / 4)


WON = [
    entry("signal", signal=RUSH, task=RUSH, slot=0, status=0),
    entry("signal", signal=TWO, task=TWO, slot=1, status=0),
    entry("active", task=RUSH),
    entry("active", task=TWO),
    attempt(RUSH, EXECUTE, EXECUTE),
    attempt(TWO, SUGGEST, SUGGEST, timing=SLEEP, start=1380),
    entry("start", job=1, task=TWO, minute=1380),
    entry("credit", job=1, task=TWO, tc=1.0, late=False, minute=1395),
    entry("close", task=TWO, outcome=Outcome.APPROVED, minute=1400),
]


def test_a_window_is_paid_less_what_competed() -> None:
    compete = entry("compete", job=4, task=ONE, minutes=7, cause="resource", counts=True)
    excused = entry("compete", job=5, task=ONE, minutes=7, cause="resource", counts=False)
    for more, s_ta in (([], 1.0), ([excused], 1.0), ([compete], 5 / 6), ([compete, compete], 5 / 6)):
        result = terms(*WON, *more)
        assert (result["TA"], result["TA_1"], result["CQ"]) == (100, 100, 1)
        assert result["S_TA"] == pytest.approx(s_ta)


def test_what_competed_is_continued_half_as_well() -> None:
    competed = entry("compete", job=1, task=TWO, minutes=0, cause="focus", counts=True)
    result = terms(*WON[:7], competed, *WON[7:])
    assert (result["CQ"], result["S_TA"]) == (0.5, pytest.approx(0.5 * 5 / 6))


# Costs and trust


def test_costs_add_up() -> None:
    result = terms(
        entry("compete", job=1, task=ONE, minutes=12, cause="resource", counts=True),
        entry("compete", job=1, task=ONE, minutes=0, cause="focus", counts=True),
        entry("compete", job=2, task=TWO, minutes=3, cause="resource", counts=False),
        entry("waste", job=1, minutes=15),
        entry("waste", job=3, minutes=5),
        attempt(-1, SUGGEST, NOOP, signal=5),
    )
    costs = ("competing_minutes", "interruptions", "wasted_minutes", "false_alarms")
    assert [result[name] for name in costs] == [15, 1, 20, 1]


def test_tr_h_is_the_mean_trust_of_noticed_attempts() -> None:
    assert terms(entry("trust", job=0, level=4.0))["TR_H"] == 4
    assert terms(entry("trust", job=0, level=4.0), entry("trust", job=1, level=2.5))["TR_H"] == 3.25


# The joint objective


def test_j_is_the_weighted_sum() -> None:
    course = [*WON, *case(ONE, RIGHT, tc=1.0)]
    weights = Weights(tc=0.5, ta=0.3, tr=0.2)
    result = score(course, WEEK, weights)
    assert [result[name] for name in ("S_TC", "S_TA", "S_TR")] == [(1 + 3) / 8, 1, 2 / 4]
    assert result["J"] == pytest.approx(0.5 * 0.5 + 0.3 + 0.2 * 0.5)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((0.5, 1.0, 0.25), 0.5 * 0.5 + 0.3 + 0.2 * 0.25),
        ((0.5, None, 0.25), (0.5 * 0.5 + 0.2 * 0.25) / 0.7),
        ((None, None, 0.25), 0.25),
        ((1.0, None, 1.0), 1.0),
        ((None, None, None), 0.0),
    ],
)
def test_the_weight_of_a_missing_score_goes_to_the_others(
    scores: tuple[float | None, float | None, float | None], expected: float
) -> None:
    assert joint(scores, Weights(tc=0.5, ta=0.3, tr=0.2)) == pytest.approx(expected)


def test_without_any_case_all_is_null() -> None:
    condition = 'requires = [{ task = "one", outcome = ["approved"] }]'
    game = Shop(matter("one", "08T12:00", condition))
    result = game.finish()
    assert {result[name] for name in ("TC", "TR_D", "S_TC", "S_TA", "S_TR")} == {None}
    assert result["J"] == 0


@pytest.mark.parametrize(
    "weights", [(1.0, 0.0, 0.0), (0.5, 0.5, 0.5), (-0.2, 0.6, 0.6), (0.4, 0.4, 0.1), (float("nan"), 0.5, 0.5)]
)
def test_weights_are_positive_and_sum_to_one(weights: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="must be positive and sum to 1"):
        Weights(*weights)


positive = st.floats(0.01, 1)


@given(positive, positive, positive)
def test_any_positive_weights_can_be_normed(a: float, b: float, c: float) -> None:
    total = a + b + c
    weights = Weights(a / total, b / total, c / total)
    assert joint((1.0, 1.0, 1.0), weights) == pytest.approx(1)
    assert joint((0.0, None, 1.0), weights) == pytest.approx(weights.tr / (weights.tc + weights.tr))


def test_rewards_add_up_to_j_and_a_trace_can_be_scored_again_with_other_weights() -> None:
    pieces = (matter("one"), matter("two", "08T09:30"), nothing("card"), noise("pizza"), use("08T09:00", "08T11:00"))
    game = Shop(*pieces, window("one", "two"), more=DESK)
    rewards: list[float] = []
    before = game.episode.tally.joint()
    plan: list[tuple[str, Depth, Timing]] = [
        ("one", SUGGEST, NOW),
        ("pizza", PREPARE, NOW),
        ("card", NOOP, NOW),
        ("two", SUGGEST, IDLE),
    ]
    for name, depth, timing in plan:
        game.take(name, depth, timing)
        rewards.append(game.episode.tally.joint() - before)
        before = game.episode.tally.joint()
    result = game.finish()
    rewards.append(game.episode.tally.joint() - before)
    assert sum(rewards) == pytest.approx(result["J"])
    assert any(rewards[:-1])
    again = score(game.episode.trace, game.episode.week)
    assert again == result
    paid = [result[name] or 0.0 for name in ("S_TC", "S_TA", "S_TR")]
    other = score(game.episode.trace, game.episode.week, Weights(0.6, 0.1, 0.3))
    assert other["J"] == pytest.approx(0.6 * paid[0] + 0.1 * paid[1] + 0.3 * paid[2])
