"""The user's own uses of resources: when they begin, and when they really end."""

from collections.abc import Sequence

from proactivity_gym.sim.difficulty import Level
from proactivity_gym.sim.week import Plan, UsageRow, Week


def stated(plan: Plan) -> tuple[UsageRow, ...]:
    """Return the user's own uses as written."""
    rows: list[UsageRow] = []
    names = {resource.id: i for i, resource in enumerate(plan.scenario.resources)}
    for usage in plan.scenario.usages:
        start, end = plan.clock.minute(usage.start), plan.clock.minute(usage.end)
        real = max(start + 1, end + usage.overrun[0])
        rows.append(UsageRow(names[usage.resource], usage.units, start, real, end, usage.stated))
    return tuple(rows)


def overrun(base: Week, us: Sequence[float], level: Level) -> tuple[UsageRow, ...]:
    """Return the user's own uses with ends drawn."""
    ends = [int(level.overrun(usage.overrun, u)) for usage, u in zip(base.plan.scenario.usages, us, strict=True)]
    return tuple(
        UsageRow(row.resource, row.units, row.start, max(row.start + 1, row.stated_end + end), row.stated_end, row.stated)
        for row, end in zip(base.usages, ends, strict=True)
    )
