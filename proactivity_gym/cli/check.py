"""`pgym check`: the lint of scenarios."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from proactivity_gym.cli.app import UNUSABLE, app, console, print_row, refusing
from proactivity_gym.cli.sources import sources_of

if TYPE_CHECKING:
    from proactivity_gym.reports.findings import Finding

FAILED = 1
"""Exit code when the lint found errors."""


@app.command("check")
@refusing()
def check_scenarios(
    scenarios: Annotated[list[str], typer.Argument(help="Scenario files, folders of them, names or ids.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per finding and nothing else.")] = False,
    variations: Annotated[int, typer.Option(min=0, max=10_000, help="Varied weeks to look at beside the written one.")] = 20,
) -> None:
    """Check scenarios: solvable, fair, balanced.

    Exit code 0: no errors, though there may be warnings. 1: errors in what a scenario says, wrong references among them.
    2: a file that is missing, is no TOML or has not the form of a scenario: a key is missing, unknown or of the wrong kind.
    """
    from proactivity_gym.reports.findings import ERROR

    code = 0
    for source in dict.fromkeys(source for each in scenarios for source in sources_of(each)):
        found, usable = _findings(source, variations, as_json)
        if any(finding.level == ERROR for finding in found):
            code = max(code, FAILED if usable else UNUSABLE)
        if as_json:
            for finding in found:
                print_row(finding.record())
        else:
            _print_findings(source, variations, found)
    if code:
        raise typer.Exit(code)


def _findings(source: str, variations: int, as_json: bool) -> tuple[Sequence["Finding"], bool]:
    """Return what is wrong, and whether the file has the form of a scenario; only rows tell what is wrong with that.

    Raises:
        ScenarioError: the file cannot be read, or has not that form and no rows are wanted.
    """
    from proactivity_gym.reports import checks
    from proactivity_gym.sim.parsing import ScenarioError

    try:
        return checks.check(source, variations), True
    except ScenarioError as error:
        if not as_json or not error.complaints:
            raise
        return checks.malformed(source, error), False


def _print_findings(source: str, variations: int, found: Sequence["Finding"]) -> None:
    from proactivity_gym.reports.findings import ERROR
    from proactivity_gym.sim.safe_text import printable

    out = console()
    for finding in found:
        line = f"{finding.source}: {finding.level}: {finding.where}: {finding.message} [{finding.rule}]"
        out.print(printable(line), soft_wrap=True)
    errors = sum(finding.level == ERROR for finding in found)
    weeks = f"written week and {variations} variations"
    out.print(f"{source}: {errors} errors, {len(found) - errors} warnings ({weeks})", soft_wrap=True)
