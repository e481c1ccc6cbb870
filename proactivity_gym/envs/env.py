"""The Gymnasium environment. No rule of the world is in here: it decodes, calls the episode, and encodes."""

from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from proactivity_gym.envs.decode import decode
from proactivity_gym.envs.encode import Encoder, Observation
from proactivity_gym.envs.layout import action_space, observation_space
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.interventions import MALFORMED
from proactivity_gym.sim.scoring import Weights
from proactivity_gym.sim.words import MAX_SIGNALS, Depth, Timing

VARIATIONS = ("written", "train", "test")
USERS = ("deterministic", "stochastic")
MIXED = "Mixed"

_TARGETS = MAX_SIGNALS + 1
_DEPTHS = tuple(Depth)
_TIMINGS = tuple(Timing)


class ProactivityEnv(gym.Env[Observation, npt.NDArray[np.int64]]):
    """DOC"""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 2}

    def __init__(
        self,
        scenario: str = MIXED,
        persona: str = "A",
        *,
        variation: str = "written",
        weights: object = (1 / 3, 1 / 3, 1 / 3),
        user: str = "deterministic",
        worker: str = "reference",
        text: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Set up the environment; the class's docstring says what the arguments mean.

        Raises:
            ValueError: an argument is none of the documented values.
            ScenarioError: the scenario cannot be used.
        """
        self._scenario, self._persona = scenario, persona
        self._variation = _one_of("variation", variation, VARIATIONS)
        self._user = _one_of("user", user, USERS)
        self.weights = weights_of(weights)
        self._worker = worker
        self._text = text
        self.render_mode = None if render_mode is None else _one_of("render_mode", render_mode, self.metadata["render_modes"])
        self.observation_space = observation_space()
        self.action_space = action_space()
        self._choices = _choices(scenario, persona)
        self._episode: Episode | None = None
        self._encoder: Encoder | None = None
        self._joint = 0.0
        self.week_seed = 0
        """Seed of the week being played (0 for a written one)."""

    @property
    def episode(self) -> Episode:
        """The episode being played.

        Raises:
            gymnasium.error.ResetNeeded: there is none yet.
        """
        if self._episode is None:
            raise gym.error.ResetNeeded("call reset() before anything else")
        return self._episode

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a new week.

        Args:
            seed: of everything random (which week, and a stochastic user's answers).
            options: `{"week": n}` plays the varied week number n, whatever the seed.
        """
        super().reset(seed=seed)
        source, persona = self._choices[0]
        if len(self._choices) > 1:
            source, persona = self._choices[int(self.np_random.integers(len(self._choices)))]
        self.week_seed = 0
        if self._variation != "written":
            self.week_seed = _week_number(options) or int(self.np_random.integers(2**31))
        week = catalogue.week(source, persona, self._variation, self.week_seed)
        draws = self.np_random if self._user == "stochastic" else None
        self._episode = Episode(week, self.weights, draws, make_worker(self._worker, self.np_random))
        self._episode.start()
        self._encoder = Encoder(self._episode)
        self._joint = self._episode.tally.joint()
        return self._encoder.observe(), self._info(None)

    def step(self, action: object) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Intervene on one signal, or end the turn (target 0, or anything that is no legal action)."""
        episode, encoder = self.episode, self._encoder
        if encoder is None or episode.over:
            raise gym.error.ResetNeeded("the episode is over: call reset()")
        decoded = decode(action)
        error = None
        if decoded is None:
            error = MALFORMED
            episode.wait()
        elif decoded[0] == 0:
            episode.wait()
        else:
            error = episode.act(decoded[0] - 1, _DEPTHS[decoded[1]], _TIMINGS[decoded[2]])
            if error is not None:
                episode.wait()
        joint = episode.tally.joint()
        reward, self._joint = joint - self._joint, joint
        return encoder.observe(), reward, episode.over, False, self._info(error)

    def _info(self, error: str | None) -> dict[str, Any]:
        info: dict[str, Any] = {"terms": self.episode.tally.terms().copy(), "action_error": error}
        if self._text:
            info["text"] = self.text()
        return info

    def action_masks(self) -> npt.NDArray[np.bool_]:  # (17 + 4 + 4,)
        """Return which values of target, depth and timing are worth sampling: empty slots are masked, nothing else is."""
        masks = np.ones(_TARGETS + len(_DEPTHS) + len(_TIMINGS), np.bool_)
        masks[1:_TARGETS] = [signal is not None for signal in self.episode.board.slots]
        return masks

    def read(self, tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
        """Call a `read` tool of the world (see `tools`); what was read shows in the next observation.

        Raises:
            ToolError: no such tool, wrong arguments, or a tool that does more than read.
        """
        return self.episode.read(tool, arguments)

    def text(self) -> str:
        """Return the present situation in words."""
        from proactivity_gym.sim.situation import describe  # noqa: PLC0415 (only who wants text pays for it)

        return describe(self.episode)


def _one_of(name: str, value: object, allowed: tuple[str, ...] | list[str]) -> str:
    if isinstance(value, str) and value in allowed:
        return value
    raise ValueError(f"{name}={value!r}: choose one of {', '.join(allowed)}")


def _choices(scenario: str, persona: str) -> list[tuple[str, str]]:
    if scenario == MIXED:
        return [(name, each) for name in catalogue.names() for each in catalogue.PERSONAS]
    catalogue.written_week(scenario, persona)
    return [(scenario, persona)]


def _week_number(options: Mapping[str, Any] | None) -> int | None:
    return int(options["week"]) if options and "week" in options else None


def weights_of(value: object) -> Weights:
    """Return weights from three numbers (tc, ta, tr), a mapping of them, or `Weights`.

    Raises:
        ValueError: they are no weighting.
    """
    if isinstance(value, Weights):
        return value
    try:
        parts = dict(value) if isinstance(value, Mapping) else dict(zip(("tc", "ta", "tr"), value, strict=True))  # type: ignore[call-overload]
        return Weights(**{name: float(part) for name, part in parts.items()})
    except TypeError as error:
        raise ValueError(f"weights={value!r}: give three numbers (tc, ta, tr) or a mapping of them") from error


def make_worker(name: str, generator: np.random.Generator) -> Any:
    """Return a worker by its name; None is the reference worker, which the simulation carries itself.

    Raises:
        ValueError: no worker has this name.
    """
    if name == "reference":
        return None
    found = entry_points(group="proactivity_gym.workers")
    kind, _, setting = name.partition(":")
    for entry in found:
        if entry.name == kind:
            return entry.load()(setting, generator)
    raise ValueError(f"worker={name!r}: choose reference or one of {', '.join(sorted(e.name for e in found))}")
