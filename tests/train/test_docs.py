"""The page on training: its commands are understood, its scripts and files are those there are."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import tyro

from proactivity_gym.train import dqn, maskable_ppo, ppo, results, run_directory, sweep, zoo

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "training.md").read_text(encoding="utf-8")
SCRIPTS: dict[str, type[Any]] = {
    "maskable_ppo": maskable_ppo.Args,
    "ppo": ppo.Args,
    "dqn": dqn.Args,
    "sweep": sweep.Args,
}
AFTER: dict[str, type[Any]] = {"zoo": zoo.Args, "results": results.Args}
"""Scripts for what has been trained."""
TOLD = PAGE + (DOCS / "results.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    python -m proactivity_gym\.train\.(\w+)(.*)$", TOLD, re.MULTILINE)


@pytest.mark.parametrize(("script", "arguments"), COMMANDS)
def test_a_command_is_understood(script: str, arguments: str) -> None:
    assert tyro.cli((SCRIPTS | AFTER)[script], args=shlex.split(arguments))


def test_every_script_has_its_row() -> None:
    assert re.findall(r"^\| `proactivity_gym\.train\.(\w+)` \|", PAGE, re.MULTILINE) == list(SCRIPTS)


def test_the_files_of_a_run_are_named() -> None:
    for name in ("CONFIG", "VERSIONS", "EPISODES", "EVALUATIONS", "MODEL", "CHECKPOINT"):
        assert f"`{getattr(run_directory, name)}`" in PAGE
    assert f"`{run_directory.CURVES}/`" in PAGE
