"""The situation in words, for a language model or a person: what the numbers of the observation say, and no more.

Hidden truth never gets here: no task, expected depth, true deadline, trust or record to come; noise reads alike.
Whatever others wrote stands between quotes or marks that it cannot forge (`safe_text`).
"""

from collections.abc import Iterable, Sequence
from typing import cast

from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.happenings import (
    TAKEN,
    earlier_help,
    happened,
    local_time,
    reaction_words,
    record_shown,
    said_of_delegation,
    statement_words,
    topic_name,
    under_way,
)
from proactivity_gym.sim.safe_text import fenced, printable, quoted
from proactivity_gym.sim.timeline import NEVER, inside, next_in, next_start
from proactivity_gym.sim.week import SignalRow, UsageRow
from proactivity_gym.sim.words import ActionClass, Phase, Reaction, SignalStatus, Timing, Trigger
from proactivity_gym.sim.world import APPS, TOOLS
from proactivity_gym.sim.world import Entry as Record

LAST_EVENTS = 10
OTHER_RECORDS = 30
USE_AHEAD_MIN = 2880
"""How far ahead the user's stated use of resources is told."""

STATUS_WORDS = {
    SignalStatus.FRESH: "fresh",
    SignalStatus.RETURNED: "returned",
    SignalStatus.DRAFTED: "draft ready",
    SignalStatus.EXECUTED: "executed",
    SignalStatus.APPROVED: "offer approved",
    SignalStatus.DECLINED: "offer declined",
    SignalStatus.DEFERRED: "offer deferred",
    SignalStatus.COMPLAINED: "complaint",
    SignalStatus.NOTICE: "notice",
}
_PHASES = {Phase.FREE: "free", Phase.FOCUS: "in a focus block", Phase.SLEEP: "asleep or away"}


def describe(episode: Episode) -> str:
    """Return the situation at the present minute. Equal situations give equal bytes, whatever the machine."""
    signals = [signal for signal in episode.board.slots if signal is not None]
    in_full = {episode.week.plan.signals[signal.index].record for signal in signals}
    parts = [
        *_now(episode),
        *_section("RESOURCES", _resources(episode)),
        *_section("DELEGATION", _delegation(episode)),
        *_section("PRIOR INTERACTIONS AND REACTIONS", _reactions(episode)),
        *_section("OPEN SIGNALS", [line for signal in signals for line in _signal(episode, signal, in_full)]),
        *_section("YOUR JOBS", under_way(episode)),
        *_section("LAST EVENTS", happened(episode, LAST_EVENTS)),
        *_section(
            "OTHER RECORDS (newest first, with their own time or when they came; read with tools)", _others(episode, signals)
        ),
    ]
    return "\n".join(parts) + "\n"


def describe_signal(episode: Episode, signal: OpenSignal) -> str:
    """Return what `describe` says about one open signal."""
    return "\n".join(_signal(episode, signal, {episode.week.plan.signals[signal.index].record})) + "\n"


def describe_matter(episode: Episode, signal: int) -> str:
    """Return what a worker needs to begin with: the present, delegation, and what a signal (a row of the plan) is about."""
    row = episode.week.plan.signals[signal]
    by = episode.week.signal_by[signal]
    parts = [
        *_now(episode),
        *_section("DELEGATION", _delegation(episode)),
        *_section("THE MATTER", [_kind(episode, row), *_record(episode, row.record)]),
        f"stated deadline: {local_time(episode, by) if by < NEVER else 'none'}",
        _stakes(episode, signal),
        *_linked(episode, signal, {row.record}),
    ]
    return "\n".join(parts) + "\n"


def tools_text() -> str:
    """Return the names of the tools that only read, which may be called at any activation."""
    return ", ".join(name for name, tool in TOOLS.items() if tool.effect == ActionClass.READ)


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return ["", title, *(lines or ["none"])]


def _now(episode: Episode) -> list[str]:
    plan, now = episode.week.plan, episode.now
    user = plan.scenario.user
    day = min((plan.clock.local(now).date() - plan.scenario.start).days + 1, plan.scenario.days)
    until = min((start for start, _ in plan.phases if start > now), default=plan.horizon)
    free = "now" if inside(plan.free, now) else local_time(episode, next_in(plan.free, now))
    return [
        f"NOW {local_time(episode, now)} {plan.clock.zone.key}, day {day} of {plan.scenario.days}"
        + (" (the week is over)" if episode.over else ""),
        f"User: {quoted(user.name)}, {quoted(user.role)}. {quoted(user.background)}",
        f"The user is {_PHASES[episode.phase]} until {local_time(episode, until)}; next free gap: {free}; "
        f"next sleep: {local_time(episode, next_start(plan.asleep, now))}",
        f"Offers waiting: {episode.inbox.waiting()}; today: {episode.inbox.offers_today} offers, "
        f"{episode.inbox.seen_today} interruptions of focus; last reaction: {_last_reaction(episode)}",
    ]


