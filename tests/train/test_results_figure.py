"""The learning curve shows every seed."""

from pathlib import Path

from proactivity_gym.train import results_figure, trained
from tests.train.trained_runs import TRAVEL_B, made


def test_it_is_drawn_as_svg_and_png(tmp_path: Path) -> None:
    runs = [trained.read(made(tmp_path / str(seed), seed=seed)) for seed in (1, 2)]
    results_figure.draw({TRAVEL_B: runs}, {TRAVEL_B: {"rules": 0.4, "oracle": 1.0}}, tmp_path / "curve")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    first = (tmp_path / "curve.svg").read_text()
    assert first.count("<svg") == 1
    assert "Travel-PersonaB: 2 seeds" in first or "<path" in first


def test_a_curve_is_the_evaluations(tmp_path: Path) -> None:
    assert results_figure.curve(trained.read(made(tmp_path / "run", steps=70))) == ([0, 70], [0.1, 0.5])
