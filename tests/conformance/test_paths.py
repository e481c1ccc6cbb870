"""D15, B41: names of scenarios and personas that would be paths, and what happens to them."""

import os
from pathlib import Path

import gymnasium as gym
import pytest

from proactivity_gym.envs.registration import MIXED_ID
from proactivity_gym.sim.parsing import ScenarioError
from tests.conformance.drivers import SCENARIOS

NAMES = [
    "",
    " ",
    ".",
    "..",
    "/",
    "//",
    "~",
    "~root",
    "../travel",
    "../../etc/passwd",
    "/etc/passwd",
    "/etc/passwd\x00.txt",
    "C:\\x",
    "\\\\host\\share",
    "file:///etc/passwd",
    "http://127.0.0.1/x",
    "CON",
    "NUL",
    "AUX",
    "COM1",
    "LPT1",
    "con.txt",
    "x" * 300,
    "x" * 5000,
    "a/b",
    "a\\b",
    "a:b",
    "a|b",
    "a*b",
    "a?b",
    "a<b>",
    'a"b',
    "a'b",
    "$HOME",
    "${HOME}",
    "%PATH%",
    "`id`",
    "$(id)",
    "; id",
    "&& id",
    "| id",
    "\n",
    "\r\n",
    "\t",
    "\x00",
    "a\x00b",
    "\x1b[31m",
    "\ud835",
    "\u202e",
    "\u2028",
    "ｔｒａｖｅｌ",
    "travel",
    "TRAVEL",
    "Travel ",
    " Travel",
    "Travel.",
    "Travel/",
    "Travel\x00",
    "Mixed/../Travel",
    "None",
    "null",
    "0",
    "-1",
    "True",
    "{}",
    "{0}",
    "%s",
    "__init__",
    "catalogue",
    "*",
    "T?avel",
    "Travel.py",
    "é" * 200,
]
FILES = [
    "missing.toml",
    "../missing.toml",
    "/nowhere/missing.toml",
    "folder.toml",
    ".toml",
    "/.toml",
    "~/x.toml",
    "$HOME/x.toml",
    "\x00.toml",
    "a\x00b.toml",
    "x" * 300 + ".toml",
    "a/" * 3000 + ".toml",
    "\ud835.toml",
    "broken.toml",
    "empty.toml",
    "binary.toml",
    "other.toml",
    "loop.toml",
    "secret.toml",
    "Travel.toml/..",
    "file:///x.toml",
    "http://127.0.0.1/x.toml",
    "\n.toml",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "broken.toml").write_text("a = [", encoding="utf-8")
    (tmp_path / "empty.toml").write_text("", encoding="utf-8")
    (tmp_path / "binary.toml").write_bytes(bytes(range(256)))
    (tmp_path / "other.toml").write_text("[tool]\nx = 1\n", encoding="utf-8")
    (tmp_path / "loop.toml").symlink_to(tmp_path / "loop.toml")
    (tmp_path / "secret").write_text("password = 'hunter2-canary'", encoding="utf-8")
    (tmp_path / "secret.toml").symlink_to(tmp_path / "secret")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tree(folder: Path) -> list[str]:
    """List all that is in a folder."""
    return sorted(f"{path}: {path.lstat().st_mtime_ns} {path.lstat().st_size}" for path in folder.rglob("*"))


def test_there_are_names_enough() -> None:
    assert len({*NAMES, *FILES}) >= 60


@pytest.mark.parametrize("number", range(len(NAMES) + len(FILES)))
def test_a_hostile_scenario_is_refused_in_words(number: int, folder: Path) -> None:
    name = [*NAMES, *FILES][number]
    before = tree(folder)
    with pytest.raises(ScenarioError) as caught:
        gym.make(MIXED_ID, scenario=name)
    assert str(caught.value).strip()
    assert "hunter2" not in str(caught.value)
    assert tree(folder) == before


@pytest.mark.parametrize("number", range(len(NAMES)))
def test_a_hostile_persona_is_refused_in_words(number: int, folder: Path) -> None:
    before = tree(folder)
    with pytest.raises(ValueError, match="persona") as caught:
        gym.make(MIXED_ID, scenario=SCENARIOS[0], persona=NAMES[number])
    assert str(caught.value).strip()
    assert tree(folder) == before


def test_no_other_file_is_opened_for_a_hostile_name(folder: Path) -> None:
    secret = folder / "secret"
    os.utime(secret, ns=(1, 1))
    for name in ("secret", "./secret", str(secret)):
        with pytest.raises(ScenarioError):
            gym.make(MIXED_ID, scenario=name)
    assert secret.stat().st_atime_ns == 1
