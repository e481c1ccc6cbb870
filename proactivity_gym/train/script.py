"""What every training script does around its model and loop."""

import sys
from collections.abc import Callable
from dataclasses import asdict
from math import inf
from pathlib import Path
from typing import Any, TypeVar, cast

import torch
import tyro
from stable_baselines3.common.callbacks import BaseCallback

from proactivity_gym.baselines.learned_file import LearnedError
from proactivity_gym.train.callbacks import Bar, Evaluation, Terms
from proactivity_gym.train.checkpoints import Checkpoint
from proactivity_gym.train.held_out import HeldOut
from proactivity_gym.train.run_directory import CHECKPOINT, RunDirectory, RunError
from proactivity_gym.train.vector import RowVecEnv

UNUSABLE = 2
"""Exit code for settings that cannot be used."""
INTERRUPTED = 130
"""Exit code after Ctrl-C."""
_SHARE = (0.0, 1.0)
_BOUNDS: dict[str, tuple[float, float]] = {
    "seed": (0, 2**32 - 1),
    "learning_starts": (0, inf),
    "torch_threads": (1, 256),
    "hidden": (1, 8192),
    "learning_rate": (1e-12, 1.0),
    "gamma": _SHARE,
    "gae_lambda": _SHARE,
    "ent_coef": (0.0, 1e6),
    "exploration_fraction": _SHARE,
    "exploration_final_eps": _SHARE,
}
"""What settings may be at least and at most; other whole numbers may be 1 and more."""

T = TypeVar("T")


class Interrupted(Exception):  # noqa: N818 (no error: Ctrl-C)
    """Ctrl-C in the midst of a run: the message says where the run is and whether it can go on."""


def main(kind: type[T], train: Callable[[T], Path]) -> None:
    """Read the command line, train, and print the folder of the run."""
    args = tyro.cli(kind)
    try:
        print(train(args))
    except (RunError, LearnedError, OSError, MemoryError) as error:
        print(_message(error), file=sys.stderr)
        sys.exit(UNUSABLE)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except Interrupted as stopped:
        print(f"interrupted: {stopped}", file=sys.stderr)
        sys.exit(INTERRUPTED)


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}. Check the name, and that it can be read or written."
    if isinstance(error, MemoryError):
        return f"not enough memory ({error}): give a smaller --num-envs, --n-steps, --buffer-size or --hidden."
    return str(error)


def prepare(args: Any) -> None:  # noqa: ANN401 (each script's own dataclass)
    """Refuse settings that cannot be, and set torch up.

    Raises:
        RunError: a number is out of its bounds.
    """
    settings = cast("dict[str, Any]", {**vars(args), **vars(args.keeping)})
    for name, value in settings.items():
        if type(value) in (int, float):
            _check_number(name, value)
    if "n_steps" in settings:
        _check_batches(args.num_envs * args.n_steps, args.batch_size)
    set_up_torch(args.torch_threads)


def _check_number(name: str, value: float) -> None:
    least, most = _BOUNDS.get(name, (1, inf))
    if not least <= value <= most:
        kind = "a whole number" if type(value) is int else "a number"
        up_to = "on" if most == inf else f"to {most:.10g}"
        raise RunError(f"--{name.replace('_', '-')} {value}: give {kind} from {least:g} {up_to}.")


def _check_batches(rollout: int, batch: int) -> None:
    """Refuse a gradient step on a single sample: its advantage cannot be normalised, and the network would turn to NaN."""
    if batch == 1 or rollout % batch == 1:
        raise RunError(
            f"--batch-size {batch}: of a rollout of {rollout} steps (--num-envs times --n-steps), one is left for a batch of "
            "its own: give numbers that leave none, or more."
        )


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
        RunError: the network turned to NaN.
    """
    try:
        model.learn(total - model.num_timesteps, callback=watching, reset_num_timesteps=model.num_timesteps == 0)
    except KeyboardInterrupt as error:
        goes_on = any(isinstance(each, Checkpoint) for each in watching)
        start = "from the last checkpoint" if run.path(CHECKPOINT).exists() else "anew: there is no checkpoint yet"
        said = f"--resume {run.folder} goes on {start}" if goes_on else f"{run.folder} cannot be resumed"
        raise Interrupted(said) from error
    except (RuntimeError, ValueError) as error:
        if all(bool(weight.isfinite().all()) for weight in model.policy.parameters()):
            raise
        steps = model.num_timesteps
        raise RunError(f"the network turned to NaN after {steps} steps: begin anew with a lower --learning-rate.") from error
    finally:
        for each in watching:
            if isinstance(each, Bar):
                each.stop()
