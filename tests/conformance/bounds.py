"""What each policy earns on each id: a table that the sanity bounds are asserted over."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from statistics import fmean

from proactivity_gym.baselines import policy
from proactivity_gym.baselines.policy import Policy
from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.sim.scoring import Terms
from tests.conformance.drivers import RightDepthNow, bare

RIGHT_NOW = "right depth, always now"
AXES = ("TC", "TA", "TR_D", "CQ", "S_TC", "S_TA", "S_TR", "J")


@dataclass(frozen=True)
class Earned:
    """What a policy earned over some weeks."""

    returns: tuple[float, ...]
    terms: tuple[Terms, ...]

    def mean(self, term: str) -> float | None:
        """Return the mean of a term over the weeks that have it."""
        values = [terms[term] for terms in self.terms]
        there = [value for value in values if value is not None]
        return fmean(there) if there else None


def weeks(env_id: str, tests: int, user: str = "deterministic") -> Iterator[tuple[ProactivityEnv, int]]:
    """Yield environment and seed of the written week and of some of the stream `test`."""
    yield bare(env_id, user=user), 0
    varied = bare(env_id, variation="test", user=user)
    for seed in range(tests):
        yield varied, seed


@cache
def earned(env_id: str, name: str, tests: int, user: str = "deterministic") -> Earned:
    """Return what a policy earns over the written week and some of the stream `test`."""
    returns: list[float] = []
    terms: list[Terms] = []
    for env, seed in weeks(env_id, tests, user):
        player: Policy = RightDepthNow(env) if name == RIGHT_NOW else policy.make(name, env)
        paid, info = policy.play(player, env, seed)
        returns.append(paid)
        terms.append(info["terms"])
    return Earned(tuple(returns), tuple(terms))
