"""The Gymnasium environment. No rule of the world is in here: it decodes, calls the episode, and encodes."""

from collections.abc import Mapping
from dataclasses import astuple
from typing import Any, cast

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Space

from proactivity_gym.envs import render
from proactivity_gym.envs.arguments import choices_of, make_worker, number_in, one_of, weights_of, worker_in
from proactivity_gym.envs.decode import decode
from proactivity_gym.envs.encode import Encoder, Observation
from proactivity_gym.envs.layout import action_space, observation_space
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim import difficulty as levels
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.interventions import MALFORMED
from proactivity_gym.sim.words import MAX_SIGNALS, Depth, Timing

VARIATIONS = ("written", "train", "test")
DIFFICULTIES = tuple(levels.LEVELS)
USERS = ("deterministic", "stochastic")
_TARGETS = MAX_SIGNALS + 1
_DEPTHS = tuple(Depth)
_TIMINGS = tuple(Timing)


class ProactivityEnv(gym.Env[Observation, npt.NDArray[np.int64]]):
    """A week of somebody's life with a proactive assistant.

    ## Description

    Signals arrive: a mail, a message from the user, a changed appointment, a finished job, what a daily review turns up. At
    each activation the agent chooses which to take up, how deep to go (NOOP, PREPARE, SUGGEST, EXECUTE) and when to process it
    (NOW, IDLE, SLEEP, DUE). Work takes time on shared resources; results reach a user who sleeps, focuses, approves, declines,
    and trusts more or less. Time is simulated, in whole minutes, and stands still until the agent waits. Some signals are
    noise, some matters are already settled, and how far the user wants the agent to go differs from topic to topic and changes.

    The environment follows "Foundations of Proactive Agents: Principles, Technical Layers, and Proactivity-Gym" (arXiv
    2609.37267); where it goes another way, docs/deviations.md says why.

    ## Action Space

    `MultiDiscrete([17, 4, 4])`: (target, depth, timing).

    | part | values |
    | --- | --- |
    | target | 0 waits: time runs to the next activation; 1 to 16: the signal in that slot |
    | depth | 0 NOOP, 1 PREPARE (private drafts), 2 SUGGEST (an offer for approval), 3 EXECUTE (done without asking) |
    | timing | 0 NOW, 1 IDLE (next gap), 2 SLEEP (next sleep time), 3 DUE (latest start that meets the stated deadline) |

    NOOP with NOW dismisses a signal for good; NOOP with another timing snoozes it. Sequences and integer arrays of three,
    mappings and JSON with the keys target, depth and timing (in words, too) are taken alike. An empty slot, a job already under
    way on the matter, an impossible time or a malformed action counts as waiting, and `info["action_error"]` says which.
    `action_masks()` marks empty slots, and nothing else.

    ## Observation Space

    A `Dict` of float32 boxes in [-1, 1]; `proactivity_gym.envs.layout` names every number.

    | key | shape | content |
    | --- | --- | --- |
    | clock | (8,) | time of day, weekday, share of the week gone, time to wake-up, sleep and the next gap |
    | user | (8,) | what the user is doing, offers and interruptions so far |
    | resources | (24,) | four rows of six: capacity, free now, in the next gap and tonight, queued by the agent |
    | delegation | (108,) | twelve rows of nine, per topic: depth last stated, its age, reactions so far |
    | signals | (1392,) | sixteen rows of 87, one per slot |

    With `text=True`, `info["text"]` gives the same situation in words. The persona is never told.

    ## Rewards

    The reward of a step is the increase of J, the weighted sum of S_TC (task capability), S_TA (temporal allocation) and S_TR
    (trust): the undiscounted return of an episode is its J, in [0, 1] for sensible play and at most 1.

    ## Starting State

    The first activation of a week: the written one, or one that the seed draws from a stream of variations. The options of
    `reset` choose a week by number, set the seed of draws, or hand over an object that works (`{"worker": w}`).

    ## Episode End

    `terminated` at the last minute of the week. The environment never truncates.

    ## Information

    `terms`: every score, settled so far (`proactivity_gym.sim.scoring.TERMS`); `action_error`: None or a code
    (`proactivity_gym.sim.interventions.ERRORS`); `text`, if asked for. An agent's view is observation, text and mask, not
    terms.

    ## Arguments

    | argument | default | meaning |
    | --- | --- | --- |
    | scenario | "Mixed" | a scenario's name or TOML file, several with commas, or Mixed (all): drawn at reset |
    | persona | "A,B,C" | A (Reviewer), B (Planner), C (Operator), or several with commas: drawn at reset |
    | variation | "written" | the written week, or the streams "train" and "test" of varied weeks |
    | difficulty | "standard" | or "easy", "hard": noise, work, the user's own use, what is told of links |
    | weights | (1/3, 1/3, 1/3) | of TC, TA and TR: positive, summing to 1 |
    | user | "deterministic" | or "stochastic": answers drawn with the published probabilities |
    | worker | "reference" | who does the work of jobs; "imperfect:0.2" gets a fifth of them wrong |
    | text | False | whether `info["text"]` describes the situation |
    | render_mode | None | "ansi", "human" (prints to the terminal) or "rgb_array" (a timeline; needs the extra `plot`) |

    ## Version History

    * v0: first release.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (Gymnasium declares it so)
        "render_modes": ["ansi", "human", "rgb_array"],
        "render_fps": 2,
    }

    def __init__(
        self,
        scenario: str = catalogue.MIXED,
        persona: str = "A,B,C",
        *,
        variation: str = "written",
        difficulty: str = levels.DEFAULT,
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
        self._variation = one_of("variation", variation, VARIATIONS)
        self._difficulty = one_of("difficulty", difficulty, DIFFICULTIES)
        self._user = one_of("user", user, USERS)
        self.weights = weights_of(weights)
        self._worker = worker
        self._text = text
        self.render_mode = None if render_mode is None else one_of("render_mode", render_mode, self.metadata["render_modes"])
        self.observation_space = cast("Space[Observation]", observation_space())
        self.action_space = action_space()
        self._choices = choices_of(scenario, persona)
        self._episode: Episode | None = None
        self._encoder: Encoder | None = None
        self._joint = 0.0
        self.week_seed = 0
        """Number of the week being played (0 for a written one)."""
        self.draws_seed = 0
        """Seed of what a stochastic user and a worker draw (0 where nothing draws)."""
        self.settings: dict[str, Any] = {
            "scenario": scenario,
            "persona": persona,
            "variation": variation,
            "difficulty": difficulty,
            "weights": astuple(self.weights),
            "user": user,
            "worker": worker,
        }
        """The arguments that an episode depends on."""

    @property
    def episode(self) -> Episode:
        """The episode being played.

        Raises:
            gymnasium.error.ResetNeeded: there is none yet.
        """
        if self._episode is None:
            raise gym.error.ResetNeeded("call reset() before anything else")
        return self._episode

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Start a new week.

        Args:
            seed: of everything random: which week, and what a stochastic user and a worker draw.
            options: `{"week": n}` plays the varied week number n, whatever the seed; `{"draws": n}` sets the seed of the draws;
                `{"worker": w}` has an object (`proactivity_gym.sim.work.Worker`) do the work of this episode.

        Raises:
            ValueError: an option is no whole number of at least 0, or no worker.
        """
        # What is refused changes nothing: neither the week under way nor the random numbers to come.
        week_given, draws_given, worker = number_in(options, "week"), number_in(options, "draws"), worker_in(options)
        super().reset(seed=seed)
        source, persona = self._choices[0]
        if len(self._choices) > 1:
            source, persona = self._choices[int(self.np_random.integers(len(self._choices)))]
        drawing = self._user == "stochastic" or self._worker != "reference"
        self.week_seed = 0 if self._variation == "written" else self._number(week_given)
        self.draws_seed = self._number(draws_given) if drawing else 0
        week = catalogue.week(source, persona, self._variation, self.week_seed, self._difficulty)
        draws = np.random.default_rng((1, self.draws_seed)) if self._user == "stochastic" else None
        if worker is None and drawing:
            worker = make_worker(self._worker, np.random.default_rng((2, self.draws_seed)))
        if self._episode is not None:
            self._episode.leave()
        self._episode = Episode(week, self.weights, draws, worker)
        self._episode.start()
        self._encoder = Encoder(self._episode)
        self._joint = self._episode.tally.joint()
        if self.render_mode == "human":
            self.render()
        info: dict[str, Any] = {"terms": self._episode.tally.terms().copy(), "action_error": None}
        if self._text:
            info["text"] = self.text()
        return self._encoder.observe(), info

    def _number(self, given: int | None) -> int:
        return int(self.np_random.integers(2**31)) if given is None else given

    def step(self, action: object) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Intervene on one signal, or end the turn (target 0, or anything that is no legal action)."""
        episode, encoder = self._episode, self._encoder
        if episode is None or encoder is None or episode.over:
            raise gym.error.ResetNeeded("call reset() before anything else, and when an episode is over")
        decoded = decode(action)
        if decoded is None:
            error = MALFORMED
            episode.wait(error)
        else:
            target, depth, timing = decoded
            error = episode.act(target - 1, _DEPTHS[depth], _TIMINGS[timing]) if target else None
            if error is not None or not target:
                episode.wait(error)
        terms = episode.tally.terms()
        joint = terms["J"] or 0.0
        reward, self._joint = joint - self._joint, joint
        if self.render_mode == "human":
            self.render()
        info: dict[str, Any] = {"terms": terms.copy(), "action_error": error}
        if self._text:
            info["text"] = self.text()
        return encoder.observe(), reward, episode.over, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:  # (17 + 4 + 4,)
        """Return which values of target, depth and timing are worth sampling: empty slots are masked, nothing else is."""
        masks = np.ones(_TARGETS + len(_DEPTHS) + len(_TIMINGS), np.bool_)
        masks[1:_TARGETS] = [signal is not None for signal in self.episode.board.slots]
        return masks

    def render(self) -> Any:
        """Return the present as text (`ansi`), the week so far as an image (`rgb_array`), or print it (`human`)."""
        if self.render_mode is None:
            gym.logger.warn("render() does nothing without a render_mode: pass one to gym.make")
            return None
        return render.render(self.episode, self.render_mode)

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
