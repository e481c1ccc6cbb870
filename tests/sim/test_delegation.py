from collections.abc import Sequence

import pytest

from proactivity_gym.sim.delegation import ANY, BEFORE, Book, Statement, expected_depth
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.words import MAX_TOPICS, ActionClass, Depth, Reaction

TRAVEL, MONEY = 1, 2
DRAFT, COMMIT, CONSEQUENTIAL = ActionClass.DRAFT, ActionClass.COMMIT, ActionClass.CONSEQUENTIAL


def says(
    topic: int,
    depth: Depth,
    classes: Sequence[ActionClass] = (DRAFT, COMMIT, CONSEQUENTIAL),
    up_to: float | None = None,
    time: tuple[int, int] = (BEFORE, NEVER),
) -> Statement:
    return Statement(topic, frozenset(classes), up_to, depth, *time, said="")


STATEMENTS = (
    says(ANY, Depth.PREPARE),
    says(TRAVEL, Depth.EXECUTE, [DRAFT, COMMIT], up_to=150),
    says(TRAVEL, Depth.SUGGEST, [CONSEQUENTIAL]),
    says(TRAVEL, Depth.PREPARE, [COMMIT], time=(1000, 2000)),
    says(ANY, Depth.EXECUTE, [DRAFT], time=(1500, NEVER)),
)


@pytest.mark.parametrize(
    ("topic", "action_class", "amount", "now", "depth"),
    [
        (TRAVEL, COMMIT, 0, 0, Depth.EXECUTE),  # the topic comes before `any`
        (TRAVEL, COMMIT, 150, 0, Depth.EXECUTE),  # up to the limit
        (TRAVEL, COMMIT, 150.01, 0, Depth.PREPARE),  # above it only `any` covers
        (TRAVEL, CONSEQUENTIAL, 9999, 0, Depth.SUGGEST),  # another class, another statement
        (TRAVEL, COMMIT, 0, 999, Depth.EXECUTE),
        (TRAVEL, COMMIT, 0, 1000, Depth.PREPARE),  # the latest in force decides
        (TRAVEL, DRAFT, 0, 1000, Depth.EXECUTE),  # if it covers the class
        (TRAVEL, COMMIT, 0, 1999, Depth.PREPARE),
        (TRAVEL, COMMIT, 0, 2000, Depth.EXECUTE),  # no longer in force
        (MONEY, DRAFT, 0, 1499, Depth.PREPARE),
        (MONEY, DRAFT, 0, 1500, Depth.EXECUTE),  # also among those on `any`
        (MONEY, COMMIT, 0, 1500, Depth.PREPARE),
        (MONEY, ActionClass.READ, 0, 0, Depth.SUGGEST),  # nothing covers
    ],
)
def test_expected_depth(topic: int, action_class: ActionClass, amount: float, now: int, depth: Depth) -> None:
    assert expected_depth(STATEMENTS, topic, action_class, amount, now) == depth
    assert book().expected(topic, action_class, amount, now) == depth


def test_suggest_where_nothing_was_said() -> None:
    assert expected_depth((), TRAVEL, COMMIT, 0, 0) == Depth.SUGGEST


def book(statements: Sequence[Statement] = STATEMENTS) -> Book:
    return Book(statements, [[0, 0, 0, 0] for _ in range(MAX_TOPICS)])


def test_a_book_starts_with_what_was_said_before_the_week() -> None:
    fresh = book()
    assert fresh.stated(TRAVEL) == (Depth.SUGGEST, BEFORE)
    assert fresh.stated(MONEY) == (Depth.PREPARE, BEFORE)  # that on `any`
    assert fresh.limit(TRAVEL) == 150
    assert fresh.limit(MONEY) is None
    assert book(()).stated(TRAVEL) is None


