"""Jobs beside the user's own use of a desk: foreseen, competed with, made way for, and otherwise than stated."""

import pytest

from proactivity_gym.sim.forecast import Forecast, ResourceRow, When
from proactivity_gym.sim.timeline import Spans
from proactivity_gym.sim.words import Depth
from tests.sim.shop import DESK, DUE, EXECUTE, IDLE, PREPARE, SLEEP, SUGGEST, Shop, matter, noise, use

AT_DESK = 'resource = "desk"'
TWO = '{ id = "desk", title = "Two desks", capacity = 2 }'
FOR_AN_HOUR = use("08T13:00", "08T14:00")


def desk(name: str, time: str, *lines: str, signal: str = "") -> str:
    """Return a matter that needs the desk."""
    return matter(name, time, AT_DESK, *lines, signal=signal)


def steps(shop: Shop) -> list[str]:
    """Wait for the end, and return when work started, paused and ended."""
    shop.finish()
    return [f"{time[3:]} {what}" for time, what in shop.seen("start", "pause", "done")]


# What is foreseen

NOWHERE: Spans = ([], [])
ROWS = (
    ResourceRow("a", 2, False, False, (), ([0], [100])),
    ResourceRow("b", 1, False, False, (), ([10, 40], [30, 60])),
)
FORECAST = Forecast(ROWS, [[(20, 40, 1), (30, 50, 1)], [(15, 20, 1)]], ([0, 50], [25, 100]), ([25], [50]), 100)


@pytest.mark.parametrize(
    ("resource", "minute", "free"),
    [
        (0, 19, 2),
        (0, 20, 1),
        (0, 30, 0),
        (0, 40, 1),
        (0, 50, 2),
        (0, 99, 2),
        (0, 100, 0),  # after the end
        (1, 9, 0),  # closed
        (1, 10, 1),
        (1, 15, 0),
        (1, 20, 1),
        (1, 30, 0),
    ],
)
def test_units_foreseen_to_be_free(resource: int, minute: int, free: int) -> None:
    assert FORECAST.free_at(resource, minute) == free


def test_changes_are_where_something_begins_or_ends() -> None:
    assert FORECAST.changes[:-1] == [0, 10, 15, 20, 30, 40, 50, 60, 100]


@pytest.mark.parametrize(
    ("job", "when", "spans"),
    [
        ((0, 1, 10), When.ANY_TIME, ([0, 40], [21, 91])),
        ((0, 2, 10), When.ANY_TIME, ([0, 50], [11, 91])),
        ((0, 1, 10), When.FREE, ([0, 50], [21, 91])),  # it starts while the user is free, and may go on
        ((0, 1, 10), When.ASLEEP, ([40], [41])),  # all of it lies in sleep
        ((1, 1, 10), When.ANY_TIME, ([20, 40], [21, 51])),
        ((1, 2, 10), When.ANY_TIME, NOWHERE),
    ],
)
def test_minutes_at_which_work_can_start(job: tuple[int, int, int], when: When, spans: Spans) -> None:
    assert FORECAST.starts(*job, when) == spans
    assert FORECAST.starts(*job, when) == spans  # kept


# Competing


def test_now_competes_and_slows_the_user() -> None:
    shop = Shop(desk("one", "08T13:10"), desk("two", "08T13:30"), FOR_AN_HOUR, more=DESK)
    shop.take("one", EXECUTE)
    shop.take("two", PREPARE, IDLE)  # planned for 14:00; the user stays until 14:15
    assert steps(shop) == ["13:10 start one", "13:25 done one", "14:15 start two", "14:30 done two"]
    assert shop.told("compete", "minutes", "cause", "counts") == [(15, "resource", True)]
    assert shop.terms["competing_minutes"] == 15


def test_only_shared_minutes_count() -> None:
    for time, minutes in (("12:50", 5), ("12:45", 0), ("13:50", 10), ("14:00", 0)):
        shop = Shop(desk("one", f"08T{time}"), FOR_AN_HOUR, more=DESK)
        shop.take("one", PREPARE)
        assert shop.finish()["competing_minutes"] == minutes


