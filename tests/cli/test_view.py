import json
from pathlib import Path

import pytest

from tests.cli.pgym import pgym, refused
from tests.sim.tiny import PATH


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    result = pgym(
        "run",
        "--policy",
        "oracle",
        "--ids",
        str(PATH),
        "--seeds",
        "0",
        "--variation",
        "written",
        "--log",
        str(tmp_path / "logs"),
    )
    assert result.exit_code == 0
    (found,) = (tmp_path / "logs").rglob("*.jsonl")
    return found


def test_a_trace_is_told_and_scored(trace: Path) -> None:
    result = pgym("view", str(trace))
    assert result.exit_code == 0
    assert result.stdout.startswith("ProactivityGym/Tiny-PersonaA-v0, seed 0: Two days of errands, persona A, written week\n")
    assert '  10:05  USER approve: mail "Your place in the course"' in result.stdout.splitlines()
    assert "TERMS (completed)\n  TC                   100.000\n" in result.stdout
    assert "trust" not in result.stdout


def test_authors_are_told_more(trace: Path) -> None:
    assert "    trust is " in pgym("view", str(trace), "--author").stdout


def test_pictures_are_written_on_wish(trace: Path, tmp_path: Path) -> None:
    svg, png = tmp_path / "week.svg", tmp_path / "week.png"
    result = pgym("view", str(trace), "--svg", str(svg), "--png", str(png))
    assert result.exit_code == 0
    assert "<svg" in svg.read_text(encoding="utf-8")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert f"picture: {png}" in result.stdout


def test_a_trace_that_was_cut_off_is_told_as_far_as_it_goes(trace: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(trace.read_bytes()[:-200])
    result = pgym("view", str(cut))
    assert result.exit_code == 0
    assert "NOTE: " in result.stdout
    assert "TERMS (interrupted)" in result.stdout


def test_what_cannot_be_viewed_is_refused(trace: Path, tmp_path: Path) -> None:
    assert "nowhere.jsonl: No such file or directory. Check the name" in refused(pgym("view", "nowhere.jsonl"))
    junk = tmp_path / "junk.jsonl"
    junk.write_text("junk\n", encoding="utf-8")
    message = refused(pgym("view", str(junk)))
    assert "junk.jsonl: this is no log of EpisodeLog; give a .jsonl file that it wrote." in message
    junk.write_text("", encoding="utf-8")
    assert "there is no whole header" in refused(pgym("view", str(junk)))
    assert "must end in .svg" in refused(pgym("view", str(trace), "--svg", "week.png"))
    assert "must end in .png" in refused(pgym("view", str(trace), "--png", "week"))


def test_a_changed_trace_is_refused(trace: Path) -> None:
    text = trace.read_text(encoding="utf-8")
    trace.write_text(text.replace('"persona":"A"', '"persona":"B"'), encoding="utf-8")
    assert "no persona 'B'" in refused(pgym("view", str(trace)))


def test_a_scenario_that_has_moved_is_named_anew(trace: Path, tmp_path: Path) -> None:
    text = trace.read_text(encoding="utf-8")
    for gone, said in (("gone/tiny.toml", "run this from the folder"), (str(tmp_path / "gone.toml"), "is not there: give")):
        trace.write_text(text.replace(json.dumps(str(PATH)), json.dumps(gone)), encoding="utf-8")
        message = refused(pgym("view", str(trace)))
        assert f"the log's scenario {gone} is not there: " in message
        assert said in message
        assert "give --scenario FILE." in message
        result = pgym("view", str(trace), "--scenario", str(PATH))
        assert result.exit_code == 0
        assert "TERMS (completed)" in result.stdout
