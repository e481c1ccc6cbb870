"""`pgym run`: policies x ids x seeds."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proactivity_gym.cli.app import INTERRUPTED, app, console, refusing
from proactivity_gym.cli.playing import EQUAL, Keeping, interrupted, play, settings_of
from proactivity_gym.cli.sources import ids_of, seeds_of

if TYPE_CHECKING:
    from proactivity_gym.reports.runs import Planned, Row


@app.command("run")
@refusing()
def run_policies(
    policy: Annotated[
        list[str],
        typer.Option("--policy", help="A policy, zoo:NAME, llm:MODEL.toml, or a learned MODEL.zip; again for more."),
    ],
    ids: Annotated[
        list[str],
        typer.Option(
            default_factory=lambda: ["all"],
            show_default="all",
            help="all (every persona's id), or ids, scenario names and .toml files, separated by commas or repeated.",
        ),
    ],
    seeds: Annotated[str, typer.Option(help="A range as in 0:3 (0, 1, 2), or whole numbers as in 1,4,7.")] = "0:3",
    variation: Annotated[str, typer.Option(help="written, train or test.")] = "test",
    difficulty: Annotated[str, typer.Option(help="easy, standard or hard.")] = "standard",
    user: Annotated[str, typer.Option(help="deterministic or stochastic.")] = "deterministic",
    worker: Annotated[str, typer.Option(help="reference, imperfect, imperfect:0.3, llm:MODEL.toml, ...")] = "reference",
    weights: Annotated[str, typer.Option(help="Weights of J: tc,ta,tr.")] = EQUAL,
    log: Annotated[Path | None, typer.Option(help="Folder to keep the traces in.")] = None,
    out: Annotated[Path | None, typer.Option(help="File to write the rows to, one JSON object per line.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows and nothing else.")] = False,
    jobs: Annotated[int, typer.Option(min=1, max=256, help="Processes to play in.")] = 1,
) -> None:
    """Run policies over environments and compare them."""
    from proactivity_gym.reports import runs

    settings = {"variation": variation, "difficulty": difficulty, "user": user, "worker": worker, "weights": weights}
    chosen = settings_of(policy, settings, log)
    planned = runs.plan(list(dict.fromkeys(policy)), ids_of(",".join(ids)), seeds_of(seeds), chosen)
    if log:
        log.mkdir(parents=True, exist_ok=True)
    rows, cut_short = play(planned, jobs, Keeping(out, as_json))
    if not as_json:
        _print_tables(planned, rows)
    if cut_short:
        print(interrupted(len(rows), len(planned), out), file=sys.stderr)
        raise typer.Exit(INTERRUPTED)


def _print_tables(planned: "Sequence[Planned]", rows: "Sequence[Row]") -> None:
    from proactivity_gym.reports import summary, tables

    console().print(tables.of_run(summary.summaries(planned, rows), summary.cluster_unit(rows)))
