"""What every training script does around its model and loop."""

import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar, cast

import torch
import tyro
from stable_baselines3.common.callbacks import BaseCallback

from proactivity_gym.train.callbacks import Bar, Evaluation, Terms
from proactivity_gym.train.checkpoints import Checkpoint
from proactivity_gym.train.held_out import HeldOut
from proactivity_gym.train.run_directory import CHECKPOINT, RunDirectory, RunError
from proactivity_gym.train.vector import RowVecEnv

UNUSABLE = 2
"""Exit code for settings that cannot be used."""
INTERRUPTED = 130
"""Exit code after Ctrl-C."""
_MAY_BE_ZERO = {"seed", "learning_starts"}

T = TypeVar("T")


class Interrupted(Exception):  # noqa: N818 (no error: Ctrl-C)
    """Ctrl-C in the midst of a run: the message says where the run is and whether it can go on."""


def main(kind: type[T], train: Callable[[T], Path]) -> None:
    """Read the command line, train, and print the folder of the run."""
    args = tyro.cli(kind)
    try:
        print(train(args))
    except RunError as error:
        print(error, file=sys.stderr)
        sys.exit(UNUSABLE)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except Interrupted as stopped:
        print(f"interrupted: {stopped}", file=sys.stderr)
        sys.exit(INTERRUPTED)


def prepare(args: Any) -> None:  # noqa: ANN401 (each script's own dataclass)
    """Refuse settings that cannot be, and set torch up.

    Raises:
        RunError: a count is not above zero.
    """
    settings = cast("dict[str, Any]", {**vars(args), **vars(args.keeping)})
    for name, value in settings.items():
        if type(value) is int and value < (name not in _MAY_BE_ZERO):
            raise RunError(f"--{name.replace('_', '-')} {value}: give a whole number above 0.")
    set_up_torch(args.torch_threads)


def set_up_torch(threads: int) -> None:
    """Make torch repeatable, on so many threads."""
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True)
    # Distributions would check every sample against their support, which it cannot leave.
    torch.distributions.Distribution.set_default_validate_args(False)


def falling(start: float) -> Callable[[float], float]:
    """Return a schedule that falls from its start to zero."""
    return lambda left: start * left


def callbacks_of(args: Any, run: RunDirectory, envs: RowVecEnv, held_out: RowVecEnv) -> list[BaseCallback]:  # noqa: ANN401
    """Return what watches a run: terms, evaluation, the bar."""
    settings = asdict(args)
    shown = settings.pop("weeks") | settings
    bar = [Bar(args.total_timesteps)] if args.keeping.progress else []
    return [Terms(envs, run, shown), Evaluation(HeldOut(held_out), run, args.keeping.eval_every), *bar]


def learn(model: Any, total: int, watching: list[BaseCallback], run: RunDirectory) -> None:  # noqa: ANN401 (any algorithm of either library)
    """Learn up to a total of timesteps, from the start or from where a checkpoint left off.

    Raises:
        Interrupted: Ctrl-C.
    """
    try:
        model.learn(total - model.num_timesteps, callback=watching, reset_num_timesteps=model.num_timesteps == 0)
    except KeyboardInterrupt as error:
        goes_on = any(isinstance(each, Checkpoint) for each in watching)
        start = "from the last checkpoint" if run.path(CHECKPOINT).exists() else "anew: there is no checkpoint yet"
        said = f"--resume {run.folder} goes on {start}" if goes_on else f"{run.folder} cannot be resumed"
        raise Interrupted(said) from error
    finally:
        for each in watching:
            if isinstance(each, Bar):
                each.stop()
