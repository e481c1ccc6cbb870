"""`pgym compare`: policies on the same held-out weeks, with intervals."""

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proactivity_gym.cli.app import INTERRUPTED, BadInputError, app, console, print_row, refusing
from proactivity_gym.cli.evaluate import INCOMPLETE, unusable
from proactivity_gym.cli.playing import EQUAL, Keeping, interrupted, play, settings_of
from proactivity_gym.cli.sources import ids_of, seeds_of

if TYPE_CHECKING:
    from proactivity_gym.reports.comparison import Comparison, How
    from proactivity_gym.reports.runs import Planned, Row, Settings
    from proactivity_gym.reports.saved_rows import Saved

SEEDS = "0:20"
_LABELLED = re.compile(r"(?P<label>[\w .+-]+)=(?P<policy>.+)")


@app.command("compare")
@refusing()
def compare_policies(
    rows: Annotated[
        list[Path] | None,
        typer.Argument(help="Rows that were kept: files of `pgym run --out` and `compare --out`, folders of `pgym evaluate`."),
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option("--policy", help="A policy to play, or LABEL=POLICY; give it again for more. One label: repetitions."),
    ] = None,
    ids: Annotated[
        list[str] | None, typer.Option(help="all, or ids, scenario names, .toml files.  [default: those of ROWS, or all]")
    ] = None,
    seeds: Annotated[str | None, typer.Option(help=f"As in 0:20 or 1,4,7.  [default: those of ROWS, or {SEEDS}]")] = None,
    variation: Annotated[str, typer.Option(help="written, train or test.")] = "test",
    difficulty: Annotated[str, typer.Option(help="easy, standard or hard.")] = "standard",
    user: Annotated[str, typer.Option(help="deterministic or stochastic.")] = "deterministic",
    worker: Annotated[str, typer.Option(help="reference, imperfect, imperfect:0.3, llm:MODEL.toml, ...")] = "reference",
    weights: Annotated[str, typer.Option(help="Weights of J: tc,ta,tr.")] = EQUAL,
    jobs: Annotated[int, typer.Option(min=1, max=256, help="Processes to play in.")] = 1,
    out: Annotated[Path | None, typer.Option(help="New file for the rows that are played, written as they come.")] = None,
    baseline: Annotated[str | None, typer.Option(help="Compare with this one.  [default: rules, or the first]")] = None,
    ceiling: Annotated[str, typer.Option(help="The policy that stands for all there is to gain.")] = "oracle",
    draw: Annotated[
        str | None,
        typer.Option(
            help="What is drawn for the intervals: scenario, seed or repetition.  [default: scenario, if there are some]"
        ),
    ] = None,
    term: Annotated[str, typer.Option(help="The score that tables and figure compare: J, TC, TA, CQ, TR_D or TR_H.")] = "J",
    csv: Annotated[Path | None, typer.Option(help="File to write the figures to, as CSV.")] = None,
    figure: Annotated[Path | None, typer.Option(help="Name of a picture: NAME.svg and NAME.png are written.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as rows of JSON and nothing else.")] = False,
) -> None:
    """Compare policies on the same weeks: means, interquartile means, paired differences, share of the gap closed.

    Exit code 1: more than 1 % of some policy's episodes have no score.
    """
    from proactivity_gym.reports import comparison

    _check_names(term, draw)
    _check_files(out, csv, figure)
    named = {"variation": variation, "difficulty": difficulty, "user": user, "worker": worker, "weights": weights}
    labelled = _labelled(policy or [])
    settings = settings_of([each for _, each in labelled], named)
    with unusable():
        saved = _read(rows or [])
        kept = _merged(saved, settings if labelled else None)
    planned = _planned(labelled, _cases(kept, ids, seeds) if labelled else [], settings)
    missing = [each for each in planned if each.key not in {row.key for row in kept}]
    played, cut_short = play(missing, jobs, Keeping(out)) if missing else ([], False)
    every = [*kept, *played]
    counts = comparison.planned_of([*(key for each in saved for key in each.planned), *(x.key for x in [*every, *planned])])
    found = comparison.compare(counts, every, _how(list(counts), every, baseline, ceiling, draw))
    _show(found, term, as_json)
    _write(found, term, csv, figure)
    if cut_short:
        print(interrupted(len(played), len(missing), out), file=sys.stderr)
        raise typer.Exit(INTERRUPTED)
    if found.incomplete:
        raise typer.Exit(INCOMPLETE)


