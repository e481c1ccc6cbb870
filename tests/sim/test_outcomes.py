"""What becomes of tasks, and what the permission ledger lets through."""

from collections.abc import Mapping

import pytest

from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.jobs import Job
from proactivity_gym.sim.words import Depth, Outcome, Reaction, SignalStatus
from proactivity_gym.sim.work import Tools
from tests.sim.shop import (
    DRAFT,
    EXECUTE,
    IDLE,
    NOOP,
    PAY,
    PREPARE,
    SEND,
    SLEEP,
    SUGGEST,
    Scripted,
    Shop,
    matter,
    nothing,
    record,
)

PAID: tuple[str, Mapping[str, object]] = ("payments.pay", {"payee": "Rui", "amount": 40, "reference": "R-1"})
DEARER: tuple[str, Mapping[str, object]] = ("payments.pay", {"payee": "Rui", "amount": 41, "reference": "R-1"})
SENT: tuple[str, Mapping[str, object]] = ("messages.send", {"to": "Rui", "body": "Yes"})
OTHER: tuple[str, Mapping[str, object]] = ("messages.send", {"to": "Eva", "body": "Yes"})
DRAFTED: tuple[str, Mapping[str, object]] = ("messages.draft", {"to": "Rui", "body": "Perhaps"})

ERRAND = 'topic = "errands"'


def actions(*calls: str) -> str:
    """Return the actions of a task."""
    return f"actions = [{', '.join(calls)}]"


def found(shop: Shop, app: str) -> list[object]:
    """Return the titles of what the tools made in an app: in these there is nothing else."""
    return shop.found(app, "title")


# How a task closes


@pytest.mark.parametrize(
    ("depth", "outcome", "time"),
    [
        (None, Outcome.EXPIRED, "10T18:00"),
        (NOOP, Outcome.DISMISSED, "08T08:00"),
        (PREPARE, Outcome.DRAFTED, "10T18:00"),  # a draft stands until the deadline
        (SUGGEST, Outcome.APPROVED, "08T08:22"),
        (EXECUTE, Outcome.EXECUTED, "08T08:15"),
    ],
)
def test_a_task_closes_when_its_outcome_is_settled(depth: Depth | None, outcome: Outcome, time: str) -> None:
    shop = Shop(matter("one"))
    if depth is not None:
        shop.take("one", depth)
    shop.finish()
    assert shop.seen("close") == [(time, "close one")]
    assert shop.told("close", "task", "outcome") == [(0, outcome)]


def test_a_deferred_attempt_is_still_open_at_the_deadline_and_credits_nothing_after() -> None:
    shop = Shop(matter("one", "08T08:00", "deadline = 2027-03-08T16:00:00"))
    shop.take("one", EXECUTE, SLEEP)
    terms = shop.finish()
    assert shop.seen("close", "done", "commit") == [
        ("08T16:00", "close one"),
        ("08T23:15", "done one"),
        ("08T23:15", "commit one"),
    ]
    assert shop.told("credit", "late") == [(True,)]
    assert shop.told("close", "outcome") == [(Outcome.EXPIRED,)]
    assert terms["TC"] == 0


def test_an_answer_after_the_deadline_applies_nothing() -> None:
    # Delivered at 08:15, in time; answered at 08:22, too late.
    shop = Shop(matter("one", "08T08:00", "deadline = 2027-03-08T08:20:00"))
    shop.take("one", SUGGEST)
    terms = shop.finish()
    assert shop.seen("deliver", "close", "reaction", "commit", "approved") == [
        ("08T08:15", "deliver one"),
        ("08T08:20", "close one"),
        ("08T08:22", "reaction one"),
    ]
    assert found(shop, "messages") == []
    assert (shop.told("close", "outcome"), terms["TC"]) == ([(Outcome.EXPIRED,)], 100)


def test_an_offer_is_credited_whatever_the_answer() -> None:
    said = '{ topic = "letters", depth = "prepare", said = "Only drafts." },'
    shop = Shop(matter("one"), said=said)
    shop.take("one", SUGGEST)  # 3.20 - 3.50
    terms = shop.finish()
    assert shop.told("reaction", "reaction") == [(Reaction.DECLINE,)]
    assert shop.told("close", "outcome") == [(Outcome.DECLINED,)]
    assert (terms["TC"], terms["over"]) == (100, 1)
    assert found(shop, "messages") == []


