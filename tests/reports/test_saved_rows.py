import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from proactivity_gym.reports.runs import Row, Settings
from proactivity_gym.reports.saved_rows import Conditions, RowsError, merged, read
from tests.reports.test_comparison import row

ROWS = [row("a", "S", 0, 0.5), row("a", "S", 1, None), row("b", "S", 0, 0.25)]


def written(path: Path, rows: list[Row], **changed: object) -> Path:
    lines = [json.dumps(each.record() | changed) for each in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def no_ids(_: str) -> list[str]:
    raise AssertionError("no evaluation is read")


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    saved = read(written(tmp_path / "rows.jsonl", ROWS), no_ids)
    assert saved.rows == ROWS
    assert (saved.planned, saved.notes) == ([], [])
    assert saved.conditions == Conditions.of(Settings())


def test_files_are_merged(tmp_path: Path) -> None:
    one, two = written(tmp_path / "one.jsonl", ROWS[:2]), written(tmp_path / "two.jsonl", ROWS[2:])
    assert merged([read(one, no_ids), read(two, no_ids)]) == ROWS


def test_an_episode_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    one, two = written(tmp_path / "one.jsonl", ROWS[:2]), written(tmp_path / "two.jsonl", ROWS[1:])
    with pytest.raises(RowsError, match=r"two.jsonl: a on S-A, seed 1, is in .*one.jsonl already: leave one of them out"):
        merged([read(one, no_ids), read(two, no_ids)])
    with pytest.raises(RowsError, match=r"is in .*one.jsonl already"):
        merged([read(written(one, [ROWS[0], ROWS[0]]), no_ids)])


def test_repetitions_are_no_duplicates(tmp_path: Path) -> None:
    rows = [ROWS[0], replace(ROWS[0], repetition=1)]
    assert merged([read(written(tmp_path / "rows.jsonl", rows), no_ids)]) == rows


def test_rows_that_were_played_otherwise_are_refused(tmp_path: Path) -> None:
    one = read(written(tmp_path / "one.jsonl", ROWS[:1]), no_ids)
    two = read(written(tmp_path / "two.jsonl", ROWS[2:], variation="train", user="stochastic"), no_ids)
    with pytest.raises(RowsError, match=r"one.jsonl and .*two.jsonl differ in variation, user: they would not compare"):
        merged([one, two])
    with pytest.raises(
        RowsError, match=r"one.jsonl and the episodes to be played differ in variation.*: give --variation test$"
    ):
        merged([one], Conditions.of(Settings(variation="written")))
    weighted = Conditions("test", "deterministic", (0.5, 0.25, 0.25), difficulty="hard")
    with pytest.raises(RowsError, match=r"not compare: give --weights 0\.5,0\.25,0\.25 --difficulty hard$"):
        merged([replace(one, conditions=weighted)], Conditions.of(Settings()))
    with pytest.raises(RowsError, match="what is played here is not judged"):
        merged([replace(one, conditions=replace(one.conditions, trust="judge"))], Conditions.of(Settings()))
    path = written(tmp_path / "both.jsonl", [ROWS[0], replace(ROWS[2], weights=(0.5, 0.25, 0.25))])
    with pytest.raises(RowsError, match="its rows differ in weights"):
        read(path, no_ids)


def test_a_line_that_is_cut_off_is_told_and_left_out(tmp_path: Path) -> None:
    path = written(tmp_path / "rows.jsonl", ROWS)
    path.write_bytes(path.read_bytes()[:-20])
    saved = read(path, no_ids)
    assert saved.rows == ROWS[:2]
    assert saved.notes == [f"{path}, line 3: damaged or cut off: its episode counts as not played"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"seed": "0"}, "seed: a whole number is wanted, not '0'"),
        ({"seed": True}, "seed: a whole number is wanted"),
        ({"policy": 1}, "policy: a text is wanted"),
        ({"status": "done"}, "status: one of completed, infra_error"),
        ({"TC": "high"}, "TC: a number or null is wanted"),
        ({"TC": float("nan")}, "TC: a number or null is wanted"),
        ({"J": None}, "J: a number is wanted"),
        ({"reason": 1}, "reason: a text or null"),
        ({"weights": [1, 0]}, "weights: three numbers"),
        ({"weights": "equal"}, "weights: three numbers"),
    ],
)
def test_what_is_no_row_is_refused(tmp_path: Path, changed: dict[str, Any], said: str) -> None:
    with pytest.raises(RowsError, match=f"line 1: {said}"):
        read(written(tmp_path / "rows.jsonl", ROWS[:1], **changed), no_ids)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"schema": 1}\n', encoding="utf-8")
    with pytest.raises(RowsError, match="line 1: CQ is missing: this is no row"):
        read(path, no_ids)
    path.write_text("", encoding="utf-8")
    with pytest.raises(RowsError, match="there are no rows in it"):
        read(path, no_ids)
    with pytest.raises(RowsError, match="no such file"):
        read(tmp_path / "nowhere", no_ids)
    with pytest.raises(RowsError, match=r"no config.json is in it"):
        read(tmp_path, no_ids)


def test_levels_of_difficulty_do_not_mix_and_older_rows_are_standard(tmp_path: Path) -> None:
    old = tmp_path / "old.jsonl"
    record = {name: value for name, value in ROWS[0].record().items() if name != "difficulty"}
    old.write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert read(old, no_ids).rows == [ROWS[0]]
    hard = read(written(tmp_path / "hard.jsonl", ROWS[2:], difficulty="hard"), no_ids)
    with pytest.raises(RowsError, match="differ in difficulty: they would not compare"):
        merged([read(old, no_ids), hard])
    with pytest.raises(RowsError, match="differ in difficulty"):
        merged([hard], Conditions.of(Settings()))
