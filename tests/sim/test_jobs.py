"""Jobs on shared resources, minute by minute; the user is free from 07:00 to 09:00 and from 12:00 to 23:00."""

import pytest

from proactivity_gym.sim.words import Timing
from tests.sim.shop import (
    DESK,
    DUE,
    EXECUTE,
    IDLE,
    NOW,
    PREPARE,
    SLEEP,
    SUGGEST,
    Shop,
    matter,
    noise,
    use,
)

AT_DESK = 'resource = "desk"'
BY = ", by = 2027-03-09T18:00:00"


def work(shop: Shop) -> list[tuple[str, str]]:
    """Wait for the end, and return when work started, paused and ended."""
    shop.finish()
    return shop.seen("start", "pause", "done")


def steps(shop: Shop) -> list[str]:
    """Wait for the end, and return the same in words."""
    return [f"{time[3:]} {what}" for time, what in work(shop)]


# Starts


@pytest.mark.parametrize(
    ("time", "timing", "signal", "start"),
    [
        ("08T08:00", NOW, "", "08T08:00"),
        ("08T09:30", NOW, "", "08T09:30"),
        ("08T23:30", NOW, "", "08T23:30"),
        ("08T08:00", IDLE, "", "08T08:00"),
        ("08T09:30", IDLE, "", "08T12:00"),
        ("08T23:30", IDLE, "", "09T07:00"),
        ("08T08:00", SLEEP, "", "08T23:00"),
        ("08T23:30", SLEEP, "", "08T23:30"),  # it fits into what is left of the night
        ("09T06:45", SLEEP, "", "09T06:45"),
        ("09T06:46", SLEEP, "", "09T23:00"),
        ("08T08:00", DUE, BY, "09T17:38"),  # 15 of work, 5 of reading and 2 until the answer before 18:00
        ("08T08:00", DUE, ", by = 2027-03-09T11:00:00", "09T08:44"),  # from 09:00 to 12:00 nothing is delivered
        ("08T08:00", DUE, "", "10T22:44"),  # the last free minute of the week is 22:59
    ],
)
def test_starts(time: str, timing: Timing, signal: str, start: str) -> None:
    shop = Shop(matter("one", time, "deadline = 2027-03-11T12:00:00", signal=signal))
    shop.take("one", PREPARE, timing)
    assert work(shop)[0] == (start, "start one")
    assert shop.told("done", "minutes", "wrong") == [(15, False)]


def test_two_put_off_to_one_gap_do_not_get_in_each_others_way() -> None:
    shop = Shop(matter("one", "08T09:30"), matter("two", "08T09:40"))
    shop.take("one", PREPARE, IDLE)
    shop.take("two", PREPARE, IDLE)
    assert steps(shop) == ["12:00 start one", "12:15 done one", "12:15 start two", "12:30 done two"]


# NOW jobs among each other, and deferred ones


def test_now_jobs_queue_in_order() -> None:
    shop = Shop(*(matter(name) for name in ("one", "two", "three")))
    for name in ("two", "one", "three"):
        shop.take(name, PREPARE)
    assert steps(shop) == [
        "08:00 start two",
        "08:15 done two",
        "08:15 start one",
        "08:30 done one",
        "08:30 start three",
        "08:45 done three",
    ]


def test_now_pre_empts_deferred_work_which_resumes() -> None:
    shop = Shop(matter("one", "08T08:00", "work_min = 60"), matter("two", "08T08:20"), noise("pizza", "08T08:25"))
    shop.take("one", PREPARE, IDLE)
    shop.take("two", PREPARE)
    shop.take("pizza", PREPARE)
    assert steps(shop) == [
        "08:00 start one",
        "08:20 pause one",
        "08:20 start two",
        "08:35 done two",
        "08:35 start pizza",
        "08:50 done pizza",
        "08:50 start one",
        "09:30 done one",
    ]
    assert shop.told("done", "minutes") == [(15,), (15,), (60,)]
    assert shop.terms["competing_minutes"] == 0