def _last_reaction(episode: Episode) -> str:
    minute = episode.inbox.last_reaction
    return "none yet" if minute is None else local_time(episode, minute)


def _resources(episode: Episode) -> list[str]:
    lines: list[str] = []
    for i, row in enumerate(episode.week.plan.resources):
        (free, queued), used = episode.jobs.state(i), episode.jobs.used[i]
        title = quoted(episode.week.plan.scenario.resources[i].title)
        line = f"- {row.id} ({title}): {free} of {row.capacity} free now, {used} used by the user"
        line += f", {queued} min queued by you"
        if not inside(row.open, episode.now):
            line += f"; closed, opens {local_time(episode, next_start(row.open, episode.now))}"
        if row.stock:
            reset = min((minute for minute in row.resets if minute > episode.now), default=NEVER)
            line += f"; spent units return: {local_time(episode, reset)}"
        lines += [line, *_uses(episode, i)]
    return lines


def _uses(episode: Episode, resource: int) -> list[str]:
    """Return the user's stated use ahead, as stated: when it really ends shows when it ends."""
    lines: list[str] = []
    for row, source in zip(episode.week.usages, episode.week.plan.scenario.usages, strict=True):
        if row.resource == resource and _is_ahead(row, episode.now):
            span = f"{local_time(episode, row.start)} to {local_time(episode, row.stated_end)}"
            lines.append(f"    stated use: {row.units} from {span}, {quoted(source.title)}")
    return lines


def _is_ahead(row: UsageRow, now: int) -> bool:
    over = row.end <= now and row.start <= now
    return row.stated and not over and now < row.stated_end and row.start < now + USE_AHEAD_MIN


def _delegation(episode: Episode) -> list[str]:
    """Return what the user has said that is in force, oldest first, then of each topic what was last taken or given back."""
    lines: list[str] = []
    for said in episode.week.statements:
        if said.at <= episode.now < said.until:
            limit = "" if said.up_to is None else f", amounts up to {_amount(said.up_to)}"
            words = f"{said.depth.name}{limit}; said {local_time(episode, said.at)}: {statement_words(episode, said.said)}"
            lines.append(f"- {topic_name(episode, said.topic)}: at most {words}")
    return lines + [f"- {line}" for line in said_of_delegation(episode)]


def _reactions(episode: Episode) -> list[str]:
    lines: list[str] = []
    for row, counts in enumerate(episode.inbox.book.counts):
        told = ", ".join(f"{count} {word}" for count, word in zip(counts, TAKEN.values(), strict=True) if count)
        if told:
            lines.append(f"- {topic_name(episode, row)}: {told}")
    return lines + earlier_help(episode.week.plan)


def _signal(episode: Episode, signal: OpenSignal, in_full: set[int]) -> list[str]:
    """Return the block of one open signal; what it shows in full joins the records that are shown so."""
    row = episode.week.plan.signals[signal.index]
    kind, status = _kind(episode, row), STATUS_WORDS[signal.status]
    return [
        f"SLOT {signal.slot + 1}: {kind}; {status} since {local_time(episode, signal.since)}",
        *_answer(episode, signal),
        *_record(episode, row.record),
        *_terms(episode, signal),
        *_linked(episode, signal.index, in_full),
    ]


def _kind(episode: Episode, row: SignalRow) -> str:
    return f"{APPS[row.app]}, {row.trigger.name.lower()}, topic {topic_name(episode, row.topic)}"


def _record(episode: Episode, index: int) -> list[str]:
    """Return a whole record."""
    record = record_shown(episode, index)
    read = "read" if index in episode.reading.read else "not read"
    times = f"came {local_time(episode, _came(record))}" + (
        f", about {local_time(episode, record.due)}" if record.due is not None else ""
    )
    fields = "; ".join(f"{printable(name)}: {_field(value)}" for name, value in record.fields.items())
    return [
        f"record {record.id} ({record.status}, {read}), {times}: {quoted(record.title)}",
        *([f"fields: {fields}"] if fields else []),
        *fenced(record.text).split("\n"),
    ]


def _answer(episode: Episode, signal: OpenSignal) -> list[str]:
    lines = said_of_delegation(episode, signal.since) if signal.status == SignalStatus.NOTICE else []
    if signal.reaction != Reaction.NONE:
        lines.append(f"the user's last answer here: {reaction_words(episode, signal.reaction)}")
    return lines


