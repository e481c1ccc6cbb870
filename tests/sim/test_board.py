"""Sixteen slots and the queue before them, what a review shows, and what carries a matter on."""

from proactivity_gym.sim.words import Reaction, SignalStatus
from tests.sim.shop import EXECUTE, IDLE, NOOP, NOW, PREPARE, SLEEP, SUGGEST, Shop, matter, noise, record

FRESH, RETURNED, DRAFTED, EXECUTED, APPROVED, DECLINED, DEFERRED, COMPLAINED, NOTICE = SignalStatus

# Slots


def mails(count: int) -> list[str]:
    """Return noise of one minute, and a task whose life (from 20:00 to the third day at 18:00) it lives as long as."""
    return [*(noise(f"n{i}") for i in range(count)), matter("one", "08T20:00")]


def test_slots_fill_in_order() -> None:
    shop = Shop(*mails(3))
    shop.until("08T08:00")
    assert shop.told("signal", "slot", "status") == [(0, FRESH), (1, FRESH), (2, FRESH)]


def test_more_than_sixteen_wait_first_in_first_out() -> None:
    shop = Shop(*mails(19))
    shop.until("08T08:00")
    assert shop.open() == [f"n{i}" for i in range(16)]
    shop.take("n3", NOOP)
    shop.take("n9", SUGGEST)
    assert shop.told("signal", "signal", "slot")[16:] == [(16, 3), (17, 9)]
    shop.take("n16", NOOP, SLEEP)
    assert shop.open() == ["n0", "n1", "n2", "n18", *(f"n{i}" for i in (4, 5, 6, 7, 8, 17)), *(f"n{i}" for i in range(10, 16))]
    shop.take("n0", NOOP)
    shop.until("08T08:40")
    assert shop.open()[0] == "n9"  # declined, and back in the slot that came free
    assert shop.signal("n9").status == DECLINED


def test_a_signal_that_expires_in_the_queue_never_gets_a_slot() -> None:
    shop = Shop(*(noise(f"n{i}") for i in range(16)), matter("one", "08T08:00", "deadline = 2027-03-08T10:00:00"))
    shop.until("08T08:00")
    assert "one" not in shop.open()
    shop.until("08T12:00")
    assert shop.seen("close") == [("08T10:00", "close one")]
    assert shop.open() == []  # the noise lived as long as the task
    assert ("08T08:00", "signal one") not in shop.seen("signal")


def test_a_queued_signal_closes_with_the_others_of_its_task() -> None:
    again = record("again", "08T08:00", 'signal = { task = "one" }')
    shop = Shop(matter("one"), *mails(16)[:-1], again)
    shop.until("08T08:00")
    assert "again" not in shop.open()
    shop.take("one", NOOP)
    shop.take("n0", NOOP)
    assert shop.open() == [f"n{i}" for i in (15, *range(1, 15))]


def test_a_signal_stands_until_its_tasks_deadline_or_its_own_stated_one() -> None:
    shop = Shop(
        matter("one", "08T08:00", "deadline = 2027-03-08T10:00:00", signal=", by = 2027-03-08T16:00:00"),
        noise("pizza", "08T08:00", "by = 2027-03-08T09:10:00"),
    )
    shop.finish()
    assert shop.seen("gone") == [("08T09:10", "gone pizza"), ("08T10:00", "gone one")]


def test_signals_of_a_task_close_together() -> None:
    for depth in (NOOP, SUGGEST):
        shop = Shop(matter("one"), record("again", "08T08:00", 'signal = { task = "one" }'), noise("pizza"))
        shop.until("08T08:00")
        assert shop.open() == ["one", "again", "pizza"]
        shop.take("again", depth)
        assert shop.open() == ["pizza"]


# Reviews

PAST = [record(f"r{i}", f"08T0{6 - i}:00") for i in range(5)]
"""Silent records from 06:00 down to 02:00."""
ERRAND = matter("one", "08T20:00")


def test_a_review_shows_the_four_nearest() -> None:
    due = record("due", "08T01:00", "due = 2027-03-08T07:30:00")
    shop = Shop(*PAST, due, ERRAND)
    assert shop.open() == ["due", "r0", "r1", "r2"]
    shop.until("08T12:00")
    assert shop.open() == ["r0", "r1", "r2", "r3"]  # what was due is past: it is as old as its appearance


def test_what_a_review_shows_is_gone_at_the_next() -> None:
    shop = Shop(PAST[0], ERRAND)
    shop.until("08T12:00")
    assert shop.seen("signal", "gone") == [("08T07:00", "signal r0"), ("08T12:00", "gone r0"), ("08T12:00", "signal r0")]
    shop.finish()
    # 48 hours after 06:00 it is near no longer.
    assert [when for when, _ in shop.seen("signal") if when > "09T22:30"] == []


def test_what_a_review_shows_is_untouched() -> None:
    shop = Shop(*PAST, ERRAND)
    shop.take("r0", NOOP)
    shop.take("r1", NOOP, IDLE)
    shop.take("r2", PREPARE)
    shop.until("08T12:00")
    assert sorted(shop.open()) == ["r1", "r2", "r3", "r4"]  # r1 returns; r2's draft is done
    assert [shop.signal(name).status for name in ("r1", "r2", "r3", "r4")] == [RETURNED, DRAFTED, FRESH, FRESH]


