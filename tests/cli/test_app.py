import errno
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from proactivity_gym import __version__, cli
from proactivity_gym.cli import main
from proactivity_gym.cli.app import BadInputError, console, forget_output, json_line, refusing
from proactivity_gym.sim.parsing import ScenarioError
from tests.cli.pgym import pgym, process


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (BadInputError("no such thing"), "pgym: no such thing\n"),
        (ScenarioError("f.toml: key: add it"), "pgym: f.toml: key: add it\n"),
        (FileNotFoundError(2, "No such file or directory", "x.jsonl"),
         "pgym: x.jsonl: No such file or directory. Check the name, and that it can be read or written.\n"),
        (OSError("no answer"), "pgym: no answer\n"),
        (OSError(errno.ENOSPC, "No space left on device", "x.jsonl"),
         "pgym: x.jsonl: No space left on device. Make room there, or have it written somewhere else.\n"),
        (OSError(errno.ENOSPC, "No space left on device"),
         "pgym: what was to be written: No space left on device. Make room there, or have it written somewhere else.\n"),
        (BadInputError("policy a\x1b[2Jb\u202e"), "pgym: policy a<U+001B>[2Jb<U+202E>\n"),
    ],
)  # fmt: skip
def test_bad_input_is_one_message(error: Exception, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as exit_of, refusing():
        raise error
    assert exit_of.value.exit_code == 2
    assert capsys.readouterr() == ("", message)


def test_a_bug_stays_a_bug() -> None:
    with pytest.raises(ZeroDivisionError), refusing():
        raise ZeroDivisionError


def test_a_reader_who_leaves_is_no_bad_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    forgotten: list[bool] = []
    monkeypatch.setattr(sys.modules[refusing.__module__], "forget_output", lambda: forgotten.append(True))
    with pytest.raises(typer.Exit) as exit_of, refusing():
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")
    assert exit_of.value.exit_code == 141
    assert forgotten == [True]
    assert capsys.readouterr() == ("", "")


def test_what_is_still_to_be_written_goes_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "out").open("w", encoding="utf-8") as out:
        monkeypatch.setattr(sys, "__stdout__", out)
        forget_output()
        out.write("lost")
    assert (tmp_path / "out").read_bytes() == b""


def test_help_that_nobody_reads_has_the_code_of_other_output(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken_off(prog_name: str) -> None:
        assert prog_name == "pgym"
        sys.stdout = io.StringIO()  # as typer does
        raise SystemExit(1)

    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(cli, "app", broken_off)
    monkeypatch.setattr(cli, "forget_output", lambda: None)
    with pytest.raises(SystemExit) as exit_of:
        main()
    assert exit_of.value.code == 141


def test_a_table_that_nobody_reads_ends_like_other_output() -> None:
    with pytest.raises(BrokenPipeError):
        console().on_broken_pipe()


@pytest.mark.parametrize(
    "arguments", [["list"], ["list", "--json"], ["schema"], ["show", "Travel"], ["--help"], ["run", "--help"]]
)
def test_output_that_nobody_reads_ends_quietly(arguments: list[str]) -> None:
    command = [sys.executable, "-W", "error", "-c", "from proactivity_gym.cli import main; main()", *arguments]
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as gone:
        result = subprocess.run(command, stdout=gone, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    assert (result.returncode, result.stderr) == (141, "")


def test_the_version_is_shown() -> None:
    result = pgym("--version")
    assert (result.exit_code, result.stdout) == (0, f"proactivity_gym {__version__}\n")


def test_control_c_has_its_code() -> None:
    with pytest.raises(typer.Exit) as exit_of, refusing():
        raise KeyboardInterrupt
    assert exit_of.value.exit_code == 130


def test_rows_are_strict_json_in_ascii() -> None:
    assert json_line({"a": "\ud835 \u2028 é"}) == '{"a": "\\ud835 \\u2028 \\u00e9"}'
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_line({"a": float("nan")})


def test_help_lists_the_commands() -> None:
    result = pgym("--help")
    assert result.exit_code == 0
    for command in ("list", "show", "check", "run", "play", "view", "schema"):
        assert f"  {command} " in result.stdout


def test_the_entry_point_runs_what_the_process_was_called_with(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["pgym", "schema"])
    with pytest.raises(SystemExit) as exit_of:
        main()
    assert not exit_of.value.code
    assert '"$schema"' in capsys.readouterr().out


def test_an_unknown_command_is_refused(tmp_path: Path) -> None:
    result = process(tmp_path, "dance")
    assert (result.returncode, result.stdout) == (2, "")
    assert "No such command 'dance'" in result.stderr


def test_a_terminal_without_a_character_gets_its_escape(tmp_path: Path) -> None:
    result = process(tmp_path, "show", "Education", PYTHONIOENCODING="ascii:strict", PYTHONUTF8="0")
    assert result.returncode == 0


def test_help_loads_no_scenario_and_nothing_heavy(tmp_path: Path) -> None:
    result = process(tmp_path, "run", "--help", PYTHONPROFILEIMPORTTIME="1")
    assert result.returncode == 0
    loaded = {line.rpartition("|")[2].strip() for line in result.stderr.splitlines()}
    assert not loaded & {"torch", "openai", "matplotlib", "proactivity_gym.sim.scenario"}
