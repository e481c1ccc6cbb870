"""`pgym evaluate`: models x ids x seeds x repetitions, from one TOML file."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proactivity_gym.cli.app import INTERRUPTED, BadInputError, app, console, refusing
from proactivity_gym.cli.sources import ids_of

if TYPE_CHECKING:
    from proactivity_gym.reports.evaluation.running import Run

INCOMPLETE = 1
"""Exit code of a run in which more than 1 % of the episodes have no score."""


@app.command("evaluate")
@refusing()
def evaluate(
    file: Annotated[Path, typer.Argument(metavar="CONFIG.toml", help="What to play: see docs/evaluation.md.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder of the run, runs/CONFIG by default; one that is there is gone on with.")
    ] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Play failed episodes again.")] = False,
) -> None:
    """Have language models play episodes side by side, with judges, a budget and a folder to go on with."""
    from proactivity_gym.reports.evaluation import config, jobs, running

    with unusable():
        chosen = config.read_config(file)
        planned = jobs.plan(chosen, ids_of(",".join(chosen.ids)))
        folder = out or Path("runs") / file.stem
        with running.opened(chosen, planned, folder) as run:
            if retry:
                run.forget_failed()
            for note in run.notes:
                print(f"pgym: {note}", file=sys.stderr)
            _play(run)
            _report(run)


@contextmanager
def unusable() -> Generator[None]:
    """Turn what a user can put right into a refusal.

    Raises:
        BadInputError: something is to be put right.
    """
    from proactivity_gym.llm.errors import LlmError
    from proactivity_gym.reports.evaluation.config import ConfigError
    from proactivity_gym.reports.evaluation.lock import RunError

    try:
        yield
    except (ConfigError, RunError, LlmError) as error:
        raise BadInputError(str(error)) from error


def _play(run: "Run") -> None:
    """Play what is missing, with progress on stderr."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from proactivity_gym.reports.evaluation import running

    total, missing = len(run.jobs), len(run.missing)
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[spent]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("episodes", total=total, completed=total - missing, spent=_spent(run))
        try:
            for row in running.go_on(run):
                progress.update(task, advance=int(row is not None), spent=_spent(run))
        except KeyboardInterrupt:
            kept = f"{len(run.rows)} of {total} episodes are kept in {run.table.folder}: the same command goes on"
            print(f"pgym: interrupted: {kept}", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None


def _spent(run: "Run") -> str:
    return f"{run.ledger.usd:.4f} USD, {run.ledger.tokens} tokens"


def _report(run: "Run") -> None:
    from proactivity_gym.reports.evaluation import files, outcome

    rows = run.ordered()
    found = outcome.outcomes(run.jobs, rows)
    record = outcome.record(found, rows)
    files.write_json(run.table.folder / "summary.json", record)
    console().print(outcome.shown(found, outcome.unit_of(rows)), "", outcome.bill(run.ledger))
    if record["incomplete"]:
        raise typer.Exit(INCOMPLETE)
