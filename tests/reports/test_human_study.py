import io
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import pytest
from rich.console import Console

from examples import human_study as example
from proactivity_gym.reports import human_study as study
from proactivity_gym.reports.human_study import Figure
from proactivity_gym.sim.delegation import BEFORE
from proactivity_gym.sim.words import Depth, Reaction, Timing

PAGE = Path(__file__).resolve().parents[2] / "docs" / "human-study.md"
FIGURES = {figure.name: figure for figure in study.figures()}
CALIBRATED = [figure for figure in FIGURES.values() if figure.kind == "calibrated"]
HISTORIES = [history for sequence in study.SEQUENCES for history in study.histories(sequence)]


@pytest.mark.parametrize("figure", CALIBRATED, ids=lambda figure: figure.name)
def test_calibrated_figures_are_reproduced(figure: Figure) -> None:
    assert figure.tolerance == (study.STEP_TOLERANCE if figure.unit == "points" else study.RATE_TOLERANCE)
    assert figure.holds
    assert figure.ours == pytest.approx(figure.published, abs=figure.tolerance)


def test_what_is_published_is_as_the_paper_has_it() -> None:
    published = [figure.published for figure in CALIBRATED]
    steps, rates = [-1.86, 1.27, 0.17, -0.44, 4.43, 3.43], [0.978, 0.267, 0.644, 0.922, 0.883, 0.683, 0.150]
    assert published == steps + rates


def test_ours_is_what_the_fit_gave() -> None:
    expected = [-1.88, 1.27, 0.20, -0.45, 4.43, 3.43, 0.978, 0.267, 0.643, 0.940, 0.865, 0.679, 0.168]
    assert [figure.ours for figure in CALIBRATED] == pytest.approx(expected, abs=0.005)


def test_what_was_not_fitted_says_so() -> None:
    held_out = [figure for figure in FIGURES.values() if figure not in CALIBRATED]
    assert {figure.kind for figure in held_out} == {"not used in the fit"}
    assert all(figure.tolerance is None and figure.holds for figure in held_out)
    assert [figure.published for figure in held_out[:3]] == [0.944, 0.677, 63]
    assert [figure.ours for figure in held_out] == pytest.approx([0.978, 0.711, 64.51, 1.183], abs=0.005)


def test_the_rating_gaps_stand_in_the_published_order() -> None:
    gap = FIGURES["rating gap, content over depth"]
    assert gap.published > 1
    assert gap.ours > 1


def test_a_figure_out_of_tolerance_does_not_hold() -> None:
    assert not Figure("x", 0.5, 0.531, "share", "calibrated", 0.03, "", "").holds


# The protocol


def test_misaligned_means_over_and_under_half_and_half() -> None:
    assert study.histories("AAA") == ["AAA"]
    assert study.histories("AMA") == ["AOA", "AUA"]
    assert len(study.histories("MMM")) == len(set(study.histories("MMM"))) == 8
    assert "".join(study.histories("MMM")).count("O") == 12


def test_trust_by_hand() -> None:
    assert study.levels("AOA") == pytest.approx([4.4288, 1.977208, 3.30723648])
    assert study.levels("UUU") == pytest.approx([2.2367, 1.5132305, 1.2129906575])


def test_an_unread_offer_moves_nothing() -> None:
    _, before, after = study.levels("OOU")
    assert before < 1.3
    assert after == before
    assert study.levels("OOO")[2] < before


def test_logs_of_one_kind_of_misalignment_give_the_same_step() -> None:
    logs = [study.levels(history) for history in ("OOO", "UUU")]
    alone = fmean(after - before for log in logs for before, after in pairwise(log))
    assert alone == pytest.approx(study.step("MM"), abs=0.005)


# Played


@pytest.mark.parametrize("history", HISTORIES)
def test_trust_in_a_simulated_week_is_the_law(history: str) -> None:
    assert example.played_levels(history) == study.levels(history)


def test_offers_are_accepted_as_often_as_the_closed_form_says() -> None:
    for row in example.played_offers():
        low, high = row.interval
        assert low < row.closed_form < high, row.name
        assert high - low < 0.06


def test_the_week_expects_what_the_protocol_says() -> None:
    week = example.begin().week
    assert all(statement.at == BEFORE for statement in week.statements)
    episode = example.begin()
    expected = {"flyer": Depth.SUGGEST, "diary": Depth.PREPARE, "milk": Depth.EXECUTE, "groceries-7": Depth.EXECUTE}
    for task, depth in expected.items():
        index = next(i for i, row in enumerate(week.plan.tasks) if row.id == task)
        assert episode.expected(week.plan.tasks[index].signals[0]) == depth


def test_help_that_competes_is_put_off_rather_than_declined() -> None:
    task, offer = example.OFFERS["at once, into focus"]
    answers = {example.first_answer(task, offer, seed) for seed in range(20)}
    assert answers == {Reaction.APPROVE, Reaction.DEFER}


def test_what_cannot_be_played_is_said() -> None:
    with pytest.raises(LookupError, match="flyer: no signal came"):
        example.take_up(episode := example.begin(), "flyer", Depth.NOOP, Timing.NOW)
        example.take_up(episode, "flyer", Depth.SUGGEST, Timing.NOW)
    with pytest.raises(LookupError, match="diary: no answer came"):
        example.first_answer("diary", example.replace(study.SLEPT, depth=Depth.PREPARE), 0)


# The page


def test_the_page_shows_what_the_example_prints() -> None:
    file = io.StringIO()
    example.main(Console(file=file, width=example.WIDTH, markup=False, color_system=None))
    printed = [line.rstrip() for line in file.getvalue().splitlines() if line.strip()]
    shown = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    assert printed == shown
