"""The prompts that language models get, for a person to read: `pgym show ID --prompt`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proactivity_gym.envs.env import ProactivityEnv

PLAYED_BY = "rules"
"""The policy that plays the week in which the prompts are looked at."""


def prompts(source: str, persona: str, difficulty: str) -> list[str]:
    """Return three whole prompts of a written week: a policy's first and its longest one, and a worker's first one."""
    from proactivity_gym.baselines.llm_dialogue import tokens
    from proactivity_gym.baselines.llm_memory import Memory
    from proactivity_gym.baselines.llm_prompt import policy_opening
    from proactivity_gym.envs.env import ProactivityEnv

    env = ProactivityEnv(source, persona, difficulty=difficulty)
    policies: list[tuple[str, str]] = []
    workers: list[tuple[str, str]] = []
    for text in _situations(env):
        policies.append(policy_opening(text, Memory()))
        if not workers and env.episode.jobs.all:
            workers.append(_workers(env))
    longest = max(policies, key=lambda opening: tokens("".join(opening)))
    titled = {"policy, first activation": policies[0], "policy, longest": longest}
    if workers:
        titled["worker, first job"] = workers[0]
    return [line for title, opening in titled.items() for line in _shown(title, opening)]


def _situations(env: "ProactivityEnv") -> Iterator[str]:
    """Play the week and yield the text of every decision."""
    from proactivity_gym.baselines import policy

    player = policy.make(PLAYED_BY, env)
    observation, info = env.reset(seed=0)
    player.reset(observation, info, 0, env.read)
    over = False
    while not over:
        yield env.text()
        observation, _, over, _, info = env.step(player.act(observation, info))


def _workers(env: "ProactivityEnv") -> tuple[str, str]:
    """Return the prompt for the first job."""
    from proactivity_gym.baselines.llm_prompt import worker_opening
    from proactivity_gym.baselines.llm_schema import tools_of
    from proactivity_gym.baselines.llm_worker import order_of
    from proactivity_gym.sim.situation import describe_matter

    job = env.episode.jobs.all[0]
    tools = tools_of(env.episode.week.plan.scenario)
    return worker_opening(describe_matter(env.episode, job.signal), order_of(job, ()), "json", tools)


def _shown(title: str, opening: tuple[str, str]) -> list[str]:
    from proactivity_gym.baselines.llm_dialogue import tokens

    size = tokens("".join(opening))
    return [f"===== {title}: at most {size} tokens =====", "--- system ---", opening[0], "", "--- user ---", opening[1], ""]
