"""Train MaskablePPO: `python -m proactivity_gym.train.maskable_ppo --env-id ProactivityGym/Travel-PersonaB-v0`."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import gymnasium as gym
import torch
import tyro
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure

import proactivity_gym  # noqa: F401 (registers the ids)
from proactivity_gym.train import callbacks, run_directory
from proactivity_gym.train.held_out import HeldOut
from proactivity_gym.train.slot_policy import MaskableSlotPolicy
from proactivity_gym.train.vector import RowVecEnv
from proactivity_gym.wrappers import FlatActions


@dataclass
class Args:
    """Settings of a run."""

    env_id: str = "ProactivityGym/Travel-PersonaB-v0"
    """Id of the environment."""
    scenario: str | None = None
    """For Mixed: scenarios to draw from, with commas; all by default."""
    persona: str | None = None
    """For Mixed: personas to draw from, with commas; all by default."""
    variation: str = "train"
    """Stream of weeks to train on: train, or written."""
    weights: tuple[float, float, float] = (1 / 3, 1 / 3, 1 / 3)
    """Weights of TC, TA and TR in the reward."""
    user: str = "deterministic"
    """deterministic or stochastic."""
    worker: str = "reference"
    """Who does the work of jobs."""
    total_timesteps: int = 1_000_000
    """Steps of all environments together."""
    seed: int = 1
    """Of environments, network and sampling."""
    num_envs: int = 64
    """Environments stepped side by side."""
    actions: Literal["flat", "multi"] = "flat"
    """One choice among 257, or target, depth and timing each on its own."""
    policy: Literal["slots", "mlp"] = "slots"
    """A network that reads signals one by one, or a plain one over all numbers."""
    hidden: int = 64
    """Width of the layers."""
    learning_rate: float = 1e-3
    """At the start; it falls to zero."""
    n_steps: int = 128
    """Steps of each environment per rollout."""
    batch_size: int = 1024
    """Samples per gradient step."""
    n_epochs: int = 4
    """Passes over a rollout."""
    gamma: float = 0.999
    """Discount."""
    gae_lambda: float = 0.95
    """Of the advantage's estimate."""
    ent_coef: float = 0.01
    """Weight of entropy."""
    torch_threads: int = 1
    """Threads of torch."""
    eval_every: int = 100_000
    """Steps between evaluations on held-out weeks."""
    eval_weeks: int = 32
    """Held-out weeks."""
    run_dir: Path | None = None
    """Folder of the run; runs/<env>__<algorithm>__<seed>__<time> by default."""


def make_env(args: Args, variation: str) -> gym.Env[Any, Any]:
    """Return one environment."""
    drawn = {name: value for name in ("scenario", "persona") if (value := getattr(args, name)) is not None}
    common: dict[str, Any] = {"weights": args.weights, "user": args.user, "worker": args.worker}
    env = gym.make(args.env_id, disable_env_checker=True, variation=variation, **common, **drawn)
    return FlatActions(env) if args.actions == "flat" else env


def train(args: Args) -> Path:
    """Train, and return the folder of the run."""
    torch.set_num_threads(args.torch_threads)
    torch.use_deterministic_algorithms(True)
    torch.distributions.Distribution.set_default_validate_args(False)  # checks of every sample: a tenth of the time

    envs = RowVecEnv([make_env(args, args.variation) for _ in range(args.num_envs)])
    envs.seed(args.seed)
    held_out = HeldOut(RowVecEnv([make_env(args, "test") for _ in range(args.eval_weeks)]))

    network: dict[str, Any] = {"net_arch": [args.hidden, args.hidden]} if args.policy == "mlp" else {"hidden": args.hidden}
    model = MaskablePPO(
        "MlpPolicy" if args.policy == "mlp" else MaskableSlotPolicy,
        envs,
        learning_rate=lambda left: args.learning_rate * left,
        n_steps=args.n_steps,
        batch_size=args.batch_size,
        n_epochs=args.n_epochs,
        gamma=args.gamma,
        gae_lambda=args.gae_lambda,
        ent_coef=args.ent_coef,
        policy_kwargs=network,
        seed=args.seed,
        device="cpu",
    )

    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    name = f"{args.env_id.rpartition('/')[2]}__maskable_ppo__{args.seed}__{stamp}"
    run = run_directory.begun(args.run_dir or Path("runs") / name, "maskable_ppo", args)
    model.set_logger(configure(str(run.path(run_directory.CURVES)), ["tensorboard", "csv"]))
    watching = [
        callbacks.Terms(envs, run),
        callbacks.Evaluation(held_out, run, args.eval_every),
        callbacks.Bar(args.total_timesteps),
    ]
    model.learn(args.total_timesteps, callback=watching)
    model.save(run.path(run_directory.MODEL))
    return run.folder


if __name__ == "__main__":
    print(train(tyro.cli(Args)))
