import json
from pathlib import Path
from typing import Any

import pytest

from proactivity_gym.wrappers import Log, LogError, load
from proactivity_gym.wrappers.log_format import (
    COMPLETED,
    CUT_OFF,
    Final,
    Header,
    Read,
    Step,
    digest,
    final_line,
    header_line,
    line,
    number,
    read_line,
    step_line,
)

HEADER = Header(
    package="0.1.0",
    id="ProactivityGym/Tiny-PersonaA-v0",
    source="tiny.toml",
    sha256="00",
    scenario_version=1,
    persona="A",
    variation="written",
    week=0,
    user="deterministic",
    worker="reference",
    weights=[0.5, 0.25, 0.25],
    seed=None,
    options={},
    draws=0,
)
NASTY = "\ud835 \x00 \u2028 \x1b[31m \u202e é \U0001f680 \n"
FINAL = Final(COMPLETED, 3, "ab", {"J": 0.5, "TA": None})
LINES = [
    header_line(HEADER),
    step_line((0, 0, 0), [(5, "wait", {"error": None})], 0.0, None),
    read_line("mail.search", {"query": NASTY}),
    step_line((16, 3, 3), [], 0.25, None),
    step_line(None, [], 0.0, "malformed-action"),
    final_line(FINAL),
]
EVENTS = (
    Step(2, (0, 0, 0), 1, digest([(5, "wait", {"error": None})])[:4], 0, None),
    Read(3, "mail.search", {"query": NASTY}),
    Step(4, (16, 3, 3), 0, digest([])[:4], 0.25, None),
    Step(5, None, 0, digest([])[:4], 0, "malformed-action"),
)


def read(data: bytes, folder: Path) -> Log:
    path = folder / "log.jsonl"
    path.write_bytes(data)
    return load(path)


def changed(index: int, **edits: Any) -> bytes:  # noqa: ANN401 (of any kind)
    """Return a line that is an object, with edits."""
    return line({**json.loads(LINES[index]), **edits})


def test_what_is_written_is_read(tmp_path: Path) -> None:
    log = read(b"".join(LINES), tmp_path)
    assert log == Log(HEADER, EVENTS, FINAL, "")
    assert log.complete
    assert log.status == COMPLETED
    assert [step.line for step in log.steps] == [2, 4, 5]


def test_every_line_is_strict_ascii_json() -> None:
    for text in LINES:
        assert text.isascii()
        assert text.count(b"\n") == 1
        assert text.endswith(b"\n")
        json.loads(text, parse_constant=pytest.fail)
    with pytest.raises(ValueError, match="not JSON compliant"):
        line([float("nan")])


def test_numbers_that_are_not_finite_become_null() -> None:
    assert [number(value) for value in (float("nan"), float("inf"), None, 0.5)] == [None, None, None, 0.5]
    assert json.loads(final_line(Final(CUT_OFF, 0, "", {"J": float("nan")})))["terms"] == {"J": None}


def test_short_steps_leave_out_what_is_zero() -> None:
    mark = digest([])[:4]
    assert json.loads(step_line((1, 2, 3), [], 0.0, None)) == [1, 2, 3, 0, mark]
    assert json.loads(step_line((1, 2, 3), [], -0.5, None)) == [1, 2, 3, 0, mark, -0.5]
    assert json.loads(step_line((1, 2, 3), [], 0.0, "empty-slot")) == [1, 2, 3, 0, mark, 0.0, "empty-slot"]
    assert json.loads(step_line((1, 2, 3), [], None, None)) == [1, 2, 3, 0, mark, None]


