"""Where a training run keeps what it makes: configuration, versions, rows of episodes and evaluations, curves, the model."""

import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar, cast

import gymnasium as gym
from pydantic import TypeAdapter
from stable_baselines3.common.logger import Logger, configure

from proactivity_gym.reports.evaluation import lock
from proactivity_gym.scenarios import catalogue

CONFIG, VERSIONS, MODEL, CHECKPOINT = "config.json", "versions.json", "model.zip", "checkpoint.pkl"
EPISODES, EVALUATIONS = "episodes.jsonl", "evaluations.jsonl"
CURVES = "tensorboard"
SCENARIOS = "scenarios"
"""What `versions.json` calls the versions of the built-in scenarios, and of those of the user's own that the run is of."""
ROOT = Path("runs")
_NOT_SAVED = ("_last_obs", "_last_original_obs", "_last_episode_starts", "ep_info_buffer", "ep_success_buffer")
"""What a model carries that is of no use to who plays it: the observations alone are three times its network."""
_PACKAGES = ("proactivity-gym", "gymnasium", "numpy", "torch", "stable-baselines3", "sb3-contrib")


T = TypeVar("T")
_ROW = TypeAdapter(dict[str, Any])


class RunError(Exception):
    """A run that cannot be started or resumed: the message names it and says what to do."""


@dataclass
class Keeping:
    """What a run keeps, where, and how often."""

    run_dir: Path | None = None
    """Folder of the run; runs/<env>__<algorithm>__<seed>__<time> by default."""
    eval_every: int = 100_000
    """Steps between evaluations on held-out weeks."""
    eval_weeks: int = 32
    """Held-out weeks."""
    checkpoint_every: int = 100_000
    """Steps between checkpoints, from which a killed run is resumed."""
    progress: bool = True
    """Whether a bar shows the time left."""


