"""What the user says to what reached them (`sim.inbox`), and what becomes of trust and delegation."""

import pytest

from proactivity_gym.sim import trust
from proactivity_gym.sim.situation import describe
from proactivity_gym.sim.trace import Value
from proactivity_gym.sim.words import Depth, Reaction, SignalStatus, Timing
from tests.sim.post import FACT, LATE, NOISE, Play, matter

NOOP, PREPARE, SUGGEST, EXECUTE = Depth
NOW, IDLE, SLEEP, DUE = Timing

# Answers and complaints


def answers(play: Play) -> list[Value]:
    """Return the reactions until the end of the first day."""
    play.until("08T22:00")
    return [reaction for _, reaction in play.heard("reaction", "reaction")]


def test_an_aligned_attempt_draws_no_complaint() -> None:
    play = Play(matter("one"), matter("two", "08T08:00", "errands"))
    play.take("one", SUGGEST, NOW)
    play.take("two", EXECUTE, NOW)
    assert answers(play) == [Reaction.APPROVE]
    assert [level for _, level in play.heard("trust", "level")] == pytest.approx([4.4288, 4.680128])


def test_an_execution_that_went_too_deep_draws_a_complaint() -> None:
    play = Play(matter("one"), NOISE)
    play.take("one", EXECUTE, NOW)
    play.until("08T08:15")
    signal = play.signal("one")
    assert signal is not None
    assert (signal.status, signal.reaction) == (SignalStatus.NOTICE, Reaction.COMPLAIN_TOO_DEEP)
    play.take("noise", EXECUTE, NOW)
    assert answers(play) == [Reaction.COMPLAIN_TOO_DEEP] * 2


def test_an_offer_that_was_too_shallow_is_approved_with_a_complaint() -> None:
    play = Play(matter("one", "08T08:00", "errands"))
    play.take("one", SUGGEST, NOW)
    play.until("08T08:22")
    signal = play.signal("one")
    assert signal is None or signal.reaction == Reaction.COMPLAIN_TOO_TIMID
    assert answers(play) == [Reaction.APPROVE, Reaction.COMPLAIN_TOO_TIMID]


def test_a_draft_that_was_too_shallow_draws_a_complaint_when_it_is_found() -> None:
    play = Play(matter("one", "08T09:30"))
    play.take("one", PREPARE, NOW)
    play.until("08T12:00")
    assert play.heard("reaction", "reaction") == [("08T12:00", Reaction.COMPLAIN_TOO_TIMID)]
    assert play.inbox.trust == pytest.approx(3.98 - 0.585 * 2.98)


def test_offers_where_nothing_is_needed_are_declined_and_drafts_pass_unsaid() -> None:
    play = Play(matter("one"), NOISE)
    play.take("noise", SUGGEST, NOW)
    assert answers(play) == [Reaction.DECLINE]
    assert play.inbox.trust == pytest.approx(3.98 - 0.3 * 2.98)
    play = Play(matter("one"), NOISE)
    play.take("noise", PREPARE, NOW)
    assert answers(play) == []
    assert play.inbox.trust == trust.START


def test_below_the_lowest_trust_offers_go_unread_unless_asked_for() -> None:
    play = Play(matter("one"), matter("two", "08T08:00", "letters", 'kind = "request"'))
    play.inbox.trust = 1.2
    play.take("one", SUGGEST, NOW)
    play.until("08T08:25")
    assert play.heard("reaction", "reaction") == [("08T08:22", Reaction.DECLINE)]
    assert play.inbox.trust == 1.2
    play.take("two", SUGGEST, NOW)
    assert answers(play)[1:] == [Reaction.APPROVE]
    assert play.inbox.trust == pytest.approx(1.2 + 0.44 * 3.8)


# Delegation withdrawn and given back


def test_going_too_far_at_low_trust_loses_the_delegation_of_the_topic_in_words() -> None:
    play = Play(matter("one"), matter("two"))
    play.inbox.trust = 2.2
    for name in ("one", "two"):
        play.take(name, EXECUTE, NOW)
    play.until("08T08:15")
    signal = play.signal("one")
    assert signal is not None
    assert (signal.status, signal.reaction) == (SignalStatus.NOTICE, Reaction.COMPLAIN_TOO_DEEP)
    assert "delegation withdrawn for letters" in describe(play.episode)
    assert "Ask me from now on." in describe(play.episode)
    play.until("08T09:00")
    assert play.heard("withdrawn", "topic") == [("08T08:15", 1)]


def test_wrong_content_loses_execution_and_good_work_wins_it_back() -> None:
    play = Play(matter("one", "08T08:00", "errands", LATE), matter("two"), matter("three", "08T08:00", "errands"), FACT)
    play.inbox.trust = 2.2
    assert play.expected("three") == EXECUTE
    play.take("one", EXECUTE, NOW)
    play.until("08T08:15")
    assert play.inbox.trust == pytest.approx(2.2 - 0.73 * 1.2)
    assert play.expected("three") == SUGGEST
    signal = play.signal("one")
    assert signal is not None
    assert (signal.status, signal.reaction) == (SignalStatus.NOTICE, Reaction.NONE)

    play.take("two", SUGGEST, NOW)
    play.until("08T08:37")
    assert trust.WITHDRAW_BELOW < play.inbox.trust < trust.RESTORE_ABOVE
    assert play.expected("three") == SUGGEST

    play.take("three", SUGGEST, IDLE)
    play.until("08T09:00")
    assert play.inbox.trust > trust.RESTORE_ABOVE
    assert play.expected("three") == EXECUTE
    assert [topic for _, topic in play.heard("restored", "topic")] == [2]
    assert "Go ahead again." in describe(play.episode)


def test_stopping_short_never_loses_delegation() -> None:
    play = Play(matter("one", "08T08:00", "errands"))
    play.inbox.trust = 2.2
    play.take("one", SUGGEST, NOW)
    play.until("08T09:00")
    assert play.inbox.trust == pytest.approx(2.2 - 0.585 * 1.2)
    assert not play.heard("withdrawn", "topic")
    assert play.expected("one") == EXECUTE
