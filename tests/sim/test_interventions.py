"""What the agent can do to a signal, worked out on Monday from 08:00 (free) and 09:30 (focus until 12:00)."""

import pytest

from proactivity_gym.sim.interventions import ERRORS
from proactivity_gym.sim.words import Outcome, SignalStatus, Timing
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
)

BY = ", by = 2027-03-10T18:00:00"

# Dismissal


def test_a_dismissal_is_for_good_and_reads_first() -> None:
    shop = Shop(matter("one"))
    shop.take("one", NOOP)
    shop.finish()
    assert shop.seen("read", "dismiss", "gone", "close") == [
        ("08T08:00", "read"),
        ("08T08:00", "dismiss one"),
        ("08T08:00", "gone one"),
        ("08T08:00", "close one"),
    ]
    assert shop.told("dismiss", "task", "expected", "evidence") == [(0, SUGGEST, 1.0)]
    assert shop.told("close", "outcome") == [(Outcome.DISMISSED,)]
    assert len(shop.seen("signal")) == 1


def test_where_nothing_is_needed_a_dismissal_earns_what_was_read() -> None:
    later = record("receipt", "08T12:00")
    for time, tc in (("08T08:00", 50.0), ("08T12:00", 100.0)):
        shop = Shop(nothing("card", "08T08:00", 'evidence = ["card-mail", "receipt"]'), later)
        shop.until(time)
        shop.take("card", NOOP)
        assert (shop.terms["TC"], shop.terms["TR_D"]) == (tc, 100.0)


def test_noise_is_dismissed_without_a_case() -> None:
    shop = Shop(noise("pizza"), matter("one", "09T08:00"))
    shop.take("pizza", NOOP)
    assert shop.told("dismiss", "task", "expected", "evidence") == [(-1, NOOP, 0.0)]
    assert shop.terms["TR_D"] is None


# Snoozing

SNOOZES: list[tuple[str, Timing, str]] = [
    ("08T08:00", IDLE, "08T12:00"),  # this gap began already: the next one
    ("08T09:30", IDLE, "08T12:00"),
    ("08T08:00", SLEEP, "08T23:00"),
    ("08T23:30", SLEEP, "09T23:00"),  # this night began already
    ("08T08:00", DUE, "10T17:38"),  # 18:00 less 2 for the answer, 5 for reading, 15 for the work
]


@pytest.mark.parametrize(("time", "timing", "back"), SNOOZES)
def test_a_snoozed_signal_returns_at_the_next_such_moment(time: str, timing: Timing, back: str) -> None:
    shop = Shop(matter("one", time, signal=BY))
    shop.take("one", NOOP, timing)
    assert shop.open() == []
    shop.until(back)
    assert (shop.now, shop.open()) == (back, ["one"])
    assert shop.signal("one").status == SignalStatus.RETURNED
    assert [shop.time(int(until or 0)) for (until,) in shop.told("snooze", "until")] == [back]


GONE: list[tuple[str, Timing]] = [
    ("10T12:30", IDLE),  # the last gap began already
    ("10T23:30", IDLE),
    ("10T23:30", SLEEP),
    ("10T17:38", DUE),
    ("10T17:50", DUE),
]


@pytest.mark.parametrize(("time", "timing"), GONE)
def test_where_no_such_moment_is_left_a_snooze_counts_as_waiting(time: str, timing: Timing) -> None:
    shop = Shop(matter("one", time, "deadline = 2027-03-10T23:50:00", signal=BY))
    shop.until(time)
    before = list(shop.episode.trace)
    assert shop.act("one", NOOP, timing) == "no-such-time"
    assert shop.open() == ["one"]
    assert list(shop.episode.trace) == before


def test_a_snooze_waits_for_what_the_work_needs() -> None:
    # The desk is taken until 13:00, by what is stated.
    shop = Shop(matter("one", "08T09:30", 'resource = "desk"'), use("08T11:00", "08T13:00"), more=DESK)
    shop.take("one", NOOP, IDLE)
    shop.until("08T12:30")
    assert (shop.now, shop.open()) == ("08T13:00", ["one"])


