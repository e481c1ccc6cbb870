"""Environments that the tests of wrappers play in."""

from typing import Any

import gymnasium as gym

from proactivity_gym import register
from proactivity_gym.sim.trace import Entry
from proactivity_gym.wrappers import EpisodeLog, FlatActions, JointReward, TextView
from tests.sim.tiny import PATH

Env = gym.Env[Any, Any]

EDUCATION = "ProactivityGym/Education-PersonaA-v0"
WAIT = (0, 0, 0)

NAMES = ("joint", "log", "text", "flat")

DISMISS_CARD = [WAIT, WAIT, WAIT, WAIT, (2, 0, 0), WAIT]
"""On tiny: up to Monday 13:00, where slot 2 shows the library card, a NOOP case; dismissed there; on to 14:00."""
SUGGEST_PIZZA = (2, 2, 0)
"""At 14:00 slot 2, free again, shows an advertisement."""


def tiny(**settings: Any) -> Env:  # noqa: ANN401 (of any kind)
    """Make the environment of tests/data/tiny.toml."""
    (name,) = register(str(PATH))
    return gym.make(name, **settings)


def wrapped(name: str, env: Env, folder: object) -> Env:
    """Wrap an environment by the name of a wrapper."""
    match name:
        case "joint":
            return JointReward(env, tc=0.5, ta=0.25, tr=0.25)
        case "log":
            return EpisodeLog(env, folder=str(folder))
        case "text":
            return TextView(env)
        case _:
            return FlatActions(env)


def entries_of(env: Env) -> list[Entry]:
    """Return the trace of the episode being played."""
    base: Any = env.unwrapped
    return base.episode.trace.entries


def finish(env: Env, action: object = WAIT) -> tuple[float, dict[str, Any]]:
    """Play on with one action to the end; return the sum of rewards and the last info."""
    total, over, info = 0.0, False, dict[str, Any]()
    while not over:
        _, reward, over, _, info = env.step(action)
        total += float(reward)
    return total, info
