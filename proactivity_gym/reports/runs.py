"""Runs: policies x ids x seeds, each episode one row.

An episode ends `completed`, or `infra_error` when the world outside failed it (a file, a network). A bug is neither: it
stops the run.
"""

import multiprocessing
import re
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import gymnasium as gym

from proactivity_gym.baselines import policy
from proactivity_gym.envs import registration
from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.difficulty import DEFAULT
from proactivity_gym.sim.scoring import Terms, Weights

_UNSAFE = re.compile(r"[^A-Za-z0-9.-]+|^\.+")
"""What the name of a policy, which may be a path, must not bring into a folder's name."""

COMPLETED = "completed"
INFRA_ERROR = "infra_error"
INTERRUPTED = "interrupted"
"""Status of an episode that was planned and not played; it has no row."""

SCORES = ("TC", "TA", "CQ", "TR_D", "over", "under", "TR_H", "J")
COSTS = ("unattempted", "competing_minutes", "interruptions", "wasted_minutes", "false_alarms")
TERMS = SCORES + COSTS
"""Terms of a row."""

Key = tuple[str, str, int, int]
"""What tells an episode from all others: policy, id, seed, repetition."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How every episode of a run is played."""

    variation: str = "test"
    user: str = "deterministic"
    worker: str = "reference"
    weights: Weights = field(default_factory=Weights)
    log: Path | None = None
    """Folder for the traces; None: none are kept."""
    difficulty: str = DEFAULT


@dataclass(frozen=True, slots=True)
class Planned:
    """An episode to be played."""

    policy: str
    id: str
    source: str
    """Name or file of its scenario."""
    persona: str
    seed: int
    settings: Settings
    label: str = ""
    """What its row calls the policy, if not by its own name."""
    repetition: int = 0
    """Tells rows of one label, id and seed apart."""

    @property
    def key(self) -> Key:
        """What tells it from all others."""
        return self.label or self.policy, self.id, self.seed, self.repetition


@dataclass(frozen=True, slots=True)
class Row:
    """What became of a planned episode."""

    policy: str
    id: str
    seed: int
    variation: str
    status: str
    scenario: str
    """The one that was played (an id may draw it)."""
    persona: str
    terms: Terms
    """Those of `TERMS`; all None where the episode failed."""
    reason: str | None = None
    """Why it failed."""
    repetition: int = 0
    user: str = "deterministic"
    worker: str = "reference"
    weights: tuple[float, float, float] = (1 / 3, 1 / 3, 1 / 3)
    """Of J: those of TC, TA and TR."""
    difficulty: str = DEFAULT

    @property
    def key(self) -> Key:
        """What tells it from all others: policy, id, seed, repetition."""
        return self.policy, self.id, self.seed, self.repetition

    def record(self) -> dict[str, Any]:
        """Return the row as it is written: the scores first."""
        head = {"policy": self.policy, "id": self.id, "seed": self.seed, "variation": self.variation}
        scores = {name: self.terms[name] for name in SCORES}
        costs = {name: self.terms[name] for name in COSTS}
        tail = {"scenario": self.scenario, "persona": self.persona, "reason": self.reason, "repetition": self.repetition}
        how = {"user": self.user, "worker": self.worker, "weights": list(self.weights), "difficulty": self.difficulty}
        return head | scores | {"status": self.status} | costs | tail | how


def plan(policies: Sequence[str], ids: Sequence[str], seeds: Sequence[int], settings: Settings) -> list[Planned]:
    """Return the episodes of a run, policy by policy; ids must be registered.

    Raises:
        ScenarioError: a scenario cannot be used.
    """
    return plan_cases(policies, [(name, seed) for name in ids for seed in seeds], settings)


def plan_cases(policies: Sequence[str], cases: Sequence[tuple[str, int]], settings: Settings) -> list[Planned]:
    """Return the episodes of a run of every policy over the same ids and seeds, policy by policy.

    Raises:
        ScenarioError: a scenario cannot be used.
    """
    whose = {name: _scenario_of(name) for name in dict.fromkeys(name for name, _ in cases)}
    return [Planned(each, name, *whose[name], seed, settings) for each in policies for name, seed in cases]


def _scenario_of(name: str) -> tuple[str, str]:
    """Return scenario and persona of an id, having read the scenario."""
    kwargs = gym.spec(name).kwargs
    source, persona = kwargs.get("scenario", catalogue.MIXED), kwargs.get("persona", "A")
    for each in catalogue.names() if source == catalogue.MIXED else [source]:
        catalogue.load(each)
    return source, persona


def persona_ids() -> list[str]:
    """Return the registered ids of one scenario and one persona: all but the one that draws them."""
    return [name for name in registration.ids() if name != registration.MIXED_ID]


def play(planned: Planned) -> Row:
    """Play one episode.

    Raises:
        ValueError: policy, settings or scenario are none.
    """
    base = make(planned)
    played, chosen = _logged(base, planned), policy.make(planned.policy, base)
    try:
        info = policy.play(chosen, played, planned.seed)[1]
        played.close()
    except OSError as error:
        return _failed(planned, error)
    week = base.episode.week.plan
    terms: Terms = {name: info["terms"][name] for name in TERMS}
    return _row(planned, COMPLETED, (week.scenario.name, week.persona.id), terms)


def make(planned: Planned) -> ProactivityEnv:
    """Return the environment of an episode, without wrappers; a scenario's own file is registered where it is not yet.

    Raises:
        ValueError: settings or scenario are none.
    """
    if planned.id not in gym.registry:
        registration.register(planned.source)
    settings = planned.settings
    made = gym.make(
        planned.id,
        disable_env_checker=True,
        variation=settings.variation,
        difficulty=settings.difficulty,
        weights=settings.weights,
        user=settings.user,
        worker=settings.worker,
    )
    return cast("ProactivityEnv", made.unwrapped)


def run(planned: Sequence[Planned], jobs: int = 1) -> Iterator[Row]:
    """Play episodes, in order; with more jobs in as many processes, to the same rows."""
    if jobs == 1:
        yield from map(play, planned)
        return
    # Ctrl-C is the parent's affair: it ends its children.
    with multiprocessing.get_context("spawn").Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield from pool.imap(play, planned)


def _logged(base: ProactivityEnv, planned: Planned) -> gym.Env[Any, Any]:
    """Return the environment, keeping a trace if one is wanted, in a folder for each policy and seed."""
    folder = planned.settings.log
    if folder is None:
        return base
    from proactivity_gym.wrappers.episode_log import EpisodeLog  # noqa: PLC0415 (only who wants traces)

    return EpisodeLog(base, folder=folder / _UNSAFE.sub("_", planned.policy) / f"seed-{planned.seed}")


def _failed(planned: Planned, error: OSError) -> Row:
    terms: Terms = dict.fromkeys(TERMS)
    return _row(planned, INFRA_ERROR, (planned.source, planned.persona), terms, f"{type(error).__name__}: {error}")


def _row(planned: Planned, status: str, who: tuple[str, str], terms: Terms, reason: str | None = None) -> Row:
    name, _, _, repetition = planned.key
    settings = planned.settings
    weights = settings.weights.tc, settings.weights.ta, settings.weights.tr
    played = settings.user, settings.worker, weights, settings.difficulty
    return Row(name, planned.id, planned.seed, settings.variation, status, *who, terms, reason, repetition, *played)
