from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from proactivity_gym.envs.timeline import save
from proactivity_gym.reports.comparison_figure import draw
from tests.reports.test_comparison import SIMPLE, compared, row


def titles(figure: Figure) -> list[str]:
    return [axes.get_title() for axes in figure.axes]


def test_a_panel_for_each_measure() -> None:
    figure = draw(compared(SIMPLE), "J")
    assert titles(figure) == ["TC", "TA", "TR-D", "J", "J less rules", "gap closed"]
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["rules", "oracle", "mine"]


def test_dots_lie_at_the_means_and_lines_span_the_intervals() -> None:
    found = compared(SIMPLE)
    lines = draw(found, "J").axes[3].get_lines()
    mine = next(each for each in found.compared if (each.policy, each.term) == ("mine", "J"))
    assert np.asarray(lines[-2].get_xdata()).tolist() == [mine.mean.low, mine.mean.high]
    assert np.asarray(lines[-1].get_xydata()).tolist() == [[mine.mean.mean, 2]]


def test_without_a_ceiling_there_is_no_panel_for_the_gap() -> None:
    assert titles(draw(compared(SIMPLE, ceiling=None), "TC")) == ["TC", "TA", "TR-D", "J", "TC less rules"]


def test_an_incomplete_comparison_is_marked_in_its_picture() -> None:
    notes = [draw(compared(rows), "J").get_supxlabel() for rows in (SIMPLE, [*SIMPLE, row("mine", "S", 1, None)])]
    assert ["INCOMPLETE" in note for note in notes] == [False, True]


@pytest.mark.parametrize("kind", [".svg", ".png"])
def test_the_same_comparison_gives_the_same_bytes(tmp_path: Path, kind: str) -> None:
    one, two = tmp_path / f"one{kind}", tmp_path / f"two{kind}"
    for path in (one, two):
        save(draw(compared(SIMPLE), "J"), path)
    assert one.read_bytes() == two.read_bytes()


def test_a_hostile_name_is_text_alone(tmp_path: Path) -> None:
    name = "<script>$\\frac{$\x1b[2J" + "x" * 300
    save(draw(compared([row(name, "S", 0, 0.5), row("rules", "S", 0, 0.5)]), "J"), tmp_path / "figure.svg")
    text = (tmp_path / "figure.svg").read_text("utf-8")
    assert "<script" not in text
    assert "\x1b" not in text
