"""Train DQN: `python -m proactivity_gym.train.dqn --env-id ProactivityGym/Travel-PersonaB-v0`."""

import proactivity_gym.train.extra  # noqa: F401 (before what it looks for)

# isort: split
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import tyro
from stable_baselines3 import DQN

from proactivity_gym.train import run_directory, script
from proactivity_gym.train.run_directory import Keeping
from proactivity_gym.train.weeks import Weeks

ALGORITHM = "dqn"


@dataclass
class Args:
    """Train DQN, which knows no masks: what it does on an empty slot counts as waiting. It cannot be resumed."""

    weeks: Annotated[Weeks, tyro.conf.arg(name="")] = field(default_factory=Weeks)
    keeping: Annotated[Keeping, tyro.conf.arg(name="")] = field(default_factory=Keeping)
    total_timesteps: int = 1_000_000
    """Steps of all environments together."""
    seed: int = 1
    """Of environments, network and sampling."""
    num_envs: int = 16
    """Environments stepped side by side."""
    torch_threads: int = 1
    """Threads of torch."""
    hidden: int = 64
    """Width of the layers."""
    learning_rate: float = 5e-4
    """At the start; it falls to zero."""
    buffer_size: int = 50_000
    """Steps that are remembered, at 12 kB each."""
    learning_starts: int = 10_000
    """Steps before the first gradient step."""
    batch_size: int = 256
    """Samples per gradient step."""
    train_freq: int = 4
    """Steps of each environment per gradient step."""
    target_update_interval: int = 1_000
    """Steps of each environment between copies to the target network."""
    gamma: float = 0.99
    """Discount."""
    exploration_fraction: float = 0.3
    """Share of the run in which random actions get rarer."""
    exploration_final_eps: float = 0.05
    """Share of random actions from then on."""


def train(args: Args) -> Path:
    """Train, and return the folder of the run.

    Raises:
        RunError: a setting is none.
    """
    script.prepare(args)
    envs = args.weeks.training(args.num_envs, flat=True)
    envs.seed(args.seed)
    held_out = args.weeks.held_out(args.keeping.eval_weeks, flat=True)
    model = DQN(
        "MlpPolicy",
        envs,
        learning_rate=script.falling(args.learning_rate),
        buffer_size=args.buffer_size,
        learning_starts=args.learning_starts,
        batch_size=args.batch_size,
        train_freq=args.train_freq,
        target_update_interval=args.target_update_interval,
        gamma=args.gamma,
        exploration_fraction=args.exploration_fraction,
        exploration_final_eps=args.exploration_final_eps,
        policy_kwargs={"net_arch": [args.hidden] * 2},
        seed=args.seed,
        device="cpu",
    )
    run = run_directory.opened(ALGORITHM, args.weeks.env_id, args)
    model.set_logger(run.logger())
    script.learn(model, args.total_timesteps, script.callbacks_of(args, run, envs, held_out), run)
    run.finish(model)
    return run.folder


if __name__ == "__main__":
    script.main(Args, train)
