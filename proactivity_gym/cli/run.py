"""`pgym run`: policies x ids x seeds."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from proactivity_gym.cli.app import INTERRUPTED, BadInputError, app, console, json_line, print_row, refusing
from proactivity_gym.cli.sources import check_policy, ids_of, seeds_of

if TYPE_CHECKING:
    from proactivity_gym.reports.runs import Planned, Row, Settings

EQUAL = "equal"
_WEIGHTS = "give three positive numbers that sum to 1, as in 0.5,0.25,0.25."
_ROUNDING = 1e-9


@app.command("run")
@refusing()
def run_policies(
    policy: Annotated[list[str], typer.Option("--policy", help="A policy to run, or llm:MODEL.toml; give it again for more.")],
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

    settings = {"variation": variation, "user": user, "worker": worker, "weights": weights}
    chosen = _settings(policy, settings, log)
    planned = runs.plan(list(dict.fromkeys(policy)), ids_of(",".join(ids)), seeds_of(seeds), chosen)
    if log:
        log.mkdir(parents=True, exist_ok=True)
    rows, interrupted = _play(planned, jobs, as_json, out)
    if not as_json:
        _print_tables(planned, rows)
    if interrupted:
        kept = f" and kept in {out}" if out else ""
        print(f"pgym: interrupted: {len(rows)} of {len(planned)} episodes were played{kept}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)


def _settings(policies: Sequence[str], named: Mapping[str, str], log: Path | None) -> "Settings":
    """Return settings that can be played, or refuse before anything is.

    Raises:
        BadInputError: a policy or a setting is none.
    """
    import numpy as np

    from proactivity_gym.envs import env
    from proactivity_gym.llm.errors import LlmError
    from proactivity_gym.reports.runs import Settings
    from proactivity_gym.sim.scoring import Weights

    for name in policies:
        check_policy(name)
    for name, allowed in (("variation", env.VARIATIONS), ("user", env.USERS)):
        if named[name] not in allowed:
            raise BadInputError(f"--{name} {named[name]!r}: choose one of {', '.join(allowed)}.")
    try:
        weights = Weights(*_three(named["weights"]))
        env.make_worker(named["worker"], np.random.default_rng(0))
    except (ValueError, LlmError) as error:
        raise BadInputError(str(error)) from error
    return Settings(named["variation"], named["user"], named["worker"], weights, log)


def _three(text: str) -> tuple[float, float, float]:
    if text == EQUAL:
        return 1 / 3, 1 / 3, 1 / 3
    try:
        tc, ta, tr = map(float, text.split(","))
    except ValueError as error:
        raise BadInputError(f"--weights {text!r}: {_WEIGHTS}") from error
    if not abs(tc + ta + tr - 1) <= _ROUNDING:
        raise BadInputError(f"--weights {text!r}: they sum to {tc + ta + tr:g}; {_WEIGHTS}")
    if min(tc, ta, tr) <= 0:
        raise BadInputError(f"--weights {text!r}: one is not above 0; {_WEIGHTS}")
    return tc, ta, tr


def _play(planned: "Sequence[Planned]", jobs: int, as_json: bool, out: Path | None) -> "tuple[list[Row], bool]":
    """Play what is planned; return the rows, and whether Ctrl-C ended it early. Rows are written as they come.

    Raises:
        BadInputError: a language model does not answer.
    """
    from proactivity_gym.llm.errors import LlmError
    from proactivity_gym.reports import runs

    rows: list[Row] = []
    with ExitStack() as stack:
        file = stack.enter_context(_new_file(out)) if out else None
        try:
            for row in _with_progress(runs.run(planned, jobs), len(planned)):
                rows.append(row)
                _keep(row, file, as_json)
        except KeyboardInterrupt:
            return rows, True
        except LlmError as error:
            raise BadInputError(f"after {len(rows)} of {len(planned)} episodes: {error}") from error
    return rows, False


def _new_file(path: Path) -> TextIO:
    try:
        return path.open("x", encoding="utf-8", newline="\n")
    except FileExistsError as error:
        raise BadInputError(f"--out {path}: it exists already: give another name, or move it away.") from error


def _keep(row: "Row", file: TextIO | None, as_json: bool) -> None:
    record = row.record()
    if file:
        file.write(json_line(record) + "\n")
        file.flush()
    if as_json:
        print_row(record)


def _with_progress(rows: "Iterator[Row]", total: int) -> "Iterator[Row]":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("episodes"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield from progress.track(rows, total=total)


def _print_tables(planned: "Sequence[Planned]", rows: "Sequence[Row]") -> None:
    from proactivity_gym.reports import summary, tables

    console().print(tables.of_run(summary.summaries(planned, rows), summary.cluster_unit(rows)))