def _check_names(term: str, draw: str | None) -> None:
    from proactivity_gym.reports import comparison, summary

    if term not in comparison.MEASURES:
        raise BadInputError(f"--term {term!r}: choose one of {', '.join(comparison.MEASURES)}.")
    if draw is not None and draw not in summary.UNITS:
        raise BadInputError(f"--draw {draw!r}: choose one of {', '.join(summary.UNITS)}.")


def _check_files(out: Path | None, csv: Path | None, figure: Path | None) -> None:
    """Refuse names that could not be written to once all is played."""
    if out is not None and out.exists():
        raise BadInputError(f"--out {out}: it exists already: give another name, or move it away.")
    for name, path in (("csv", csv), ("figure", figure)):
        if path is not None and (path.name in ("", "..") or path.is_dir() or not path.parent.is_dir()):
            raise BadInputError(f"--{name} {path}: give the name of a file in a folder that is there.")


def _labelled(policies: Sequence[str]) -> list[tuple[str, str]]:
    """Return label and policy of each."""
    found: list[tuple[str, str]] = []
    for each in policies:
        match = _LABELLED.fullmatch(each)
        found.append((match["label"], match["policy"]) if match else (each, each))
    return list(dict.fromkeys(found))


def _read(paths: Sequence[Path]) -> "list[Saved]":
    from proactivity_gym.reports import saved_rows

    try:
        found = [saved_rows.read(path, ids_of) for path in paths]
    except saved_rows.RowsError as error:
        raise BadInputError(f"{error}.") from error
    for note in (note for each in found for note in each.notes):
        print(f"pgym: {note}", file=sys.stderr)
    return found


def _merged(saved: "Sequence[Saved]", settings: "Settings | None") -> "list[Row]":
    from proactivity_gym.reports import saved_rows

    if not saved and settings is None:
        raise BadInputError("there is nothing to compare: give --policy, or files of rows.")
    try:
        return saved_rows.merged(saved, None if settings is None else saved_rows.Conditions.of(settings))
    except saved_rows.RowsError as error:
        raise BadInputError(f"{error}.") from error


def _cases(kept: "Sequence[Row]", ids: Sequence[str] | None, seeds: str | None) -> list[tuple[str, int]]:
    """Return the weeks to play: those named, or those of the rows, or the usual ones."""
    import gymnasium as gym

    if kept and ids is None and seeds is None:
        cases = list(dict.fromkeys((row.id, row.seed) for row in kept))
        for name, _ in cases:
            if name not in gym.registry:
                raise BadInputError(f"{name}: no id is called so here: give --ids with the scenario's file, and --seeds.")
        return cases
    return [(name, seed) for name in ids_of(",".join(ids or ["all"])) for seed in seeds_of(seeds or SEEDS)]


def _planned(labelled: Sequence[tuple[str, str]], cases: Sequence[tuple[str, int]], settings: "Settings") -> "list[Planned]":
    """Return the episodes of every policy; policies of one label are its repetitions."""
    from proactivity_gym.reports import runs

    found: list[Planned] = []
    for place, (label, policy) in enumerate(labelled):
        repetition = sum(other == label for other, _ in labelled[:place])
        found += [replace(x, label=label, repetition=repetition) for x in runs.plan_cases([policy], cases, settings)]
    return found


def _how(policies: Sequence[str], rows: "Sequence[Row]", baseline: str | None, ceiling: str, draw: str | None) -> "How":
    from proactivity_gym.reports.comparison import How
    from proactivity_gym.reports.summary import cluster_unit

    base = baseline or ("rules" if "rules" in policies else policies[0])
    if base not in policies:
        raise BadInputError(f"--baseline {base!r}: it is not compared: choose from {', '.join(policies)}.")
    top = ceiling if ceiling in policies and ceiling != base else None
    return How(draw or cluster_unit(rows), base, top)


def _show(found: "Comparison", term: str, as_json: bool) -> None:
    from proactivity_gym.reports import tables

    if as_json:
        for record in found.records():
            print_row(record)
    else:
        console().print(tables.of_comparison(found, term))


def _write(found: "Comparison", term: str, csv: Path | None, figure: Path | None) -> None:
    from proactivity_gym.reports.comparison import csv_text
    from proactivity_gym.wrappers.log_file import naming

    if csv is not None:
        with naming(csv):
            csv.write_text(csv_text(found), encoding="utf-8", errors="backslashreplace")
    if figure is not None:
        from proactivity_gym.envs.timeline import save
        from proactivity_gym.reports.comparison_figure import draw

        picture = draw(found, term)
        name = figure.with_suffix("") if figure.suffix.lower() in (".svg", ".png") else figure
        for path in (name.with_name(name.name + suffix) for suffix in (".svg", ".png")):
            with naming(path):
                save(picture, path)
