"""One window: `rush` comes at 08:00 and must be begun by 09:45, `slow` comes at 08:10 and can wait; both may be executed.

It runs from 08:10 to 09:45. On the reference path there are two attempts (three with another errand).
"""

import pytest

from proactivity_gym.sim.scoring import Terms
from proactivity_gym.sim.words import Timing
from tests.sim.shop import (
    DESK,
    EXECUTE,
    IDLE,
    NOOP,
    NOW,
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

ERRAND = 'topic = "errands"'
RUSH = matter("rush", "08T08:00", ERRAND, "deadline = 2027-03-08T10:00:00")
SLOW = matter("slow", "08T08:10", ERRAND)
OTHER = matter("other", "08T08:10", ERRAND)
WINDOW = window("rush", "slow", "primary = true")


def shop(*more: str, rush: str = RUSH, slow: str = SLOW, resources: str = "") -> Shop:
    """Return the morning, at 08:10."""
    game = Shop(rush, slow, WINDOW, *more, more=resources)
    game.until("08T08:10")
    return game


def ta(terms: Terms) -> tuple[float | None, ...]:
    """Return TA, CQ and S_TA."""
    return terms["TA"], terms["CQ"], terms["S_TA"]


# Now


def test_the_urgent_one_now_and_the_other_later() -> None:
    game = shop()
    game.take("rush", EXECUTE)
    game.take("slow", EXECUTE, SLEEP)
    assert ta(game.terms) == (None, None, 0)
    game.until("08T22:30")
    assert ta(game.terms) == (None, None, 0)  # it settles with the later one
    assert ta(game.finish()) == (100, 1, 1)
    assert game.terms["TA_1"] == 100


def rushed(game: Shop) -> float | None:
    """Put the later task off right and return the TA of how the urgent one was taken."""
    game.take("slow", EXECUTE, SLEEP)
    return game.finish()["TA"]


def test_before_both_are_known_there_is_no_window() -> None:
    game = Shop(RUSH, SLOW, WINDOW)
    game.take("rush", EXECUTE)  # at 08:00
    assert rushed(game) == 0


@pytest.mark.parametrize(("time", "ta"), [("08T09:45", 100), ("08T09:46", 0)])
def test_it_ends_at_the_last_feasible_start(time: str, ta: float) -> None:
    game = shop(noise("pizza", time))
    game.take("slow", EXECUTE, SLEEP)
    game.until(time)
    game.take("rush", EXECUTE)
    assert game.finish()["TA"] == ta


def test_only_now_is_now() -> None:
    game = shop()
    game.take("rush", EXECUTE, IDLE)  # which starts at once, too
    assert rushed(game) == 0


def test_the_first_attempt_counts() -> None:
    game = shop()
    game.take("rush", PREPARE, IDLE)
    game.until("08T08:25")
    game.take("rush", EXECUTE)
    assert rushed(game) == 0


def test_the_depth_does_not_matter_here() -> None:
    game = shop()
    game.take("rush", PREPARE)
    assert rushed(game) == 100


def test_no_other_now_job_may_take_the_scarce_thing_first() -> None:
    for timing, wanted in ((NOW, 0), (IDLE, 100)):
        game = shop(OTHER)
        game.take("other", EXECUTE, timing)
        game.take("rush", EXECUTE)
        assert rushed(game) == wanted


def test_another_resource_is_not_the_scarce_thing() -> None:
    game = shop(matter("other", "08T08:10", ERRAND, 'resource = "desk"'), resources=DESK)
    game.take("other", EXECUTE)
    game.take("rush", EXECUTE)
    assert rushed(game) == 100


def test_what_came_before_the_window_or_after_the_urgent_one_does_no_harm() -> None:
    game = Shop(RUSH, SLOW, WINDOW, matter("before", "08T08:05", ERRAND), OTHER)
    game.take("before", EXECUTE)
    game.until("08T08:10")
    game.take("rush", EXECUTE)
    game.take("other", EXECUTE)
    assert rushed(game) == 100


def test_silence_about_the_urgent_one_is_a_miss() -> None:
    assert rushed(shop()) == 0


# Later


def postponed(*steps: tuple[str, Timing], deadline: str = "10T18:00") -> tuple[float | None, ...]:
    """Take the urgent task right; then do something to the other one, each at its next appearance from a time on."""
    game = shop(slow=matter("slow", "08T08:10", ERRAND, f"deadline = 2027-03-{deadline}:00"))
    game.take("rush", EXECUTE)
    for time, timing in steps:
        game.until(time)
        game.take("slow", EXECUTE, timing)
    return ta(game.finish())


def test_explicitly_put_off_past_the_end() -> None:
    assert postponed(("08T08:10", SLEEP)) == (100, 1, 1)


def test_not_if_it_starts_within_the_window() -> None:
    assert postponed(("08T08:10", IDLE)) == (0, 1, 0)
    assert postponed(("08T08:10", NOW)) == (0, 1, 0)


def test_silence_is_no_decision() -> None:
    assert postponed(("08T12:00", NOW)) == (0, 1, 0)
    assert postponed(("08T12:00", SLEEP)) == (0, 1, 0)
    assert postponed() == (0, 0, 0)


def test_a_snooze_is_a_decision() -> None:
    for first, wanted in (("slow", (100, 1, 1)), ("rush", (0, 1, 0))):
        game = shop()
        if first == "rush":
            game.take("rush", EXECUTE)
        game.take("slow", NOOP, IDLE)  # until 12:00; or 08:25, when the assistant is free again
        if first == "slow":
            game.take("rush", EXECUTE)
        game.take("slow", EXECUTE)
        assert ta(game.finish()) == wanted


def test_nothing_of_it_may_start_within_the_window_though_it_was_snoozed() -> None:
    game = shop(record("again", "08T08:30", 'signal = { task = "slow" }'))
    game.take("rush", EXECUTE)
    game.take("slow", NOOP, IDLE)
    game.take("again", EXECUTE)
    assert ta(game.finish()) == (0, 1, 0)


# Continuation quality, and q


def test_late_work_is_worth_half() -> None:
    # It runs from 23:00 to 23:15.
    assert postponed(("08T08:10", SLEEP), deadline="08T23:15") == (100, 1, 1)
    assert postponed(("08T08:10", SLEEP), deadline="08T23:14") == (100, 0.5, 0.5)


def test_work_that_is_never_done_is_worth_nothing() -> None:
    game = shop()
    game.take("rush", EXECUTE)
    game.take("slow", NOOP, SLEEP)
    assert ta(game.finish()) == (100, 0, 0)


def test_work_in_conflict_is_worth_half_and_costs_its_share_of_competing_jobs() -> None:
    slow = matter("slow", "08T08:10", ERRAND, 'resource = "desk"')
    game = shop(use("08T11:00", "08T14:00"), use("08T20:00", "08T21:00"), noise("pizza", "08T20:10"), slow=slow, resources=DESK)
    game.take("rush", EXECUTE)
    game.take("slow", NOOP, IDLE)  # until 14:00
    game.until("08T20:10")
    game.take("slow", EXECUTE)
    # One of two attempts competed: q = 1/2.
    assert ta(game.finish()) == (100, 0.5, 0.5 * 0.75)


def test_competing_jobs_elsewhere_cost_too() -> None:
    for timing, s_ta in ((NOW, 1 - 1 / 6), (IDLE, 1)):
        game = shop(matter("other", "08T10:15", ERRAND))
        game.take("rush", EXECUTE)
        game.take("slow", EXECUTE, SLEEP)
        game.take("other", EXECUTE, timing)  # its notice reaches focus: q = 1/3
        assert game.finish()["S_TA"] == pytest.approx(s_ta)
        assert game.terms["CQ"] == 1


def test_q_is_at_most_one() -> None:
    # Six jobs reach focus, of two attempts on the reference path.
    game = shop(*(noise(f"n{i}", "08T09:30") for i in range(6)))
    game.take("rush", EXECUTE)
    game.take("slow", EXECUTE, SLEEP)
    for i in range(6):
        game.take(f"n{i}", EXECUTE)
    assert ta(game.finish()) == (100, 1, 0.5)


# When a window settles, and where it counts


def test_it_settles_when_both_are_known_whichever_closes_first() -> None:
    game = Shop(RUSH, matter("slow", "08T07:30", ERRAND), WINDOW)
    game.take("slow", NOOP)
    assert game.terms["TA"] is None
    game.until("08T08:00")
    assert ta(game.terms) == (0, 0, 0)
    game.take("rush", EXECUTE)
    assert ta(game.finish()) == (0, 0, 0)


def test_what_was_decided_before_the_urgent_one_came_holds() -> None:
    game = Shop(RUSH, matter("slow", "08T07:30", ERRAND), WINDOW)
    game.take("slow", EXECUTE, SLEEP)
    game.take("rush", EXECUTE)
    assert ta(game.finish()) == (100, 1, 1)


def test_the_urgent_decision_shows_though_the_window_has_settled() -> None:
    # The other one was put off, and then dismissed within the window.
    game = shop(record("again", "08T08:20", 'signal = { task = "slow" }'))
    game.take("slow", NOOP, SLEEP)
    game.take("again", NOOP)
    assert game.terms["TA"] == 0
    game.take("rush", EXECUTE)
    assert ta(game.terms) == (100, 0, 0)


def test_a_window_whose_tasks_are_not_both_known_is_none() -> None:
    quiet = matter("slow", "08T13:00", ERRAND, "deadline = 2027-03-08T15:00:00", signal=', trigger = "agent"')
    game = Shop(RUSH, quiet, WINDOW)  # no review comes between
    game.take("rush", EXECUTE)
    assert game.finish()["TA"] is None
    assert game.terms["S_TA"] == 0


def test_where_nothing_is_to_be_done_there_is_no_window() -> None:
    game = shop(rush=nothing("rush", "08T08:00", "deadline = 2027-03-08T10:00:00"))
    game.take("rush", EXECUTE)
    game.take("slow", EXECUTE, SLEEP)
    terms = game.finish()
    assert (*ta(terms), terms["TA_1"]) == (None, None, None, None)


def test_off_the_reference_path_a_window_is_reported_and_not_paid() -> None:
    # `rush` exists only where a letter was sent without asking.
    condition = 'requires = [{ task = "letter", outcome = ["executed"] }]'
    rush = matter("rush", "08T08:00", ERRAND, "deadline = 2027-03-08T10:00:00", condition)
    letter = matter("letter", "08T07:10")
    game = shop(letter, rush=rush)
    assert game.open() == ["letter", "slow"]
    assert game.finish()["TA"] is None
    game = Shop(rush, SLOW, WINDOW, letter)
    game.take("letter", EXECUTE)
    game.until("08T08:10")
    game.take("rush", EXECUTE)
    game.take("slow", EXECUTE, SLEEP)
    assert ta(game.finish()) == (100, 1, None)


def test_only_the_primary_window_is_the_papers() -> None:
    second = matter("soon", "08T13:00", ERRAND, "deadline = 2027-03-08T15:00:00") + matter("long", "08T13:00", ERRAND)
    game = shop(second, window("soon", "long"))
    game.take("rush", EXECUTE)
    game.take("slow", EXECUTE, SLEEP)
    game.take("soon", SUGGEST, IDLE)
    game.take("long", EXECUTE, SLEEP)
    terms = game.finish()
    assert (terms["TA"], terms["TA_1"], terms["S_TA"]) == (50, 100, 0.5)
