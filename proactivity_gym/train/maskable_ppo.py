"""Train MaskablePPO: `python -m proactivity_gym.train.maskable_ppo --env-id ProactivityGym/Travel-PersonaB-v0`."""

import proactivity_gym.train.extra  # noqa: F401 (before what it looks for)

# isort: split
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from sb3_contrib import MaskablePPO

from proactivity_gym.baselines.slot_policy import MaskableSlotPolicy
from proactivity_gym.train import checkpoints, run_directory, script
from proactivity_gym.train.run_directory import Keeping
from proactivity_gym.train.weeks import Weeks

ALGORITHM = "maskable_ppo"


@dataclass
class Args:
    """Train MaskablePPO: only actions on open signals are sampled."""

    weeks: Annotated[Weeks, tyro.conf.arg(name="")] = field(default_factory=Weeks)
    keeping: Annotated[Keeping, tyro.conf.arg(name="")] = field(default_factory=Keeping)
    resume: Path | None = None
    """Folder of a run that was killed: it goes on, with its own settings, to the same model."""
    total_timesteps: int = 1_000_000
    """Steps of all environments together."""
    seed: int = 1
    """Of environments, network and sampling."""
    num_envs: int = 64
    """Environments stepped side by side."""
    torch_threads: int = 1
    """Threads of torch."""
    actions: Literal["flat", "multi"] = "flat"
    """One choice among 257, or target, depth and timing each on its own."""
    policy: Literal["slots", "mlp"] = "slots"
    """A network that reads signals one by one, or a plain one over all numbers."""
    frames: int = 1
    """Observations that it sees at a time: the present one, and those before it."""
    hidden: int = 64
    """Width of the layers."""
    names: bool = True
    """Whether a network of slots sees which app, topic and resource a signal is of; without, it carries over further."""
    learning_rate: float = 2e-3
    """At the start; it falls to zero."""
    n_steps: int = 32
    """Steps of each environment per rollout."""
    batch_size: int = 512
    """Samples per gradient step."""
    n_epochs: int = 4
    """Passes over a rollout."""
    gamma: float = 0.99
    """Discount."""
    gae_lambda: float = 0.95
    """Of the advantage's estimate."""
    ent_coef: float = 0.02
    """Weight of entropy."""


def train(args: Args) -> Path:
    """Train, and return the folder of the run.

    Raises:
        RunError: a setting is none, or the run to be resumed cannot be.
    """
    if args.resume:
        args = run_directory.resumed(args, ALGORITHM)
    script.prepare(args)

    flat = args.actions == "flat"
    envs = args.weeks.training(args.num_envs, flat, args.frames)
    envs.seed(args.seed)
    held_out = args.weeks.held_out(args.keeping.eval_weeks, flat, args.frames)

    slots = args.policy == "slots"
    network: dict[str, Any] = {"hidden": args.hidden, "names": args.names} if slots else {"net_arch": [args.hidden] * 2}
    model = MaskablePPO(
        MaskableSlotPolicy if slots else "MlpPolicy",
        envs,
        learning_rate=script.falling(args.learning_rate),
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

    run = run_directory.opened(ALGORITHM, args.weeks.env_id, args)
    if args.resume:
        checkpoints.restore(model, envs, run)
    watching = script.callbacks_of(args, run, envs, held_out)
    watching.append(checkpoints.Checkpoint(envs, run, args.keeping.checkpoint_every))
    model.set_logger(run.logger())
    script.learn(model, args.total_timesteps, watching, run)
    run.finish(model)
    return run.folder


if __name__ == "__main__":
    script.main(Args, train)