def test_a_file_cut_off_anywhere_loses_its_last_line_at_most(tmp_path: Path) -> None:
    data = b"".join(LINES)
    for size in range(len(data)):
        whole = data[:size].count(b"\n")
        intact = data[size : size + 1] == b"\n"  # the line is all there, only its end is not
        kept = whole + intact
        if kept == 0:
            with pytest.raises(LogError, match=r"log\.jsonl, line 1: there is no whole header.*delete it"):
                read(data[:size], tmp_path)
            continue
        log = read(data[:size], tmp_path)
        assert log.events == EVENTS[: kept - 1]
        assert log.complete == (kept == len(LINES))
        dropped = not data[:size].endswith(b"\n") and not intact
        stops = "" if log.complete else "the file stops before the end of the episode"
        assert log.note == (f"line {kept + 1} was cut off and dropped" if dropped else stops)
        assert log.status == ("completed" if log.complete else "interrupted")


BAD = {
    "no JSON": b"nonsense\n",
    "half a line": LINES[1][:5] + b"\n",
    "empty": b"\n",
    "NaN": b"[0,0,0,1,NaN]\n",
    "not UTF-8": b"\xff\xfe\n",
    "NUL": b"\x00\x00\x00\n",
    "too deep": b"[" * 100_000 + b"\n",
    "a number": b"3\n",
    "too short": b"[0,0,0,1]\n",
    "too long": b'[0,0,0,1,"ab",0,"x",1]\n',
    "target out of range": b'[17,0,0,1,"ab"]\n',
    "half an action": b'[null,0,0,1,"ab"]\n',
    "a truth value": b'[true,0,0,1,"ab"]\n',
    "entries as text": b'[0,0,0,"1","ab"]\n',
    "digest as number": b"[0,0,0,1,2]\n",
    "reward as text": b'[0,0,0,1,"ab","0"]\n',
    "error as number": b'[0,0,0,1,"ab",0,5]\n',
    "a read of nothing": b'["read"]\n',
    "a read without name": b'["read",5,{}]\n',
    "a read without arguments": b'["read","mail.search",[]]\n',
    "two lines in one": LINES[1][:-1] + LINES[3],
    "another object": b"{}\n",
    "an end of another kind": changed(5, end="lost"),
    "an end without terms": changed(5, terms=None),
    "terms as text": changed(5, terms={"J": "1"}),
    "steps as text": changed(5, steps="3"),
    "trace as number": changed(5, trace=5),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_a_damaged_line_is_named(bad: bytes, tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"log\.jsonl, line 3: .*Take the file from a backup, or delete the lines"):
        read(b"".join([*LINES[:2], bad, *LINES[2:]]), tmp_path)


def test_nothing_comes_after_the_end(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="line 7: it comes after the last line of the episode"):
        read(b"".join([*LINES, LINES[1]]), tmp_path)


def test_steps_that_were_taken_out_are_missed(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="line 5: it counts 3 steps, but there are 2"):
        read(b"".join([*LINES[:3], *LINES[4:]]), tmp_path)


def test_an_unknown_schema_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"schema 2 is unknown \(known: 1\)\. Read it with proactivity_gym 9\.9"):
        read(changed(0, schema=2, package="9.9") + LINES[1], tmp_path)


@pytest.mark.parametrize("first", [b"[]\n", b"{}\n", LINES[1], b'"x"\n'])
def test_another_file_is_no_log(first: bytes, tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"line 1: this is no header\. Give a file that EpisodeLog wrote"):
        read(first + LINES[1], tmp_path)


@pytest.mark.parametrize(
    "edits",
    [
        {"week": "0"},
        {"week": True},
        {"seed": 1.5},
        {"weights": [1, 0]},
        {"weights": ["a", 1, 1]},
        {"weights": [9, 9, 9]},
        {"persona": None},
    ],
)
def test_a_damaged_header_is_named(edits: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(LogError, match=f"line 1: {next(iter(edits))} "):
        read(changed(0, **edits) + LINES[1], tmp_path)


def test_a_header_lacks_nothing(tmp_path: Path) -> None:
    short = json.loads(LINES[0])
    del short["sha256"]
    with pytest.raises(LogError, match="line 1: sha256 is missing"):
        read(line(short) + LINES[1], tmp_path)


def test_no_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.jsonl")