def test_now_does_not_pre_empt_now() -> None:
    shop = Shop(matter("one", "08T08:00", "work_min = 60"), matter("two", "08T08:20"))
    shop.take("one", PREPARE)
    shop.take("two", PREPARE)
    assert steps(shop) == ["08:00 start one", "09:00 done one", "09:00 start two", "09:15 done two"]


def test_elsewhere_deferred_work_does_not_give_way() -> None:
    shop = Shop(matter("one", "08T08:00", "work_min = 60", AT_DESK), matter("two", "08T08:20", AT_DESK), more=DESK)
    shop.take("one", PREPARE, IDLE)
    shop.take("two", PREPARE)
    assert steps(shop) == ["08:00 start one", "09:00 done one", "09:00 start two", "09:15 done two"]


def test_resources_do_not_wait_for_each_other() -> None:
    shop = Shop(matter("one"), matter("two", "08T08:00", AT_DESK), more=DESK)
    shop.take("one", PREPARE)
    shop.take("two", PREPARE)
    assert steps(shop) == ["08:00 start one", "08:00 start two", "08:15 done one", "08:15 done two"]


def test_planning_counts_what_runs_waits_and_is_planned() -> None:
    shop = Shop(*(matter(f"m{i}", "08T07:30", "work_min = 20") for i in range(5)))
    shop.take("m0", PREPARE, IDLE)  # 07:30
    shop.take("m1", PREPARE)  # takes its place
    shop.take("m2", PREPARE)  # queues: 07:50
    shop.take("m3", PREPARE, IDLE)  # after m0, which resumes at 08:10
    shop.take("m4", PREPARE, IDLE)
    assert steps(shop) == [
        "07:30 start m0",
        "07:30 pause m0",
        "07:30 start m1",
        "07:50 done m1",
        "07:50 start m2",
        "08:10 done m2",
        "08:10 start m0",
        "08:30 done m0",
        "08:30 start m3",
        "08:50 done m3",
        "08:50 start m4",
        "09:10 done m4",
    ]


def test_now_takes_the_place_of_what_was_planned_which_starts_when_there_is_room() -> None:
    shop = Shop(matter("one", "08T09:30"), matter("two", "08T11:50"))
    shop.take("one", PREPARE, IDLE)
    shop.take("two", PREPARE)
    assert steps(shop) == ["11:50 start two", "12:05 done two", "12:05 start one", "12:20 done one"]


# Several at once

TWO = '{ id = "desk", title = "Two desks", capacity = 2, preemptible = true }'
BOTH = "demand = 2"


def test_a_capacity_of_two_holds_two() -> None:
    shop = Shop(*(matter(f"m{i}", "08T08:00", AT_DESK) for i in range(3)), more=TWO)
    for i in range(3):
        shop.take(f"m{i}", PREPARE)
    assert steps(shop)[:4] == ["08:00 start m0", "08:00 start m1", "08:15 done m0", "08:15 start m2"]


def test_only_as_much_is_pre_empted_as_is_needed() -> None:
    one, two, three = (matter(f"m{i}", "08T08:00", AT_DESK, "work_min = 30") for i in range(3))
    shop = Shop(one, two, three, more=TWO)
    shop.take("m0", PREPARE, IDLE)
    shop.take("m1", PREPARE, IDLE)
    shop.take("m2", PREPARE)
    assert steps(shop)[:4] == ["08:00 start m0", "08:00 start m1", "08:00 pause m1", "08:00 start m2"]


def test_what_needs_both_waits_for_both() -> None:
    shop = Shop(matter("one", "08T08:00", AT_DESK), matter("two", "08T08:05", AT_DESK, BOTH), more=TWO)
    shop.take("one", PREPARE)
    shop.take("two", PREPARE)
    assert steps(shop) == ["08:00 start one", "08:15 done one", "08:15 start two", "08:30 done two"]


# Opening hours and stocks

