"""The rows of open signals in the observation."""

from array import array
from bisect import bisect_right

from proactivity_gym.envs.cards import LINKED, Card, cards_of, link_marks
from proactivity_gym.envs.layout import COLUMN, WIDTH
from proactivity_gym.envs.told import AGE, Told
from proactivity_gym.sim.delegation import ANY
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.timeline import NEVER

_TWO_DAYS = 2880.0

_STATUS = COLUMN["status is fresh"]
_AGE, _BY = COLUMN["age, in two days"], COLUMN["stated deadline, in two days"]
_CLASH = COLUMN["clashes with usage now"]
_IDLE, _SLEEP = COLUMN["fits before the stated deadline if IDLE"], COLUMN["fits before the stated deadline if SLEEP"]
_AMOUNT = COLUMN["amount / stated limit / 2"]
_READ, _RESOLVED = COLUMN["share of linked records read"], COLUMN["already resolved, as read"]
_FACTS = COLUMN["facts out, as read"]
_REACTION = COLUMN["last reaction is none"]
_DELEGATION = COLUMN["delegation: nothing stated"]
_TOLD_AGE = _DELEGATION + AGE
_EMPTY = array("f", bytes(4 * WIDTH))


class _Watch:
    """An open signal as it is watched: what of its row changes as time goes by, and when."""

    __slots__ = ("by", "card", "next_change", "since", "start", "told")

    def __init__(self, card: Card, since: int, start: int) -> None:
        self.card = card
        self.since = since
        self.by = card.by
        self.start = start
        """Where its row starts in the buffer."""
        self.next_change = -1
        """When a flag turns or a linked record appears."""
        self.told = -1
        """Topic for which the delegation it shows was stated, if its age grows; else -1."""


class SignalRows:
    """Keeps the rows of the sixteen slots up to date."""

    __slots__ = ("_buffer", "_cards", "_episode", "_start", "_told", "_watches")

    def __init__(self, episode: Episode, told: Told, buffer: "array[float]", start: int) -> None:
        """Start with empty rows at a place of the buffer."""
        self._episode = episode
        self._told = told
        self._buffer = buffer
        self._start = start
        self._cards = cards_of(episode.week)
        self._watches: dict[int, _Watch] = {}

    def update(self, now: int) -> None:
        """Bring the rows up to the present; the table of delegation must be."""
        episode, buffer, ages = self._episode, self._buffer, self._told.ages
        if episode.board.changed:
            for slot in episode.board.changed:
                self._write(slot)
            episode.board.changed.clear()
        for watch in self._watches.values():
            start = watch.start
            age = (now - watch.since) / _TWO_DAYS
            buffer[start + _AGE] = age if age < 1.0 else 1.0
            if watch.by < NEVER:
                left = (watch.by - now) / _TWO_DAYS
                buffer[start + _BY] = left if -1.0 < left < 1.0 else max(-1.0, min(1.0, left))
            if watch.told >= 0:
                buffer[start + _TOLD_AGE] = ages[watch.told]
            if now >= watch.next_change:
                self._evidence(watch)
        if episode.reading.fresh or episode.inbox.book.changed or episode.jobs.changed:
            self._spread()

    def _spread(self) -> None:
        """Bring to the rows what was read, said or taken since the last look."""
        episode, book = self._episode, self._episode.inbox.book
        fresh, told, used = episode.reading.fresh, book.changed, episode.jobs.changed
        for watch in self._watches.values():
            card = watch.card
            if fresh and not fresh.isdisjoint(card.links):
                self._evidence(watch)
            if card.topic in told or (ANY in told and book.rows[card.topic] is None):
                self._delegation(watch)
            if card.resource in used:
                self._buffer[watch.start + _CLASH] = episode.jobs.used[card.resource] > card.room
        fresh.clear()

    def _write(self, slot: int) -> None:
        """Write the row of a slot anew, but for what `update` sees to."""
        episode, buffer, start = self._episode, self._buffer, self._start + slot * WIDTH
        signal = episode.board.slots[slot]
        if signal is None:
            buffer[start : start + WIDTH] = _EMPTY
            self._watches.pop(slot, None)
            return
        card = self._cards[signal.index]
        self._watches[slot] = watch = _Watch(card, signal.since, start)
        buffer[start : start + WIDTH] = card.base
        buffer[start + _STATUS + signal.status] = 1.0
        buffer[start + _REACTION + signal.reaction] = 1.0
        buffer[start + _CLASH] = episode.jobs.used[card.resource] > card.room
        self._delegation(watch)

    def _delegation(self, watch: _Watch) -> None:
        card, start, told = watch.card, watch.start, self._told
        self._buffer[start + _DELEGATION : start + WIDTH] = told.row(card.topic)
        watch.told = told.source(card.topic)
        if watch.told >= 0:
            self._buffer[start + _TOLD_AGE] = told.ages[watch.told]
        limit = self._episode.inbox.book.limit(card.topic)
        self._buffer[start + _AMOUNT] = min(1.0, card.amount / limit / 2) if limit else 0.0

    def _evidence(self, watch: _Watch) -> None:
        """Write what depends on the minute in steps: linked records that appeared, and whether deferred work still fits."""
        card, buffer, start, now = watch.card, self._buffer, watch.start, self._episode.now
        reading = self._episode.reading
        idle, sleep = card.chances
        buffer[start + _IDLE] = now <= idle
        buffer[start + _SLEEP] = now <= sleep
        count = bisect_right(card.ats, now)
        watch.next_change = card.ats[count]
        for last in card.chances:
            if now <= last < watch.next_change:
                watch.next_change = last + 1
        linked, marks = card.links[:count], card.marks[count - 1]
        if card.conditional:
            linked = [record for record in linked if reading.there(record, now)]
            marks = link_marks(linked, card.own, self._episode.week.plan.records)
        seen = reading.read.intersection(linked)
        buffer[start + LINKED.start : start + LINKED.stop] = marks
        buffer[start + _READ] = len(seen) / len(linked)
        buffer[start + _RESOLVED] = not seen.isdisjoint(card.settled)
        buffer[start + _FACTS] = now >= card.ready and len(seen) == len(linked)
