"""The rows of open signals in the observation."""

from array import array
from collections.abc import Sequence

from proactivity_gym.envs.ages import Ages
from proactivity_gym.envs.cards import FACTS, LINKED, READ, UNSAID, Card, Stage, cards_of
from proactivity_gym.envs.layout import BOUNDS, COLUMN, WIDTH
from proactivity_gym.envs.told import Told
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.delegation import ANY
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.words import MAX_SIGNALS

_FRESH = COLUMN["status is fresh"]
_CLASH = COLUMN["clashes with usage now"]
_AMOUNT = COLUMN["amount / stated limit / 2"]
_RESOLVED = COLUMN["already resolved, as read"]
_NO_REACTION = COLUMN["last reaction is none"]
_STARTS = [BOUNDS["signals"].start + slot * WIDTH for slot in range(MAX_SIGNALS)]
"""Where the row of each slot starts in the buffer."""
_UNSAID = [slice(start, start + UNSAID) for start in _STARTS]
"""The part of each row that follows from the minute, but for a few numbers."""
_SAID = [slice(start + UNSAID, start + WIDTH) for start in _STARTS]
"""The part of each row that says what was said of the topic."""
_ROWS = [slice(start, start + WIDTH) for start in _STARTS]
_NO_LINKS = array("f", bytes(4 * (READ - LINKED)))
_EMPTY = array("f", bytes(4 * WIDTH))


class _Watch:
    """The signal in a slot as it is watched."""

    __slots__ = ("card", "signal", "slot", "stage", "start")

    card: Card
    signal: OpenSignal
    stage: Stage
    """What holds of the signal until a minute."""

    def __init__(self, slot: int) -> None:
        self.slot = slot
        self.start = _STARTS[slot]


class _Watches(dict[int, _Watch]):
    """Watches by slot, each made when its slot first holds a signal."""

    def __missing__(self, slot: int) -> _Watch:
        """Make a watch."""
        found = self[slot] = _Watch(slot)
        return found


