"""Turns, conditions and the end. Reviews come at 07:00, 12:00 and 22:30; an offer takes 5 minutes to read and 2 to answer."""

from collections import Counter
from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.scoring import TERMS
from proactivity_gym.sim.variation import vary
from proactivity_gym.sim.words import Depth, SignalStatus, Timing
from tests.sim.shop import (
    DESK,
    DUE,
    EXECUTE,
    IDLE,
    NOOP,
    NOW,
    PAY,
    PREPARE,
    SLEEP,
    SUGGEST,
    Shop,
    matter,
    noise,
    nothing,
    record,
    use,
    window,
)
from tests.sim.tiny import week_of

REVIEWS = [f"{day}T{time}" for day in ("08", "09", "10") for time in ("07:00", "12:00", "22:30")][:-1]
"""The last night has too little left of it to have a review before it."""
LAST = "11T00:00"


def turns(shop: Shop) -> list[str]:
    """Wait for the end, and return when the agent had the turn."""
    seen = [shop.now]
    while not shop.episode.over:
        shop.episode.wait()
        seen.append(shop.now)
    return seen


# What gives the agent a turn


def test_reviews_and_signals_give_a_turn_and_phases_and_deadlines_do_not() -> None:
    assert turns(Shop(matter("one", "08T08:00", "deadline = 2027-03-08T16:00:00"))) == sorted([*REVIEWS, "08T08:00", LAST])


def test_what_the_user_says_gives_a_turn() -> None:
    said = '{ topic = "letters", depth = "execute", at = 2027-03-09T13:00:00, said = "Go ahead." },'
    shop = Shop(matter("one"), said=said)
    assert turns(shop) == sorted([*REVIEWS, "08T08:00", "09T13:00", LAST])
    assert shop.seen("stated") == [("09T13:00", "stated")]


def test_the_users_own_use_of_a_resource_gives_no_turn() -> None:
    assert turns(Shop(matter("one"), use("08T13:00", "08T14:00"), more=DESK)) == sorted([*REVIEWS, "08T08:00", LAST])


@pytest.mark.parametrize(
    ("depth", "timing", "more"),
    [
        (PREPARE, NOW, ["08T08:15"]),  # done, and found in that minute
        (EXECUTE, NOW, ["08T08:15"]),
        (SUGGEST, NOW, ["08T08:15", "08T08:22"]),  # done and delivered at 08:15, answered at 08:22
        (SUGGEST, SLEEP, ["08T23:15", "09T07:07"]),  # done at 23:15, delivered at 07:00, answered at 07:07
        (NOOP, NOW, []),
        (NOOP, SLEEP, ["08T23:00"]),  # it returns
    ],
)
def test_finished_jobs_answers_and_returns_give_a_turn(depth: Depth, timing: Timing, more: list[str]) -> None:
    shop = Shop(matter("one"))
    shop.take("one", depth, timing)
    assert turns(shop) == sorted([*REVIEWS[1:], "08T08:00", *more, LAST])


def test_what_happens_in_one_minute_gives_one_turn() -> None:
    shop = Shop(matter("one", "08T12:00"), matter("two", "08T12:00"), noise("pizza", "08T12:00"))
    shop.until("08T08:00")
    assert (shop.now, shop.open()) == ("08T12:00", ["one", "two", "pizza"])
    assert turns(shop) == [*REVIEWS[1:], LAST]


# Time


def test_waiting_changes_the_clock_and_nothing_else() -> None:
    shop = Shop(matter("one", "09T08:00"))
    before = list(shop.episode.trace), shop.terms
    shop.episode.wait()
    assert shop.now == "08T12:00"
    assert (list(shop.episode.trace), shop.terms) == before
    assert not shop.episode.trace.entries


def test_a_refused_action_that_ends_the_turn_is_recorded() -> None:
    shop = Shop(matter("one"))
    shop.episode.wait(shop.episode.act(0, EXECUTE, NOW))
    assert (shop.told("wait", "error"), shop.now) == ([("empty-slot",)], "08T08:00")


