"""What each signal's row says whatever happens in the episode: worked out once per week, and shared by its episodes."""

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from proactivity_gym.envs import ages
from proactivity_gym.envs.layout import COLUMN
from proactivity_gym.sim.reading import SETTLED
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.week import Plan, SignalRow, Week
from proactivity_gym.sim.words import RecordStatus, Trigger

_HALF_DAY = 720.0
_STATUSES = [[float(status == other) for other in RecordStatus] for status in RecordStatus]
_LINK_MARKS = 1 + len(RecordStatus)
_IDLE, _SLEEP = COLUMN["fits before the stated deadline if IDLE"], COLUMN["fits before the stated deadline if SLEEP"]
_WORK, _HAS_BY, _HAS_AMOUNT = COLUMN["work, in half days"], COLUMN["a deadline is stated"], COLUMN["an amount is at stake"]
_PLANS_KEPT, _WEEKS_KEPT = 64, 16

LINKED = COLUMN["records linked / 8"]
UNSAID = COLUMN["delegation: nothing stated"]
"""Columns before those on delegation."""


class Stage(NamedTuple):
    """What holds of a signal between two minutes in which a flag turns or a linked record appears."""

    until: int
    linked: tuple[int, ...]
    """Linked records that appeared, oldest first, conditional ones included."""
    row: "array[float]"  # (UNSAID,)
    """Its row as far as it follows from the minute, if it is fresh and nothing has been read."""


class Card:
    """A signal in its week."""

    __slots__ = (
        "_base",
        "_chances",
        "_own",
        "_stages",
        "_turns",
        "_week",
        "amount",
        "conditional",
        "due",
        "links",
        "resource",
        "room",
        "settled",
        "topic",
    )

    def __init__(self, week: Week, index: int) -> None:
        """Work out the card of a signal, a row of the plan."""
        row, rules = week.plan.signals[index], _rules_of(week.plan)
        self._base = rules.base_rows[index][:]
        self._base[_WORK] = min(1.0, week.signal_work[index] / _HALF_DAY)
        self._base[_HAS_BY] = week.signal_by[index] < NEVER
        self._base[_HAS_AMOUNT] = week.signal_amount[index] > 0
        self.due = ages.due(week.signal_by[index])
        """Where the time left to its stated deadline starts (see `ages`)."""
        self.amount = week.signal_amount[index]
        self.topic = row.topic
        self.resource = row.resource
        self.room = week.plan.resources[row.resource].capacity - row.demand
        """Units that the user may take without a clash."""
        self._own = row.record
        self.links = week.links(index)
        self.conditional = not rules.conditional.isdisjoint(self.links)
        """Whether more than the minute decides which of them appear."""
        self.settled = rules.settled
        """Records that say that their matter is settled."""
        self._week = week
        self._chances = week.last_chance(index)
        idle, sleep = self._chances
        self._turns = sorted({idle + 1, sleep + 1, *map(week.record_at.__getitem__, self.links), NEVER})
        self._stages: dict[int, Stage] = {}

    def stage(self, minute: int) -> Stage:
        """Return the stage in which a minute falls."""
        index = bisect_right(self._turns, minute)
        found = self._stages.get(index)
        if found is None:
            idle, sleep = self._chances
            linked = tuple(link for link in self.links if self._week.record_at[link] <= minute)
            row = array("f", self._base)
            row[_IDLE] = minute <= idle
            row[_SLEEP] = minute <= sleep
            row[LINKED : LINKED + _LINK_MARKS] = self.link_marks(linked)
            found = self._stages[index] = Stage(self._turns[index], linked, row)
        return found

    def link_marks(self, linked: Sequence[int]) -> "array[float]":
        """Return the columns from LINKED on for linked records, oldest first: how many, and the status of the newest.

        The signal's own record counts only if it is alone.
        """
        newest = linked[-1] if linked[-1] != self._own or len(linked) == 1 else linked[-2]
        return array("f", [min(1.0, (len(linked) - 1) / 8), *_STATUSES[self._week.plan.records[newest].status]])


class Cards(dict[int, Card]):
    """Cards by signal, each made when it is first asked for."""

    def __init__(self, week: Week) -> None:
        """Start without any."""
        super().__init__()
        self._week = week

    def __missing__(self, index: int) -> Card:
        """Make a card."""
        found = self[index] = Card(self._week, index)
        return found

    def __reduce__(self) -> tuple[object, tuple[Week]]:
        """Copy and pickle them as what they follow from."""
        return cards_of, (self._week,)


def cards_of(week: Week) -> Cards:
    """Return the cards of a week; those of a written one are kept."""
    return Cards(week) if week.varied else _kept_cards(week)


_kept_cards = lru_cache(_WEEKS_KEPT)(Cards)


class _Rules(NamedTuple):
    """What holds in all weeks of a plan."""

    base_rows: list["array[float]"]
    """Per signal, the columns that stay as they are."""
    conditional: frozenset[int]
    """Records with requirements."""
    settled: frozenset[int]
    """Records that say that their matter is settled."""


@lru_cache(_PLANS_KEPT)
def _rules_of(plan: Plan) -> _Rules:
    return _Rules(
        [_base_row(plan, signal) for signal in plan.signals],
        frozenset(index for index, record in enumerate(plan.records) if record.requirements),
        frozenset(index for index, record in enumerate(plan.records) if record.status in SETTLED),
    )


def _base_row(plan: Plan, signal: SignalRow) -> "array[float]":
    row = array("f", bytes(4 * UNSAID))
    row[0] = row[COLUMN["status is fresh"]] = row[COLUMN["last reaction is none"]] = 1.0
    row[COLUMN["app 0"] + signal.app] = 1.0
    row[COLUMN["trigger is user"] + signal.trigger] = 1.0
    row[COLUMN["topic row 0"] + signal.topic] = 1.0
    row[COLUMN["review, in hours"]] = min(1.0, signal.review_min / 60)
    row[COLUMN["resource row 0"] + signal.resource] = 1.0
    row[COLUMN["demand as share of capacity"]] = signal.demand / plan.resources[signal.resource].capacity
    row[COLUMN["class is read"] + signal.action_class] = 1.0
    row[COLUMN["reversible"]] = signal.reversible
    row[COLUMN["asked for"]] = signal.trigger == Trigger.USER
    return row