HOURS = "{ start = 10:00:00, end = 11:00:00 }, { start = 13:00:00, end = 18:00:00 }"
COUNTER = f'{{ id = "desk", title = "x", capacity = 1, hours = [{HOURS}] }}'


def test_now_waits_until_it_opens() -> None:
    shop = Shop(matter("one", "08T08:00", AT_DESK), matter("two", "08T08:00", AT_DESK), more=COUNTER)
    shop.take("one", PREPARE)
    shop.take("two", PREPARE)
    assert shop.episode.jobs.state(1) == (0, 30)
    assert steps(shop) == ["10:00 start one", "10:15 done one", "10:15 start two", "10:30 done two"]


def test_deferred_work_fits_into_opening_hours() -> None:
    shop = Shop(matter("one", "08T08:00", AT_DESK), more=COUNTER)
    shop.take("one", PREPARE, IDLE)
    assert steps(shop) == ["13:00 start one", "13:15 done one"]
    late = Shop(matter("one", "08T17:46", AT_DESK), more=COUNTER)
    late.take("one", PREPARE, IDLE)
    assert work(late)[0] == ("09T13:00", "start one")
    asleep = Shop(matter("one", "08T08:00", AT_DESK), more=COUNTER)
    assert asleep.act("one", PREPARE, SLEEP) == "no-such-time"


PURSE = '{ id = "desk", title = "x", capacity = 50, kind = "stock", resets = [2027-03-09T13:00:00] }'
THIRTY = "demand = 30"


def test_a_stock_is_spent_until_its_next_reset() -> None:
    shop = Shop(*(matter(f"m{i}", "08T08:00", AT_DESK, THIRTY) for i in range(2)), more=PURSE)
    shop.take("m0", PREPARE)
    assert shop.episode.jobs.state(1) == (20, 15)
    shop.take("m1", PREPARE)
    assert work(shop) == [
        ("08T08:00", "start m0"),
        ("08T08:15", "done m0"),
        ("09T13:00", "start m1"),
        ("09T13:15", "done m1"),
    ]


def test_deferred_work_plans_for_the_reset() -> None:
    shop = Shop(*(matter(f"m{i}", "08T09:30", AT_DESK, THIRTY) for i in range(3)), more=PURSE)
    shop.take("m0", PREPARE, IDLE)
    shop.take("m1", PREPARE, IDLE)
    assert shop.act("m2", PREPARE, IDLE) == "no-such-time"  # the second has what there is after the reset
    shop.until("08T22:30")
    assert shop.act("m2", PREPARE, SLEEP) == "no-such-time"
    assert work(shop)[::2] == [("08T12:00", "start m0"), ("09T13:00", "start m1")]


def test_what_the_user_takes_of_a_stock_is_not_competed_for() -> None:
    shop = Shop(matter("one", "08T08:00", AT_DESK, THIRTY), use("08T07:30", "08T09:00", "units = 30"), more=PURSE)
    shop.take("one", PREPARE)
    assert steps(shop) == ["09:00 start one", "09:15 done one"]
    assert shop.terms["competing_minutes"] == 0


# What comes of it


def test_work_that_came_to_nothing_is_wasted() -> None:
    shop = Shop(matter("one", "09T08:00"), noise("pizza"), noise("pasta"))
    shop.take("pizza", PREPARE)
    shop.take("pasta", EXECUTE)
    shop.finish()
    assert shop.told("waste", "minutes") == [(15,), (15,)]
    assert (shop.terms["wasted_minutes"], shop.terms["false_alarms"]) == (30, 2)


def test_an_observer_sees_what_is_free_and_what_is_queued() -> None:
    shop = Shop(matter("one", "08T08:00", "work_min = 60"), matter("two", "08T08:20"), matter("three", "08T09:30"))
    state = shop.episode.jobs.state
    assert state(0) == (1, 0)
    shop.take("one", SUGGEST, IDLE)
    assert state(0) == (0, 60)
    shop.take("two", EXECUTE)
    assert state(0) == (0, 15 + 40)
    shop.take("three", PREPARE, SLEEP)
    assert state(0) == (1, 15)
