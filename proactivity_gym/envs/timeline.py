"""The week as a picture: what came, what the agent did about it and when, and how it went down with the user.

Everything is read from the week's tables and the trace. What an observer at the time could not know (tasks, noise, windows,
trust) is drawn for authors only. Nothing here touches pyplot, the backend or lasting settings of matplotlib.
"""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from proactivity_gym.sim.safe_text import printable
from proactivity_gym.sim.scoring import last_start, score, task_work
from proactivity_gym.sim.texts import show
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.trace import Entry, Value
from proactivity_gym.sim.trust import START
from proactivity_gym.sim.week import UsageRow, Week
from proactivity_gym.sim.words import ANY_TOPIC, Depth, Phase, Reaction, SignalStatus, Timing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.path import Path as Shape

SIZE_PX = (960, 540)
_DPI = 80
_FILE_DPI = 200
_SALT = "proactivity_gym"
_LONGEST_TITLE = 90

# Depths deepen in one hue and reactions have shapes of their own: neither needs colour vision.
_DEPTHS = {Depth.NOOP: "#ffffff", Depth.PREPARE: "#a6cee8", Depth.SUGGEST: "#3a87c0", Depth.EXECUTE: "#08306b"}
_DEPTH_WORDS = {
    Depth.NOOP: "dismissed (N) or put back",
    Depth.PREPARE: "prepare",
    Depth.SUGGEST: "suggest",
    Depth.EXECUTE: "execute",
}
_REACTIONS = {
    Reaction.APPROVE: ("\N{CHECK MARK}", "#00795a", "approved"),
    Reaction.DECLINE: ("\N{BALLOT X}", "#c44e00", "declined"),
    Reaction.DEFER: ("\N{CLOCKWISE OPEN CIRCLE ARROW}", "#a87400", "put off"),
    Reaction.COMPLAIN_TOO_DEEP: ("!", "#a0005c", "complained: too far"),
    Reaction.COMPLAIN_TOO_TIMID: ("?", "#a0005c", "complained: not far enough"),
}
_PHASES = {Phase.SLEEP: ("#e4e6ec", "asleep"), Phase.FOCUS: ("#f6f1e2", "in focus")}
_SAID = {"stated": ("D", "user says how far to go"), "withdrawn": ("v", "takes it back"), "restored": ("^", "gives it back")}
_INK, _GREY, _HIDDEN = "#22262e", "#8a909c", "#b5483a"


class PlotMissingError(ImportError):
    """Matplotlib is not installed."""


def draw(week: Week, entries: Sequence[Entry], author: bool = False) -> "Figure":
    """Return the picture of a week.

    Args:
        week: the tables of the week.
        entries: the trace, whole or so far; the scores are in the title once it is whole.
        author: show hidden truth too: windows, deadlines, noise and trust.

    Raises:
        PlotMissingError: matplotlib is not installed.
    """
    figure_class = _load()
    with _plain_settings():
        figure = figure_class(figsize=(SIZE_PX[0] / _DPI, SIZE_PX[1] / _DPI), dpi=_DPI, facecolor="white")
        axes = figure.add_axes((0.085, 0.29 if author else 0.17, 0.905, 0.60 if author else 0.72))
        picture = _Picture(week, entries, axes, author)
        for part in (_draw_days, _draw_said, _draw_signals, _draw_resources, _draw_interventions, _draw_answers):
            part(picture)
        if author:
            _draw_hidden(picture)
            _draw_trust(picture, figure.add_axes((0.085, 0.15, 0.905, 0.10)))
        _draw_titles(picture, figure)
        figure.legend(
            *_legend(picture), loc="lower center", ncols=7, fontsize=7, frameon=False, handletextpad=0.4, columnspacing=1.2
        )
    return figure