def test_a_declined_offer_after_an_execution_leaves_it_executed() -> None:
    shop = Shop(matter("one", "08T08:00"))
    shop.take("one", EXECUTE)
    shop.until("08T08:15")
    shop.episode.inbox.trust = 1.1  # offers go unread
    shop.take("one", SUGGEST)
    shop.finish()
    assert shop.told("reaction", "reaction")[-1] == (Reaction.DECLINE,)
    assert shop.told("close", "outcome") == [(Outcome.EXECUTED,)]
    assert found(shop, "messages") == ["Message to Rui"]


# Content


@pytest.mark.parametrize(
    ("when", "tc"),
    [
        ("08T08:00", 25.0),  # half of the evidence, and outputs that are wrong: (1/2 + 0) / 2
        ("08T11:50", 50.0),  # begun too early; the fact is read before it is done: (1 + 0) / 2
        ("08T12:00", 100.0),
    ],
)
def test_work_before_its_facts_are_out_is_wrong(when: str, tc: float) -> None:
    pieces = matter("one", "08T08:00", ERRAND, 'evidence = ["one-mail", "fact"]'), record("fact", "08T12:00")
    shop = Shop(*pieces, matter("two", "08T11:50"))
    shop.until(when)
    shop.take("one", EXECUTE)
    shop.until("08T12:00")
    shop.episode.read("mail.read", {"id": "fact"})
    terms = shop.finish()
    assert shop.told("done", "wrong") == [(tc < 100,)]
    assert shop.told("credit", "tc") == [(tc / 100,)]
    assert terms["TC"] == tc / 2  # of two tasks


def test_constraints_count_where_there_are_some() -> None:
    worded = '{ tool = "messages.send", args = { to = "Rui", body = "Yes" }, free = ["body"], contains = { body = ["yes"] } }'
    evidence = 'evidence = ["one-mail", "fact"]'
    shop = Shop(matter("one", "08T11:50", ERRAND, evidence, actions(worded)), record("fact", "08T12:00"))
    shop.take("one", EXECUTE)
    shop.until("08T12:00")
    shop.episode.read("mail.read", {"id": "fact"})
    assert shop.finish()["TC"] == pytest.approx(100 / 3)  # evidence 1, outputs 0, constraints 0


def test_wrong_reference_content_changes_no_world() -> None:
    shop = Shop(matter("one", "08T08:00", ERRAND, 'evidence = ["one-mail", "fact"]'), record("fact", "10T12:00"))
    shop.take("one", EXECUTE)
    shop.finish()
    assert found(shop, "messages") == []


# The permission ledger

LEDGER: list[tuple[str, list[str], str, tuple[tuple[str, Mapping[str, object]], ...] | None]] = [
    ("commit", [ERRAND], actions(PAY), None),  # delegated
    ("refused", [], actions(PAY), None),  # consequential and not covered
    ("commit", [], actions(SEND), None),  # any other takes effect against the user's wish
    ("commit", [ERRAND], actions(PAY), (PAID,)),
    ("refused", [], actions(PAY), (PAID,)),
    ("refused", [ERRAND], actions(PAY), (DEARER,)),  # unrecognised
    ("refused", [ERRAND], actions(PAY), (PAID, OTHER)),  # more than was to be done
    ("refused", [ERRAND], actions(PAY, SEND), (PAID,)),  # an incomplete bundle
    ("commit", [ERRAND], actions(PAY, SEND), (SENT, PAID)),
    ("commit", [ERRAND], actions(PAY, SEND), (SENT,)),  # incomplete, but of no consequence
    ("commit", [ERRAND], actions(SEND), (OTHER,)),
    ("refused", [ERRAND], actions(SEND), (PAID,)),
    ("refused", [ERRAND], actions(PAY), ()),  # nothing to commit
    ("refused", [ERRAND], actions(SEND), ()),
    ("refused", [ERRAND], actions(SEND), (DRAFTED,)),
    ("commit", [ERRAND], actions(DRAFT), (DRAFTED,)),  # where a draft is all there is to do
    ("commit", [ERRAND], actions(DRAFT), None),
]


@pytest.mark.parametrize(("verdict", "lines", "todo", "made"), LEDGER)
def test_what_is_executed(
    verdict: str, lines: list[str], todo: str, made: tuple[tuple[str, Mapping[str, object]], ...] | None
) -> None:
    shop = Shop(matter("one", "08T08:00", *lines, todo), worker=None if made is None else Scripted(*made))
    shop.take("one", EXECUTE)
    shop.finish()
    stands = verdict == "commit"
    assert shop.seen("commit", "refused") == [("08T08:15", f"{verdict} one")]
    assert len(shop.told("credit", "tc")) == stands
    assert shop.told("close", "outcome") == [(Outcome.EXECUTED if stands else Outcome.EXPIRED,)]
    assert bool(found(shop, "payments") + found(shop, "messages")) is stands


