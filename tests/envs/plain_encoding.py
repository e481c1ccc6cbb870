"""The observation by definition: every number worked out anew from the episode, under the name that the layout has."""

from math import cos, pi, sin

from proactivity_gym.envs.layout import CLOCK, DELEGATION, MAX_APPS, RESOURCE, USER
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.delegation import BEFORE
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.timeline import NEVER, Spans
from proactivity_gym.sim.words import (
    MAX_RESOURCES,
    MAX_TOPICS,
    ActionClass,
    Phase,
    Reaction,
    RecordStatus,
    SignalStatus,
    Trigger,
)

Numbers = dict[str, float]
SETTLED = (RecordStatus.DONE, RecordStatus.CANCELLED)


def _capped(number: float) -> float:
    return max(-1.0, min(1.0, number))


def _pairs(spans: Spans) -> list[tuple[int, int]]:
    return list(zip(spans[0], spans[1], strict=True))


def _next(spans: Spans, now: int) -> int:
    """Return the first minute from now on that lies in one of the spans."""
    return min((max(start, now) for start, end in _pairs(spans) if end > now), default=NEVER)


def _next_start(spans: Spans, now: int) -> int:
    return min((start for start, _ in _pairs(spans) if start > now), default=NEVER)


def clock(playing: Episode) -> Numbers:
    """Return the numbers of `clock`."""
    plan, now = playing.week.plan, playing.now
    local = plan.clock.local(now)
    day, week = 2 * pi * (60 * local.hour + local.minute) / 1440, 2 * pi * local.weekday() / 7
    wake = _capped((_next(plan.awake, now) - now) / 1440) if playing.phase == Phase.SLEEP else 0.0
    gap = 0.0 if playing.phase == Phase.FREE else _capped((_next(plan.free, now) - now) / 1440)
    night = _capped((_next_start(plan.asleep, now) - now) / 1440)
    return dict(zip(CLOCK, (sin(day), cos(day), sin(week), cos(week), now / plan.horizon, wake, night, gap), strict=True))


def user(playing: Episode) -> Numbers:
    """Return the numbers of `user`."""
    inbox, now = playing.inbox, playing.now
    left = (_next(playing.week.plan.free, now) - now) / 720 if playing.phase == Phase.FOCUS else 0.0
    since = 1.0 if inbox.last_reaction is None else (now - inbox.last_reaction) / 1440
    told = (left, inbox.waiting() / 4, inbox.offers_today / 8, inbox.seen_today / 8, since)
    return dict(zip(USER, (*(playing.phase == phase for phase in Phase), *map(_capped, told)), strict=True))


def _foreseen(playing: Episode, resource: int, minute: int) -> float:
    """Return the share of a resource that what was stated beforehand leaves free at a minute."""
    plan = playing.week.plan
    row = plan.resources[resource]
    if minute >= plan.horizon or not any(start <= minute < end for start, end in _pairs(row.open)):
        return 0.0
    uses = [u for u in playing.week.usages if u.stated and u.resource == resource and u.start <= minute < u.stated_end]
    return max(0, row.capacity - sum(use.units for use in uses)) / row.capacity


def resources(playing: Episode) -> Numbers:
    """Return the numbers of `resources`."""
    plan, now = playing.week.plan, playing.now
    found: Numbers = {}
    for index in range(MAX_RESOURCES):
        numbers = [0.0] * len(RESOURCE)
        if index < len(plan.resources):
            capacity = plan.resources[index].capacity
            left, queued = playing.jobs.state(index)
            then = _foreseen(playing, index, _next(plan.free, now))
            tonight = _foreseen(playing, index, _next(plan.asleep, now))
            numbers = [1.0, _capped(capacity / 8), left / capacity, then, tonight, _capped(queued / 1440)]
        found |= {f"{index}: {name}": number for name, number in zip(RESOURCE, numbers, strict=True)}
    return found