def test_a_statement_is_noted_as_it_is_made() -> None:
    heard = book()
    heard.state(STATEMENTS[3])
    assert heard.stated(TRAVEL) == (Depth.PREPARE, 1000)
    assert heard.limit(TRAVEL) == 150  # it named none
    heard.state(says(ANY, Depth.EXECUTE, up_to=20, time=(1100, NEVER)))
    assert heard.stated(MONEY) == (Depth.EXECUTE, 1100)
    assert heard.limit(MONEY) == 20


def test_withdrawn_delegation_makes_execute_a_suggestion_until_it_is_restored() -> None:
    told = book()
    assert told.withdraw(TRAVEL, 500)
    assert not told.withdraw(TRAVEL, 600)
    assert told.stated(TRAVEL) == (Depth.SUGGEST, 500)
    assert told.expected(TRAVEL, COMMIT, 0, 700) == Depth.SUGGEST
    assert told.expected(TRAVEL, COMMIT, 0, 1200) == Depth.PREPARE  # shallower than SUGGEST stays
    assert told.expected(MONEY, DRAFT, 0, 1600) == Depth.EXECUTE  # other topics are not concerned
    assert told.restore(1200) == [TRAVEL]
    assert told.stated(TRAVEL) == (Depth.PREPARE, 1200)
    assert told.expected(TRAVEL, DRAFT, 0, 1200) == Depth.EXECUTE
    assert told.restore(1300) == []


def test_restoring_a_topic_that_nothing_was_said_about() -> None:
    told = book()
    told.withdraw(MONEY, 500)
    told.withdraw(TRAVEL, 500)
    assert told.restore(600) == [TRAVEL, MONEY]
    assert told.stated(MONEY) == (Depth.PREPARE, BEFORE)


def test_while_withdrawn_only_a_shallower_statement_is_noted() -> None:
    told = book()
    told.withdraw(TRAVEL, 500)
    told.state(says(TRAVEL, Depth.EXECUTE, time=(600, NEVER)))
    assert told.stated(TRAVEL) == (Depth.SUGGEST, 500)
    told.state(says(TRAVEL, Depth.PREPARE, time=(700, NEVER)))
    assert told.stated(TRAVEL) == (Depth.PREPARE, 700)


def test_a_lapsed_statement_gives_way_to_the_one_before() -> None:
    limited = says(TRAVEL, Depth.PREPARE, [COMMIT], up_to=30, time=(1000, 2000))
    told = book((*STATEMENTS[:3], limited))
    told.state(limited)
    assert (told.stated(TRAVEL), told.limit(TRAVEL)) == ((Depth.PREPARE, 1000), 30)
    told.lapse(TRAVEL, 2000)
    assert (told.stated(TRAVEL), told.limit(TRAVEL)) == ((Depth.SUGGEST, BEFORE), 150)


def test_a_lapsed_statement_may_leave_nothing() -> None:
    only = says(MONEY, Depth.PREPARE, up_to=30, time=(BEFORE, 2000))
    told = book((only,))
    told.lapse(MONEY, 2000)
    assert told.stated(MONEY) is None
    assert told.limit(MONEY) is None


def test_a_lapse_does_not_bring_withdrawn_delegation_back() -> None:
    told = book()
    told.withdraw(TRAVEL, 500)
    told.lapse(TRAVEL, 2000)
    assert told.stated(TRAVEL) == (Depth.SUGGEST, 500)


def test_reactions_are_counted_by_topic() -> None:
    heard = book()
    for reaction in (Reaction.APPROVE, Reaction.DECLINE, Reaction.DECLINE, Reaction.DEFER, Reaction.NONE):
        heard.note(TRAVEL, reaction)
    heard.note(TRAVEL, Reaction.COMPLAIN_TOO_DEEP)
    heard.note(MONEY, Reaction.COMPLAIN_TOO_TIMID)
    assert heard.counts[TRAVEL] == [1, 2, 1, 0]
    assert heard.counts[MONEY] == [0, 0, 0, 1]
