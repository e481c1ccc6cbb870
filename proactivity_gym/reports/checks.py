"""The lint of a scenario: whether it can be solved, is fair and is balanced.

Complaints that make a scenario useless are errors. House rules of quantity and balance are errors for the project's own
scenarios, and warnings for anybody else's.
"""

from pathlib import Path

from proactivity_gym.reports import balance, branches, contests, findable, giveaways, sayings, solvable
from proactivity_gym.reports.findings import ERROR, WARNING, Finding, Report, Study
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim import parsing, plan, references, variation
from proactivity_gym.sim.scenario import Scenario
from proactivity_gym.sim.week import Week

RULES = {
    "solvable": solvable.check,
    "findable": findable.check,
    "window": contests.check,
    "statement": sayings.check,
    "branch": branches.check,
    "giveaway": giveaways.check,
    "balance": balance.check,
}
"""The rules, in the order in which they are reported."""
HOUSE_RULES = frozenset(("balance",))


def check(source: str, variations: int) -> list[Finding]:
    """Return what is wrong with a scenario (its name or file), worst first.

    Args:
        source: a built-in scenario's name, or the path of a TOML file.
        variations: how many weeks of the stream `test` are looked at beside the written one.

    Raises:
        ScenarioError: it cannot be read, or its form is not that of a scenario.
    """
    path = catalogue.path_of(source)
    scenario = _read(path)
    found: list[Finding] = []

    def report_as(rule: str, level: str) -> Report:
        return lambda where, message: found.append(Finding(path.name, level, rule, where, message))

    if scenario.name in (*catalogue.names(), catalogue.MIXED) and not is_built_in(path):
        report_as("name", ERROR)("name", f"{scenario.name!r} is taken by a built-in scenario: choose another `name`")
    for problem in references.problems(scenario):
        where, _, message = problem.partition(": ")
        report_as("reference", ERROR)(where, message)
    if any(finding.rule == "reference" for finding in found):
        return found
    study = Study(scenario, {p.id: _weeks(scenario, p.id, variations) for p in scenario.personas})
    house = ERROR if is_built_in(path) else WARNING
    for rule, look in RULES.items():
        look(study, report_as(rule, house if rule in HOUSE_RULES else ERROR))
    return sorted(found, key=lambda finding: finding.level)


def malformed(source: str, error: parsing.ScenarioError) -> list[Finding]:
    """Return what is wrong with the form of a file as findings, of the rule `schema`."""
    name = catalogue.path_of(source).name
    return [Finding(name, ERROR, "schema", where, message) for where, message in error.complaints]


def is_built_in(path: Path) -> bool:
    """Tell whether a file is one of the project's scenarios."""
    return any(path.resolve() == catalogue.path_of(name).resolve() for name in catalogue.names())


def _read(path: Path) -> Scenario:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise parsing.ScenarioError(f"{path}: cannot be read: {error}. Save it as UTF-8 text.") from error
    return parsing.parse(text, path.name)


def _weeks(scenario: Scenario, persona: str, variations: int) -> dict[str, Week]:
    chosen = next(p for p in scenario.personas if p.id == persona)
    written = variation.written(plan.build(scenario, chosen))
    varied = {f"test {seed}": variation.vary(written, "test", seed) for seed in range(1, variations + 1)}
    return {"written": written} | varied