def test_time_stands_still_while_the_agent_intervenes() -> None:
    shop = Shop(matter("one"), matter("two"), noise("pizza"), noise("pasta"))
    shop.until("08T08:00")
    shop.take("one", EXECUTE)
    shop.take("two", SUGGEST, SLEEP)
    shop.take("pizza", NOOP)
    shop.take("pasta", NOOP, IDLE)
    shop.episode.read("mail.read", {"id": "one-mail"})
    assert (shop.now, shop.open()) == ("08T08:00", [])
    assert {minute for minute, _, _ in shop.episode.trace} == {480}


def test_the_week_ends_at_its_last_minute() -> None:
    shop = Shop(matter("one", "10T22:45", "deadline = 2027-03-11T18:00:00"), noise("pizza", "10T22:46"))
    shop.finish()
    assert shop.seen("signal", "gone", "close", "end") == [
        ("10T22:45", "signal one"),
        ("10T22:46", "signal pizza"),
        (LAST, "gone one"),
        (LAST, "close one"),
        (LAST, "gone pizza"),
        (LAST, "end"),
    ]
    assert shop.episode.over
    assert shop.episode.act(0, EXECUTE, NOW) == "empty-slot"


# Conditions: `two` needs an outcome of `one`


BRANCHES = [
    ("requires", "approved", SUGGEST, True),
    ("requires", "approved", EXECUTE, False),
    ("requires", "executed", EXECUTE, True),
    ("requires", "drafted", PREPARE, True),
    ("requires", "dismissed", NOOP, True),
    ("requires", "expired", NOOP, False),
    ("excludes", "approved", SUGGEST, False),
    ("excludes", "approved", EXECUTE, True),
]


@pytest.mark.parametrize(("how", "outcome", "depth", "there"), BRANCHES)
def test_a_task_is_a_case_on_its_branch_only(how: str, outcome: str, depth: Depth, there: bool) -> None:
    condition = f'{how} = [{{ task = "one", outcome = ["{outcome}"] }}]'
    shop = Shop(matter("one"), matter("two", "09T08:00", condition))
    shop.take("one", depth)
    shop.until("09T08:00")
    assert ("two" in shop.open()) is there
    terms = shop.finish()
    assert shop.seen("active") == [("08T08:00", "active one"), ("09T08:00", "active two")][: 1 + there]
    assert terms["unattempted"] == there


def test_what_nobody_takes_up_expires_and_its_branch_comes() -> None:
    shop = Shop(
        matter("one", "08T08:00", "deadline = 2027-03-08T18:00:00"),
        matter("two", "09T08:00", 'requires = [{ task = "one", outcome = ["expired"] }]'),
    )
    shop.until("09T08:00")
    assert shop.open() == ["two"]
    assert shop.told("close", "task", "outcome") == [(0, 6)]


def test_a_record_may_depend_on_the_branch_and_is_not_there_on_another() -> None:
    for depth, ids in ((SUGGEST, ["ticket", "one-mail"]), (EXECUTE, ["one-mail"])):
        ticket = record("ticket", "09T06:00", 'requires = [{ task = "one", outcome = ["approved"] }]')
        shop = Shop(matter("one"), ticket)
        shop.take("one", depth)
        shop.until("09T07:00")
        assert shop.open() == (["ticket"] if depth == SUGGEST else [])  # the review shows it
        assert shop.found("mail") == ids


def test_a_later_signal_of_a_closed_task_is_not_shown() -> None:
    for depth, there in ((NOOP, False), (PREPARE, True)):
        shop = Shop(matter("one"), record("again", "09T08:00", 'signal = { task = "one" }'))
        shop.take("one", depth)
        shop.until("09T08:00")
        assert ("again" in shop.open()) is there


# Copies


def test_a_copy_made_on_the_way_goes_on_alike() -> None:
    pieces = [matter(f"m{i}", f"08T{8 + i:02}:00", "work_min = 70") for i in range(8)]
    shop = Shop(*pieces, draws=np.random.default_rng(5))
    for i in range(4):
        shop.take(f"m{i}", SUGGEST, (NOW, IDLE)[i % 2])
    twin = deepcopy(shop)
    assert twin.episode.week is shop.episode.week
    before = list(shop.episode.trace)
    for game in (twin, shop):
        for i in range(4, 8):
            game.take(f"m{i}", SUGGEST)
        game.finish()
        if game is twin:
            assert list(shop.episode.trace) == before
    assert list(twin.episode.trace) == list(shop.episode.trace)
    assert twin.terms == shop.terms


