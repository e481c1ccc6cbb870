"""Masked PPO in one file, read top to bottom: vector environments, a network, the loop; with torch and Gymnasium alone.

    python examples/cleanrl_ppo.py --id ProactivityGym/Education-PersonaB-v0 --steps 200_000

An observation is a row of 1797 numbers: the mask of the 257 actions, then what is seen (`MaskedRow`).
"""

import time
from dataclasses import dataclass

import gymnasium as gym
import numpy as np
import torch
import tyro
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from torch import Tensor, nn
from torch.distributions import Categorical

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# Parts of torch are untyped.
import proactivity_gym  # noqa: F401 (registers the ids)
from proactivity_gym.envs.layout import BOUNDS, WIDTH
from proactivity_gym.sim.words import MAX_SIGNALS
from proactivity_gym.wrappers import FlatActions, MaskedRow
from proactivity_gym.wrappers.flat_actions import ACTIONS, WAYS

CONTEXT = BOUNDS["signals"].start
"""Numbers of an observation before the rows of its signals."""


@dataclass
class Args:
    """What can be set."""

    id: str = "ProactivityGym/Education-PersonaB-v0"
    steps: int = 200_000
    envs: int = 16
    rollout: int = 128
    """Steps of each environment between two updates."""
    epochs: int = 4
    minibatches: int = 4
    lr: float = 1e-3
    gamma: float = 1.0
    gae: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    grad_norm: float = 0.5
    hidden: int = 64
    seed: int = 0
    episodes: int = 20
    """Held-out weeks that are played at the end."""


def make(name: str, variation: str) -> gym.Env[np.ndarray, int]:
    """Return an environment whose observations carry the mask."""
    return MaskedRow(FlatActions(gym.make(name, variation=variation)))


