"""The rows of open signals in the observation."""

from array import array
from collections.abc import Set

from proactivity_gym.envs.ages import Ages
from proactivity_gym.envs.cards import LINKED, UNSAID, Card, cards_of
from proactivity_gym.envs.layout import COLUMN, WIDTH
from proactivity_gym.envs.told import Told
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.delegation import ANY
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.words import MAX_SIGNALS

_STATUS = COLUMN["status is fresh"]
_CLASH = COLUMN["clashes with usage now"]
_AMOUNT = COLUMN["amount / stated limit / 2"]
_READ, _RESOLVED = COLUMN["share of linked records read"], COLUMN["already resolved, as read"]
_FACTS = COLUMN["facts out, as read"]
_REACTION = COLUMN["last reaction is none"]
_EMPTY = array("f", bytes(4 * WIDTH))


class _Watch:
    """The signal in a slot as it is watched."""

    __slots__ = ("card", "signal", "slot", "start", "until")

    card: Card
    signal: OpenSignal

    def __init__(self, slot: int, start: int) -> None:
        self.slot = slot
        self.start = start
        """Where its row starts in the buffer."""
        self.until = 0
        """When the stage of its card ends."""


class SignalRows:
    """Keeps the rows of the sixteen slots up to date, but for what `ages` tells."""

    __slots__ = ("_ages", "_buffer", "_cards", "_episode", "_open", "_told", "_until", "_used", "_watches")

    def __init__(self, episode: Episode, told: Told, ages: Ages, buffer: "array[float]", start: int) -> None:
        """Start with empty rows at a place of the buffer."""
        self._episode = episode
        self._told = told
        self._ages = ages
        self._buffer = buffer
        self._cards = cards_of(episode.week)
        self._watches = [_Watch(slot, start + slot * WIDTH) for slot in range(MAX_SIGNALS)]
        self._open: dict[int, _Watch] = {}
        """The watches of slots that hold a signal."""
        self._until = NEVER
        """When the first stage ends of those of the open signals."""
        self._used = episode.jobs.used.copy()
        """Units of each resource that the user took when somebody last looked."""

    def update(self, now: int) -> None:
        """Bring the rows up to the present; what `told` knows must be."""
        episode = self._episode
        if episode.reading.fresh:
            self._spread_read(episode.reading.fresh, now)
        if episode.inbox.book.changed:
            self._spread_said(episode.inbox.book.changed)
        if episode.jobs.used != self._used:
            self._spread_used()
        if episode.board.changed:
            for slot in episode.board.changed:
                self._turn(slot, now)
            episode.board.changed.clear()
        if now >= self._until:
            self._until = NEVER
            for watch in self._open.values():
                if now >= watch.until:
                    self._write(watch, now)
                elif watch.until < self._until:
                    self._until = watch.until

    def _spread_read(self, fresh: set[int], now: int) -> None:
        """Bring to the rows what was read since the last look."""
        for watch in self._open.values():
            if not fresh.isdisjoint(watch.card.links):
                self._evidence(watch, now)
        fresh.clear()

    def _spread_said(self, topics: Set[int]) -> None:
        """Bring to the rows what was said about some topics."""
        rows, any_changed = self._episode.inbox.book.rows, ANY in topics
        for watch in self._open.values():
            topic = watch.card.topic
            if topic in topics or (any_changed and rows[topic] is None):
                self._delegation(watch)

    def _spread_used(self) -> None:
        """Bring to the rows what the user took or gave back."""
        self._used[:] = self._episode.jobs.used
        for watch in self._open.values():
            self._buffer[watch.start + _CLASH] = self._used[watch.card.resource] > watch.card.room

    def _turn(self, slot: int, now: int) -> None:
        """Turn to the signal that a slot now holds, if any."""
        watch, signal = self._watches[slot], self._episode.board.slots[slot]
        if signal is None:
            self._buffer[watch.start : watch.start + WIDTH] = _EMPTY
            self._ages.empty_slot(slot)
            self._open.pop(slot, None)
            return
        self._open[slot] = watch
        watch.signal = signal
        watch.card = card = self._cards[signal.index]
        self._ages.open_slot(slot, signal.since, card.due)
        self._write(watch, now)

    def _write(self, watch: _Watch, now: int) -> None:
        """Write a row anew."""
        card, signal, buffer, start = watch.card, watch.signal, self._buffer, watch.start
        stage = card.stage(now)
        watch.until = stage.until
        if stage.until < self._until:
            self._until = stage.until
        buffer[start : start + UNSAID] = stage.row
        buffer[start + _STATUS + signal.status] = 1.0
        buffer[start + _REACTION + signal.reaction] = 1.0
        buffer[start + _CLASH] = self._used[card.resource] > card.room
        self._delegation(watch)
        if card.conditional or not self._episode.reading.read.isdisjoint(card.links):
            self._evidence(watch, now)

    def _delegation(self, watch: _Watch) -> None:
        card, start = watch.card, watch.start
        numbers, stated, limit = self._told.of(card.topic)
        self._buffer[start + UNSAID : start + WIDTH] = numbers
        self._ages.told_slot(watch.slot, stated)
        self._buffer[start + _AMOUNT] = min(1.0, card.amount / limit / 2) if limit else 0.0

    def _evidence(self, watch: _Watch, now: int) -> None:
        """Write what the agent can tell from the linked records that appeared."""
        card, buffer, start, reading = watch.card, self._buffer, watch.start, self._episode.reading
        linked = card.stage(now).linked
        if card.conditional:
            linked = tuple(record for record in linked if reading.there(record, now))
            buffer[start + LINKED : start + _READ] = card.link_marks(linked)
        seen = reading.read.intersection(linked)
        buffer[start + _READ] = len(seen) / len(linked)
        buffer[start + _RESOLVED] = not seen.isdisjoint(card.settled)
        buffer[start + _FACTS] = len(seen) == len(linked)
