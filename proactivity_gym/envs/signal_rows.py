"""The rows of open signals in the observation."""

from array import array

from proactivity_gym.envs.layout import COLUMN, DELEGATION, WIDTH
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.delegation import BEFORE
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import Depth, RecordStatus, Trigger

_DAY, _HALF_DAY, _TWO_DAYS = 1440.0, 720.0, 2880.0

_STATUS = COLUMN["status is fresh"]
_AGE, _HAS_BY, _BY = COLUMN["age, in two days"], COLUMN["a deadline is stated"], COLUMN["stated deadline, in two days"]
_WORK, _REVIEW = COLUMN["work, in half days"], COLUMN["review, in hours"]
_DEMAND, _CLASH = COLUMN["demand as share of capacity"], COLUMN["clashes with usage now"]
_IDLE, _SLEEP = COLUMN["fits before the stated deadline if IDLE"], COLUMN["fits before the stated deadline if SLEEP"]
_HAS_AMOUNT, _AMOUNT = COLUMN["an amount is at stake"], COLUMN["amount / stated limit / 2"]
_LINKED, _NEWEST = COLUMN["records linked / 8"], COLUMN["newest linked record is none"]
_READ, _RESOLVED = COLUMN["share of linked records read"], COLUMN["already resolved, as read"]
_FACTS = COLUMN["facts out, as read"]
_REACTION = COLUMN["last reaction is none"]
_DELEGATION = COLUMN["delegation: nothing stated"]
AGE = DELEGATION.index("days since it was stated / 8")
_STATUSES = [array("f", [float(status == other) for other in RecordStatus]) for status in RecordStatus]
_EMPTY = array("f", bytes(4 * WIDTH))


class _Watch:
    """An open signal as it is watched: what of its row changes as time goes by, and when."""

    __slots__ = ("by", "linked", "next_change", "resource", "room", "since", "signal", "start", "stated_at", "topic")

    def __init__(self, week: Week, signal: OpenSignal, start: int) -> None:
        row = week.plan.signals[signal.index]
        self.signal = signal
        self.start = start
        self.since = signal.since
        self.by = week.signal_by[signal.index]
        self.resource = row.resource
        self.room = week.plan.resources[row.resource].capacity - row.demand
        self.topic = row.topic
        self.linked = week.links(signal.index)
        self.next_change = -1
        """When a flag turns or a linked record appears."""
        self.stated_at = BEFORE
        """When the delegation it shows was stated."""


