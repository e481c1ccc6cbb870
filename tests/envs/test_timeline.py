# pyright: reportUnknownMemberType=false
# Matplotlib leaves its keyword arguments untyped.

import builtins
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.text import Text

from proactivity_gym.envs.marks import DEPTHS, DOWN, HIDDEN, REACTIONS, UP, PlotMissingError, spread
from proactivity_gym.envs.timeline import SIZE_PX, draw, save, to_rgb
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.scenario import Scenario
from proactivity_gym.sim.trace import Entry
from proactivity_gym.sim.words import Depth, Reaction, SignalStatus, Timing
from tests.sim.situations import SCRIPT, Script, begin, play, scenario

FRESH = SignalStatus.FRESH
USES = """
[[resource]]
id = "lab"
title = "a lab"
capacity = 2

[[usage]]
resource = "lab"
units = 1
start = 2027-03-08T08:00:00
end = 2027-03-08T12:00:00
title = "open"
overrun = [60]

[[usage]]
resource = "lab"
units = 1
start = 2027-03-09T08:00:00
end = 2027-03-09T09:00:00
title = "stated"

[[usage]]
resource = "lab"
units = 1
start = 2027-03-09T10:00:00
end = 2027-03-09T11:00:00
title = "secret"
stated = false
"""


def played(source: Scenario, script: Script = SCRIPT) -> Episode:
    episode = begin(source)
    play(episode, script)
    return episode


def picture(episode: Episode, author: bool = False) -> Figure:
    return draw(episode.week, episode.trace.entries, author)


def until(entries: Sequence[Entry], minute: int) -> list[Entry]:
    return [entry for entry in entries if entry[0] <= minute]


def marks(figure: Figure, colour: str) -> int:
    """Count the points of a colour."""
    lines = figure.axes[0].lines
    return sum(np.size(line.get_xdata()) for line in lines if line.get_linestyle() == "None" and line.get_color() == colour)


def bars(figure: Figure, colour: str) -> list[tuple[float, float]]:
    """Return start and end of the bars of a colour, in minutes."""
    found: list[tuple[float, float]] = []
    for bar in figure.axes[0].collections:
        if np.allclose(bar.get_facecolor()[0], to_rgba(colour)):
            minutes = np.asarray(bar.get_paths()[0].vertices)[:, 0]
            found.append((float(minutes.min()), float(minutes.max())))
    return sorted(found)


def texts(figure: Figure) -> str:
    return "\n".join(text.get_text() for text in figure.findobj(Text))


def test_a_whole_week_is_drawn_with_its_scores() -> None:
    figure = picture(played(scenario()))
    said = texts(figure)
    assert "Two days of errands: persona A, Reviewer" in said
    assert "J 1   TC 100   TA 100   CQ 1   TR-D 100   TR-H 4.55" in said
    assert {"user", "parcel", "forms", "assistant", "Mon 8", "Tue 9"} <= set(said.split("\n"))
    assert marks(figure, DEPTHS[Depth.EXECUTE][0]) == marks(figure, DEPTHS[Depth.SUGGEST][0]) == 1
    assert bars(figure, DEPTHS[Depth.SUGGEST][0]) == [(580, 600)]
    assert bars(figure, DEPTHS[Depth.EXECUTE][0]) == [(720, 735)]
    assert marks(figure, REACTIONS[Reaction.APPROVE][1]) == 1


@pytest.mark.parametrize("choice", [(d, t) for d in Depth for t in Timing if (d, t) != (Depth.NOOP, Timing.DUE)])
@pytest.mark.parametrize("author", [False, True])
def test_every_choice_can_be_drawn(choice: tuple[Depth, Timing], author: bool) -> None:
    records = ("parcel-note", "desk-mail", "card-mail", "offer")
    assert picture(played(scenario(), {(record, FRESH): choice for record in records}), author)


def test_choices_next_to_each_other_are_drawn_apart() -> None:
    places = {(100, 1), (150, 2), (190, 3), (900, 4), (900, 5), (2000, 6)}
    offsets = dict(spread(places, 10_000))
    assert offsets.keys() == places
    assert [offsets[place] for place in sorted(places)] == [UP, DOWN, UP, UP, DOWN, 0.0]


def test_choices_at_one_time_have_heights_of_their_own() -> None:
    records = ("parcel-note", "desk-mail", "card-mail", "offer")
    episode = played(scenario(), {(record, FRESH): (Depth.SUGGEST, Timing.NOW) for record in records})
    at_once = [(600 if name == "attempt" else minute, name, data) for minute, name, data in episode.trace.entries]
    figure = draw(episode.week, at_once)
    colour = DEPTHS[Depth.SUGGEST][0]
    heights = [y for line in figure.axes[0].lines if line.get_color() == colour for y in np.asarray(line.get_ydata())]
    assert len(set(heights)) == len(heights) == 4


def test_the_letters_on_interventions_are_explained_once() -> None:
    for author in (False, True):
        (found,) = picture(played(scenario()), author).legends
        words = [text.get_text() for text in found.get_texts()]
        assert words.count("letter: N now, I idle, S sleep, D due") == 1


def test_authors_see_what_observers_do_not() -> None:
    episode = played(scenario())
    observer, author = picture(episode), picture(episode, author=True)
    assert len(observer.axes) == 1
    assert len(author.axes) == 2, "trust has its own"
    assert marks(observer, HIDDEN) == 0
    assert marks(author, HIDDEN) == 4, "one noise signal, three deadlines"
    assert bars(observer, HIDDEN) == []
    assert bars(author, HIDDEN) == [(580, 620)]
    assert np.asarray(author.axes[1].lines[0].get_ydata())[-1] == pytest.approx(4.68, abs=0.01)


