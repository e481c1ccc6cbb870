"""Studies of the small scenario with edits, and what a rule of the lint reports about them."""

from collections.abc import Callable

from proactivity_gym.reports.findings import Report, Study
from proactivity_gym.sim import plan, variation
from proactivity_gym.sim.scenario import Scenario
from tests.sim.tiny import Edit, tiny

Rule = Callable[[Study, Report], None]


def study_of(scenario: Scenario, variations: int = 0) -> Study:
    """Return a study of a scenario, with some varied weeks."""
    weeks = {p.id: {"written": variation.written(plan.build(scenario, p))} for p in scenario.personas}
    for own in weeks.values():
        own |= {f"test {n}": variation.vary(own["written"], "test", n) for n in range(1, variations + 1)}
    return Study(scenario, weeks)


def reported(rule: Rule, *edits: Edit, variations: int = 0) -> list[tuple[str, str]]:
    """Return (where, message) of what a rule reports about the edited small scenario."""
    found: list[tuple[str, str]] = []
    rule(study_of(tiny(*edits), variations), lambda where, message: found.append((where, message)))
    return found