def delegation_row(playing: Episode, topic: int, shown: int) -> list[float]:
    """Return the nine numbers about a topic: what was stated for the topic `shown`, and the reactions of `topic`."""
    book = playing.inbox.book
    stated = book.rows[shown]
    said = [float(stated is None), *(float(stated is not None and stated[0] == depth) for depth in (1, 2, 3))]
    age = 0.0 if stated is None else 1.0 if stated[1] == BEFORE else _capped((playing.now - stated[1]) / 1440 / 8)
    return [*said, age, *(_capped(count / 8) for count in book.counts[topic])]


def delegation(playing: Episode) -> Numbers:
    """Return the numbers of `delegation`."""
    topics = len(playing.week.plan.scenario.topics) + 1
    rows = [delegation_row(playing, topic, topic) if topic < topics else [0.0] * len(DELEGATION) for topic in range(MAX_TOPICS)]
    return {f"{topic}: {name}": n for topic, row in enumerate(rows) for name, n in zip(DELEGATION, row, strict=True)}


def signal(playing: Episode, open_signal: OpenSignal) -> Numbers:
    """Return the numbers of an open signal's row, but for the two flags that say whether deferred work still fits."""
    week, now, index = playing.week, playing.now, open_signal.index
    row, by = week.plan.signals[index], week.signal_by[index]
    resource = week.plan.resources[row.resource]
    limit = playing.inbox.book.limit(row.topic)
    amount = week.signal_amount[index]
    numbers: Numbers = {
        "present": 1.0,
        "age, in two days": _capped((now - open_signal.since) / 2880),
        "a deadline is stated": by < NEVER,
        "stated deadline, in two days": _capped((by - now) / 2880),
        "work, in half days": _capped(week.signal_work[index] / 720),
        "review, in hours": _capped(row.review_min / 60),
        "demand as share of capacity": row.demand / resource.capacity,
        "clashes with usage now": playing.jobs.used[row.resource] + row.demand > resource.capacity,
        "an amount is at stake": amount > 0,
        "amount / stated limit / 2": _capped(amount / limit / 2) if amount and limit else 0.0,
        "reversible": row.reversible,
        "asked for": row.trigger == Trigger.USER,
    }
    kinds = {
        "app": {f"app {app}": app == row.app for app in range(MAX_APPS)},
        "trigger": {f"trigger is {t.name.lower()}": t == row.trigger for t in Trigger},
        "topic": {f"topic row {topic}": topic == row.topic for topic in range(MAX_TOPICS)},
        "status": {f"status is {s.name.lower()}": s == open_signal.status for s in SignalStatus},
        "resource": {f"resource row {r}": r == row.resource for r in range(MAX_RESOURCES)},
        "class": {f"class is {c.name.lower()}": c == row.action_class for c in ActionClass},
        "reaction": {f"last reaction is {r.name.lower().replace('_', ' ')}": r == open_signal.reaction for r in Reaction},
    }
    for kind in kinds.values():
        numbers |= kind
    shown = row.topic if playing.inbox.book.rows[row.topic] is not None else 0
    said = zip(DELEGATION, delegation_row(playing, row.topic, shown), strict=True)
    return numbers | {f"delegation: {name}": number for name, number in said} | _evidence(playing, open_signal)


def _evidence(playing: Episode, open_signal: OpenSignal) -> Numbers:
    week, now, reading = playing.week, playing.now, playing.reading
    linked = [record for record in week.links(open_signal.index) if reading.there(record, now)]
    own = week.plan.signals[open_signal.index].record
    others = [record for record in linked if record != own] or [own]
    statuses = [week.plan.records[record].status for record in others]
    read = sum(record in reading.read for record in linked)
    settled = any(r in reading.read and week.plan.records[r].status in SETTLED for r in linked)
    return {
        "records linked / 8": _capped((len(linked) - 1) / 8),
        "share of linked records read": read / len(linked),
        "already resolved, as read": settled,
        "facts out, as read": read == len(linked),
        **{f"newest linked record is {status.name.lower()}": status == statuses[-1] for status in RecordStatus},
    }
