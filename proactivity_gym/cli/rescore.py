"""`pgym rescore`: other weights or judges for a run, without playing again."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proactivity_gym.cli.app import BadInputError, app, console, print_row, refusing
from proactivity_gym.cli.evaluate import unusable
from proactivity_gym.cli.sources import ids_of

if TYPE_CHECKING:
    from proactivity_gym.llm.ledger import Ledger
    from proactivity_gym.reports.evaluation.config import Config
    from proactivity_gym.reports.evaluation.jobs import Row
    from proactivity_gym.reports.evaluation.rescoring import Rescoring
    from proactivity_gym.sim.scoring import Weights
    from proactivity_gym.wrappers.judge_panel import Panel

TRUSTS = ("depth", "judge")


@app.command("rescore")
@refusing()
def rescore(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run of `pgym evaluate`; it stays as it is.")],
    weights: Annotated[str | None, typer.Option(help="Weights of J: tc,ta,tr. Those of the run unless given.")] = None,
    judges: Annotated[Path | None, typer.Option(help="TOML file of [[judge]] tables, to judge anew.")] = None,
    cap: Annotated[float | None, typer.Option(min=0, help="US dollars that the judges may spend; retries count.")] = None,
    trust: Annotated[str | None, typer.Option(help="What S_TR in J is: depth or judge.")] = None,
    out: Annotated[Path | None, typer.Option(help="New folder for rows and summary.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows and nothing else.")] = False,
) -> None:
    """Score a run anew, with other weights or other judges."""
    from proactivity_gym.reports.evaluation import jobs, outcome, rescoring, running

    with unusable():
        config = rescoring.config_of(folder)
        shown = trust or config.trust
        if shown not in TRUSTS:
            raise BadInputError(f"--trust {shown!r}: choose one of {', '.join(TRUSTS)}.")
        panel, ledger = _panel(judges, cap)
        again = rescoring.Rescoring(folder, config, _weights(weights, config), shown, panel)
        planned = jobs.plan(config, ids_of(",".join(config.ids)))
        rows = list(again.rows(_rows(folder)))
        record = outcome.record(outcome.outcomes(planned, rows), rows)
    if out is not None:
        _write(out, again, rows, record, judges)
        if ledger is not None:
            running.write_spent(out, ledger)
    if as_json:
        for row in rows:
            print_row(row.record())
    else:
        console().print(outcome.shown(outcome.outcomes(planned, rows), outcome.unit_of(rows)))
        if ledger is not None:
            console().print("", outcome.bill(ledger))


def _rows(folder: Path) -> "list[Row]":
    from proactivity_gym.reports.evaluation import running

    rows, notes = running.read_rows(folder / running.EPISODES)
    for note in notes:
        print(f"pgym: {note}", file=sys.stderr)
    if not rows:
        raise BadInputError(f"{folder / running.EPISODES}: no episode was played yet: `pgym evaluate` plays them.")
    return rows


def _weights(text: str | None, config: "Config") -> "Weights":
    from proactivity_gym.sim.scoring import Weights

    try:
        tc, ta, tr = map(float, text.split(",")) if text is not None else config.weights
        return Weights(tc, ta, tr)
    except ValueError as error:
        raise BadInputError(f"--weights {text!r}: give three positive numbers that sum to 1, as in 0.5,0.25,0.25.") from error


def _panel(judges: Path | None, cap: float | None) -> "tuple[Panel | None, Ledger | None]":
    from proactivity_gym.reports.evaluation import rescoring

    if judges is None:
        if cap is not None:
            raise BadInputError("--cap: it caps what judges spend: give --judges, too")
        return None, None
    try:
        return rescoring.panel_of(judges, cap)
    except ValueError as error:
        raise BadInputError(f"--judges: {error}") from error


def _write(out: Path, again: "Rescoring", rows: "list[Row]", record: dict[str, object], judges: Path | None) -> None:
    from proactivity_gym.reports.evaluation import files, rescoring, running

    with unusable():
        config = rescoring.config_record(again, judges)
    try:
        out.mkdir(parents=True)
    except FileExistsError as error:
        raise BadInputError(f"--out {out}: it exists already: give another name, or move it away.") from error
    how = {"run": str(again.folder), "weights": config["weights"], "trust": again.trust, "judges": judges and str(judges)}
    files.write_json(out / running.CONFIG, config)
    files.write_json(out / "rescoring.json", how)
    files.replace_file(out / running.EPISODES, b"".join(files.encoded(row.record()) for row in rows))
    files.write_json(out / "summary.json", record)