def test_a_snooze_can_be_repeated_and_is_no_decision() -> None:
    shop = Shop(matter("one"))
    shop.take("one", NOOP, IDLE)
    shop.take("one", NOOP, SLEEP)
    shop.take("one", NOOP, IDLE)
    shop.until("09T07:00")
    assert [status for (status,) in shop.told("signal", "status")] == [0, 1, 1, 1]
    assert shop.finish()["unattempted"] == 1


# What cannot be done


def test_an_empty_slot() -> None:
    shop = Shop(matter("one"))
    assert shop.episode.act(0, EXECUTE, NOW) == "empty-slot"
    assert not shop.episode.trace.entries


def test_one_live_job_per_task() -> None:
    shop = Shop(matter("one", "08T09:30"), record("again", "08T09:40", 'signal = { task = "one" }'))
    shop.take("one", SUGGEST, IDLE)
    before = len(shop.episode.trace)
    assert shop.act("again", EXECUTE) == "job-in-progress"
    assert shop.seen("attempt") == [("08T09:30", "attempt one")]
    assert len(shop.episode.trace) == before + 1  # the signal
    shop.take("again", NOOP)  # which changes nothing
    shop.finish()
    assert shop.told("close", "outcome") == [(Outcome.APPROVED,)]


def test_at_most_three_attempts() -> None:
    shop = Shop(matter("one"))
    for _ in range(3):
        shop.take("one", PREPARE)
        shop.episode.wait()
    assert shop.seen("done") == [("08T08:15", "done one"), ("08T08:20", "done one"), ("08T08:25", "done one")]
    assert shop.act("one", EXECUTE) == "no-attempts-left"
    assert shop.act("one", NOOP) is None


NEVER_FITS: list[tuple[Timing, list[str], str]] = [
    (SLEEP, ["work_min = 481"], BY),  # nights have 480 minutes
    (DUE, [], ", by = 2027-03-08T08:10:00"),
]


@pytest.mark.parametrize(("timing", "lines", "by"), NEVER_FITS)
def test_an_attempt_that_has_no_time_is_none(timing: Timing, lines: list[str], by: str) -> None:
    shop = Shop(matter("one", "08T08:00", *lines, signal=by))
    assert shop.act("one", SUGGEST, timing) == "no-such-time"
    assert not shop.told("attempt", "job")
    assert shop.open() == ["one"]


def test_nor_does_work_go_on_after_the_week() -> None:
    shop = Shop(matter("one", "10T20:00", "work_min = 241", "deadline = 2027-03-11T12:00:00"))
    assert shop.act("one", SUGGEST, IDLE) == "no-such-time"
    shop.take("one", SUGGEST)
    shop.finish()
    assert shop.seen("start", "done") == [("10T20:00", "start one")]


def test_every_code_has_its_words() -> None:
    assert {"empty-slot", "job-in-progress", "no-attempts-left", "no-such-time", "malformed-action"} == set(ERRORS)


# Attempts


def test_an_attempt_says_what_was_chosen_and_what_was_expected() -> None:
    shop = Shop(matter("one"), matter("two", "08T08:00", 'topic = "errands"'), nothing("card"), noise("pizza"))
    shop.take("one", EXECUTE, IDLE)
    shop.take("two", PREPARE, SLEEP)
    shop.take("card", SUGGEST)
    shop.take("pizza", SUGGEST)
    keys = ("task", "depth", "timing", "expected", "first", "resource")
    assert shop.told("attempt", *keys) == [
        (0, EXECUTE, IDLE, SUGGEST, True, 0),
        (1, PREPARE, SLEEP, EXECUTE, True, 0),
        (2, SUGGEST, NOW, NOOP, True, 0),
        (-1, SUGGEST, NOW, NOOP, True, 0),
    ]
    assert [shop.time(int(start or 0)) for (start,) in shop.told("attempt", "start")][:3] == [
        "08T08:00",
        "08T23:00",
        "08T08:00",
    ]