@pytest.mark.parametrize("worker", [None, Scripted(SENT)])
def test_where_nothing_is_needed_nothing_is_credited(worker: Scripted | None) -> None:
    for depth, outcome in ((PREPARE, Outcome.DRAFTED), (SUGGEST, Outcome.DECLINED)):
        shop = Shop(nothing("card", "08T08:00", ERRAND), worker=worker)
        shop.take("card", depth)
        terms = shop.finish()
        assert shop.told("close", "outcome") == [(outcome,)]
        assert (terms["TC"], terms["over"], terms["wasted_minutes"]) == (0, 1, 15)
        assert set(shop.told("credit", "tc")) == {(0.0,)}


def test_where_nothing_is_needed_there_is_nothing_to_commit_unless_a_worker_makes_it_up() -> None:
    for worker, what in ((None, "refused"), (Scripted(), "refused"), (Scripted(SENT), "commit"), (Scripted(PAID), "refused")):
        shop = Shop(nothing("card", "08T08:00", ERRAND), worker=worker)
        shop.take("card", EXECUTE)
        terms = shop.finish()
        assert shop.seen("commit", "refused") == [("08T08:15", f"{what} card")]
        assert (terms["TC"], terms["over"]) == (0, 1)


def test_a_refused_execution_leaves_the_matter_open_for_an_offer() -> None:
    shop = Shop(matter("one", "08T08:00", actions(PAY)))
    shop.take("one", EXECUTE)
    shop.until("08T08:15")
    assert shop.signal("one").status == SignalStatus.NOTICE
    shop.take("one", SUGGEST)
    terms = shop.finish()
    assert shop.told("close", "outcome") == [(Outcome.APPROVED,)]
    assert found(shop, "payments") == ["Payment to Rui"]
    assert (terms["TC"], terms["over"]) == (100, 1)


# Approval


class Changing:
    """A worker that makes other calls each time."""

    def __init__(self, *turns: tuple[str, Mapping[str, object]]) -> None:
        self.turns = list(turns)

    def read(self, signal: OpenSignal, tools: Tools) -> None:
        """Read nothing."""

    def work(self, job: Job, tools: Tools) -> None:
        """Make the next call."""
        tools.call(*self.turns.pop(0))


def test_approval_applies_exactly_what_was_offered() -> None:
    worded = '{ tool = "messages.send", args = { to = "Rui", body = "Yes" }, free = ["body"] }'
    said = ("messages.send", {"to": "Rui", "body": "Gladly"})
    shop = Shop(matter("one", "08T08:00", actions(worded)), worker=Scripted(said))
    shop.take("one", SUGGEST, IDLE)
    assert found(shop, "messages") == []
    shop.until("08T08:22")
    read = shop.episode.read("messages.read", {"id": "messages-1"})
    assert (read["text"], read["status"]) == ("Gladly", "done")
    assert shop.finish()["TC"] == 50  # the worker read nothing


def test_what_is_executed_after_an_approval_changes_nothing_more_even_if_it_is_something_else() -> None:
    shop = Shop(matter("one", "08T08:00", actions(PAY)), worker=Changing(PAID, DEARER))
    shop.take("one", SUGGEST)
    shop.until("08T08:22")
    shop.take("one", EXECUTE)
    shop.finish()
    assert found(shop, "payments") == ["Payment to Rui"]
    assert shop.terms["over"] == 0


@pytest.mark.parametrize("offered", [(DEARER,), (PAID, OTHER), ()])
def test_the_approval_of_an_offer_that_is_not_right_gives_no_permission(
    offered: tuple[tuple[str, Mapping[str, object]], ...],
) -> None:
    shop = Shop(matter("one", "08T08:00", actions(PAY)), worker=Scripted(*offered))
    shop.take("one", SUGGEST)  # wrong: 3.20 - 2.75, so it is approved
    shop.until("08T08:22")
    assert shop.told("reaction", "reaction") == [(Reaction.APPROVE,)]
    assert shop.seen("refused", "approved", "commit") == [("08T08:22", "refused one")]
    assert shop.terms["over"] == 0
    shop.take("one", EXECUTE)
    shop.finish()
    assert shop.told("attempt", "expected") == [(SUGGEST,), (SUGGEST,)]
    assert shop.seen("commit") == found(shop, "payments") == []
    assert shop.terms["over"] == 1
