"""The page on RLlib, where Ray is installed: `make test-rllib`."""

import importlib.util
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.tools.pages import blocks, commands, run, run_code, shortened

HAS_RAY = importlib.util.find_spec("ray") is not None
with_ray = pytest.mark.skipif(not HAS_RAY, reason="Ray has an environment of its own: make test-rllib")
SMALL = " --envs 2 --batch 200 --cpus 2 --episodes 1"


@pytest.mark.skipif(HAS_RAY, reason="it is about a missing Ray")
def test_without_ray_one_message_says_what_to_install() -> None:
    done = subprocess.run([sys.executable, "-m", "proactivity_gym.train.rllib"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("RLlib is not installed. In an environment of its own: pip install")
    assert len(done.stderr.splitlines()) == 1, "one message, no trace of the interpreter"


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep Ray's token and what it remembers of clusters out of the home folder and of the usual temporary one."""
    (tmp_path / "token").write_text(secrets.token_hex(32), encoding="ascii")
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(tmp_path / "token"))
    # Its sockets want a short path; its processes may write a last line while the folder goes.
    with tempfile.TemporaryDirectory(prefix="r", ignore_cleanup_errors=True) as folder:
        monkeypatch.setenv("RAY_TMPDIR", folder)
        yield


@with_ray
def test_one_machine_trains_and_saves(tmp_path: Path) -> None:
    command = shortened(commands("rllib.md")[0], {"--iterations 15": "--iterations 2"})
    lines = run(command + SMALL, tmp_path).splitlines()
    assert lines[:2] == ["nodes: 1, CPUs: 2", "runners on each node: 1"]
    assert re.fullmatch(r"iteration 2: \d+ steps, mean return (nan|-?[\d.]+)", lines[3])
    assert re.fullmatch(r"held out: mean J [\d.]+ over 1 weeks", lines[4])
    assert (tmp_path / "model").is_dir()


@with_ray
def test_the_code_trains(tmp_path: Path) -> None:
    (block,) = blocks("rllib.md", "python")
    run_code(block, tmp_path)


@contextmanager
def node(command: str, folder: Path, environment: dict[str, str]) -> Generator[None]:
    """Keep a node of Ray up; its processes end with it."""
    words = [str(Path(sys.executable).parent / "ray"), *command.split()[1:], "--block", "--object-store-memory=100000000"]
    with (folder / "ray.log").open("ab") as log, subprocess.Popen(words, env=environment, stdout=log, stderr=log) as process:
        try:
            yield
        finally:
            process.terminate()


def wait_for(port: int) -> None:
    """Wait until something listens."""
    for _ in range(600):
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError


def wait_for_nodes(folder: Path) -> None:
    """Wait until both nodes are up."""
    for _ in range(60):
        if (folder / "ray.log").read_text("utf-8").count("Ray runtime started") == 2:
            return
        time.sleep(1)
    raise TimeoutError


@with_ray
def test_two_nodes_share_the_work(tmp_path: Path) -> None:
    mode, generate, head, second, training, stop = commands("rllib.md")[1:]
    assert (mode, generate, stop) == ("export RAY_AUTH_MODE=token", "ray get-auth-token --generate", "ray stop")
    head, second, training = (shortened(each, {"6379": "6399"}) for each in (head, second, training))
    with node(head, tmp_path, dict(os.environ)):
        wait_for(6399)
        with node(second, tmp_path, dict(os.environ)):
            wait_for_nodes(tmp_path)
            lines = run(shortened(training, {"--batch 2000": "--batch 400"}), tmp_path).splitlines()
    assert lines[:2] == ["nodes: 2, CPUs: 2", "runners on each node: 1, 1"]
    assert re.fullmatch(r"iteration 2: \d+ steps, mean return (nan|-?[\d.]+)", lines[-1])
