"""Which rows of a plan what varies can touch: worked out once, so that drawing a week looks at nothing else."""

from functools import lru_cache
from typing import NamedTuple

from proactivity_gym.sim.week import Plan

_PLANS_KEPT = 64

Moves = list[tuple[int, str]]
"""Rows that move, each with its group."""


class Tables(NamedTuple):
    """Rows by what can befall them."""

    records: Moves
    signals: Moves
    tasks: Moves
    chances: list[tuple[int, float]]
    """Records that may be left out, and the chance that they are there."""
    optional: list[tuple[int, float]]
    """Tasks that may not come up, and the chance that they do."""
    resolvable: list[int]
    """Tasks that may turn out to be settled."""
    priced: list[int]
    """Signals with a drawn amount."""
    carriers: list[list[int]]
    """Per task, the records of its signals."""


@lru_cache(_PLANS_KEPT)
def tables_of(plan: Plan) -> Tables:
    """Return the tables of a plan."""
    records, tasks = plan.scenario.records, plan.scenario.tasks
    return Tables(
        records=[(i, record.moves) for i, record in enumerate(records) if record.moves],
        signals=[(i, moves) for i, row in enumerate(plan.signals) if (moves := records[row.record].moves)],
        tasks=[(i, task.moves) for i, task in enumerate(tasks) if task.moves],
        chances=[(i, record.chance) for i, record in enumerate(records) if record.chance < 1],
        optional=[(i, task.chance) for i, task in enumerate(tasks) if task.chance < 1],
        resolvable=[i for i, row in enumerate(plan.tasks) if row.resolved_by >= 0],
        priced=[i for i, row in enumerate(plan.signals) if any(isinstance(amount, str) for amount in row.amounts)],
        carriers=[[plan.signals[signal].record for signal in row.signals] for row in plan.tasks],
    )
