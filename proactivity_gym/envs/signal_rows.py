"""The rows of open signals in the observation."""

from array import array
from functools import lru_cache

from proactivity_gym.envs.layout import COLUMN, DELEGATION, WIDTH
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.delegation import BEFORE
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.week import Plan, Week
from proactivity_gym.sim.words import ActionClass, Depth, RecordStatus, Trigger

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
_EMPTY = array("f", bytes(4 * WIDTH))


class _Watch:
    """What of an open signal changes as time goes by."""

    __slots__ = ("by", "idle", "linked", "next_record", "resource", "room", "since", "sleep", "start", "stated_at", "topic")

    def __init__(self, week: Week, signal: OpenSignal, start: int) -> None:
        row = week.plan.signals[signal.index]
        self.start = start
        self.since = signal.since
        self.by = week.signal_by[signal.index]
        self.idle, self.sleep = week.last_chance(signal.index)
        self.resource = row.resource
        self.room = week.plan.resources[row.resource].capacity - row.demand
        self.topic = row.topic
        self.linked = week.links(signal.index)
        self.next_record = -1
        """When the next linked record appears."""
        self.stated_at = BEFORE
        """When the delegation it shows was stated."""


class SignalRows:
    """Keeps the rows of the sixteen slots up to date."""

    __slots__ = ("_buffer", "_episode", "_start", "_static", "_watches")

    def __init__(self, episode: Episode, buffer: "array[float]", start: int) -> None:
        """Start with empty rows at a place of the buffer."""
        self._episode = episode
        self._buffer = buffer
        self._start = start
        self._static = _static_rows(episode.week.plan)
        self._watches: dict[int, _Watch] = {}

    def update(self) -> None:
        """Bring the rows up to the present."""
        episode = self._episode
        board, reading, book, now = episode.board, episode.reading, episode.inbox.book, episode.now
        if board.changed:
            for slot in board.changed:
                self._write(slot)
            board.changed.clear()
        buffer, used, fresh, told = self._buffer, episode.jobs.used, reading.fresh, book.changed
        for slot, watch in self._watches.items():
            start = watch.start
            age = (now - watch.since) / _TWO_DAYS
            buffer[start + _AGE] = age if age < 1.0 else 1.0
            if watch.by < NEVER:
                left = (watch.by - now) / _TWO_DAYS
                buffer[start + _BY] = left if -1.0 < left < 1.0 else max(-1.0, min(1.0, left))
            buffer[start + _CLASH] = used[watch.resource] > watch.room
            buffer[start + _IDLE] = now <= watch.idle
            buffer[start + _SLEEP] = now <= watch.sleep
            if now >= watch.next_record or (fresh and not fresh.isdisjoint(watch.linked)):
                self._evidence(slot, watch)
            if told and (watch.topic in told or (0 in told and book.rows[watch.topic] is None)):
                self._delegation(watch)
            elif watch.stated_at >= 0:
                buffer[start + _DELEGATION + AGE] = age_of_statement(watch.stated_at, now)
        fresh.clear()

    def _write(self, slot: int) -> None:
        """Write the row of a slot anew."""
        episode, start = self._episode, self._start + slot * WIDTH
        signal = episode.board.slots[slot]
        if signal is None:
            self._buffer[start : start + WIDTH] = _EMPTY
            self._watches.pop(slot, None)
            return
        week, buffer = episode.week, self._buffer
        watch = self._watches[slot] = _Watch(week, signal, start)
        buffer[start : start + WIDTH] = self._static[signal.index]
        buffer[start + _STATUS + signal.status] = 1.0
        buffer[start + _REACTION + signal.reaction] = 1.0
        buffer[start + _WORK] = min(1.0, week.signal_work[signal.index] / _HALF_DAY)
        buffer[start + _HAS_BY] = watch.by < NEVER
        buffer[start + _BY] = 1.0
        self._delegation(watch)
        self._amount(signal, watch)
        self._evidence(slot, watch)

    def _amount(self, signal: OpenSignal, watch: _Watch) -> None:
        amount = self._episode.week.signal_amount[signal.index]
        limit = self._episode.inbox.book.limit(watch.topic)
        if amount:
            self._buffer[watch.start + _HAS_AMOUNT] = 1.0
            self._buffer[watch.start + _AMOUNT] = min(1.0, amount / limit / 2) if limit else 0.0

    def _delegation(self, watch: _Watch) -> None:
        book, start = self._episode.inbox.book, watch.start + _DELEGATION
        stated = book.stated(watch.topic)
        watch.stated_at = BEFORE if stated is None else stated[1]
        row = delegation_numbers(stated, book.counts[watch.topic], self._episode.now)
        self._buffer[start : start + len(row)] = array("f", row)

    def _evidence(self, slot: int, watch: _Watch) -> None:
        """Write what the linked records say, as far as they have appeared and been read."""
        episode, buffer, start = self._episode, self._buffer, watch.start
        reading, now, at = episode.reading, episode.now, episode.week.record_at
        signal = episode.board.slots[slot]
        linked = [record for record in watch.linked if reading.there(record, now)]
        watch.next_record = min((at[record] for record in watch.linked if at[record] > now), default=NEVER)
        read = sum(record in reading.read for record in linked)
        newest = max(linked[1:] or linked, key=lambda record: (at[record], record))
        buffer[start + _LINKED] = min(1.0, (len(linked) - 1) / 8)
        for status in RecordStatus:
            buffer[start + _NEWEST + status] = 0.0
        buffer[start + _NEWEST + episode.week.plan.records[newest].status] = 1.0
        buffer[start + _READ] = read / len(linked)
        buffer[start + _RESOLVED] = reading.settled_seen(linked)
        ready = signal is None or signal.task < 0 or now >= episode.week.task_ready[signal.task]
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


@lru_cache(maxsize=128)
def _static_rows(plan: Plan) -> "tuple[array[float], ...]":
    """Return the columns of each signal that never change."""
    rows: "list[array[float]]" = []
    for signal in plan.signals:
        row = array("f", bytes(4 * WIDTH))
        row[0] = 1.0
        row[COLUMN["app 0"] + signal.app] = 1.0
        row[COLUMN["trigger is user"] + signal.trigger] = 1.0
        row[COLUMN["topic row 0"] + signal.topic] = 1.0
        row[_REVIEW] = min(1.0, signal.review_min / 60)
        row[COLUMN["resource row 0"] + signal.resource] = 1.0
        row[_DEMAND] = signal.demand / plan.resources[signal.resource].capacity
        row[COLUMN[f"class is {ActionClass(signal.action_class).name.lower()}"]] = 1.0
        row[COLUMN["reversible"]] = signal.reversible
        row[COLUMN["asked for"]] = signal.trigger == Trigger.USER
        rows.append(row)
    return tuple(rows)
