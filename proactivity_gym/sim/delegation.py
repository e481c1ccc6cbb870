"""Delegation: what the user said about how far the assistant may go; the one source of expected depths and permissions."""

from collections.abc import Sequence
from dataclasses import dataclass

from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.words import MAX_TOPICS, ActionClass, Depth, Reaction

ANY = 0
"""Row of the topic `any`."""
BEFORE = -NEVER
"""Minute of what was said before the week."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, in force in [at, until)."""

    topic: int
    classes: frozenset[ActionClass]
    up_to: float | None
    """Amounts above this are not covered; None: any amount is."""
    depth: Depth
    at: int
    until: int
    said: str

    def covers(self, topic: int, action_class: ActionClass, amount: float) -> bool:
        """Tell whether it speaks of this topic, class of action and amount."""
        return self.topic == topic and action_class in self.classes and (self.up_to is None or amount <= self.up_to)


def expected_depth(statements: Sequence[Statement], topic: int, action_class: ActionClass, amount: float, now: int) -> Depth:
    """Return how far the user expects the assistant to go in a matter that needs something done.

    The latest statement in force that covers topic, class and amount decides; the topic comes before `any`; SUGGEST where
    none covers. `statements` are in order of `at`.
    """
    for row in (topic, ANY):
        for statement in reversed(statements):
            if statement.topic == row and statement.at <= now < statement.until and statement.covers(row, action_class, amount):
                return statement.depth
    return Depth.SUGGEST


class Book:
    """What has been said and how the user reacted so far, per topic: all of it observable."""

    __slots__ = ("changed", "counts", "limits", "rows", "statements", "withdrawn")

    def __init__(self, statements: Sequence[Statement], counts: Sequence[Sequence[int]]) -> None:
        """Start with the statements of the week (in order of `at`) and the counts of prior interactions."""
        self.statements = statements
        self.counts = [list(row) for row in counts]
        """Per topic: approvals, declines, complaints as too deep, complaints as too timid."""
        self.rows: list[tuple[Depth, int] | None] = [None] * MAX_TOPICS
        """Per topic: depth last stated and the minute it was stated."""
        self.limits: list[float | None] = [None] * MAX_TOPICS
        self.withdrawn: set[int] = set()
        self.changed: set[int] = set()
        """Topics whose row changed since an observer last looked."""
        for statement in statements:
            if statement.at > BEFORE:
                break
            self.state(statement)

    def state(self, statement: Statement) -> None:
        """Take note of a statement as it is made."""
        if statement.topic not in self.withdrawn or statement.depth != Depth.EXECUTE:
            self._set(statement.topic, (statement.depth, statement.at))
        if statement.up_to is not None:
            self.limits[statement.topic] = statement.up_to
        self.changed.add(statement.topic)

    def _set(self, topic: int, stated: tuple[Depth, int] | None) -> None:
        self.rows[topic] = stated
        self.changed.add(topic)

    def withdraw(self, topic: int, now: int) -> bool:
        """Take EXECUTE back for a topic; tell whether that is new."""
        if topic in self.withdrawn:
            return False
        self.withdrawn.add(topic)
        self._set(topic, (Depth.SUGGEST, now))
        return True

    def restore(self, now: int) -> list[int]:
        """Give delegation back for every topic it was withdrawn for, and return those topics."""
        topics = sorted(self.withdrawn)
        self.withdrawn.clear()
        for topic in topics:
            told = self._latest(topic, now)
            self._set(topic, (told.depth, now) if told else None)
        return topics

    def lapse(self, topic: int, now: int) -> None:
        """Take note that a statement about a topic is no longer in force."""
        if topic not in self.withdrawn:
            told = self._latest(topic, now)
            self._set(topic, (told.depth, told.at) if told else None)
        in_force = [s.up_to for s in self.statements if s.topic == topic and s.at <= now < s.until and s.up_to is not None]
        self.limits[topic] = in_force[-1] if in_force else None
        self.changed.add(topic)

    def _latest(self, topic: int, now: int) -> Statement | None:
        in_force = [s for s in self.statements if s.topic == topic and s.at <= now < s.until]
        return in_force[-1] if in_force else None

    def note(self, topic: int, reaction: Reaction) -> None:
        """Count a reaction."""
        column = _COLUMNS.get(reaction)
        if column is not None:
            self.counts[topic][column] += 1
            self.changed.add(topic)

    def expected(self, topic: int, action_class: ActionClass, amount: float, now: int) -> Depth:
        """Return the expected depth now, withdrawn delegation included."""
        depth = expected_depth(self.statements, topic, action_class, amount, now)
        return Depth.SUGGEST if depth == Depth.EXECUTE and topic in self.withdrawn else depth

    def stated(self, topic: int) -> tuple[Depth, int] | None:
        """Return what was last stated for a topic, or else for `any`."""
        return self.rows[topic] or self.rows[ANY]

    def limit(self, topic: int) -> float | None:
        """Return the limit last stated for a topic, or else for `any`."""
        limit = self.limits[topic]
        return self.limits[ANY] if limit is None else limit


_COLUMNS = {
    Reaction.APPROVE: 0,
    Reaction.DECLINE: 1,
    Reaction.COMPLAIN_TOO_DEEP: 2,
    Reaction.COMPLAIN_TOO_TIMID: 3,
}