def test_a_window_that_never_opens_is_not_drawn() -> None:
    late = {"at = 2027-03-08T09:30:00": "at = 2027-03-08T19:30:00"}
    assert bars(picture(played(scenario(late)), author=True), HIDDEN) == []


def test_noise_and_tasks_are_drawn_alike() -> None:
    episode = played(scenario(), {})
    as_task = [
        (minute, name, {**data, "task": 2} if name == "signal" and data["task"] == -1 else data)
        for minute, name, data in episode.trace.entries
    ]
    assert np.array_equal(to_rgb(picture(episode)), to_rgb(draw(episode.week, as_task)))


def test_a_week_that_goes_on_shows_no_scores_and_nothing_to_come() -> None:
    episode = played(scenario(more=USES))
    entries = until(episode.trace.entries, 590)
    figure = draw(episode.week, entries)
    assert "until Mon 8 Mar, 09:40" in texts(figure)
    assert "TC" not in texts(figure)
    use = "#b39b7d"
    assert bars(figure, use) == [(480, 720), (1920, 1980)], "as stated so far"
    assert bars(figure, DEPTHS[Depth.SUGGEST][0]) == [(580, 580)]
    whole = picture(episode)
    assert bars(whole, use) == [(480, 780), (1920, 1980), (2040, 2100)], "as it was"
    assert draw(episode.week, [])


def test_delegation_is_drawn_where_it_was_stated_and_taken_back() -> None:
    said = '[[persona.delegation]]\ntopic = "any"\ndepth = "prepare"\nsaid = "x"\nat = 2027-03-08T08:00:00\n\n'
    source = scenario({"[[persona.prior]]": f"{said}[[persona.prior]]"})
    figure = picture(played(source, {("desk-mail", FRESH): (Depth.EXECUTE, Timing.NOW)}))
    shapes = [line.get_marker() for line in figure.axes[0].lines]
    assert shapes.count("D") == shapes.count("v") == 1
    assert "any" in texts(figure)


def test_a_paused_job_is_drawn_in_its_parts() -> None:
    long = {"work_min = 20": "work_min = 100", "2027-03-08T10:40:00": "2027-03-09T10:40:00"}
    script = {
        ("desk-mail", FRESH): (Depth.PREPARE, Timing.IDLE),
        ("card-mail", FRESH): (Depth.SUGGEST, Timing.NOW),
    }
    assert bars(picture(played(scenario(long), script)), DEPTHS[Depth.PREPARE][0]) == [(720, 780), (790, 830)]


def test_pixels_have_one_size_and_leave_no_trace(tmp_path: Path) -> None:
    episode = played(scenario())
    figure = picture(episode)
    save(figure, tmp_path / "large.png")
    settings = dict(mpl.rcParams)
    pixels = to_rgb(figure)
    assert (pixels.shape, pixels.dtype) == ((SIZE_PX[1], SIZE_PX[0], 3), np.uint8)
    assert np.array_equal(pixels, to_rgb(picture(episode)))
    assert dict(mpl.rcParams) == settings


@pytest.mark.parametrize("name", ["week.svg", "week.png"])
@pytest.mark.parametrize("author", [False, True])
def test_files_are_the_same_to_the_byte_whatever_the_settings(name: str, author: bool, tmp_path: Path) -> None:
    save(picture(played(scenario()), author), tmp_path / name)
    with mpl.rc_context({"axes.facecolor": "red", "font.size": 20, "svg.hashsalt": "other", "savefig.bbox": "tight"}):
        save(picture(played(scenario()), author), str(tmp_path / f"again-{name}"))
    assert (tmp_path / name).read_bytes() == (tmp_path / f"again-{name}").read_bytes()


def test_files_of_other_kinds_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"week\.jpg: a picture's name must end in \.svg or \.png"):
        save(picture(begin(scenario())), tmp_path / "week.jpg")


@pytest.mark.parametrize("title", ["Costs $5, or $\\\\frac{1$ {x}", "日本の一週間", "\\u001b[31m \\n two", "long " * 60])
def test_titles_are_never_interpreted(title: str, tmp_path: Path) -> None:
    figure = picture(begin(scenario({'title = "Two days of errands"': f'title = "{title}"'})), author=True)
    save(figure, tmp_path / "week.svg")
    save(figure, tmp_path / "week.png")
    assert "\x1b" not in texts(figure)
    assert max(map(len, texts(figure).split("\n"))) <= 100


ALONE = """
import sys
from proactivity_gym.envs.timeline import draw, to_rgb
from tests.sim.situations import begin, scenario
assert "matplotlib" not in sys.modules
to_rgb(draw(begin(scenario()).week, []))
assert "matplotlib.pyplot" not in sys.modules
"""


def test_matplotlib_is_loaded_only_to_draw_and_pyplot_never() -> None:
    subprocess.run([sys.executable, "-c", ALONE], cwd=Path(__file__).parents[2], check=True)


def test_without_matplotlib_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: object, **more: Mapping[str, object]) -> object:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest, **more)  # type: ignore[arg-type]

    episode = begin(scenario())
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(PlotMissingError, match=r"pip install 'proactivity-gym\[plot\]'"):
        draw(episode.week, [])