class RunDirectory:
    """A folder `runs/<env>__<algorithm>__<seed>__<name>` and the files in it."""

    def __init__(self, folder: Path) -> None:
        """Take a folder that exists; see `begun` and `resumed`."""
        self.folder = folder
        self._hold = ExitStack()

    def hold(self) -> None:
        """Keep other processes out until this run is finished, or its process ends.

        Raises:
            RunError: another process trains in it.
        """
        try:
            self._hold.enter_context(lock.locked(self.folder))
        except lock.RunError as error:
            raise RunError(f"{error}.") from error

    def release(self) -> None:
        """Let other processes in."""
        self._hold.close()

    def path(self, name: str) -> Path:
        """Return the path of a file in it."""
        return self.folder / name

    def append(self, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add rows to a file of JSON lines."""
        with self.path(name).open("a", encoding="utf-8", newline="\n") as file:
            file.writelines(json.dumps(row, allow_nan=False) + "\n" for row in rows)

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Return the rows of a file; a last line that a killed process left unfinished is none.

        Raises:
            RunError: a line is damaged.
        """
        path = self.path(name)
        content = path.read_bytes() if path.exists() else b""
        return [_row(path, number, line) for number, line in enumerate(content.split(b"\n")[:-1], 1)]

    def cut(self, name: str, timesteps: int) -> None:
        """Forget the rows after so many timesteps: a resumed run writes them anew."""
        kept = [row for row in self.rows(name) if row["timesteps"] <= timesteps]
        replace(self.path(name), "".join(json.dumps(row, allow_nan=False) + "\n" for row in kept).encode())

    def logger(self) -> Logger:
        """Return a logger of curves for TensorBoard, where it is installed; after a resume it goes on in a new file."""
        return configure(str(self.path(CURVES)), ["tensorboard"] if find_spec("tensorboard") else [])

    def finish(self, model: Any) -> None:  # noqa: ANN401 (any algorithm of either library)
        """Save the model, whole or not at all, and close its logger."""
        draft = self.path(f".{MODEL}.{os.getpid()}.zip")
        model.save(draft, exclude=_NOT_SAVED)
        draft.replace(self.path(MODEL))
        model.logger.close()
        self.release()


def _row(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        row = _ROW.validate_json(line)
        int(row["timesteps"])
    except (ValueError, LookupError, TypeError) as error:
        raise RunError(f"{path}: line {number} is damaged: mend or delete this line.") from error
    return row


def opened(algorithm: str, env_id: str, args: Any) -> RunDirectory:  # noqa: ANN401 (each script's own dataclass)
    """Return the folder of a resumed run; or make that of a new one, and note its settings and what it runs on.

    Raises:
        RunError: there is a run in it already, another process trains in it, or it was begun on other weeks.
    """
    played = {SCENARIOS: _versions_of_scenarios(env_id, args.weeks.scenario)}
    if getattr(args, "resume", None):
        _check_versions(args.resume / VERSIONS, {**versions(), **played})
        return _held(args.resume)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    name = f"{env_id.rpartition('/')[2]}__{algorithm}__{args.seed}__{stamp}"
    folder: Path = args.keeping.run_dir or ROOT / name
    if not str(folder).isprintable():  # curves could not be written there
        raise RunError(f"--run-dir {str(folder)!r}: give a name of printable characters.")
    if (folder / CONFIG).exists():
        raise RunError(f"{folder}: there is a run in it: give another --run-dir, or continue it with --resume {folder}.")
    folder.mkdir(parents=True, exist_ok=True)
    run = _held(folder)
    _write_json(folder / VERSIONS, {**versions(), **played})
    _write_json(folder / CONFIG, {"algorithm": algorithm, **asdict(args)})
    return run


def _check_versions(path: Path, now: Mapping[str, Any]) -> None:
    """Refuse to go on with other code or other weeks than a run noted when it was begun: it would not come to the same model.

    Raises:
        RunError: they are others, or the file that tells of them is damaged.
    """
    try:
        begun = _ROW.validate_json(path.read_bytes())
    except ValueError as error:
        raise RunError(f"{path}: damaged: start the run anew.") from error
    differ = [name for name in ("proactivity-gym", SCENARIOS) if begun.get(name) != now[name]]
    if differ:
        raise RunError(f"{path}: begun with other versions of {' and '.join(differ)}: go on with those, or start the run anew.")


def _held(folder: Path) -> RunDirectory:
    run = RunDirectory(folder)
    run.hold()
    return run


def resumed(args: T, algorithm: str) -> T:
    """Return the settings of a run that is to be continued; `args` name its folder, and nothing else.

    Raises:
        RunError: it is no run of this algorithm, it has ended, or other settings are asked for.
    """
    kind: Any = type(args)
    folder: Path = cast("Any", args).resume
    if args != kind(resume=folder):
        raise RunError(f"--resume {folder}: it goes on with its own settings: give no others beside it.")
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        begun_by = config.pop("algorithm")
        found: T = TypeAdapter(kind).validate_python({**config, "resume": folder})
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise RunError(f"--resume {folder}: no {CONFIG} of a training run in it ({type(error).__name__}).") from error
    if begun_by != algorithm:
        raise RunError(f"--resume {folder}: a run of {begun_by}: resume it with the script that began it.")
    if (folder / MODEL).exists():
        raise RunError(f"--resume {folder}: it has ended; its model is {folder / MODEL}.")
    return found


def versions() -> dict[str, str]:
    """Return the versions of Python, the system and the packages that matter."""
    return {"python": sys.version.split()[0], "system": platform.platform(), **{name: _version(name) for name in _PACKAGES}}


def _versions_of_scenarios(env_id: str, drawn: str | None) -> dict[str, int]:
    named: str = drawn or gym.spec(env_id).kwargs["scenario"]
    own = [each.strip() for each in named.split(",") if each != catalogue.MIXED]
    return {each.name: each.version for each in map(catalogue.load, (*catalogue.names(), *own))}


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