def test_what_was_expected_when_it_was_chosen_counts() -> None:
    said = '{ topic = "letters", depth = "execute", at = 2027-03-08T10:00:00, said = "Go ahead." },'
    shop = Shop(matter("one", "08T09:30"), said=said)
    shop.take("one", SUGGEST, IDLE)
    shop.finish()
    assert shop.told("attempt", "expected") == [(SUGGEST,)]
    assert shop.terms["TR_D"] == 100


# Going on


def commits(shop: Shop) -> list[tuple[str, str]]:
    """Return when work started and actions took effect."""
    return shop.seen("start", "done", "approved", "commit", "close")


def test_a_good_draft_goes_out_as_an_offer_in_five_minutes() -> None:
    shop = Shop(matter("one"))
    shop.take("one", PREPARE)
    shop.until("08T08:15")
    assert shop.episode.work_left(shop.signal("one")) == 5
    shop.take("one", SUGGEST)
    terms = shop.finish()
    assert commits(shop) == [
        ("08T08:00", "start one"),
        ("08T08:15", "done one"),
        ("08T08:15", "start one"),
        ("08T08:20", "done one"),
        ("08T08:27", "approved one"),
        ("08T08:27", "commit one"),
        ("08T08:27", "close one"),
    ]
    assert shop.told("attempt", "first", "expected") == [(True, SUGGEST), (False, SUGGEST)]
    assert (terms["TC"], terms["under"], terms["TR_D"]) == (100, 1, 0)  # the first attempt decides


def test_work_shorter_than_five_minutes_stays_so() -> None:
    shop = Shop(matter("one", "08T08:00", "work_min = 3"))
    shop.take("one", PREPARE)
    shop.until("08T08:03")
    assert shop.episode.work_left(shop.signal("one")) == 3


def test_a_wrong_draft_is_done_all_over() -> None:
    shop = Shop(matter("one", "08T08:00", 'evidence = ["one-mail", "fact"]'), record("fact", "08T12:00"))
    shop.take("one", PREPARE)
    shop.until("08T08:15")
    assert shop.episode.work_left(shop.signal("one")) == 15


def test_an_approved_offer_executed_again_is_aligned_and_changes_nothing_twice() -> None:
    shop = Shop(matter("one", "08T08:00", f"actions = [{PAY}]"))
    shop.take("one", SUGGEST)
    shop.until("08T08:22")
    assert shop.signal("one").status == SignalStatus.APPROVED
    shop.take("one", EXECUTE)
    terms = shop.finish()
    assert commits(shop)[2:] == [
        ("08T08:22", "approved one"),
        ("08T08:22", "commit one"),
        ("08T08:22", "close one"),
        ("08T08:22", "start one"),
        ("08T08:27", "done one"),
    ]
    assert shop.told("attempt", "expected") == [(SUGGEST,), (EXECUTE,)]
    assert (terms["TR_D"], terms["over"], terms["TC"]) == (100, 0, 100)
    assert shop.found("payments") == ["payments-1"]


def test_an_execution_after_a_decline_goes_too_far_though_the_task_is_closed() -> None:
    late = matter("one", "08T08:00", 'evidence = ["one-mail", "fact"]') + record("fact", "10T12:00")
    shop = Shop(late, noise("pizza"))
    shop.take("pizza", EXECUTE)  # which leaves a trust of 1.85: not enough for an offer with wrong content
    shop.take("one", SUGGEST)
    shop.until("08T08:37")
    assert shop.told("close", "outcome") == [(Outcome.DECLINED,)]
    assert (shop.terms["TR_D"], shop.terms["over"]) == (100, 0)
    shop.take("one", EXECUTE)
    assert (shop.terms["TR_D"], shop.terms["over"]) == (0, 1)


def test_dismissing_what_carries_a_matter_on_changes_nothing() -> None:
    shop = Shop(matter("one"))
    shop.take("one", PREPARE)
    shop.episode.wait()
    shop.take("one", NOOP)
    shop.finish()
    assert shop.seen("close") == [("10T18:00", "close one")]
    assert shop.told("close", "outcome") == [(Outcome.DRAFTED,)]
    assert (shop.terms["under"], shop.terms["TC"]) == (1, 100)
