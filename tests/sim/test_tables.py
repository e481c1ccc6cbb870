"""What varies touches the rows that the tables name, and no other."""

import pytest

from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.tables import tables_of
from tests.conformance.drivers import ROTATED


@pytest.mark.parametrize(("scenario", "persona"), ROTATED)
def test_only_what_is_named_differs_between_weeks(scenario: str, persona: str) -> None:
    base = catalogue.written_week(scenario, persona)
    tables, tasks = tables_of(base.plan), set[int]()
    for seed in range(20):
        week = catalogue.week(scenario, persona, "train", seed)
        appear = {i for i, at in enumerate(week.record_at) if at != base.record_at[i]}
        resolving = {base.plan.tasks[i].resolved_by for i in tables.resolvable}
        calling = {record for task, _ in tables.optional for record in tables.carriers[task]}
        assert appear <= {i for i, _ in tables.records} | {i for i, _ in tables.chances} | resolving | calling
        assert {i for i, due in enumerate(week.record_due) if due != base.record_due[i]} <= {i for i, _ in tables.records}
        assert {i for i, by in enumerate(week.signal_by) if by != base.signal_by[i]} <= {i for i, _ in tables.signals}
        assert {i for i, at in enumerate(week.task_deadline) if at != base.task_deadline[i]} <= {i for i, _ in tables.tasks}
        assert {i for i, sum_ in enumerate(week.signal_amount) if sum_ != base.signal_amount[i]} <= set(tables.priced)
        tasks |= {i for i, noop in enumerate(week.task_noop) if noop != base.task_noop[i]}
    assert tasks
    assert tasks <= set(tables.resolvable)


@pytest.mark.parametrize(("scenario", "persona"), ROTATED)
def test_carriers_are_the_records_of_the_signals_of_a_task(scenario: str, persona: str) -> None:
    plan = catalogue.written_week(scenario, persona).plan
    assert sum(map(len, tables_of(plan).carriers)) == sum(row.task >= 0 for row in plan.signals)
    for index, records in enumerate(tables_of(plan).carriers):
        assert all(row.task == index for row in plan.signals if row.record in records and row.task >= 0)
