"""What a policy is, and the table of those that come with the project."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol

import gymnasium as gym
import numpy as np
import numpy.typing as npt

Observation = Mapping[str, npt.NDArray[np.float32]]
Read = Callable[[str, Mapping[str, object]], dict[str, object]]
Action = tuple[int, int, int]

WAIT: Action = (0, 0, 0)
LLM = "llm:"
"""How the names of language models begin: what follows is a model file, or model@base_url."""

ZOO = "zoo:"
"""How the names of models of the zoo begin."""
FROZEN = "frozen:"
"""How the names of policies begin of which one choice is frozen: `baselines.frozen` says how they go on."""


class Policy(Protocol):
    """Chooses interventions from what an agent may see."""

    def reset(self, observation: Observation, info: Mapping[str, Any], seed: int, read: Read) -> None:
        """Start an episode; `read` calls a `read` tool of the world."""
        ...

    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        """Return the next action: target (0 waits, 1 to 16 a slot), depth, timing."""
        ...


def names() -> list[str]:
    """Return the names of the policies that come with the project."""
    return sorted(_makers())


def make(name: str, env: gym.Env[Any, Any]) -> Policy:
    """Return a policy by its name.

    `llm:MODEL.toml` is a language model, `zoo:NAME` a model of the zoo, a path that ends in .zip a learned policy, and
    `frozen:CHOICE:POLICY` one of them with a choice frozen to that of the rules.

    Only the oracle sees more of `env` than is observed.

    Raises:
        ValueError: no policy has this name, or its file cannot be used.
        LlmError: there is no key for the model.
    """
    if name.startswith(LLM):
        return _language_model(name.removeprefix(LLM), env)
    from proactivity_gym.baselines import frozen, learned, zoo  # noqa: PLC0415 (they import this module)

    if name.startswith(FROZEN):
        choice, inner = frozen.parts(name)
        return frozen.freeze(choice, make(inner, env))
    if name.startswith(ZOO):
        return zoo.load(name)
    if learned.is_learned(name):
        return learned.load(name)
    makers = _makers()
    if name not in makers:
        raise ValueError(f"no policy is called {name!r}: choose one of {', '.join(sorted(makers))}")
    return makers[name](env)


def _language_model(setting: str, env: gym.Env[Any, Any]) -> Policy:
    from proactivity_gym.baselines import llm, llm_models  # noqa: PLC0415 (only who wants one pays for it)
    from proactivity_gym.llm.client import Client  # noqa: PLC0415

    chosen = llm_models.chosen_model(setting)
    made = llm.LLMPolicy(Client(chosen.config), mode=chosen.mode)
    made.text = env.get_wrapper_attr("text")
    return made


def _makers() -> dict[str, Callable[[gym.Env[Any, Any]], Policy]]:
    from proactivity_gym.baselines import oracle, rules, scripted  # noqa: PLC0415 (they import this module)

    makers: dict[str, Callable[[gym.Env[Any, Any]], Policy]] = {
        name: lambda _, kind=kind: kind() for name, kind in scripted.POLICIES.items()
    }
    makers["rules"] = lambda _: rules.Rules()
    makers["oracle"] = lambda env: oracle.Oracle(_episode_of(env))
    return makers


def _episode_of(env: gym.Env[Any, Any]) -> Callable[[], Any]:
    """Return how to look at the episode being played; a copy of it, made together with the environment, looks at the copy."""
    return partial(getattr, env.unwrapped, "episode")


def play(policy: Policy, env: gym.Env[Any, Any], seed: int) -> tuple[float, dict[str, Any]]:
    """Play one episode and return its return (the sum of rewards) and the last info."""
    observation, info = env.reset(seed=seed)
    policy.reset(observation, info, seed, env.get_wrapper_attr("read"))
    total, over = 0.0, False
    while not over:
        observation, reward, terminated, truncated, info = env.step(policy.act(observation, info))
        total += float(reward)
        over = terminated or truncated
    return total, info
