import pytest

from proactivity_gym.sim.words import Depth, Reaction, SignalStatus, Timing
from tests.sim.post import Play, matter

NOOP, PREPARE, SUGGEST, EXECUTE = Depth
NOW, IDLE, SLEEP, DUE = Timing

# Delivery


@pytest.mark.parametrize("depth", [SUGGEST, EXECUTE])
def test_nothing_is_delivered_into_sleep(depth: Depth) -> None:
    play = Play(matter("one", "08T22:50"))
    play.take("one", depth, NOW)
    play.until("09T08:00")
    assert play.heard("done", "job") == [("08T23:05", 0)]
    assert play.heard("deliver", "focus") == [("09T07:00", False)]


@pytest.mark.parametrize("depth", [SUGGEST, EXECUTE])
def test_now_is_delivered_into_focus(depth: Depth) -> None:
    play = Play(matter("one", "08T09:30"))
    play.take("one", depth, NOW)
    play.until("08T09:45")
    assert play.heard("deliver", "focus") == [("08T09:45", True)]
    assert play.heard("compete", "counts") == [("08T09:45", True)]
    assert play.inbox.seen_today == 1


@pytest.mark.parametrize(("timing", "delivered"), [(IDLE, "08T12:15"), (SLEEP, "09T07:00"), (DUE, "10T17:53")])
def test_other_work_is_delivered_at_a_free_moment(timing: Timing, delivered: str) -> None:
    by = ('signal = { task = "one" }', 'signal = { task = "one", by = 2027-03-10T18:00:00 }')
    play = Play(matter("one", "08T09:30").replace(*by))
    play.take("one", SUGGEST, timing)
    play.until("11T00:00")
    assert play.heard("deliver", "focus") == [(delivered, False)]
    assert not play.heard("compete", "job")
    assert play.heard("reaction", "reaction")[0][1] == Reaction.APPROVE


def test_a_draft_is_found_at_the_next_free_moment() -> None:
    play = Play(matter("one", "08T09:30"))
    play.take("one", PREPARE, NOW)
    play.until("08T09:45")
    assert play.heard("done", "job") == [("08T09:45", 0)]
    assert not play.heard("deliver", "focus")
    assert play.inbox.waiting() == 0
    play.until("08T12:00")
    assert play.heard("deliver", "focus") == [("08T12:00", False)]
    assert not play.heard("compete", "job")


def test_the_user_reads_one_offer_at_a_time() -> None:
    play = Play(*(matter(name, "08T07:10", "letters", "review_min = 30") for name in ("one", "two", "three")))
    for name in ("one", "two", "three"):
        play.take(name, SUGGEST, NOW)
    play.until("08T07:57")
    assert play.inbox.waiting() == 1
    play.until("08T09:00")
    assert play.heard("deliver", "job") == [("08T07:25", 0), ("08T07:55", 1), ("08T08:25", 2)]
    assert [minute for minute, _ in play.heard("reaction", "job")] == ["08T07:57", "08T08:27", "08T08:57"]
    assert play.inbox.offers_today == 3


def test_who_still_reads_when_focus_begins_meets_the_next_offer_after_it_unless_it_was_now() -> None:
    for timing, delivered in ((IDLE, ("08T12:00", False)), (NOW, ("08T09:10", True))):
        play = Play(*(matter(name, "08T08:25", "letters", "review_min = 30") for name in ("one", "two")))
        play.take("one", SUGGEST, NOW)
        play.take("two", SUGGEST, timing)
        play.until("08T13:00")
        assert play.heard("deliver", "focus")[:2] == [("08T08:40", False), delivered]


def test_an_offer_read_when_the_user_falls_asleep_keeps_the_next_one_till_morning() -> None:
    play = Play(*(matter(name, "08T22:20", "letters", "review_min = 30") for name in ("one", "two")))
    play.take("one", SUGGEST, NOW)
    play.take("two", SUGGEST, NOW)
    play.until("09T08:00")
    assert play.heard("deliver", "focus") == [("08T22:35", False), ("09T07:00", False)]


def test_nor_does_the_next_one_come_if_there_is_no_morning() -> None:
    late = "deadline = 2027-03-10T23:50:00"
    play = Play(*(matter(name, "10T22:20", "letters", "review_min = 30", late) for name in ("one", "two")))
    play.take("one", SUGGEST, NOW)
    play.take("two", SUGGEST, NOW)
    play.until("11T00:00")
    assert play.heard("deliver", "job") == [("10T22:35", 0)]
    assert play.inbox.waiting() == 1


def test_executions_and_drafts_do_not_wait_for_offers() -> None:
    play = Play(matter("one", "08T07:10", "letters", "review_min = 60"), matter("two", "08T07:10", "errands"))
    play.take("one", SUGGEST, NOW)
    play.take("two", EXECUTE, NOW)
    play.until("08T09:00")
    assert play.heard("deliver", "job") == [("08T07:25", 0), ("08T07:40", 1)]


def test_what_finds_no_free_moment_is_never_delivered() -> None:
    play = Play(matter("one", "10T22:50", "letters", "deadline = 2027-03-10T23:50:00"))
    play.take("one", SUGGEST, NOW)
    play.until("11T00:00")
    assert play.episode.over
    assert not play.heard("deliver", "job")


def test_counts_of_the_day_start_anew() -> None:
    play = Play(matter("one", "08T09:30"))
    play.take("one", SUGGEST, NOW)
    play.until("08T13:00")
    assert (play.inbox.offers_today, play.inbox.seen_today) == (2, 1)
    play.until("09T07:00")
    assert (play.inbox.offers_today, play.inbox.seen_today) == (0, 0)


# Putting off


def test_what_competes_is_put_off_and_presented_once_more() -> None:
    play = Play(matter("one", "08T09:30"))
    play.take("one", SUGGEST, NOW)
    play.until("08T09:52")
    signal = play.signal("one")
    assert signal is not None
    assert (signal.status, signal.reaction) == (SignalStatus.DEFERRED, Reaction.DEFER)
    assert play.inbox.waiting() == 1
    assert not play.heard("trust", "level")
    play.until("08T13:00")
    assert play.heard("deliver", "focus") == [("08T09:45", True), ("08T12:00", False)]
    assert play.heard("reaction", "reaction") == [("08T09:52", Reaction.DEFER), ("08T12:07", Reaction.APPROVE)]
    assert len(play.heard("compete", "job")) == len(play.heard("credit", "job")) == 1


@pytest.mark.parametrize("excuse", ['kind = "request"', "deadline = 2027-03-08T12:10:00"])
def test_a_request_or_the_last_chance_never_competes(excuse: str) -> None:
    play = Play(matter("one", "08T09:30", "letters", excuse))
    play.take("one", SUGGEST, NOW)
    play.until("08T09:52")
    assert play.heard("compete", "counts") == [("08T09:45", False)]
    assert play.heard("reaction", "reaction") == [("08T09:52", Reaction.APPROVE)]
