"""What each signal's row says whatever happens in the episode: worked out once per week, and shared by its episodes."""

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from proactivity_gym.envs import ages
from proactivity_gym.envs.layout import COLUMN
from proactivity_gym.sim.reading import SETTLED
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.week import Plan, SignalRow, Week
from proactivity_gym.sim.words import Trigger

_HALF_DAY = 720.0
_IDLE, _SLEEP = COLUMN["fits before the stated deadline if IDLE"], COLUMN["fits before the stated deadline if SLEEP"]
_WORK, _HAS_BY, _HAS_AMOUNT = COLUMN["work, in half days"], COLUMN["a deadline is stated"], COLUMN["an amount is at stake"]
_PLANS_KEPT, _WEEKS_KEPT = 64, 16

LINKED = COLUMN["records linked / 8"]
READ, FACTS = COLUMN["share of linked records read"], COLUMN["facts out, as read"]
UNSAID = COLUMN["delegation: nothing stated"]
"""Columns before those on delegation."""


@dataclass(slots=True, eq=False)
class Stage:
    """What holds of a signal between two minutes in which a flag turns or a linked record appears."""

    until: int
    linked: tuple[int, ...]
    """Linked records that appeared, oldest first, conditional ones included."""
    settles: bool
    """Whether one of them says that the matter is settled."""
    rows: "dict[int, array[float]]"  # (UNSAID,) each
    """By how many of `linked` have been read: its row as far as it follows from that and the minute, if it is fresh and no
    reaction to it was heard. That for none is there; `Card.row` works out the others."""


class Card:
    """A signal in its week."""

    __slots__ = (
        "_appear",
        "_base",
        "_idle",
        "_plan",
        "_sleep",
        "_stages",
        "_turns",
        "amount",
        "conditional",
        "due",
        "links",
        "own",
        "plain",
        "resource",
        "room",
        "settled",
        "told",
        "topic",
    )

    def __init__(self, week: Week, rules: "_Rules", index: int) -> None:
        """Work out the card of a signal, a row of the plan."""
        row, by, work = week.plan.signals[index], week.signal_by[index], week.signal_work[index]
        self._base = base = rules.base_rows[index][:]
        base[_WORK] = work / _HALF_DAY if work < _HALF_DAY else 1.0
        base[_HAS_BY] = by < NEVER
        base[_HAS_AMOUNT] = week.signal_amount[index] > 0
        self.due = ages.due(by)
        """Where the time left to its stated deadline starts (see `ages`)."""
        self.amount = week.signal_amount[index]
        self.topic = row.topic
        self.resource = row.resource
        self.room = week.plan.resources[row.resource].capacity - row.demand
        """Units that the user may take without a clash."""
        self.own = row.record
        """The record that it shows."""
        self.links = week.links(index)
        self.conditional = not rules.conditional.isdisjoint(self.links)
        """Whether more than the minute decides which of them appear."""
        self.told = week.level.told
        """Whether links are told before they are read."""
        self.plain = self.told and not self.conditional
        """Whether its row tells of links what its stage says, whatever has been read."""
        self.settled = rules.settled
        """Records that say that their matter is settled."""
        self._plan = week.plan
        self._idle, self._sleep = idle, sleep = week.last_chance(index)
        self._appear = [week.record_at[link] for link in self.links]
        self._turns = sorted({idle + 1, sleep + 1, NEVER, *self._appear})
        self._stages: dict[int, Stage] = {}

    def stage(self, minute: int) -> Stage:
        """Return the stage in which a minute falls."""
        index = bisect_right(self._turns, minute)
        found = self._stages.get(index)
        if found is None:
            linked = self.links[: bisect_right(self._appear, minute)]
            row = self._base[:]
            row[_IDLE] = minute <= self._idle
            row[_SLEEP] = minute <= self._sleep
            self.mark_links(linked if self.told else (self.own,), row, 0)
            found = self._stages[index] = Stage(self._turns[index], linked, not self.settled.isdisjoint(linked), {0: row})
        return found

    def row(self, stage: Stage, read: int) -> "array[float]":
        """Work out the row of a stage for so many linked records read, but for whether one of them settles the matter."""
        found = stage.rows[read] = stage.rows[0][:]
        found[READ] = share = read / len(stage.linked)
        found[FACTS] = share == 1.0
        return found

    def mark_links(self, linked: Sequence[int], buffer: "array[float]", start: int) -> None:
        """Write into a row without such marks how many records, oldest first, are linked, and the status of the newest.

        The signal's own record counts only if it is alone.
        """
        others = len(linked) - 1
        newest = linked[-2] if others and linked[-1] == self.own else linked[-1]
        buffer[start + LINKED] = others / 8 if others < 8 else 1.0
        buffer[start + LINKED + 1 + self._plan.records[newest].status] = 1.0


class Cards(dict[int, Card]):
    """Cards by signal, each made when it is first asked for."""

    def __init__(self, week: Week) -> None:
        """Start without any."""
        super().__init__()
        self._week = week
        self._rules = _rules_of(week.plan)

    def __missing__(self, index: int) -> Card:
        """Make a card."""
        found = self[index] = Card(self._week, self._rules, index)
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
