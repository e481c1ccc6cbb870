"""The command line as tests call it: in this process, or in one of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gymnasium as gym
from typer.testing import CliRunner, Result

from proactivity_gym.cli import app
from proactivity_gym.envs import registration

TINY_ID = registration.env_id("Tiny", "A")


def pgym(*arguments: str, typed: str | None = None) -> Result:
    """Run a command in this process; a bug raises."""
    return CliRunner().invoke(app, list(arguments), input=typed, catch_exceptions=False)


def process(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    command = [sys.executable, "-W", "error", "-c", "from proactivity_gym.cli import main; main()", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=120, check=False, env=os.environ | environment
    )


def rows_of(text: str) -> list[dict[str, Any]]:
    """Return the rows of machine-readable output, strictly."""
    return [json.loads(line, parse_constant=_refuse) for line in text.splitlines()]


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON")


def refused(result: Result) -> str:
    """Return the message of a command that refused its input, which must be all that it said."""
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


@contextmanager
def no_trace() -> Generator[None]:
    """Forget ids that a command registered."""
    before = dict(gym.registry)
    try:
        yield
    finally:
        for name in set(gym.registry) - set(before):
            del gym.registry[name]
