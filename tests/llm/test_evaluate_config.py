"""Configurations: strictly read, without secrets, and compared when a run goes on."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from proactivity_gym.reports.evaluation import running
from proactivity_gym.reports.evaluation.calls import spent_before
from proactivity_gym.reports.evaluation.config import ConfigError, changed, read_config
from proactivity_gym.reports.evaluation.files import Lines, read_lines, replace_file
from proactivity_gym.reports.evaluation.jobs import Row, row_of
from proactivity_gym.reports.evaluation.lock import RunError, locked
from proactivity_gym.sim.scoring import TERMS
from tests.llm.evaluate_doubles import write_config

URL = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("head", "model", "tail", "said"),
    [
        ("sead = [1]", "", "", "sead: there is no such key (did you mean 'seeds'?): use one of ids, model, seeds"),
        ("seeds = [-1]", "", "", "seeds.0: Input should be greater"),
        ("", 'api_key = "sk-secret"', "", "model.0.api_key: there is no such key"),
        ("", "price = 1", "", "headers_env, name, mode, prompt_usd, completion_usd"),
        ("", "", "JUDGE", "judge: give at least two"),
        ('trust = "judge"', "", "", 'trust: "judge" needs judges'),
        ('worker = "llm:x"', "", "", "worker: a model that works for others"),
        ('worker = "nobody"', "", "", "worker: worker='nobody': choose one of reference"),
        ('worker = "imperfect:nan"', "", "", "worker: worker='imperfect:nan': the error rate must lie in [0, 1]"),
        ('worker = "reference"', "", "[worker_model]\nADDRESS", "worker: leave it out"),
        ("", "prompt_usd = 1.0", "", "give both"),
        ("", 'temperature = "hot"', "", 'model.0.temperature: Input should be a valid number, or "none"'),
        ("", "prompt_usd = 'x'", "", "model.0.prompt_usd: Input should be a valid number"),
        ("", "prompt_usd = -1.0\ncompletion_usd = 1.0", "", "finite number"),
        ("", "prompt_usd = 2.0\ncompletion_usd = 2.0", "JUDGE\nJUDGE", "two prices"),
        ("", "", "[[model]]\nADDRESS", "'mock' is there twice"),
        ("", "[model.extra]\nstream = true", "", "extra may not set stream"),
        ("ids = 1", "", "", "it is no TOML"),
    ],
)
def test_what_cannot_be_played_is_refused(tmp_path: Path, head: str, model: str, tail: str, said: str) -> None:
    path = write_config(tmp_path, URL, head, model, tail)
    with pytest.raises(ConfigError) as error:
        read_config(path)
    assert said in str(error.value)
    assert str(path) in str(error.value)
    assert "sk-secret" not in str(error.value)


def test_addresses_with_secrets_are_refused_without_repeating_them(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as error:
        read_config(write_config(tmp_path, "https://me:sk-secret@example.org/v1"))
    assert "sk-secret" not in str(error.value)


def test_what_may_change_is_no_change(tmp_path: Path) -> None:
    before = read_config(
        write_config(tmp_path, URL, "cap_usd = 1.0\nconcurrency = 2", "[model.extra]\nwho = 'sk-one'")
    ).record()
    now = read_config(write_config(tmp_path, URL, "seeds = [1, 2]", "[model.extra]\nwho = 'sk-two'")).record()
    assert changed(before, now) == ["model.1.extra.who", "seeds.1", "seeds.2"]
    assert "sk-one" not in str(before)


def test_lines_mend_what_a_dead_writer_left(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    for left, kept in ((b'{"a": 1}\n{"b"', [{"a": 1}]), (b'{"a": 1}', [{"a": 1}]), (b'{"a', []), (b"", [])):
        path.write_bytes(left)
        with Lines(path) as lines:
            lines.add({"c": "\ud835\x00\u2028"})
        assert list(read_lines(path)) == [*kept, {"c": "\ud835\x00\u2028"}]


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "summary.json"
    replace_file(path, b"old")

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    for name in ("os.fsync", "pathlib.Path.replace", "pathlib.Path.open"):
        with monkeypatch.context() as broken:
            broken.setattr(name, fail)
            with pytest.raises(OSError, match="disk is full"):
                replace_file(path, b"new")
        assert path.read_bytes() == b"old"
        assert [each.name for each in tmp_path.iterdir()] == ["summary.json"]
    replace_file(path, b"new")
    assert path.read_bytes() == b"new"


def test_a_line_that_the_disk_takes_half_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Half:
        name = "rows"

        def __init__(self, file: object) -> None:
            self._file = file

        def write(self, line: bytes) -> int:
            return self._file.write(line[:5])  # type: ignore[attr-defined]

        def __getattr__(self, name: str) -> object:
            return getattr(self._file, name)

    path = tmp_path / "rows.jsonl"
    with Lines(path) as lines:
        lines.add({"a": 1})
        monkeypatch.setattr(lines, "_file", Half(lines._file))  # pyright: ignore[reportPrivateUsage]
        with pytest.raises(OSError, match="half a line"):
            lines.add({"b": 2})
    assert path.read_bytes() == b'{"a": 1}\n'


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device is Linux's")
def test_what_a_full_disk_refuses_is_named() -> None:
    path = Path("/dev/full")
    with Lines(path) as lines, pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        lines.add({"a": 1})


def test_eight_writers_of_a_file_do_not_mix(tmp_path: Path) -> None:
    """D14: every line parses, and none is missing."""
    path = tmp_path / "rows.jsonl"
    with Lines(path) as lines, ThreadPoolExecutor(8) as pool:
        list(pool.map(lines.add, ({"number": number, "text": "x" * (number % 5000)} for number in range(8000))))
    found = [row["number"] for row in read_lines(path) if row is not None]
    assert sorted(map(int, map(str, found))) == list(range(8000))


def test_a_folder_has_one_writer(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("999999\n", "ascii")  # of a run that died
    with locked(tmp_path), pytest.raises(RunError, match="another run"), locked(tmp_path):
        pass
    with locked(tmp_path):
        pass


def test_what_is_no_row_is_none() -> None:
    assert row_of(None) is None
    assert row_of({"model": "mock"}) is None


ROW = Row("mock", "x", 0, 0, "completed", "X", "A", dict.fromkeys(TERMS, 0.5)).record()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("model", 1),
        ("seed", [1]),
        ("seed", -1),
        ("repetition", True),
        ("status", "done"),
        ("status", ["completed"]),
        ("status", "infra_error"),
        ("terms", 3),
        ("terms", None),
        ("terms", {}),
        ("terms", ROW["terms"] | {"J": None}),
        ("terms", ROW["terms"] | {"J": float("nan")}),
        ("terms", ROW["terms"] | {"TC": "x"}),
        ("terms", ROW["terms"] | {"TC": 1e300}),
        ("steps", "x"),
        ("prompt_tokens", None),
        ("judged", 1),
        ("trace", 1),
        ("reason", 1),
        ("timing", []),
    ],
)
def test_a_row_with_a_value_that_cannot_be_is_none(name: str, value: object) -> None:
    assert row_of(ROW) is not None
    assert row_of(ROW | {name: value}) is None


def test_attempts_that_cannot_be_count_nothing(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    attempt = {"model": "m", "purpose": "policy", "outcome": "ok", "reply": "yes", "prompt_tokens": 5, "completion_tokens": 1}
    path.write_text("".join(json.dumps(attempt | {"prompt_tokens": tokens}) + "\n" for tokens in (5, -9, None, "x")), "utf-8")
    assert [each.prompt_tokens for each in spent_before(path)] == [5]


def test_a_damaged_record_is_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(b"{")
    with pytest.raises(RunError, match="damaged"):
        running.read_json(path)


@pytest.mark.parametrize("line", ["weights = [nan, 1.0, 0.0]", "weights = [9.0, 9.0, 9.0]", "repetitions = 999999999"])
def test_numbers_out_of_bounds_are_named(tmp_path: Path, line: str) -> None:
    path = write_config(tmp_path, "http://127.0.0.1:9/v1")
    path.write_text(f"{line}\n{path.read_text('utf-8')}", "utf-8")
    with pytest.raises(ConfigError, match=f"{line.partition(' ')[0]}: "):
        read_config(path)
