"""What happens between rollouts: terms and histograms are logged, the policy is evaluated, the bar moves."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# (the library's spaces have no type parameters)

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import HParam

from proactivity_gym.baselines.learned_view import Masks, Rows
from proactivity_gym.sim.words import Depth, Timing
from proactivity_gym.train.held_out import Acting, HeldOut, means
from proactivity_gym.train.run_directory import EPISODES, EVALUATIONS, RunDirectory
from proactivity_gym.train.vector import RowVecEnv

_TENSORBOARD_ALONE = ("stdout", "log", "json", "csv")


class Terms(BaseCallback):
    """Logs, per rollout, the means of all terms of the episodes that ended in it, and what depths and timings were chosen."""

    def __init__(self, envs: RowVecEnv, run: RunDirectory, settings: dict[str, Any]) -> None:
        """Take the environments that are trained on, and the settings to show as hyperparameters."""
        super().__init__()
        self._envs, self._run, self._settings = envs, run, settings

    def _on_training_start(self) -> None:
        shown = {name: value for name, value in self._settings.items() if isinstance(value, str | int | float)}
        self.logger.record("hparams", HParam(shown, {"held out/J": 0.0}), exclude=_TENSORBOARD_ALONE)

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        finished, taken = self._envs.drained()
        self._run.append(EPISODES, [{"timesteps": self.num_timesteps, **episode} for episode in finished])
        record(self, "episodes", means(finished))
        ways = chosen(taken, self._envs.action_space)
        for column, kind in enumerate((Depth, Timing)):
            self._record_choices(kind, ways[:, column])

    def _record_choices(self, kind: type[Depth] | type[Timing], values: npt.NDArray[np.int64]) -> None:
        """Log how often each was chosen."""
        if not len(values):
            return
        name = kind.__name__.lower()
        shares = np.bincount(values, minlength=len(kind)) / len(values)
        record(self, name, {word.name: float(share) for word, share in zip(kind, shares, strict=True)})
        histogram = torch.as_tensor(values, dtype=torch.float32)  # which is how the library knows one
        self.logger.record(f"{name}/chosen", histogram, exclude=_TENSORBOARD_ALONE)


def record(callback: BaseCallback, group: str, values: dict[str, float | None]) -> None:
    """Log values under the name of a group; what is None has no point on the curve."""
    for name, value in values.items():
        if value is not None:
            callback.logger.record(f"{group}/{name}", value)


def chosen(actions: npt.NDArray[np.int64], action_space: spaces.Space[Any]) -> npt.NDArray[np.int64]:  # (N, 2)
    """Return depth and timing of those actions that were no waiting."""
    if isinstance(action_space, spaces.Discrete):
        numbers = actions.reshape(-1)
        ways = (numbers[numbers > 0] - 1) % (len(Depth) * len(Timing))
        return np.stack(np.divmod(ways, len(Timing)), axis=1)
    table = actions.reshape(-1, 3)
    return table[table[:, 0] > 0, 1:]


class Evaluation(BaseCallback):
    """Evaluates on held-out weeks between rollouts, every so many timesteps and at the end."""

    def __init__(self, held_out: HeldOut, run: RunDirectory, every: int) -> None:
        """Take how often."""
        super().__init__()
        self._held_out, self._run, self._every = held_out, run, every

    def _on_step(self) -> bool:
        return True

    def _on_training_start(self) -> None:
        # What was evaluated before a resume stands in the rows: so a checkpoint needs no word of it.
        rows = self._run.rows(EVALUATIONS)
        self._due = rows[-1]["timesteps"] + self._every if rows else 0

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self._due:
            self._evaluate()

    def _on_training_end(self) -> None:
        self._evaluate()

    def _evaluate(self) -> None:
        self._due = self.num_timesteps + self._every
        found = self._held_out.evaluate(best_of(self.model))
        self._run.append(EVALUATIONS, [{"timesteps": self.num_timesteps, **found}])
        record(self, "held out", found)
        self.logger.dump(self.num_timesteps)


def best_of(model: Any) -> Acting:  # noqa: ANN401 (any algorithm of either library)
    """Return a model's most likely actions."""
    masked = hasattr(getattr(model.policy, "action_dist", None), "apply_masking")

    def act(rows: Rows, masks: Masks) -> npt.NDArray[np.int64]:
        given: dict[str, Any] = {"action_masks": masks} if masked else {}
        return model.predict(rows, deterministic=True, **given)[0]

    return act


class Bar(BaseCallback):
    """A progress bar with the time left and J of the last rollout's episodes, on stderr; put it after `Terms`."""

    def __init__(self, total: int) -> None:
        """Take the timesteps to be reached."""
        super().__init__()
        columns = (TextColumn("steps"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, TextColumn("J {task.description}"), console=Console(stderr=True))
        self._task = self._progress.add_task("-", total=total)

    def _on_training_start(self) -> None:
        self._progress.update(self._task, completed=self.num_timesteps)
        self._progress.start()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        joint = self.logger.name_to_value.get("episodes/J")
        said = None if joint is None else f"{joint:.3f}"
        self._progress.update(self._task, completed=self.num_timesteps, description=said)

    def stop(self) -> None:
        """Leave the terminal as it was; an interrupted run needs that as well."""
        self._progress.stop()
