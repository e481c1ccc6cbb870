"""The week as a picture: what came, what the agent did about it and when, and how it went down with the user.

Everything is read from the week's tables and the trace. What an observer at the time could not know (noise, deadlines,
windows, trust) is drawn for authors only. Nothing here touches pyplot, the backend or lasting settings of matplotlib.
"""

# pyright: reportUnknownMemberType=false
# Matplotlib leaves its keyword arguments untyped.

from collections.abc import Iterator, Sequence
from datetime import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from proactivity_gym.envs import marks
from proactivity_gym.sim.safe_text import printable
from proactivity_gym.sim.scoring import score
from proactivity_gym.sim.texts import show
from proactivity_gym.sim.trace import Entry
from proactivity_gym.sim.trust import START
from proactivity_gym.sim.week import UsageRow, Week, last_start, work_of
from proactivity_gym.sim.words import ANY_TOPIC, Depth, Reaction, SignalStatus, Timing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE_PX = (960, 540)
_DPI = 80
_FILE_DPI = 200
_LONGEST_TITLE = 100
_LEFT, _WIDTH, _TOP, _LEGEND = 0.08, 0.912, 0.87, 0.125
_USER_HEIGHT, _RESOURCE_HEIGHT, _GAP = 0.5, 0.7, 0.25
"""Heights of bands, that of a topic being 1, and the space between kinds of band."""
_CAME, _CHOSEN, _HEARD = 0.13, 0.5, 0.85
"""Where in a topic's band stand signals, interventions, and what passed between agent and user."""
_CHOICES = ("attempt", "dismiss", "snooze")
_TERMS = ("J", "TC", "TA", "CQ", "TR_D", "TR_H")


def draw(week: Week, entries: Sequence[Entry], author: bool = False) -> "Figure":
    """Return the picture of a week.

    Args:
        week: the tables of the week.
        entries: the trace, whole or so far; the scores are in the title once it is whole.
        author: show hidden truth too: windows, deadlines, noise and trust.

    Raises:
        PlotMissingError: matplotlib is not installed.
    """
    with marks.plain_settings():
        from matplotlib.figure import Figure  # noqa: PLC0415 (an extra: needed only where a picture is)

        figure = Figure(figsize=(SIZE_PX[0] / _DPI, SIZE_PX[1] / _DPI), dpi=_DPI, facecolor="white")
        bottom = _LEGEND + 0.12 if author else _LEGEND
        picture = _Picture(week, entries, figure.add_axes((_LEFT, bottom, _WIDTH, _TOP - bottom)))
        _draw_bands(picture)
        _draw_resources(picture)
        _draw_signals(picture, author)
        _draw_interventions(picture)
        _draw_deliveries(picture)
        _draw_user(picture)
        if author:
            _draw_hidden(picture)
            _draw_trust(picture, figure.add_axes((_LEFT, _LEGEND, _WIDTH, 0.09)))
        _draw_titles(picture, figure)
        figure.legend(handles=marks.legend(author), loc="lower center", ncols=6, fontsize=7.5, frameon=False)
    return figure


def to_rgb(figure: "Figure") -> NDArray[np.uint8]:
    """Return a picture made by `draw` as pixels, an array of shape (540, 960, 3)."""
    with marks.plain_settings():
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 (as above)

        figure.set_dpi(_DPI)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        return np.asarray(canvas.buffer_rgba(), np.uint8)[..., :3].copy()


def save(figure: "Figure", path: str | Path) -> None:
    """Write a picture as .svg or .png: the same picture gives the same bytes.

    Raises:
        ValueError: the name ends otherwise.
    """
    kind = Path(path).suffix.lower()
    if kind not in (".svg", ".png"):
        raise ValueError(f"{path}: a picture's name must end in .svg or .png")
    metadata = {"Date": None, "Creator": None} if kind == ".svg" else {"Software": None}
    with marks.plain_settings():
        figure.savefig(path, format=kind[1:], dpi=_FILE_DPI, metadata=metadata)