class Agent(nn.Module):
    """Reads each signal's row with the same network, whatever its slot; a logit for each way to take it up, one for waiting."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.context = nn.Sequential(nn.Linear(CONTEXT, hidden), nn.Tanh())
        self.row = nn.Sequential(nn.Linear(WIDTH + hidden, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.ways = nn.Linear(hidden, WAYS)
        self.wait_and_value = nn.Linear(2 * hidden, 2)
        for head in (self.ways, self.wait_and_value):
            nn.init.orthogonal_(head.weight, 0.01)
            nn.init.zeros_(head.bias)

    def forward(self, seen: Tensor) -> tuple[Categorical, Tensor]:  # (B, 1797) -> (B, 257), (B,)
        """Return the distribution of actions, and the value."""
        mask, numbers = seen[:, :ACTIONS], seen[:, ACTIONS:]
        context = self.context(numbers[:, :CONTEXT])
        table = numbers[:, CONTEXT:].reshape(-1, MAX_SIGNALS, WIDTH)
        where = mask[:, 1::WAYS].nonzero(as_tuple=True)  # the K open slots alone
        rows = self.row(torch.cat((table[where], context[where[0]]), dim=1))  # (K, hidden)
        summary = torch.zeros_like(context).index_add(0, where[0], rows)
        rest = self.wait_and_value(torch.cat((context, summary), dim=1))
        slots = torch.full((len(seen), MAX_SIGNALS, WAYS), -1e9).index_put(where, self.ways(rows))  # what is masked stays so
        return Categorical(logits=torch.cat((rest[:, :1], slots.flatten(1)), dim=1)), rest[:, 1]


@dataclass
class Rollout:
    """What was played between two updates; all (rollout, envs, ...)."""

    seen: Tensor
    actions: Tensor
    logprobs: Tensor
    rewards: Tensor
    dones: Tensor
    """1 where the episode ended with this step."""
    values: Tensor


def collect(envs: SyncVectorEnv, agent: Agent, seen: Tensor, args: Args) -> tuple[Rollout, Tensor, list[float]]:
    """Play; return what was played, what is seen now, and J of the episodes that ended."""
    steps: list[tuple[Tensor, ...]] = []
    ended: list[float] = []
    for _ in range(args.rollout):
        with torch.no_grad():
            distribution, value = agent(seen)
            action = distribution.sample()
        after, reward, done, _, info = envs.step(action.numpy())  # the last minute is a true end: nothing is truncated
        ended += [info["final_info"]["terms"]["J"][place] for place in np.flatnonzero(done)]
        told = torch.as_tensor(reward, dtype=torch.float32), torch.as_tensor(done, dtype=torch.float32)
        steps.append((seen, action, distribution.log_prob(action), *told, value))
        seen = torch.as_tensor(after)
    return Rollout(*map(torch.stack, zip(*steps, strict=True))), seen, ended


def advantages(played: Rollout, next_value: Tensor, args: Args) -> Tensor:
    """Return generalised advantage estimates, (rollout, envs)."""
    found, running = torch.zeros_like(played.rewards), torch.zeros_like(next_value)
    for t in reversed(range(args.rollout)):
        goes_on = 1 - played.dones[t]
        error = played.rewards[t] + args.gamma * goes_on * next_value - played.values[t]
        found[t] = running = error + args.gamma * args.gae * goes_on * running
        next_value = played.values[t]
    return found


def update(agent: Agent, optimizer: torch.optim.Optimizer, played: Rollout, gains: Tensor, args: Args) -> None:
    """Learn from what was played."""
    seen, actions, before = (part.flatten(0, 1) for part in (played.seen, played.actions, played.logprobs))
    targets, gains = (gains + played.values).flatten(), gains.flatten()
    for _ in range(args.epochs):
        for chosen in torch.randperm(len(actions)).chunk(args.minibatches):
            distribution, value = agent(seen[chosen])
            ratio = (distribution.log_prob(actions[chosen]) - before[chosen]).exp()
            gain = (gains[chosen] - gains[chosen].mean()) / (gains[chosen].std() + 1e-8)
            policy_loss = -torch.min(ratio * gain, ratio.clamp(1 - args.clip, 1 + args.clip) * gain).mean()
            value_loss = (value - targets[chosen]).square().mean() / 2
            loss = policy_loss + args.value * value_loss - args.entropy * distribution.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), args.grad_norm)
            optimizer.step()


@torch.no_grad()
def evaluate(agent: Agent, args: Args) -> float:
    """Return the mean J of held-out weeks, each action the likeliest."""
    earned: list[float] = []
    env = make(args.id, "test")
    for seed in range(args.episodes):
        seen, info = env.reset(seed=seed)
        over = False
        while not over:
            seen, _, over, _, info = env.step(int(agent(torch.as_tensor(seen)[None])[0].logits.argmax()))
        earned.append(info["terms"]["J"])
    return sum(earned) / len(earned)


def main(args: Args) -> float:
    """Train and return the held-out J."""
    torch.manual_seed(args.seed)
    envs = SyncVectorEnv([lambda: make(args.id, "train")] * args.envs, autoreset_mode=AutoresetMode.SAME_STEP)
    agent = Agent(args.hidden)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.lr, eps=1e-5)
    seen = torch.as_tensor(envs.reset(seed=args.seed)[0])
    updates, start = max(1, args.steps // (args.rollout * args.envs)), time.monotonic()
    for number in range(1, updates + 1):
        optimizer.param_groups[0]["lr"] = args.lr * (1 - (number - 1) / updates)
        played, seen, ended = collect(envs, agent, seen, args)
        with torch.no_grad():
            gains = advantages(played, agent(seen)[1], args)
        update(agent, optimizer, played, gains, args)
        steps = number * args.rollout * args.envs
        mean = f"{sum(ended) / len(ended):.3f}" if ended else "-"
        print(f"{steps} steps, mean J {mean}, {steps / (time.monotonic() - start):.0f} steps/s", flush=True)
    held_out = evaluate(agent, args)
    print(f"held out: mean J {held_out:.3f} over {args.episodes} weeks")
    return held_out


if __name__ == "__main__":
    main(tyro.cli(Args))
