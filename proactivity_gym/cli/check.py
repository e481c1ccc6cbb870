"""`pgym check`: the lint of scenarios."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from proactivity_gym.cli.app import app, console, print_row, refusing
from proactivity_gym.cli.sources import source_of

if TYPE_CHECKING:
    from proactivity_gym.reports.findings import Finding

FAILED = 1
"""Exit code when the lint found errors."""


@app.command("check")
@refusing()
def check_scenarios(
    scenarios: Annotated[list[str], typer.Argument(help="Scenario files, names or ids.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per finding and nothing else.")] = False,
    variations: Annotated[int, typer.Option(min=0, max=10_000, help="Varied weeks to look at beside the written one.")] = 20,
) -> None:
    """Check scenarios: solvable, fair, balanced. Exit code 1 where there are errors."""
    from proactivity_gym.reports import checks
    from proactivity_gym.reports.findings import ERROR

    sources = list(dict.fromkeys(source_of(each)[0] for each in scenarios))
    failed = False
    for source in sources:
        found = checks.check(source, variations)
        failed = failed or any(finding.level == ERROR for finding in found)
        if as_json:
            for finding in found:
                print_row(finding.record())
        else:
            _print_findings(source, variations, found)
    if failed:
        raise typer.Exit(FAILED)


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
