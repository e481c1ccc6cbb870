"""Evaluations in processes of their own that are killed when the server has served so many calls more."""

import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from proactivity_gym.llm.mock_server import MockServer

COMMAND = [sys.executable, "-W", "error", "-c", "from proactivity_gym.cli import main; main()", "evaluate"]
PATIENCE_S = 120.0


@contextmanager
def evaluating(config: Path, run: Path) -> Generator[subprocess.Popen[bytes]]:
    """Start an evaluation, and see that it is over at the end."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([*COMMAND, str(config), "--out", str(run)], stdout=quiet, stderr=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def kill_again_and_again(config: Path, run: Path, server: MockServer, kills: int, span: int) -> int:
    """Kill evaluations of one folder, each after 1 to `span` calls of its own; return how many did not end before that."""
    generator = np.random.default_rng(kills)
    killed = 0
    for _ in range(kills):
        wanted = len(server.calls) + int(generator.integers(1, span))
        with evaluating(config, run) as process:
            wait_for(server, wanted, process)
            killed += process.poll() is None
    return killed


def wait_for(server: MockServer, calls: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until a server has served so many calls, or a process is over."""
    deadline = time.monotonic() + PATIENCE_S
    while len(server.calls) < calls and process.poll() is None:
        assert time.monotonic() < deadline, "nothing came of it"
        time.sleep(0.005)
