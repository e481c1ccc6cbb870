"""Python run in processes of their own, with the project on their path."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import proactivity_gym

ROOT = Path(proactivity_gym.__file__).parent.parent


def python(code: str, folder: Path, env: Mapping[str, str] | None = None, timeout: float = 120) -> str:
    """Run code in a fresh process whose present folder is `folder`, all warnings being errors; return what it prints.

    Raises:
        AssertionError: it failed; the message is what it said.
    """
    done = raw(code, folder, env, timeout)
    assert done.returncode == 0, done.stderr
    return done.stdout


def raw(
    code: str, folder: Path, env: Mapping[str, str] | None = None, timeout: float = 120
) -> "subprocess.CompletedProcess[str]":
    """Run code in a fresh process and return how it ended."""
    wanted = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **(env or {})}
    for name in [name for name in wanted if name.startswith(("COV_CORE", "COVERAGE"))]:
        del wanted[name]
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(
        command, cwd=folder, env=wanted, capture_output=True, text=True, timeout=timeout, check=False, encoding="utf-8"
    )
