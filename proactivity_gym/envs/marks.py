"""What the picture of a week is made of: its colours and marks, and matplotlib as it comes out of the box."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# Matplotlib leaves its keyword arguments untyped.

import warnings
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypedDict

from proactivity_gym.sim.words import Depth, Phase, Reaction, Timing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.path import Path as Shape

INK, QUIET, USE, HIDDEN = "#22262e", "#6b7280", "#b39b7d", "#b5483a"
"""Text and lines, lesser text, the user's own use of a resource, and what only authors see."""

# Depths deepen in one hue and reactions have shapes of their own: neither needs colour vision.
DEPTHS = {
    Depth.NOOP: ("#ffffff", "dismiss (N) or put back"),
    Depth.PREPARE: ("#a6cee8", "prepare"),
    Depth.SUGGEST: ("#3a87c0", "suggest"),
    Depth.EXECUTE: ("#08306b", "execute"),
}
REACTIONS = {
    Reaction.APPROVE: ("\N{CHECK MARK}", "#00795a", "approved"),
    Reaction.DECLINE: ("\N{BALLOT X}", "#c44e00", "declined"),
    Reaction.DEFER: ("\N{CLOCKWISE OPEN CIRCLE ARROW}", "#a87400", "put off"),
    Reaction.COMPLAIN_TOO_DEEP: ("!", "#a0005c", "complaint: too far"),
    Reaction.COMPLAIN_TOO_TIMID: ("?", "#a0005c", "complaint: too timid"),
}
PHASES = {Phase.SLEEP: ("#a9b1c2", "user asleep or away"), Phase.FOCUS: ("#f0d98c", "user in focus")}
STATED = {"stated": ("D", "delegation stated"), "withdrawn": ("v", "withdrawn"), "restored": ("^", "restored")}

UP, DOWN = -0.14, 0.08
"""By how much choices are moved where they would hide each other."""
_DOT_SHARE = 0.012
"""Width of a dot as a share of the week's."""


class PlotMissingError(ImportError):
    """Matplotlib is not installed."""


class Look(TypedDict, total=False):
    """How a mark looks, in matplotlib's words."""

    marker: "str | Shape"
    markersize: float
    color: str
    markeredgecolor: str
    markeredgewidth: float
    zorder: float


@contextmanager
def plain_settings() -> Generator[None]:
    """Draw as matplotlib does out of the box, whatever the user's settings, and leave those as they were.

    Raises:
        PlotMissingError: matplotlib is not installed.
    """
    try:
        from matplotlib import rc_context  # noqa: PLC0415 (an extra: needed only where a picture is)
        from matplotlib.style import context  # noqa: PLC0415 (as above)
    except ImportError as error:
        raise PlotMissingError("pictures need matplotlib: pip install 'proactivity-gym[plot]'") from error
    with (
        context("default"),
        rc_context({"svg.hashsalt": "proactivity_gym", "text.parse_math": False}),
        warnings.catch_warnings(),
    ):
        # Names may be in any script: what the font lacks shows as a box.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        yield


def dot(depth: Depth) -> Look:
    """Return the dot that an intervention is; deeper ones lie on top."""
    small = depth == Depth.NOOP
    return {
        "marker": "o",
        "markersize": 7.5 if small else 9.5,
        "color": DEPTHS[depth][0],
        "markeredgecolor": QUIET if small else INK,
        "markeredgewidth": 0.6,
        "zorder": 5 + depth / 10,
    }


def chosen_mark(depth: Depth, timing: Timing) -> tuple[Look, Look]:
    """Return the dot of an intervention and the letter of its timing on it."""
    on_dark = depth >= Depth.SUGGEST
    letter = glyph(timing.name[0], "#ffffff" if on_dark else INK, 5 if depth else 4)
    letter["zorder"] = 5.05 + depth / 10
    return dot(depth), letter


def sign(marker: "str | Shape", colour: str, size: float) -> Look:
    """Return a filled mark."""
    plain: Mapping[str, float] = {"|": 1.1, "x": 1.1}
    edge = plain.get(marker, 0.0) if isinstance(marker, str) else 0.0
    return {
        "marker": marker,
        "markersize": size,
        "color": colour,
        "markeredgecolor": colour,
        "markeredgewidth": edge,
        "zorder": 6,
    }


def glyph(character: str, colour: str, size: float) -> Look:
    """Return a character as a mark, drawn as a shape and never read as mathematics."""
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415 (as above)
    from matplotlib.path import Path as Outline  # noqa: PLC0415 (as above)
    from matplotlib.textpath import TextPath  # noqa: PLC0415 (as above)

    outline = TextPath((0, 0), character, size=1, prop=FontProperties(family="DejaVu Sans", weight="bold"))
    box = outline.get_extents()
    middle = ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
    return sign(Outline(outline.vertices - middle, outline.codes), colour, size)


def frame(axes: "Axes", midnights: Sequence[int], horizon: int) -> None:
    """Set axes up for minutes, with lines at midnights and no other ornament."""
    axes.set_xlim(0, horizon)
    axes.set_xticks(midnights[1:], [""] * len(midnights[1:]))
    axes.grid(axis="x", color="#9aa1ae", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def spread(places: Iterable[tuple[int, int]], horizon: int) -> Iterator[tuple[tuple[int, int], float]]:
    """Yield places (minute, signal) of one band, each with its offset: those next to each other go up and down by turns."""
    minutes = sorted(places)
    near, up = horizon * _DOT_SHARE, False
    for i, place in enumerate(minutes):
        after = i > 0 and place[0] - minutes[i - 1][0] < near
        before = i + 1 < len(minutes) and minutes[i + 1][0] - place[0] < near
        up = not (after and up)
        yield place, (UP if up else DOWN) if after or before else 0.0


def legend(author: bool) -> "list[Line2D]":
    """Return what the legend shows."""
    from matplotlib.lines import Line2D  # noqa: PLC0415 (as above)

    looks: list[tuple[str, Look]] = [("signal came", sign("|", INK, 6))]
    looks += [(words, dot(depth)) for depth, (_, words) in DEPTHS.items()]
    looks += [("letter: N now, I idle, S sleep, D due", glyph("N", INK, 5))]
    looks += [("reached the user unanswered", sign("o", QUIET, 3))]
    looks += [(words, glyph(character, colour, 8)) for character, colour, words in REACTIONS.values()]
    looks += [(words, sign(marker, INK, 5)) for marker, words in STATED.values()]
    looks += [(words, sign("s", colour, 7)) for colour, words in (*PHASES.values(), (USE, "user's own use"))]
    if author:
        looks += [(words, sign(marker, HIDDEN, size)) for words, marker, size in _AUTHORS]
    return [Line2D([], [], linestyle="none", label=words, **look) for words, look in looks]


_AUTHORS = (("noise came", "x", 4), ("deadline", "|", 9), ("window", "s", 7))