def test_what_the_user_does_for_having_been_slowed_is_competed_with_too() -> None:
    shop = Shop(desk("one", "08T13:30"), desk("two", "08T14:05"), FOR_AN_HOUR, more=DESK)
    shop.take("one", PREPARE)  # 15 minutes: the user stays until 14:15
    shop.take("two", PREPARE)  # 14:05 to 14:20
    shop.finish()
    assert shop.told("compete", "minutes") == [(15,), (10,)]


def test_deferred_work_never_competes() -> None:
    shop = Shop(desk("one", "08T12:30", "work_min = 90"), use("08T13:00", "08T14:00", "stated = false"), more=DESK)
    shop.take("one", PREPARE, IDLE)
    assert shop.finish()["competing_minutes"] == 0


def test_where_there_is_room_for_both_nobody_competes() -> None:
    for demand, minutes in ((1, 0), (2, 15)):
        shop = Shop(desk("one", "08T13:10", f"demand = {demand}"), FOR_AN_HOUR, more=TWO)
        shop.take("one", PREPARE)
        assert shop.finish()["competing_minutes"] == minutes


EXCUSES: list[tuple[list[str], Depth, str, bool]] = [
    ([], EXECUTE, "08T13:00", True),
    (['kind = "request"'], EXECUTE, "08T13:00", False),
    # The next gap in which the desk is free begins at 14:00; work takes 15 minutes.
    (["deadline = 2027-03-08T14:14:00"], EXECUTE, "08T13:00", False),
    (["deadline = 2027-03-08T14:15:00"], EXECUTE, "08T13:00", True),
    (["deadline = 2027-03-09T06:59:00"], SUGGEST, "08T23:15", False),
]


@pytest.mark.parametrize(("lines", "depth", "time", "counts"), EXCUSES)
def test_a_request_and_the_last_chance_are_excused(lines: list[str], depth: Depth, time: str, counts: bool) -> None:
    uses = use("08T12:00", "08T14:00"), use("08T23:00", "08T23:40")
    shop = Shop(matter("one", time, 'resource = "desk"', *lines), *uses, more=DESK)
    shop.take("one", depth)
    shop.finish()
    assert shop.told("compete", "cause", "counts") == [("resource", counts)]


def test_noise_is_never_excused() -> None:
    pizza = noise("pizza", "08T13:00").replace('"assistant"', '"desk"')
    shop = Shop(matter("one", "09T08:00"), pizza, use("08T12:00", "08T14:00"), more=DESK)
    shop.take("pizza", PREPARE)
    shop.finish()
    assert shop.told("compete", "minutes", "cause", "counts") == [(15, "resource", True)]


# Making way


def test_deferred_work_pauses_for_a_use_that_nobody_stated() -> None:
    shop = Shop(desk("one", "08T12:30", "work_min = 90"), use("08T13:00", "08T14:00", "stated = false"), more=DESK)
    shop.take("one", PREPARE, IDLE)
    assert steps(shop) == ["12:30 start one", "13:00 pause one", "14:00 start one", "15:00 done one"]
    assert shop.told("done", "minutes") == [(90,)]


def test_only_as_much_pauses_as_is_needed() -> None:
    own = use("08T13:00", "08T14:00", "stated = false")
    shop = Shop(*(desk(f"m{i}", "08T12:30", "work_min = 60") for i in range(2)), own, more=TWO)
    shop.take("m0", PREPARE, IDLE)
    shop.take("m1", PREPARE, IDLE)
    assert steps(shop)[2:] == ["13:00 pause m1", "13:30 done m0", "13:30 start m1", "14:00 done m1"]


def test_paused_work_waits_for_now_jobs_that_queue() -> None:
    own = use("08T13:00", "08T13:10", "stated = false")
    shop = Shop(desk("one", "08T12:55", "work_min = 10"), desk("two", "08T13:05"), desk("three", "08T13:06"), own, more=DESK)
    shop.take("one", PREPARE, IDLE)
    shop.take("two", PREPARE)
    shop.take("three", PREPARE)
    assert steps(shop) == [
        "12:55 start one",
        "13:00 pause one",
        "13:05 start two",
        "13:20 done two",
        "13:20 start three",
        "13:35 done three",
        "13:35 start one",
        "13:40 done one",
    ]