class _Picture:
    """What the parts of a picture share: the axes, where each band lies, and what the trace says."""

    def __init__(self, week: Week, entries: Sequence[Entry], axes: "Axes") -> None:
        self.week = week
        self.entries = entries
        self.axes = axes
        self.complete = bool(entries) and entries[-1][1] == "end"
        self.now = entries[-1][0] if entries else 0
        self.attempts = {data["job"]: data for _, _, data in self.of("attempt")}
        topics = {row.topic for row in week.plan.signals} | {said.topic for said in week.statements if said.at >= 0}
        self.topic_top = {topic: _USER_HEIGHT + _GAP + i for i, topic in enumerate(sorted(topics))}
        first = _USER_HEIGHT + 2 * _GAP + len(topics)
        self.resource_top = [first + _RESOURCE_HEIGHT * i for i in range(len(week.plan.resources))]
        self.bottom = first + _RESOURCE_HEIGHT * len(week.plan.resources)
        self.apart = self._apart()

    def of(self, *names: str) -> Iterator[tuple[int, str, dict[str, int]]]:
        """Return the entries of some names, with their whole numbers."""
        for minute, name, data in self.entries:
            if name in names:
                yield minute, name, {key: value for key, value in data.items() if isinstance(value, int)}

    def height(self, signal: int, place: float) -> float:
        """Return the height of a place in the band of a signal's topic."""
        return self.topic_top[self.week.plan.signals[signal].topic] + place

    def chosen(self, minute: int, signal: int) -> float:
        """Return the height of a choice about a signal."""
        return self.height(signal, _CHOSEN) + self.apart[minute, signal]

    def _apart(self) -> dict[tuple[int, int], float]:
        """Return how far each choice (minute, signal) is moved so that those of a topic do not hide each other."""
        by_topic: dict[int, set[tuple[int, int]]] = {}
        for minute, _, data in self.of(*_CHOICES):
            by_topic.setdefault(self.week.plan.signals[data["signal"]].topic, set()).add((minute, data["signal"]))
        return {place: by for places in by_topic.values() for place, by in marks.spread(places, self.week.plan.horizon)}

    def mark(self, points: Sequence[tuple[float, float]], look: marks.Look) -> None:
        """Put one mark at several points (minute, height)."""
        minutes, heights = [minute for minute, _ in points], [height for _, height in points]
        self.axes.plot(minutes, heights, linestyle="none", **look)

    def bars(self, spans: Sequence[tuple[float, float]], top: float, height: float, colour: str) -> None:
        """Draw stretches (start, end) as bars; an edge keeps the shortest visible."""
        lengths = [(start, end - start) for start, end in spans]
        self.axes.broken_barh(lengths, (top, height), facecolor=colour, edgecolor=colour, linewidth=0.7, zorder=3)


def _draw_bands(picture: _Picture) -> None:
    """Draw days, phases, the names of the bands, and the present of a week that still goes on."""
    axes, plan = picture.axes, picture.week.plan
    days = range(plan.scenario.days)
    marks.frame(axes, [plan.clock.at(day, time()) for day in days], plan.horizon)
    axes.set_ylim(picture.bottom, 0)
    ends = [*[start for start, _ in plan.phases[1:]], plan.horizon]
    for (start, phase), end in zip(plan.phases, ends, strict=True):
        if phase in marks.PHASES:
            axes.axvspan(start, end, facecolor=marks.PHASES[phase][0], alpha=0.3, linewidth=0, zorder=0)
            picture.bars([(start, end)], 0.0, _USER_HEIGHT, marks.PHASES[phase][0])
    names = [(0.0, _USER_HEIGHT, "user")]
    names += [(top, 1.0, (ANY_TOPIC, *plan.scenario.topics)[topic]) for topic, top in picture.topic_top.items()]
    names += [(top, _RESOURCE_HEIGHT, row.id) for top, row in zip(picture.resource_top, plan.resources, strict=True)]
    axes.set_yticks([top + height / 2 for top, height, _ in names], [name for _, _, name in names], fontsize=8)
    for label in axes.get_yticklabels()[-len(plan.resources) :]:
        label.set_fontstyle("italic")  # a topic may have the name of a resource
    for top, height, _ in names:
        for edge in (top, top + height):
            axes.axhline(edge, color="#c9cdd6", linewidth=0.5, zorder=1)
    for day in days:
        midnight, noon = plan.clock.at(day, time()), plan.clock.at(day, time(12))
        label = f"{show(plan.clock, midnight, 'day')[:3]} {plan.clock.date(day).day}"
        axes.annotate(label, (noon, 0), (0, 4), textcoords="offset points", ha="center", fontsize=8, color=marks.INK)
    if picture.entries and not picture.complete:
        axes.axvline(picture.now, color=marks.INK, linewidth=1.0, zorder=7)


def _draw_resources(picture: _Picture) -> None:
    """Draw, per resource, the user's use (upper half) and the agent's work (lower half)."""
    for use in picture.week.usages:
        span = _seen(use, picture)
        if span:
            picture.bars([span], picture.resource_top[use.resource] + 0.1, 0.24, marks.USE)
    since: dict[int, int] = {}
    for minute, name, data in picture.of("start", "pause", "done"):
        if name == "start":
            since[data["job"]] = minute
        else:
            _draw_work(picture, data["job"], since.pop(data["job"]), minute)
    for job, start in since.items():
        _draw_work(picture, job, start, picture.now)


def _draw_work(picture: _Picture, job: int, start: int, end: int) -> None:
    data = picture.attempts[job]
    colour, _ = marks.DEPTHS[Depth(data["depth"])]
    picture.bars([(start, end)], picture.resource_top[data["resource"]] + 0.38, 0.24, colour)


def _seen(use: UsageRow, picture: _Picture) -> tuple[int, int] | None:
    """Return the stretch of a use as known now: as stated beforehand, as it was afterwards."""
    if picture.now < use.start:
        return (use.start, use.stated_end) if use.stated else None
    return use.start, use.end if use.end <= picture.now else max(use.stated_end, picture.now)