def _terms(episode: Episode, signal: OpenSignal) -> list[str]:
    """Return what acting on a signal would take."""
    week, row = episode.week, episode.week.plan.signals[signal.index]
    by, work, resource = week.signal_by[signal.index], week.signal_work[signal.index], week.plan.resources[row.resource]
    clash = ", clashes with the user's use now" if episode.jobs.used[row.resource] + row.demand > resource.capacity else ""
    return [
        f"stated deadline: {local_time(episode, by) if by < NEVER else 'none'}",
        f"estimate: work {work} min, review {row.review_min} min; "
        f"takes {row.demand} of {resource.capacity} {resource.id}{clash}",
        _stakes(episode, signal.index),
        "work would begin: " + ", ".join(_begin(episode, signal, timing, work, by) for timing in Timing if timing),
    ]


def _stakes(episode: Episode, signal: int) -> str:
    """Return what kind of action a signal (a row of the plan) calls for."""
    row, amount = episode.week.plan.signals[signal], episode.week.signal_amount[signal]
    limit = episode.inbox.book.limit(row.topic)
    parts = [f"kind of action: {row.action_class.name.lower()}", "reversible" if row.reversible else "not reversible"]
    if amount:
        parts.append(f"amount {_amount(amount)} (stated limit: {'none' if limit is None else _amount(limit)})")
    return "; ".join(parts + (["asked for by the user"] if row.trigger == Trigger.USER else []))


def _begin(episode: Episode, signal: OpenSignal, timing: Timing, work: int, by: int) -> str:
    start = episode.jobs.plan(episode.week.plan.signals[signal.index], timing, work, by)
    if start >= episode.week.plan.horizon:
        return f"{timing.name} never"
    late = " (ends after the stated deadline)" if start + work > by else ""
    return f"{timing.name} {local_time(episode, start)}{late}"


def _linked(episode: Episode, signal: int, in_full: set[int]) -> list[str]:
    """Return index lines of the linked records that have appeared, with what has been read of them."""
    reading = episode.reading
    records = _told(episode, signal)
    others = [record for record in records if record != episode.week.plan.signals[signal].record]
    lines = [line for record in others for line in _link(episode, record, in_full)]
    settled = ["a linked record that was read is settled (done or cancelled)"] if reading.settled_seen(records) else []
    title = "linked records" if episode.week.level.told else "linked records that were read"
    return [f"{title}: {len(others) or 'none'}", *lines, *settled]


def _link(episode: Episode, record: int, in_full: set[int]) -> list[str]:
    """Return the index line of a linked record; at level `easy`, once all of it where it has been read."""
    read = record in episode.reading.read
    if read and episode.week.level.attached and record not in in_full:
        in_full.add(record)
        return _record(episode, record)
    return [f"    {_index_line(episode, record_shown(episode, record))} ({'read' if read else 'not read'})"]


def _told(episode: Episode, signal: int) -> list[int]:
    """Return the records known to be linked with a signal: at level `hard`, its own and what was read."""
    reading, week = episode.reading, episode.week
    own = week.plan.signals[signal].record
    there = [record for record in week.links(signal) if reading.there(record, episode.now)]
    return there if week.level.told else [record for record in there if record in reading.read or record == own]


def _others(episode: Episode, signals: Iterable[OpenSignal]) -> list[str]:
    """Return index lines of the records that came last, without those that open signals show."""
    reading = episode.reading
    shown = {episode.week.plan.records[record].id for s in signals for record in _told(episode, s.index)}
    world = reading.world(episode.now)
    found = [entry for entry in world.everything() if entry.id not in shown]
    found.sort(key=lambda entry: (-_came(entry), entry.id))
    left = [f"({len(found) - OTHER_RECORDS} older ones left off)"] if len(found) > OTHER_RECORDS else []
    return [_index_line(episode, entry) for entry in found[:OTHER_RECORDS]] + left


def _came(record: Record) -> int:
    return -NEVER if record.at is None else record.at


def _index_line(episode: Episode, record: Record) -> str:
    when = local_time(episode, _came(record) if record.due is None else record.due)
    return f"- {record.id}, {record.app}, {quoted(record.title)}, {when}, {record.status}"


def _field(value: object) -> str:
    if isinstance(value, str):
        return quoted(value)
    return f"[{', '.join(map(_field, cast('list[object]', value)))}]" if isinstance(value, list) else str(value)


def _amount(amount: float) -> str:
    return f"{amount:.2f}".removesuffix(".00")
