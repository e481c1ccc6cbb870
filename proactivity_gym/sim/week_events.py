"""What happens of itself in a week, in order."""

from bisect import bisect_left

from proactivity_gym.sim.schedule import FIRST, Event, Kind
from proactivity_gym.sim.week import Week


def steady(week: Week) -> list[Event]:
    """Return the events that are the same in all weeks of a plan."""
    plan = week.plan
    firsts = {bisect_left(plan.phase_starts, dawn) for dawn in plan.dawns}
    events: list[Event] = [(plan.phase_starts[i], Kind.PHASE, FIRST) for i in firsts if i < len(plan.phases)]
    events += [(usage.start, Kind.USE_START, i) for i, usage in enumerate(week.usages)]
    for i, resource in enumerate(plan.resources):
        events += [(minute, Kind.RESOURCE, i) for minute in (*resource.open[0], *resource.open[1], *resource.resets)]
    for i, statement in enumerate(week.statements):
        events += [(statement.at, Kind.STATEMENT, i), (statement.until, Kind.LAPSE, i)]
    following = (*plan.reviews[1:], plan.horizon)[: len(plan.reviews)]
    events += [(minute, Kind.REVIEW, then) for minute, then in zip(plan.reviews, following, strict=True)]
    return sorted((minute, int(kind), int(index)) for minute, kind, index in events if 0 <= minute < plan.horizon)


def all_of(week: Week) -> list[Event]:
    """Return all events of a week."""
    plan = week.plan
    use_end, deadline, record = Kind.USE_END.value, Kind.DEADLINE.value, Kind.RECORD.value
    events: list[Event] = [(usage.end, use_end, i) for i, usage in enumerate(week.usages)]
    events += [(minute, deadline, i) for i, minute in enumerate(week.task_deadline)]
    record_at, records, horizon = week.record_at, plan.records, plan.horizon
    for i, row in enumerate(plan.signals):
        at = record_at[row.record]
        if at < horizon and (row.surfaces or row.task >= 0 or records[row.record].requirements):
            events.append((at if at > 0 else 0, record, i))
    return sorted(week.steady_events + [event for event in events if 0 <= event[0] < horizon])
