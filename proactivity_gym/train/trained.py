"""What a run of training trained: read from its folder."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from proactivity_gym.envs import registration
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.difficulty import DEFAULT
from proactivity_gym.train.run_directory import CONFIG, EVALUATIONS, MODEL, SCENARIOS, VERSIONS, RunDirectory, RunError
from proactivity_gym.train.weeks import Weeks

_NAMES_AND_PLACES = ("algorithm", "keeping", "resume")
"""Entries of a configuration that do not bear on the model."""


@dataclass(frozen=True, slots=True)
class _Said:
    """What every configuration says."""

    algorithm: str
    weeks: Weeks
    seed: int
    total_timesteps: int


_SAID = TypeAdapter(_Said)


@dataclass(frozen=True, slots=True)
class Trained:
    """A run that has ended."""

    folder: Path
    script: str
    settings: dict[str, Any]
    """Of the script, but for what it kept where."""
    noted: dict[str, int]
    """Versions of scenarios when it began; of runs that noted none, those of today."""

    @property
    def model(self) -> Path:
        """The model's file."""
        return self.folder / MODEL

    @property
    def env_id(self) -> str:
        """What it was trained on."""
        return self.settings["weeks"]["env_id"]

    @property
    def short_name(self) -> str:
        """The id without namespace and version."""
        return short(self.env_id)

    @property
    def seed(self) -> int:
        """Of training."""
        return self.settings["seed"]

    @property
    def steps(self) -> int:
        """Of training."""
        return self.settings["total_timesteps"]

    @property
    def difficulty(self) -> str:
        """Of the weeks that it was trained on; older runs did not say it."""
        return self.settings["weeks"].get("difficulty", DEFAULT)

    @property
    def mixed(self) -> bool:
        """Whether it was trained on weeks of more than one id."""
        return self.env_id == registration.MIXED_ID

    @property
    def ids(self) -> list[str]:
        """The ids that it was trained on."""
        if not self.mixed:
            return [self.env_id]
        personas = self._chosen("persona", list(catalogue.PERSONAS))
        return [registration.env_id(name, each) for name in self.scenarios for each in personas]

    @property
    def scenarios(self) -> list[str]:
        """The scenarios that it was trained on."""
        if not self.mixed:
            return [name for name in catalogue.names() if self.short_name.startswith(f"{name}-")]
        return self._chosen("scenario", catalogue.names())

    @property
    def left_out(self) -> list[str]:
        """The built-in scenarios that it was not trained on, if it was trained on several."""
        return [name for name in catalogue.names() if self.mixed and name not in self.scenarios]

    @property
    def versions(self) -> dict[str, int]:
        """Return the scenarios that it was trained on, and in which version."""
        return {name: self.noted[name] for name in self.scenarios}

    def _chosen(self, what: str, every: list[str]) -> list[str]:
        said = self.settings["weeks"].get(what)
        return [part.strip() for part in said.split(",")] if said else every

    def evaluations(self) -> list[dict[str, Any]]:
        """Return the rows of its evaluations while it trained."""
        return RunDirectory(self.folder).rows(EVALUATIONS)


def short(env_id: str) -> str:
    """Return an id without namespace and version."""
    return env_id.partition("/")[2].rpartition("-v")[0]


def read(folder: Path) -> Trained:
    """Return the run in a folder.

    Raises:
        RunError: there is none, or it has not ended.
    """
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        said = _SAID.validate_python(config)
    except (OSError, ValueError) as error:
        raise RunError(f"{folder}: no {CONFIG} of a training run in it ({type(error).__name__}).") from error
    if said.weeks.env_id not in registration.ids():
        raise RunError(f"{folder}: trained on {said.weeks.env_id}, which is no id here: see `pgym list`.")
    if not (folder / MODEL).exists():
        raise RunError(f"{folder}: has not ended: there is no {MODEL} in it yet.")
    now = {name: catalogue.load(name).version for name in catalogue.names()}
    settings = {name: value for name, value in config.items() if name not in _NAMES_AND_PLACES}
    run = Trained(folder, said.algorithm, settings, now | _noted(folder / VERSIONS))
    for name in run.scenarios:
        if name not in run.noted:
            raise RunError(f"{folder}: trained on the scenario {name}, which there is not: train it anew.")
    return run


def _noted(path: Path) -> dict[str, int]:
    """Return the versions of scenarios that a run noted when it began.

    Raises:
        RunError: the file is damaged.
    """
    if not path.exists():
        return {}
    try:
        return TypeAdapter(dict[str, int]).validate_python(json.loads(path.read_text(encoding="utf-8")).get(SCENARIOS, {}))
    except (ValueError, AttributeError) as error:
        raise RunError(f"{path}: damaged ({type(error).__name__}): write it anew from a copy, or delete it.") from error