# Planning anew


def test_deferred_work_plans_around_what_is_stated() -> None:
    morning = use("08T07:00", "08T13:00")
    shop = Shop(desk("one", "08T08:00"), morning, more=DESK)
    shop.take("one", PREPARE, IDLE)
    assert steps(shop) == ["13:00 start one", "13:15 done one"]


def test_a_use_that_overruns_keeps_what_was_planned_for_its_end_waiting() -> None:
    shop = Shop(desk("one", "08T12:30"), use("08T12:00", "08T13:00", "overrun = [20]"), more=DESK)
    shop.take("one", PREPARE, IDLE)
    assert steps(shop) == ["13:20 start one", "13:35 done one"]


def test_a_use_that_ends_early_lets_it_start_early() -> None:
    shop = Shop(desk("one", "08T12:30"), use("08T12:00", "08T13:00", "overrun = [-20]"), more=DESK)
    shop.take("one", PREPARE, IDLE)
    assert steps(shop) == ["12:40 start one", "12:55 done one"]


def test_a_use_that_appears_moves_what_was_planned() -> None:
    for timing, start in ((IDLE, "12:20"), (SLEEP, "23:00")):
        shop = Shop(desk("one", "08T09:30"), use("08T11:50", "08T12:20", "stated = false"), more=DESK)
        shop.take("one", PREPARE, timing)
        assert steps(shop)[0] == f"{start} start one"


def test_a_use_that_nobody_stated_is_taken_to_last_half_an_hour_at_least() -> None:
    # It begins at 11:50 and is over at 12:10: until then 12:20 is planned.
    own = use("08T11:50", "08T12:10", "stated = false")
    shop = Shop(desk("one", "08T09:30"), own, desk("two", "08T12:05"), more=DESK)
    shop.take("one", PREPARE, IDLE)
    shop.until("08T12:05")
    assert shop.time(shop.episode.preview(shop.signal("two"), IDLE)) == "08T12:35"
    assert steps(shop) == ["12:10 start one", "12:25 done one"]


def test_what_finds_no_better_time_waits_until_there_is_room() -> None:
    # By 14:00: 13:38 at the latest. A use from 13:00 to 15:00 leaves no time, so it comes late.
    own = use("08T13:00", "08T15:00", "stated = false")
    shop = Shop(desk("one", "08T12:30", signal=", by = 2027-03-08T14:00:00"), own, more=DESK)
    shop.take("one", PREPARE, DUE)
    assert shop.told("attempt", "start") == [(13 * 60 + 38,)]
    assert steps(shop) == ["15:00 start one", "15:15 done one"]


def test_what_was_taken_meanwhile_makes_it_plan_anew() -> None:
    # At 12:00 a NOW job (11:55 to 12:10) has the desk; the stated use (12:05 to 12:40) leaves no room before its end.
    now, stated = desk("two", "08T11:55"), use("08T12:05", "08T12:40")
    shop = Shop(desk("one", "08T09:30", "work_min = 5"), now, stated, more=DESK)
    shop.take("one", PREPARE, IDLE)
    shop.take("two", PREPARE)
    assert shop.told("attempt", "start")[0] == (12 * 60,)
    # The NOW job slowed the user by 5 minutes.
    assert steps(shop) == ["11:55 start two", "12:10 done two", "12:45 start one", "12:50 done one"]


def test_other_resources_are_not_concerned() -> None:
    shop = Shop(matter("one", "08T09:30"), use("08T11:50", "08T12:20", "stated = false"), more=DESK)
    shop.take("one", PREPARE, IDLE)
    assert steps(shop)[0] == "12:00 start one"


def test_now_asks_no_forecast() -> None:
    shop = Shop(desk("one", "08T16:00"), use("08T15:00", "10T23:59"), more=DESK)
    assert shop.act("one", PREPARE, IDLE) == "no-such-time"
    shop.take("one", PREPARE)
    assert steps(shop) == ["16:00 start one", "16:15 done one"]