# Whatever the agent does

WHERE = ["desk", "assistant"] * 3
RICH = (
    *(matter(f"m{i}", f"08T{7 + i:02}:30", "work_min = 45", f'resource = "{r}"') for i, r in enumerate(WHERE)),
    matter("paid", "08T10:15", 'topic = "errands"', f"actions = [{PAY}]", signal=", by = 2027-03-09T12:00:00"),
    matter("quiet", "08T06:00", signal=', trigger = "agent"'),
    matter("after", "09T08:00", 'requires = [{ task = "m0", outcome = ["approved", "executed"] }]'),
    *(noise(f"n{i}", f"08T{8 + i % 3:02}:10") for i in range(14)),
    nothing("card", "09T09:00"),
    use("08T08:00", "08T09:00"),
    use("08T13:00", "08T15:00", "stated = false"),
    use("09T12:30", "09T13:00", "overrun = [20]"),
    window("m1", "m2"),
)
SHOP = Shop(*RICH, more=DESK)
choices = st.lists(
    st.lists(st.tuples(st.integers(0, 15), st.sampled_from(Depth), st.sampled_from(Timing)), max_size=4), max_size=40
)
Choices = list[list[tuple[int, Depth, Timing]]]


def wander(episode: Episode, drawn: Choices) -> list[float]:
    """Play some choices and then wait; return the rewards."""
    rewards: list[float] = []
    before = episode.tally.joint()
    episode.start()
    while not episode.over:
        for slot, depth, timing in drawn.pop() if drawn else ():
            episode.act(slot, depth, timing)
        episode.wait()
        rewards.append(episode.tally.joint() - before)
        before = episode.tally.joint()
    return rewards


def check(episode: Episode, rewards: list[float]) -> None:
    """Check what holds of every episode at its end."""
    entries = episode.trace.entries
    terms = episode.tally.terms()
    assert list(terms) == list(TERMS)
    assert all(0 <= (terms[name] or 0) <= 1 for name in ("J", "S_TC", "S_TA", "S_TR"))
    assert sum(rewards) == pytest.approx(terms["J"], abs=1e-12)
    minutes = [minute for minute, _, _ in entries]
    assert minutes == sorted(minutes)
    shown = [(data["slot"], data["signal"]) for _, name, data in entries if name == "signal"]
    gone = [(data["slot"], data["signal"]) for _, name, data in entries if name == "gone"]
    assert Counter(shown) == Counter(gone)
    done = {data["job"] for _, name, data in entries if name == "done"}
    begun = [job.id for job in episode.jobs.all if job.left]
    assert {data["job"] for _, name, data in entries if name == "attempt"} == done | set(begun)
    closed = [data["task"] for _, name, data in entries if name == "close"]
    assert len(closed) == len(set(closed))
    assert set(closed) == {data["task"] for _, name, data in entries if name == "active"}


@settings(deadline=None, max_examples=60)
@given(choices, st.booleans(), st.integers(0, 9))
def test_any_play_keeps_the_invariants(drawn: Choices, stochastic: bool, seed: int) -> None:
    draws = np.random.default_rng(seed) if stochastic else None
    episode = Episode(vary(SHOP.episode.week, "test", seed), stochastic_user=draws)
    check(episode, wander(episode, drawn))


@settings(deadline=None, max_examples=30)
@given(choices)
def test_any_play_of_the_small_scenario_keeps_the_invariants(drawn: Choices) -> None:
    episode = Episode(week_of())
    check(episode, wander(episode, drawn))


@settings(deadline=None, max_examples=20)
@given(choices)
def test_any_play_can_be_repeated(drawn: Choices) -> None:
    games = [Episode(SHOP.episode.week) for _ in range(2)]
    for game in games:
        wander(game, list(drawn))
    assert list(games[0].trace) == list(games[1].trace)


def test_statuses_tell_why_a_signal_stands() -> None:
    shop = Shop(matter("one"))
    shop.take("one", NOOP, DUE)
    shop.until("10T13:00")
    assert shop.told("signal", "status") == [(SignalStatus.FRESH,)]
