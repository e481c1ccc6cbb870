"""The figure of how policies learn: J on held-out weeks against steps of training, a line for each seed."""

# pyright: reportUnknownMemberType=false
# Matplotlib leaves its keyword arguments untyped.

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from proactivity_gym.envs import marks
from proactivity_gym.train.trained import Trained, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ALL, _EACH = "#08306b", "#a6cee8"


def draw(groups: Mapping[str, Sequence[Trained]], levels: Mapping[str, Mapping[str, float]], path: Path) -> None:
    """Draw a panel for each id, as SVG and PNG.

    Args:
        groups: id to its runs.
        levels: id to J of policies that do not learn, drawn as level lines.
        path: of the pictures, without their ending.

    Raises:
        PlotMissingError: matplotlib is not installed.
    """
    with marks.plain_settings():
        from matplotlib.figure import Figure  # noqa: PLC0415 (an extra: needed only where a picture is)

        figure = Figure(figsize=(5.5 * len(groups), 3.8), facecolor="white", layout="constrained")
        for place, (name, runs) in enumerate(groups.items()):
            axes = figure.add_subplot(1, len(groups), place + 1)
            _draw_runs(axes, runs)
            _draw_levels(axes, levels[name])
            axes.set_title(f"{short(name)}: {len(runs)} seeds and their mean", fontsize=10, color=marks.INK)
        for ending in ("svg", "png"):
            figure.savefig(path.with_suffix(f".{ending}"), metadata={"Date": None} if ending == "svg" else None)


def curve(run: Trained) -> tuple[list[int], list[float]]:
    """Return steps of training and J on held-out weeks."""
    rows = run.evaluations()
    return [row["timesteps"] for row in rows], [row["J"] for row in rows]


def _draw_runs(axes: "Axes", runs: Sequence[Trained]) -> None:
    curves = [curve(run) for run in runs]
    for steps, values in curves:
        axes.plot(steps, values, color=_EACH, linewidth=1)
    common = min((steps for steps, _ in curves), key=len)
    every = [np.interp(common, steps, values) for steps, values in curves]
    axes.plot(common, np.mean(every, axis=0), color=_ALL, linewidth=2)
    axes.set(xlabel="steps of training", ylabel="J", ylim=(0, 1.08))
    axes.locator_params(axis="x", nbins=5)
    axes.ticklabel_format(axis="x", style="plain")
    axes.grid(visible=True, color="#e3e5e9", linewidth=0.7)


def _draw_levels(axes: "Axes", levels: Mapping[str, float]) -> None:
    for name, value in levels.items():
        axes.axhline(value, color=marks.QUIET, linewidth=1, linestyle="--")
        axes.annotate(name, (axes.get_xlim()[1], value), ha="right", va="bottom", fontsize=8, color=marks.QUIET)
