"""Where a training run keeps what it makes: configuration, versions, rows of episodes and evaluations, curves, the model."""

import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

CONFIG, VERSIONS, MODEL, CHECKPOINT = "config.json", "versions.json", "model.zip", "checkpoint.pkl"
EPISODES, EVALUATIONS = "episodes.jsonl", "evaluations.jsonl"
CURVES = "tensorboard"
_PACKAGES = ("proactivity-gym", "gymnasium", "numpy", "torch", "stable-baselines3", "sb3-contrib")


class RunError(Exception):
    """A run that cannot be started or resumed: the message names it and says what to do."""


class RunDirectory:
    """A folder `runs/<env>__<algorithm>__<seed>__<name>` and the files in it."""

    def __init__(self, folder: Path) -> None:
        """Take a folder that exists; see `begun` and `resumed`."""
        self.folder = folder

    def path(self, name: str) -> Path:
        """Return the path of a file in it."""
        return self.folder / name

    def append(self, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add rows to a file of JSON lines."""
        with self.path(name).open("a", encoding="utf-8", newline="\n") as file:
            file.writelines(json.dumps(row, allow_nan=False) + "\n" for row in rows)

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Return the rows of a file; a last line that a killed process left unfinished is none."""
        path = self.path(name)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]

    def cut(self, name: str, timesteps: int) -> None:
        """Forget the rows after so many timesteps: a resumed run writes them anew."""
        kept = [row for row in self.rows(name) if row["timesteps"] <= timesteps]
        replace(self.path(name), "".join(json.dumps(row, allow_nan=False) + "\n" for row in kept).encode())


def begun(folder: Path, algorithm: str, args: Any) -> RunDirectory:  # noqa: ANN401 (each script's own dataclass)
    """Make the folder of a new run and note its configuration and the versions of what it runs on.

    Raises:
        RunError: there is a run in it already.
    """
    if (folder / CONFIG).exists():
        raise RunError(f"{folder}: there is a run in it: give another --run-dir, or continue it with --resume {folder}.")
    folder.mkdir(parents=True, exist_ok=True)
    _write_json(folder / CONFIG, {"algorithm": algorithm, **asdict(args)})
    _write_json(folder / VERSIONS, versions())
    return RunDirectory(folder)


def resumed(folder: Path, algorithm: str) -> tuple[RunDirectory, dict[str, Any]]:
    """Return the directory of a run to be continued, and its arguments.

    Raises:
        RunError: it is no run of this algorithm, or it has no checkpoint.
    """
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RunError(f"{folder}: no {CONFIG} of a training run in it: give the folder of one.") from error
    if config.pop("algorithm", None) != algorithm:
        raise RunError(f"{folder}: a run of another algorithm: resume it with the script that began it.")
    return RunDirectory(folder), config


def versions() -> dict[str, str]:
    """Return the versions of Python, the system and the packages that matter."""
    return {"python": sys.version.split()[0], "system": platform.platform(), **{name: _version(name) for name in _PACKAGES}}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    replace(path, (json.dumps(value, indent=2, default=str) + "\n").encode())


def replace(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, whatever is killed when."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