class SignalRows:
    """Keeps the rows of the sixteen slots up to date."""

    __slots__ = ("_base", "_buffer", "_episode", "_start", "_watches")

    def __init__(self, episode: Episode, buffer: "array[float]", start: int) -> None:
        """Start with empty rows at a place of the buffer."""
        self._episode = episode
        self._buffer = buffer
        self._start = start
        self._base = _base_rows(episode.week)
        self._watches: dict[int, _Watch] = {}

    def update(self) -> None:
        """Bring the rows up to the present."""
        episode, buffer = self._episode, self._buffer
        now = episode.now
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
            if now >= watch.next_change:
                self._evidence(watch)
            if watch.stated_at >= 0:
                buffer[start + _DELEGATION + AGE] = age_of_statement(watch.stated_at, now)
        if episode.reading.fresh or episode.inbox.book.changed or episode.jobs.changed:
            self._spread()

    def _spread(self) -> None:
        """Bring to the rows what was read, said or taken since the last look."""
        episode, book = self._episode, self._episode.inbox.book
        fresh, told, used = episode.reading.fresh, book.changed, episode.jobs.changed
        for watch in self._watches.values():
            if fresh and not fresh.isdisjoint(watch.linked):
                self._evidence(watch)
            if watch.topic in told or (0 in told and book.rows[watch.topic] is None):
                self._delegation(watch)
            if watch.resource in used:
                self._buffer[watch.start + _CLASH] = episode.jobs.used[watch.resource] > watch.room
        fresh.clear()

    def _write(self, slot: int) -> None:
        """Write the row of a slot anew."""
        episode, start = self._episode, self._start + slot * WIDTH
        signal = episode.board.slots[slot]
        if signal is None:
            self._buffer[start : start + WIDTH] = _EMPTY
            self._watches.pop(slot, None)
            return
        buffer = self._buffer
        watch = self._watches[slot] = _Watch(episode.week, signal, start)
        buffer[start : start + WIDTH] = self._base[signal.index]
        buffer[start + _STATUS + signal.status] = 1.0
        buffer[start + _REACTION + signal.reaction] = 1.0
        buffer[start + _CLASH] = episode.jobs.used[watch.resource] > watch.room
        self._delegation(watch)
        self._evidence(watch)

    def _delegation(self, watch: _Watch) -> None:
        episode, book, start = self._episode, self._episode.inbox.book, watch.start
        stated = book.stated(watch.topic)
        watch.stated_at = BEFORE if stated is None else stated[1]
        row = delegation_numbers(stated, book.counts[watch.topic], episode.now)
        self._buffer[start + _DELEGATION : start + WIDTH] = array("f", row)
        amount, limit = episode.week.signal_amount[watch.signal.index], book.limit(watch.topic)
        if amount and limit:
            self._buffer[start + _AMOUNT] = min(1.0, amount / limit / 2)

    def _evidence(self, watch: _Watch) -> None:
        """Write what depends on the minute in steps: linked records that appeared, and whether deferred work still fits."""
        episode, buffer, start, signal = self._episode, self._buffer, watch.start, watch.signal
        reading, now, week = episode.reading, episode.now, episode.week
        idle, sleep = week.last_chance(signal.index)
        buffer[start + _IDLE] = now <= idle
        buffer[start + _SLEEP] = now <= sleep
        linked = [record for record in watch.linked if reading.there(record, now)]
        turns = [minute + 1 for minute in (idle, sleep) if minute >= now]
        turns += [week.record_at[record] for record in watch.linked if week.record_at[record] > now]
        watch.next_change = min(turns, default=NEVER)
        own = week.plan.signals[signal.index].record
        newest = linked[-1] if linked[-1] != own or len(linked) == 1 else linked[-2]
        read = len(reading.read.intersection(linked))
        buffer[start + _LINKED] = min(1.0, (len(linked) - 1) / 8)
        buffer[start + _NEWEST : start + _NEWEST + len(RecordStatus)] = _STATUSES[week.plan.records[newest].status]
        buffer[start + _READ] = read / len(linked)
        buffer[start + _RESOLVED] = reading.settled_seen(linked)
        ready = signal.task < 0 or now >= week.task_ready[signal.task]
        buffer[start + _FACTS] = ready and read == len(linked)


def delegation_numbers(stated: tuple[Depth, int] | None, counts: list[int], now: int) -> list[float]:
    """Return the nine numbers of a row of delegation."""
    numbers = [0.0, 0.0, 0.0, 0.0, 0.0]
    if stated is None:
        numbers[0] = 1.0
    else:
        depth, at = stated
        numbers[depth] = 1.0
        numbers[AGE] = age_of_statement(at, now)
    return numbers + [min(1.0, count / 8) for count in counts]


def age_of_statement(at: int, now: int) -> float:
    """Return how long ago a statement was made, in units of eight days, at most 1 (made before the week: 1)."""
    return 1.0 if at == BEFORE else min(1.0, (now - at) / _DAY / 8)


def _base_rows(week: Week) -> "_BaseRows":
    """Return the columns of each signal that stay as they are through a week, made on demand."""
    found = week.base_rows
    if not isinstance(found, _BaseRows):
        found = week.base_rows = _BaseRows(week)
    return found


class _BaseRows(dict[int, "array[float]"]):
    """Rows by signal, each made when it is first asked for."""

    def __init__(self, week: Week) -> None:
        super().__init__()
        self._week = week

    def __missing__(self, index: int) -> "array[float]":
        week, plan = self._week, self._week.plan
        signal = plan.signals[index]
        row = array("f", bytes(4 * WIDTH))
        row[0] = 1.0
        row[COLUMN["app 0"] + signal.app] = 1.0
        row[COLUMN["trigger is user"] + signal.trigger] = 1.0
        row[COLUMN["topic row 0"] + signal.topic] = 1.0
        row[_WORK] = min(1.0, week.signal_work[index] / _HALF_DAY)
        row[_REVIEW] = min(1.0, signal.review_min / 60)
        row[COLUMN["resource row 0"] + signal.resource] = 1.0
        row[_DEMAND] = signal.demand / plan.resources[signal.resource].capacity
        row[COLUMN["class is read"] + signal.action_class] = 1.0
        row[COLUMN["reversible"]] = signal.reversible
        row[COLUMN["asked for"]] = signal.trigger == Trigger.USER
        row[_HAS_BY] = week.signal_by[index] < NEVER
        row[_BY] = 1.0
        row[_HAS_AMOUNT] = week.signal_amount[index] > 0
        self[index] = row
        return row
