"""What each signal's row says whatever happens in the episode: worked out once per week, and shared by its episodes."""

from array import array
from collections.abc import Sequence
from functools import lru_cache

from proactivity_gym.envs.layout import COLUMN, WIDTH
from proactivity_gym.sim.reading import SETTLED
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.week import RecordRow, Week
from proactivity_gym.sim.words import RecordStatus, Trigger

_HALF_DAY = 720.0
_STATUSES = [[float(status == other) for other in RecordStatus] for status in RecordStatus]
_WEEKS_KEPT = 16

LINKED = slice(COLUMN["records linked / 8"], COLUMN["records linked / 8"] + 1 + len(RecordStatus))
"""Columns about the linked records that appeared: how many, and the status of the newest."""


class Card:
    """A signal in its week."""

    __slots__ = (
        "amount",
        "ats",
        "base",
        "by",
        "chances",
        "conditional",
        "links",
        "marks",
        "own",
        "ready",
        "resource",
        "room",
        "settled",
        "topic",
    )

    def __init__(self, week: Week, index: int) -> None:
        """Work out the card of a signal, a row of the plan."""
        row, records = week.plan.signals[index], week.plan.records
        self.base = _base_row(week, index)
        """The columns that stay as they are."""
        self.by = week.signal_by[index]
        self.amount = week.signal_amount[index]
        self.topic = row.topic
        self.resource = row.resource
        self.room = week.plan.resources[row.resource].capacity - row.demand
        """Units that the user may take without a clash."""
        self.chances = week.last_chance(index)
        self.ready = week.task_ready[row.task] if row.task >= 0 else 0
        self.own = row.record
        self.links = week.links(index)
        self.ats = (*(week.record_at[record] for record in self.links), NEVER)
        """When each linked record appears."""
        self.conditional = any(records[record].requirements for record in self.links)
        """Whether more than the minute decides which of them appear."""
        self.settled = frozenset(record for record in self.links if records[record].status in SETTLED)
        self.marks = [link_marks(self.links[:count], self.own, records) for count in range(1, len(self.links) + 1)]
        """The LINKED columns by the number of records that appeared, less one."""


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


@lru_cache(_WEEKS_KEPT)
def cards_of(week: Week) -> Cards:
    """Return the cards of a week."""
    return Cards(week)


def link_marks(linked: Sequence[int], own: int, records: Sequence[RecordRow]) -> "array[float]":
    """Return the LINKED columns for the records that appeared, oldest first; a signal's own counts only if it is alone."""
    newest = linked[-1] if linked[-1] != own or len(linked) == 1 else linked[-2]
    return array("f", [min(1.0, (len(linked) - 1) / 8), *_STATUSES[records[newest].status]])


def _base_row(week: Week, index: int) -> "array[float]":
    plan, signal = week.plan, week.plan.signals[index]
    row = array("f", bytes(4 * WIDTH))
    row[0] = 1.0
    row[COLUMN["app 0"] + signal.app] = 1.0
    row[COLUMN["trigger is user"] + signal.trigger] = 1.0
    row[COLUMN["topic row 0"] + signal.topic] = 1.0
    row[COLUMN["work, in half days"]] = min(1.0, week.signal_work[index] / _HALF_DAY)
    row[COLUMN["review, in hours"]] = min(1.0, signal.review_min / 60)
    row[COLUMN["resource row 0"] + signal.resource] = 1.0
    row[COLUMN["demand as share of capacity"]] = signal.demand / plan.resources[signal.resource].capacity
    row[COLUMN["class is read"] + signal.action_class] = 1.0
    row[COLUMN["reversible"]] = signal.reversible
    row[COLUMN["asked for"]] = signal.trigger == Trigger.USER
    row[COLUMN["a deadline is stated"]] = week.signal_by[index] < NEVER
    row[COLUMN["stated deadline, in two days"]] = 1.0
    row[COLUMN["an amount is at stake"]] = week.signal_amount[index] > 0
    return row