def test_what_a_review_showed_and_was_snoozed_past_the_next_one_returns() -> None:
    shop = Shop(matter("one", "08T06:00", signal=', trigger = "agent"'))
    assert shop.open() == ["one"]
    shop.take("one", NOOP, SLEEP)
    shop.until("08T12:00")
    assert shop.open() == []
    shop.until("08T23:00")
    assert (shop.open(), shop.now) == (["one"], "08T23:00")
    shop.until("09T12:00")
    assert shop.open() == ["one"]  # no review takes it off


def test_a_latent_need_is_shown_by_reviews_until_it_is_decided_or_closed() -> None:
    quiet = matter("one", "08T06:00", signal=', trigger = "agent"')
    soon = matter("two", "08T06:10", "deadline = 2027-03-08T13:00:00", signal=', trigger = "agent"')
    again = record("again", "08T05:00", 'signal = { task = "one", trigger = "agent" }')
    shop = Shop(quiet, soon, again)
    assert shop.seen("active") == [("08T05:00", "active one"), ("08T06:10", "active two")]
    assert shop.open() == ["two", "one", "again"]
    shop.until("08T12:00")
    assert shop.open() == ["two", "one", "again"]
    shop.take("one", PREPARE)
    shop.until("08T22:30")
    assert shop.open() == ["one"]  # the draft, too shallow; `again` is decided with it, and `two` is over
    assert shop.signal("one").status == COMPLAINED


def test_reviews_do_not_show_what_has_expired() -> None:
    shop = Shop(matter("one", "08T05:00", "deadline = 2027-03-08T06:00:00"), PAST[0], record("late", "08T06:30"))
    shop.finish()
    # The task lived an hour, and so does noise: until 07:00 and 07:30.
    assert shop.seen("signal", "gone")[2:] == [("08T07:00", "signal late"), ("08T07:30", "gone late")]


# What carries a matter on


def test_a_newer_one_takes_the_place_of_an_older_one() -> None:
    shop = Shop(matter("one", "08T09:30"))
    shop.take("one", EXECUTE, IDLE)
    shop.until("08T12:15")
    assert shop.told("signal", "status") == [(FRESH,), (EXECUTED,), (NOTICE,)]  # it cost the delegation
    assert shop.open() == ["one"]
    assert shop.signal("one").reaction == Reaction.COMPLAIN_TOO_DEEP


def test_it_stands_for_twelve_hours_and_not_beyond_the_deadline() -> None:
    for deadline, gone in (("10T18:00", "08T20:15"), ("08T16:00", "08T16:00")):
        shop = Shop(matter("one", "08T08:00", f"deadline = 2027-03-{deadline}:00"))
        shop.take("one", PREPARE)
        shop.finish()
        assert shop.seen("gone")[-1] == (gone, "gone one")


def test_after_the_deadline_there_is_none() -> None:
    shop = Shop(matter("one", "08T08:00", "deadline = 2027-03-08T08:10:00"))
    shop.take("one", PREPARE)
    shop.finish()
    assert shop.seen("signal", "done") == [("08T08:00", "signal one"), ("08T08:15", "done one")]


def test_noise_has_them_too() -> None:
    shop = Shop(*mails(1))
    shop.take("n0", PREPARE)
    shop.until("08T08:15")
    assert shop.signal("n0").status == DRAFTED


def test_a_snoozed_one_returns_unless_a_newer_one_came() -> None:
    shop = Shop(matter("one", "08T09:30"))
    shop.take("one", SUGGEST, NOW)
    shop.until("08T09:52")
    assert shop.signal("one").status == DEFERRED
    shop.take("one", NOOP, SLEEP)
    shop.until("08T12:07")
    assert shop.signal("one").status == APPROVED
    shop.until("08T23:30")
    assert shop.told("signal", "status") == [(FRESH,), (DEFERRED,), (APPROVED,)]


def test_a_returned_one_gives_way_to_a_newer_one() -> None:
    shop = Shop(matter("one", "08T09:30", "work_min = 60"), noise("pizza", "08T11:00"))
    shop.take("one", SUGGEST, NOW)
    shop.until("08T10:37")
    shop.take("one", NOOP, IDLE)
    shop.until("08T12:00")
    assert (shop.signal("one").status, shop.signal("one").reaction) == (RETURNED, Reaction.DEFER)
    shop.until("08T12:07")
    assert sorted(shop.open()) == ["one", "pizza"]
    assert shop.signal("one").status == APPROVED


def test_a_snoozed_signal_does_not_return_once_its_task_was_taken_up() -> None:
    again = record("again", "08T08:00", 'signal = { task = "one" }')
    for depth in (NOOP, PREPARE):
        shop = Shop(matter("one"), again)
        shop.take("again", NOOP, SLEEP)
        shop.take("one", depth)
        shop.finish()
        assert RETURNED not in [status for (status,) in shop.told("signal", "status")]


def test_nor_after_its_deadline() -> None:
    deadline, by = "deadline = 2027-03-08T22:00:00", "by = 2027-03-08T16:00:00"
    shop = Shop(matter("one", "08T08:00", deadline), noise("pizza", "08T08:00", by))
    shop.take("one", NOOP, SLEEP)
    shop.take("pizza", NOOP, SLEEP)
    shop.finish()
    assert RETURNED not in [status for (status,) in shop.told("signal", "status")]