class SignalRows:
    """Keeps the rows of the sixteen slots up to date, but for what `ages` tells."""

    __slots__ = (
        "_ages", "_board", "_book", "_buffer", "_cards", "_jobs", "_open", "_reading", "_told", "_until", "_used", "_watches",
    )  # fmt: skip

    def __init__(self, episode: Episode, told: Told, ages: Ages, buffer: "array[float]") -> None:
        """Start with empty rows in a buffer (TOTAL,)."""
        self._board, self._book, self._jobs, self._reading = episode.board, episode.inbox.book, episode.jobs, episode.reading
        self._told = told
        self._ages = ages
        self._buffer = buffer
        self._cards = cards_of(episode.week)
        self._watches = _Watches()
        self._open: dict[int, _Watch] = {}
        """The watches of slots that hold a signal."""
        self._until = NEVER
        """When the first stage ends of those of the open signals."""
        self._used = self._jobs.used.copy()
        """Units of each resource that the user took when somebody last looked."""

    def update(self, now: int) -> None:
        """Bring the rows up to the present, and what `told` keeps."""
        if self._reading.fresh:
            self._spread_read(now)
        if self._book.changed:
            self._told.update(self._book.changed)
            self._spread_said()
        if self._jobs.changed and self._jobs.used != self._used:
            self._spread_used()
        changed = self._board.changed
        if changed:
            slots = self._board.slots
            for slot in changed:
                signal = slots[slot]
                if signal is None:
                    self._leave(slot)
                else:
                    self._turn(slot, signal, now)
            changed.clear()
        if now >= self._until:
            self._go_on(now)

    def _spread_read(self, now: int) -> None:
        """Bring to the rows what was read since the last look."""
        fresh = self._reading.fresh
        for watch in self._open.values():
            if not fresh.isdisjoint(watch.card.links):
                self._evidence(watch, now)
        fresh.clear()

    def _spread_said(self) -> None:
        """Bring to the rows what was said and heard since the last look."""
        rows, topics, any_changed = self._book.rows, self._book.changed, ANY in self._book.changed
        for watch in self._open.values():
            topic = watch.card.topic
            if topic in topics or (any_changed and rows[topic] is None):
                self._ages.told_slot(watch.slot, self._delegation(watch))
        topics.clear()

    def _spread_used(self) -> None:
        """Bring to the rows what the user took or gave back."""
        used = self._used
        used[:] = self._jobs.used
        for watch in self._open.values():
            self._buffer[watch.start + _CLASH] = used[watch.card.resource] > watch.card.room

    def _leave(self, slot: int) -> None:
        """Empty the row of a slot."""
        self._buffer[_ROWS[slot]] = _EMPTY
        self._ages.empty_slot(slot)
        self._open.pop(slot, None)

    def _turn(self, slot: int, signal: OpenSignal, now: int) -> None:
        """Turn to the signal that a slot now holds."""
        self._open[slot] = watch = self._watches[slot]
        watch.signal = signal
        watch.card = card = self._cards[signal.index]
        self._write(watch, now)
        self._ages.open_slot(slot, signal.since, card.due, self._delegation(watch))

    def _go_on(self, now: int) -> None:
        """Write those rows anew of which a stage ended."""
        self._until = NEVER
        for watch in self._open.values():
            if now >= watch.stage.until:
                self._write(watch, now)
                if watch.card.amount:
                    self._delegation(watch)
            elif watch.stage.until < self._until:
                self._until = watch.stage.until

    def _write(self, watch: _Watch, now: int) -> None:
        """Write a row anew, but for what was said of its topic and the share of a stated limit."""
        card, signal, buffer, start = watch.card, watch.signal, self._buffer, watch.start
        watch.stage = stage = card.stage(now)
        if stage.until < self._until:  # noqa: PLR1730 (min() takes longer, and this is done for every row)
            self._until = stage.until
        seen = self._reading.read.intersection(stage.linked) if card.plain else ()
        buffer[_UNSAID[watch.slot]] = stage.rows.get(len(seen)) or card.row(stage, len(seen))
        if signal.status:
            buffer[start + _FRESH] = 0.0
            buffer[start + _FRESH + signal.status] = 1.0
        if signal.reaction:
            buffer[start + _NO_REACTION] = 0.0
            buffer[start + _NO_REACTION + signal.reaction] = 1.0
        if self._used[card.resource] > card.room:
            buffer[start + _CLASH] = 1.0
        if not card.plain:
            self._evidence(watch, now)
        elif seen and stage.settles:
            buffer[start + _RESOLVED] = not card.settled.isdisjoint(seen)

    def _delegation(self, watch: _Watch) -> int:
        """Write what was said of the topic; return where the age of the statement starts."""
        card, told = watch.card, self._told
        numbers, stated, limit = told.shown.get(card.topic) or told.of(card.topic)
        self._buffer[_SAID[watch.slot]] = numbers
        if card.amount:
            share = card.amount / limit / 2 if limit else 0.0
            self._buffer[watch.start + _AMOUNT] = share if share < 1.0 else 1.0
        return stated

    def _evidence(self, watch: _Watch, now: int) -> None:
        """Write what the agent can tell from the linked records that appeared."""
        card, stage, buffer, start, read = watch.card, watch.stage, self._buffer, watch.start, self._reading.read
        linked = stage.linked if card.plain else self._conditional(watch, now)
        seen = read.intersection(linked)
        buffer[start + READ] = share = len(seen) / len(linked)
        buffer[start + FACTS] = share == 1.0
        if stage.settles:
            buffer[start + _RESOLVED] = not card.settled.isdisjoint(seen)

    def _conditional(self, watch: _Watch, now: int) -> Sequence[int]:
        """Write which links are told, where that does not follow from the minute; return the linked records that appeared."""
        card, buffer, start, reading = watch.card, self._buffer, watch.start, self._reading
        linked = watch.stage.linked
        if card.conditional:
            linked = [record for record in linked if reading.there(record, now)]
        buffer[start + LINKED : start + READ] = _NO_LINKS
        told = linked if card.told else [record for record in linked if record in reading.read or record == card.own]
        card.mark_links(told, buffer, start)
        return linked