def _draw_signals(picture: _Picture, author: bool) -> None:
    """Draw when signals came: noise like the rest, but for authors."""
    came: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
    for minute, _, data in picture.of("signal"):
        if data["status"] == SignalStatus.FRESH:
            came[author and data["task"] < 0].append((minute, picture.height(data["signal"], _CAME)))
    picture.mark(came[False], marks.sign("|", marks.INK, 6))
    picture.mark(came[True], marks.sign("x", marks.HIDDEN, 4))


def _draw_interventions(picture: _Picture) -> None:
    """Draw what the agent chose, with the letter of its timing."""
    chosen: dict[tuple[Depth, Timing], list[tuple[float, float]]] = {}
    for minute, name, data in picture.of(*_CHOICES):
        depth = Depth(data["depth"]) if name == "attempt" else Depth.NOOP
        timing = Timing.NOW if name == "dismiss" else Timing(data["timing"])
        chosen.setdefault((depth, timing), []).append((minute, picture.chosen(minute, data["signal"])))
    for (depth, timing), places in chosen.items():
        for look in marks.chosen_mark(depth, timing):
            picture.mark(places, look)


def _draw_deliveries(picture: _Picture) -> None:
    """Draw what reached the user, with a line from the choice that led to it."""
    chosen = {data["job"]: minute for minute, _, data in picture.of("attempt")}
    answered = {data["job"] for _, _, data in picture.of("reaction")}
    reached: list[tuple[float, float]] = []
    for minute, _, data in picture.of("deliver"):
        signal = picture.attempts[data["job"]]["signal"]
        if data["job"] not in answered:
            reached.append((minute, picture.height(signal, _HEARD)))
        line = [chosen[data["job"]], minute], [picture.chosen(chosen[data["job"]], signal), picture.height(signal, _HEARD)]
        picture.axes.plot(*line, color=marks.QUIET, linewidth=0.7, zorder=3)
    picture.mark(reached, marks.sign("o", marks.QUIET, 3))


def _draw_user(picture: _Picture) -> None:
    """Draw how the user answered, and what they said about delegation."""
    for minute, _, data in picture.of("reaction"):
        character, colour, _ = marks.REACTIONS[Reaction(data["reaction"])]
        place = picture.height(picture.attempts[data["job"]]["signal"], _HEARD)
        picture.mark([(minute, place)], marks.glyph(character, colour, 8))
    for minute, name, data in picture.of(*marks.STATED):
        topic = picture.week.statements[data["statement"]].topic if name == "stated" else data["topic"]
        picture.mark([(minute, picture.topic_top[topic] + _CAME)], marks.sign(marks.STATED[name][0], marks.INK, 5))


def _draw_hidden(picture: _Picture) -> None:
    """Draw tasks' deadlines, and decision windows from when both matters are known to the urgent one's last start."""
    week, plan = picture.week, picture.week.plan
    for task, deadline in zip(plan.tasks, week.task_deadline, strict=True):
        picture.mark([(deadline, picture.topic_top[task.topic] + _CHOSEN)], marks.sign("|", marks.HIDDEN, 11))
    for window in plan.windows:
        urgent, later = plan.tasks[window.urgent], plan.tasks[window.later]
        known = [min((week.record_at[plan.signals[s].record] for s in task.signals), default=0) for task in (urgent, later)]
        end = last_start(plan, week.task_deadline[window.urgent], urgent, work_of(week, window.urgent))
        if max(known) <= end:
            picture.bars([(max(known), end)], _USER_HEIGHT + 0.05, _GAP - 0.1, marks.HIDDEN)


def _draw_trust(picture: _Picture, axes: "Axes") -> None:
    plan = picture.week.plan
    marks.frame(axes, [plan.clock.at(day, time()) for day in range(plan.scenario.days)], plan.horizon)
    axes.set_ylim(1, 5)
    axes.set_yticks([1, 3, 5], ["1", "trust  3", "5"], fontsize=8)
    moves = [(minute, float(data["level"] or 0)) for minute, name, data in picture.entries if name == "trust"]
    points = [(0, START), *moves]
    points.append((picture.now, points[-1][1]))
    axes.step(
        [minute for minute, _ in points],
        [level for _, level in points],
        where="post",
        color=marks.HIDDEN,
        linewidth=1.2,
    )


def _draw_titles(picture: _Picture, figure: "Figure") -> None:
    plan = picture.week.plan
    title = f"{printable(plan.scenario.title)}: persona {plan.persona.id}, {plan.persona.name}".replace("\n", " ")
    if len(title) > _LONGEST_TITLE:
        title = f"{title[: _LONGEST_TITLE - 3]}..."
    if picture.complete:
        terms = score(picture.entries, picture.week)
        told = "   ".join(
            f"{name.replace('_', '-')} {'none' if terms[name] is None else f'{terms[name]:.3g}'}" for name in _TERMS
        )
    else:
        told = f"until {show(plan.clock, picture.now, None)}"
    figure.text(_LEFT, 0.985, title, va="top", fontsize=11, fontweight="bold", color=marks.INK)
    figure.text(_LEFT, 0.943, told, va="top", fontsize=8.5, color=marks.QUIET)
