"""The rows of open signals in the observation."""

from array import array

from proactivity_gym.envs.cards import LINKED, UNSAID, Card, cards_of
from proactivity_gym.envs.layout import COLUMN, WIDTH
from proactivity_gym.envs.told import AGE, Told
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.delegation import ANY
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.words import MAX_SIGNALS

_TWO_DAYS = 2880.0

_STATUS = COLUMN["status is fresh"]
_AGE, _BY = COLUMN["age, in two days"], COLUMN["stated deadline, in two days"]
_CLASH = COLUMN["clashes with usage now"]
_AMOUNT = COLUMN["amount / stated limit / 2"]
_READ, _RESOLVED = COLUMN["share of linked records read"], COLUMN["already resolved, as read"]
_FACTS = COLUMN["facts out, as read"]
_REACTION = COLUMN["last reaction is none"]
_TOLD_AGE = UNSAID + AGE
_EMPTY = array("f", bytes(4 * WIDTH))


class _Watch:
    """The signal in a slot as it is watched: what of its row changes as time goes by, and when."""

    __slots__ = ("by", "card", "signal", "since", "start", "told", "until")

    card: Card
    signal: OpenSignal

    def __init__(self, start: int) -> None:
        self.start = start
        """Where its row starts in the buffer."""
        self.since = self.by = self.until = 0
        self.told = -1
        """Where in the buffer stands the age of the statement it shows, if that grows; else -1."""


class SignalRows:
    """Keeps the rows of the sixteen slots up to date."""

    __slots__ = ("_buffer", "_cards", "_episode", "_open", "_told", "_used", "_watches")

    def __init__(self, episode: Episode, told: Told, buffer: "array[float]", start: int) -> None:
        """Start with empty rows at a place of the buffer."""
        self._episode = episode
        self._told = told
        self._buffer = buffer
        self._cards = cards_of(episode.week)
        self._watches = [_Watch(start + slot * WIDTH) for slot in range(MAX_SIGNALS)]
        self._open: dict[int, _Watch] = {}
        """The watches of slots that hold a signal."""
        self._used = episode.jobs.used.copy()
        """Units of each resource that the user took when somebody last looked."""

    def update(self, now: int) -> None:
        """Bring the rows up to the present; the table of delegation must be."""
        episode, buffer = self._episode, self._buffer
        if episode.inbox.book.changed or episode.reading.fresh or episode.jobs.used != self._used:
            self._spread(now)
        if episode.board.changed:
            for slot in episode.board.changed:
                self._turn(slot, now)
            episode.board.changed.clear()
        for watch in self._open.values():
            if now >= watch.until:
                self._restart(watch, now)
            start = watch.start
            age = (now - watch.since) / _TWO_DAYS
            buffer[start + _AGE] = age if age < 1.0 else 1.0
            if watch.by < NEVER:
                left = (watch.by - now) / _TWO_DAYS
                buffer[start + _BY] = (left if left > -1.0 else -1.0) if left < 1.0 else 1.0
            if watch.told >= 0:
                buffer[start + _TOLD_AGE] = buffer[watch.told]

    def _spread(self, now: int) -> None:
        """Bring to the rows what was read, said or taken since the last look."""
        reading, book = self._episode.reading, self._episode.inbox.book
        self._used[:] = self._episode.jobs.used
        for watch in self._open.values():
            topic = watch.card.topic
            if not reading.fresh.isdisjoint(watch.card.links):
                self._evidence(watch, now)
            if topic in book.changed or (ANY in book.changed and book.rows[topic] is None):
                self._delegation(watch)
            self._buffer[watch.start + _CLASH] = self._used[watch.card.resource] > watch.card.room
        reading.fresh.clear()

    def _turn(self, slot: int, now: int) -> None:
        """Turn to the signal that a slot now holds, if any."""
        watch, signal = self._watches[slot], self._episode.board.slots[slot]
        if signal is None:
            self._buffer[watch.start : watch.start + WIDTH] = _EMPTY
            self._open.pop(slot, None)
            return
        self._open[slot] = watch
        watch.signal, watch.since = signal, signal.since
        watch.card = card = self._cards[signal.index]
        watch.by = card.by
        watch.until = now

    def _restart(self, watch: _Watch, now: int) -> None:
        """Write a row anew, but for what grows with time."""
        card, signal, buffer, start = watch.card, watch.signal, self._buffer, watch.start
        stage = card.stage(now)
        watch.until = stage.until
        buffer[start : start + UNSAID] = stage.row
        buffer[start + _STATUS + signal.status] = 1.0
        buffer[start + _REACTION + signal.reaction] = 1.0
        buffer[start + _CLASH] = self._used[card.resource] > card.room
        self._delegation(watch)
        if card.conditional or not self._episode.reading.read.isdisjoint(card.links):
            self._evidence(watch, now)

    def _delegation(self, watch: _Watch) -> None:
        card, start = watch.card, watch.start
        numbers, watch.told, limit = self._told.of(card.topic)
        self._buffer[start + UNSAID : start + WIDTH] = numbers
        if watch.told >= 0:
            self._buffer[start + _TOLD_AGE] = self._buffer[watch.told]
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
