"""A learned policy with one of its choices frozen to that of the rules: how much of what it gains comes from that choice.

`frozen:depth:POLICY`, `frozen:timing:POLICY` or `frozen:targets:POLICY`, where POLICY is the name of any policy for the first
two and of one that ranks its actions (a model of the zoo) for the third. With

- **depth** frozen, POLICY chooses which signals to take up and when; how deep is what the rules would go on it, whether
  or not they would take it up. Dismissing, putting back and waiting are no depths: they stay POLICY's.
- **timing** frozen, POLICY chooses which signals to take up and how deep; when is what the rules would choose on that signal,
  and what is put back is put back to the next idle moment, as the rules do. Dismissing and waiting stay POLICY's: so it may
  still leave a signal open for later.
- **targets** frozen, the rules choose which signal is next, and whether it is taken up, dismissed, put back or left: POLICY has
  no say but on a signal that is taken up, for which it chooses the pair of depth (at least prepare) and timing that it thinks
  best.
"""

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np

from proactivity_gym.baselines import rules
from proactivity_gym.baselines.policy import FROZEN, Action, Observation, Policy, Read
from proactivity_gym.baselines.rows import signals
from proactivity_gym.baselines.slot_actor import Array
from proactivity_gym.sim.words import Depth, Timing
from proactivity_gym.wrappers.flat_actions import flatten

DEPTH, TIMING, TARGETS = CHOICES = ("depth", "timing", "targets")


@runtime_checkable
class Ranking(Protocol):
    """A policy that ranks its actions."""

    def logits(self, observation: Observation) -> Array:  # (257,)
        """Return what it thinks of every action, in the order of `FlatActions`."""
        ...


def parts(name: str) -> tuple[str, str]:
    """Return the choice that is frozen and the name of the policy.

    Raises:
        ValueError: it is none of `CHOICES`, or no policy is named.
    """
    choice, _, inner = name.removeprefix(FROZEN).partition(":")
    if choice not in CHOICES or not inner:
        raise ValueError(f"{name}: write {FROZEN}CHOICE:POLICY, with one of {', '.join(CHOICES)} as the choice")
    return choice, inner


def freeze(choice: str, policy: Policy) -> "Frozen | FrozenTargets":
    """Return a policy with one of its choices frozen.

    Raises:
        ValueError: its targets are to be frozen, and it does not rank its actions.
    """
    if choice != TARGETS:
        return Frozen(choice, policy)
    if not isinstance(policy, Ranking):
        raise ValueError(f"{FROZEN}{TARGETS}: only a model of the zoo (zoo:NAME) ranks its actions, as this needs")
    return FrozenTargets(policy)


class Frozen:
    """Acts as a policy does, but as deep, or when, the rules would."""

    def __init__(self, choice: str, policy: Policy) -> None:
        """Take what is frozen, `depth` or `timing`, of which policy."""
        self._choice, self._policy = choice, policy

    def reset(self, observation: Observation, info: Mapping[str, Any], seed: int, read: Read) -> None:
        """Start an episode."""
        self._policy.reset(observation, info, seed, read)

    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        """Return the policy's action, but for what is frozen."""
        target, depth, timing = self._policy.act(observation, info)
        row = dict(signals(observation)).get(target)
        dismisses = depth == Depth.NOOP and timing == Timing.NOW
        if row is None or dismisses:  # waiting, or nothing that the rules could judge
            return target, depth, timing
        if self._choice == DEPTH:
            return target, int(rules.depth_for(row)) if depth else depth, timing
        return target, depth, int(rules.timing_for(row) if depth else Timing.IDLE)


class FrozenTargets:
    """Takes up what the rules take up, as deep and at the time that a policy thinks best."""

    def __init__(self, policy: Ranking) -> None:
        """Take the policy."""
        self._policy, self._rules = policy, rules.Rules()

    def reset(self, observation: Observation, info: Mapping[str, Any], seed: int, read: Read) -> None:
        """Start an episode; what ranks its actions keeps nothing from one decision to the next."""

    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        """Return the rules' action, with another depth and timing if it takes a signal up."""
        target, depth, timing = self._rules.act(observation, info)
        if not target or not depth:
            return target, depth, timing
        ways = [(d, t) for d in Depth if d for t in Timing]
        logits = self._policy.logits(observation)
        best = ways[int(np.argmax([logits[flatten(target, d, t)] for d, t in ways]))]
        return target, int(best[0]), int(best[1])
