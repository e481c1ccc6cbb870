"""What happens between rollouts: terms and histograms are logged, the policy is evaluated, the bar moves."""

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from stable_baselines3.common.callbacks import BaseCallback

from proactivity_gym.sim.words import Depth, Timing
from proactivity_gym.train.held_out import Acting, HeldOut, means
from proactivity_gym.train.run_directory import EPISODES, EVALUATIONS, RunDirectory
from proactivity_gym.train.vector import Masks, RowVecEnv, Rows


class Terms(BaseCallback):
    """Logs, per rollout, the means of all terms of the episodes that ended in it, and what depths and timings were chosen."""

    def __init__(self, envs: RowVecEnv, run: RunDirectory) -> None:
        """Take the environments that are trained on."""
        super().__init__()
        self._envs, self._run = envs, run

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        finished, self._envs.finished = self._envs.finished, []
        self._run.append(EPISODES, [{"timesteps": self.num_timesteps, **episode} for episode in finished])
        for name, value in means(finished).items():
            if value is not None:
                self.logger.record(f"episodes/{name}", value)
        buffer: Any = getattr(self.model, "rollout_buffer", None)
        if buffer is not None:
            record_choices(self, chosen(buffer.actions, self.model.action_space))


def chosen(actions: npt.NDArray[Any], action_space: spaces.Space[Any]) -> npt.NDArray[np.int64]:  # (N, 2)
    """Return depth and timing of the actions that were no waiting."""
    if isinstance(action_space, spaces.Discrete):
        numbers = actions.reshape(-1).astype(np.int64)
        ways = (numbers[numbers > 0] - 1) % (len(Depth) * len(Timing))
        return np.stack(np.divmod(ways, len(Timing)), axis=1)
    table = actions.reshape(-1, 3).astype(np.int64)
    return table[table[:, 0] > 0, 1:]


def record_choices(callback: BaseCallback, ways: npt.NDArray[np.int64]) -> None:
    """Log how often each depth and each timing was chosen."""
    if not len(ways):
        return
    for column, kind in enumerate((Depth, Timing)):
        shares = np.bincount(ways[:, column], minlength=len(kind)) / len(ways)
        for word, share in zip(kind, shares, strict=True):
            callback.logger.record(f"{kind.__name__.lower()}/{word.name}", float(share))
        _histogram(callback, f"{kind.__name__.lower()}/chosen", ways[:, column])


def _histogram(callback: BaseCallback, name: str, values: npt.NDArray[np.int64]) -> None:
    import torch  # noqa: PLC0415 (SB3's TensorBoard output makes a histogram of a tensor)

    callback.logger.record(name, torch.as_tensor(values, dtype=torch.float32), exclude=("stdout", "log", "json", "csv"))


class Evaluation(BaseCallback):
    """Evaluates on held-out weeks between rollouts, every so many timesteps and at the end."""

    def __init__(self, held_out: HeldOut, run: RunDirectory, every: int) -> None:
        """Take how often."""
        super().__init__()
        self._held_out, self._run, self._every = held_out, run, every
        self.due = 0
        """Timesteps at which the next evaluation is due."""

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self.due:
            self.due = self.num_timesteps + self._every
            self._evaluate()

    def _on_training_end(self) -> None:
        self._evaluate()

    def _evaluate(self) -> None:
        found = self._held_out.evaluate(best_of(self.model))
        self._run.append(EVALUATIONS, [{"timesteps": self.num_timesteps, **found}])
        for name, value in found.items():
            if value is not None:
                self.logger.record(f"held out/{name}", value)
        self.logger.dump(self.num_timesteps)


def best_of(model: Any) -> Acting:  # noqa: ANN401 (any algorithm of either library)
    """Return a model's most likely actions."""
    masked = hasattr(model.policy.action_dist, "apply_masking") if hasattr(model.policy, "action_dist") else False

    def act(rows: Rows, masks: Masks) -> npt.NDArray[np.int64]:
        given: dict[str, Any] = {"action_masks": masks} if masked else {}
        return model.predict(rows, deterministic=True, **given)[0]

    return act


class Bar(BaseCallback):
    """A progress bar with the time left, on stderr."""

    def __init__(self, total: int) -> None:
        """Take the timesteps to be reached."""
        super().__init__()
        columns = (TextColumn("steps"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, TextColumn("J {task.fields[j]}"), console=Console(stderr=True))
        self._task = self._progress.add_task("steps", total=total, j="-")

    def _on_training_start(self) -> None:
        self._progress.start()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        j = self.logger.name_to_value.get("episodes/J")
        self._progress.update(self._task, completed=self.num_timesteps, **({"j": f"{j:.3f}"} if j is not None else {}))

    def _on_training_end(self) -> None:
        self._progress.update(self._task, completed=self.num_timesteps)
        self._progress.stop()
