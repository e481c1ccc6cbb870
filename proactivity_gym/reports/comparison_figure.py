"""The figure of a comparison: for each measure a dot and its interval, policy below policy."""

# pyright: reportUnknownMemberType=false
# Matplotlib leaves its keyword arguments untyped.

from collections.abc import Sequence
from typing import TYPE_CHECKING

from proactivity_gym.envs import marks
from proactivity_gym.reports.comparison import LEFT_OUT, Compared, Comparison
from proactivity_gym.reports.statistics import Estimate
from proactivity_gym.reports.tables import SCORES
from proactivity_gym.sim.safe_text import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DOT = "#3a87c0"
_ROW, _MARGIN = 0.34, 1.3
"""Inches: of a policy, and of titles and notes together."""
_WIDTH = 11.0
_LONGEST = 28
"""Characters of a policy's name."""


def draw(found: Comparison, term: str) -> "Figure":
    """Return the picture of a comparison: four scores, and how policies compare in one term; failed episodes left out.

    Raises:
        PlotMissingError: matplotlib is not installed.
    """
    kept = [each for each in found.compared if each.failed == LEFT_OUT]
    policies = list(dict.fromkeys(each.policy for each in kept))
    with marks.plain_settings():
        from matplotlib.figure import Figure  # noqa: PLC0415 (an extra: needed only where a picture is)

        figure = Figure(figsize=(_WIDTH, _MARGIN + _ROW * len(policies)), facecolor="white", layout="constrained")
        panels = [(SCORES[name], [each.mean for each in kept if each.term == name]) for name in ("TC", "TA", "TR_D", "J")]
        panels += _against(found, [each for each in kept if each.term == term], SCORES[term])
        for place, (title, estimates) in enumerate(panels):
            axes = figure.add_subplot(1, len(panels), place + 1)
            _draw_panel(axes, title, estimates)
            axes.set_yticks(range(len(policies)), [_shortened(name) for name in policies] if not place else [])
        note = " INCOMPLETE: more than 1 % of the planned episodes have no score." if found.incomplete else ""
        figure.supxlabel(f"mean and 95 % interval, drawn by {found.how.unit}.{note}", fontsize=8, color=marks.QUIET)
    return figure


def _against(found: Comparison, compared: Sequence[Compared], name: str) -> list[tuple[str, list[Estimate]]]:
    baseline = _shortened(found.how.baseline)
    panels = [(f"{name} less {baseline}", [each.difference for each in compared])]
    closed = [each.closed for each in compared]
    return [*panels, ("gap closed", closed)] if any(each.mean is not None for each in closed) else panels


def _draw_panel(axes: "Axes", title: str, estimates: Sequence[Estimate]) -> None:
    """Draw one measure, the first policy on top; what cannot be told stays empty."""
    for row, found in enumerate(estimates):
        if found.mean is None:
            continue
        if found.low is not None and found.high is not None:
            axes.plot([found.low, found.high], [row, row], color=_DOT, linewidth=2, solid_capstyle="butt")
        axes.plot([found.mean], [row], marker="o", color=marks.INK, markersize=4.5)
    axes.set_ylim(len(estimates) - 0.5, -0.5)
    axes.set_title(title, fontsize=9, color=marks.INK)
    axes.tick_params(labelsize=8, left=False)
    axes.grid(visible=True, axis="x", color="#e3e5e9", linewidth=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def _shortened(name: str) -> str:
    shown = printable(name)
    return shown if len(shown) <= _LONGEST else f"…{shown[1 - _LONGEST :]}"
