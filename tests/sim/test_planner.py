"""When work lands, and until when it can be put off: the free hours are 07:00 to 09:00 and 12:00 to 23:00."""

import pytest

from proactivity_gym.sim.planner import delivery, lands, latest_start
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.week import Plan, last_start, work_of
from tests.sim.shop import DUE, EXECUTE, IDLE, NOW, PREPARE, SLEEP, SUGGEST, Shop, matter, use

DAY = 1440
PLAN = Shop(matter("one")).episode.week.plan


def clock(time: str) -> int:
    """Read `08T09:30`."""
    return (int(time[:2]) - 8) * DAY + int(time[3:5]) * 60 + int(time[6:])


@pytest.mark.parametrize(
    ("ready", "at_once", "free"),
    [
        ("08T08:00", "08T08:00", "08T08:00"),
        ("08T09:00", "08T09:00", "08T12:00"),  # focus
        ("08T11:59", "08T11:59", "08T12:00"),
        ("08T23:00", "09T07:00", "09T07:00"),  # sleep
        ("08T06:59", "08T07:00", "08T07:00"),
    ],
)
def test_now_is_delivered_at_once_unless_the_user_sleeps_the_rest_at_a_free_moment(ready: str, at_once: str, free: str) -> None:
    assert delivery(PLAN, NOW, clock(ready)) == clock(at_once)
    for timing in (IDLE, SLEEP, DUE):
        assert delivery(PLAN, timing, clock(ready)) == clock(free)


def test_after_the_last_free_moment_nothing_is_delivered() -> None:
    assert delivery(PLAN, IDLE, clock("10T23:00")) == NEVER


def test_only_offers_must_be_delivered_to_land() -> None:
    ready = clock("08T09:30")
    assert lands(PLAN, PREPARE, IDLE, ready) == ready
    assert lands(PLAN, EXECUTE, IDLE, ready) == ready
    assert lands(PLAN, SUGGEST, IDLE, ready) == clock("08T12:00")
    assert lands(PLAN, SUGGEST, NOW, ready) == ready
    assert lands(PLAN, SUGGEST, IDLE, NEVER) == NEVER


@pytest.mark.parametrize(
    ("work", "review", "by", "start"),
    [
        (15, 5, "08T18:00", "08T17:38"),  # review and 2 minutes of latency before 18:00, 15 minutes of work before that
        (60, 30, "09T11:00", "09T07:59"),  # 10:28 is in focus: delivered at 08:59
        (15, 5, "08T07:00", None),  # nobody is free before
        (15, 5, "08T07:10", "08T06:48"),  # the work may lie in sleep
    ],
)
def test_the_latest_start_leaves_room_for_delivery_and_answer(work: int, review: int, by: str, start: str | None) -> None:
    assert latest_start(PLAN, work, review, clock(by)) == (-1 if start is None else clock(start))


def test_without_a_stated_deadline_the_end_of_the_week_takes_its_place() -> None:
    assert latest_start(PLAN, 15, 5, NEVER) == clock("10T22:44")


def test_work_longer_than_the_time_before_has_no_latest_start() -> None:
    assert latest_start(PLAN, 600, 5, clock("08T08:00")) == -1


# Until when (`week`)


def last(deadline: str, *hours: str, work: int = 15) -> int:
    """Return the last start of a task with a resource that is open at some hours."""
    more = f'{{ id = "desk", title = "x", capacity = 1, hours = [{", ".join(hours)}] }}'
    shop = Shop(matter("one", "08T08:00", f"work_min = {work}", 'resource = "desk"'), more=more)
    plan: Plan = shop.episode.week.plan
    return last_start(plan, clock(deadline), plan.tasks[0], work_of(shop.episode.week, 0))


def test_the_last_start_of_work_taken_now() -> None:
    assert last("08T10:00") == clock("08T09:45")
    assert last("08T10:00", work=60) == clock("08T09:00")


def test_who_sleeps_is_reached_before_or_not_at_all() -> None:
    assert last("09T02:00") == clock("08T22:44")  # it is there at 22:59
    assert last("09T07:00") == clock("09T06:45")
    assert last("08T05:00") < 0  # the first night began before the week


def test_the_last_start_lies_in_opening_hours_with_all_of_the_work() -> None:
    morning, evening = "{ start = 09:00:00, end = 10:00:00 }", "{ start = 20:00:00, end = 21:00:00 }"
    assert last("08T18:00", morning, evening) == clock("08T09:45")
    assert last("08T20:30", morning, evening) == clock("08T20:15")
    assert last("08T08:00", morning, evening) == -1


def test_the_work_of_a_task_without_signals_is_as_written() -> None:
    quiet = matter("two").replace('signal = { task = "two" }', "")
    week = Shop(matter("one"), quiet).episode.week
    assert [work_of(week, task) for task in (0, 1)] == [15, 15]


def test_the_last_chance_of_work_put_off_to_a_gap_or_to_the_night() -> None:
    # By 11:00: delivered at 08:59 at the latest, so begun at 08:44, or in the night at 06:45, to be done within it.
    by_eleven = matter("one", signal=", by = 2027-03-09T11:00:00")
    by_noon = matter("two", signal=", by = 2027-03-09T12:00:00")
    shop = Shop(by_eleven, by_noon, matter("three"))
    assert shop.episode.week.last_chance(0) == (clock("09T08:44"), clock("09T06:45"))
    # By noon: a job may run on into focus and is delivered at noon.
    assert shop.episode.week.last_chance(1) == (clock("09T08:59"), clock("09T06:45"))
    # Without a stated deadline: delivered at the last free minute, 22:59.
    assert shop.episode.week.last_chance(2) == (clock("10T22:44"), clock("10T06:45"))


def test_there_is_no_chance_where_the_user_is_at_it_throughout() -> None:
    desk = '{ id = "desk", title = "x", capacity = 1 }'
    shop = Shop(
        matter("one", "08T08:00", 'resource = "desk"', signal=", by = 2027-03-08T12:30:00"),
        use("08T00:00", "08T18:00"),
        more=desk,
    )
    assert shop.episode.week.last_chance(0) == (-1, -1)
