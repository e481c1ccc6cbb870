"""Train under seven weightings of the joint objective and draw what each gives up: `python -m proactivity_gym.train.sweep`."""

import proactivity_gym.train.extra  # noqa: F401 (before what it looks for)

# isort: split
import csv
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import tyro

from proactivity_gym.train import maskable_ppo, script
from proactivity_gym.train.run_directory import EVALUATIONS, MODEL, ROOT, RunDirectory, RunError

Weighting = tuple[float, float, float]

WEIGHTINGS: dict[str, Weighting] = {
    "equal": (1 / 3, 1 / 3, 1 / 3),
    "TC": (0.98, 0.01, 0.01),
    "TA": (0.01, 0.98, 0.01),
    "TR": (0.01, 0.01, 0.98),
    "TC and TA": (0.49, 0.49, 0.02),
    "TC and TR": (0.49, 0.02, 0.49),
    "TA and TR": (0.02, 0.49, 0.49),
}
"""Weights of TC, TA and TR: the middle, the corners and the edges of what can be asked for."""
_NEAR = 0.04
"""How near points lie whose labels would cover each other."""
COLUMNS = ("timesteps", "S_TC", "S_TA", "S_TR", "TC", "TA", "CQ", "TR_D", "over", "under", "unattempted", "TR_H")
TABLE, FIGURE = "sweep.csv", "sweep"


@dataclass
class Args:
    """Train one policy for each of seven weightings, and show the three scores that each reaches on held-out weeks."""

    training: Annotated[maskable_ppo.Args, tyro.conf.arg(name="")] = field(default_factory=maskable_ppo.Args)
    sweep_dir: Path = ROOT / "sweep"
    """Folder of the runs, the table and the figure; weightings that have ended in it are not trained again."""


def sweep(args: Args) -> Path:
    """Train what is not trained yet; write table and figure; return the folder.

    Raises:
        RunError: a setting is none.
    """
    training = args.training
    if training.resume or training.keeping.run_dir:
        raise RunError("--resume and --run-dir are of single runs: a sweep goes on when its --sweep-dir is given again.")
    if training.weeks.weights != WEIGHTINGS["equal"]:
        raise RunError("--weights are of single runs: a sweep trains under seven weightings of its own.")
    for name, weights in WEIGHTINGS.items():
        folder = args.sweep_dir / name.replace(" ", "_")
        if not (folder / MODEL).exists():
            print(f"{name}: {folder}", file=sys.stderr)
            try:
                maskable_ppo.train(_settings(training, folder, weights))
            except script.Interrupted as stopped:
                raise script.Interrupted("the same command goes on with the sweep") from stopped
    rows = table(args.sweep_dir)
    _write(args.sweep_dir / TABLE, rows)
    draw(rows, args.sweep_dir / FIGURE)
    return args.sweep_dir


def _settings(training: maskable_ppo.Args, folder: Path, weights: Weighting) -> maskable_ppo.Args:
    """Return the settings of one run; one that was killed is resumed."""
    if (folder / "config.json").exists():
        return maskable_ppo.Args(resume=folder)
    keeping = replace(training.keeping, run_dir=folder)
    return replace(training, weeks=replace(training.weeks, weights=weights), keeping=keeping)


def table(folder: Path) -> list[dict[str, Any]]:
    """Return the last evaluation of each weighting that has ended, with its weights."""
    rows: list[dict[str, Any]] = []
    for name, weights in WEIGHTINGS.items():
        run = RunDirectory(folder / name.replace(" ", "_"))
        if run.path(MODEL).exists():
            last = run.rows(EVALUATIONS)[-1]
            named = dict(zip(("weight_TC", "weight_TA", "weight_TR"), weights, strict=True))
            rows.append({"weighting": name, **named, **{column: last[column] for column in COLUMNS}})
    return rows


def _write(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def draw(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Draw the surface as SVG and PNG: S_TC across, S_TA up, S_TR as colour, a point for each weighting.

    Raises:
        RunError: matplotlib is not there.
    """
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 (the table needs none)
    except ImportError as error:
        raise RunError("the figure needs matplotlib: pip install 'proactivity-gym[plot]'") from error
    figure: Any = Figure(figsize=(7, 5), layout="constrained")
    axes = figure.add_subplot()
    across, up, colour = ([row[name] or 0.0 for row in rows] for name in ("S_TC", "S_TA", "S_TR"))
    points = axes.scatter(across, up, c=colour, s=120, vmin=0, vmax=1, cmap="viridis", edgecolors="black", zorder=2)
    for (x, y), names in labels([row["weighting"] for row in rows], list(zip(across, up, strict=True))).items():
        axes.annotate("; ".join(names), (x, y), xytext=(8, 6), textcoords="offset points")
    axes.set(xlim=(-0.05, 1.3), ylim=(-0.05, 1.1), xlabel="S_TC: task capability", ylabel="S_TA: temporal allocation")
    axes.grid(alpha=0.3)
    figure.colorbar(points, label="S_TR: trust")
    for ending in ("svg", "png"):
        figure.savefig(path.with_suffix(f".{ending}"), metadata={"Date": None} if ending == "svg" else None)


def labels(names: Sequence[str], points: Sequence[tuple[float, float]]) -> dict[tuple[float, float], list[str]]:
    """Return the names by the point to write them at: those of points that lie on each other share the first one's label."""
    found: dict[tuple[float, float], list[str]] = {}
    for name, (x, y) in zip(names, points, strict=True):
        near = [at for at in found if abs(at[0] - x) < _NEAR and abs(at[1] - y) < _NEAR]
        found.setdefault(near[0] if near else (x, y), []).append(name)
    return found


if __name__ == "__main__":
    script.main(Args, sweep)
