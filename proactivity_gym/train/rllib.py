"""PPO with masked actions in RLlib: on one machine, or on a Ray cluster.

    python -m proactivity_gym.train.rllib --id ProactivityGym/Education-PersonaB-v0
    python -m proactivity_gym.train.rllib --address 10.0.0.1:6379 --runners 16

Ray pins Gymnasium 1.2.2, so this wants an environment of its own: see docs/tools/rllib.md.
"""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUntypedBaseClass=false, reportAttributeAccessIssue=false
# pyright: reportUnknownParameterType=false
# Ray is installed where this runs, not where it is checked; and it is hardly typed.

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium as gym
import torch
import tyro
from torch import Tensor, nn

from proactivity_gym.envs.layout import BOUNDS, TOTAL, WIDTH
from proactivity_gym.sim.words import MAX_SIGNALS
from proactivity_gym.wrappers.flat_actions import ACTIONS, WAYS, FlatActions
from proactivity_gym.wrappers.masked_row import MaskedRow

try:
    import ray
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.core.rl_module.torch import TorchRLModule
    from ray.tune.registry import register_env
except ImportError as error:
    message = "RLlib is not installed. In an environment of its own: pip install 'proactivity-gym[rllib]' (docs/tools/rllib.md)"
    if __name__ == "__main__":
        print(message, file=sys.stderr)
        sys.exit(2)
    raise ImportError(message) from error

ENV = "proactivity_gym"
"""What Ray calls the environment."""
_CONTEXT = BOUNDS["signals"].start
_HIDDEN = 64
_NEVER = -1e9


@dataclass
class Args:
    """What can be set."""

    id: str = "ProactivityGym/Education-PersonaB-v0"
    difficulty: str = "standard"
    """easy, standard or hard."""
    iterations: int = 40
    """Rounds of sampling and learning."""
    batch: int = 4000
    """Steps in a round."""
    runners: int = 2
    """Processes that play; 0: the learner plays itself."""
    envs: int = 8
    """Environments in each of them."""
    lr: float = 5e-4
    seed: int = 0
    address: str | None = None
    """Of a Ray cluster, as in 10.0.0.1:6379; None: this machine."""
    cpus: int | None = None
    """That Ray may use on this machine; None: all."""
    episodes: int = 20
    """Held-out weeks that are played at the end."""
    out: Path | None = None
    """Folder for the trained model, as Ray saves it."""


class SlotModule(TorchRLModule, ValueFunctionAPI):  # type: ignore[misc] - Any where Ray is not installed
    """Actor and critic that read each signal's row with the same small network, whatever its slot."""

    def setup(self) -> None:
        """Build the networks."""
        self.context = nn.Sequential(nn.Linear(_CONTEXT, _HIDDEN), nn.Tanh())
        self.row = nn.Sequential(nn.Linear(WIDTH + _HIDDEN, _HIDDEN), nn.Tanh(), nn.Linear(_HIDDEN, _HIDDEN), nn.Tanh())
        self.ways = nn.Linear(_HIDDEN, WAYS)
        self.rest = nn.Linear(2 * _HIDDEN, 2)  # waiting, and the value
        for head in (self.ways, self.rest):
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)

    def _forward(self, batch: Mapping[str, Any], **_: Any) -> dict[str, Any]:  # noqa: ANN401 (Ray's keywords)
        """Return logits; those of masked actions are as good as minus infinity."""
        return {Columns.ACTION_DIST_INPUTS: self._read(batch[Columns.OBS])[0]}

    def compute_values(self, batch: Mapping[str, Any], embeddings: Any = None) -> Tensor:  # noqa: ANN401 (unused; Ray's)
        """Return what is still to be earned, (B,)."""
        return self._read(batch[Columns.OBS])[1]

    def _read(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Return masked logits (B, 257) and values (B,) of rows (B, 1797)."""
        mask, numbers = seen[:, :ACTIONS], seen[:, ACTIONS : ACTIONS + TOTAL]
        table = numbers[:, _CONTEXT:].reshape(-1, MAX_SIGNALS, WIDTH)
        context = self.context(numbers[:, :_CONTEXT])
        where = mask[:, 1::WAYS].nonzero(as_tuple=True)  # of the K open slots alone, one to four in a row as a rule
        rows = self.row(torch.cat((table[where], context[where[0]]), dim=1))  # (K, hidden)
        rest = self.rest(torch.cat((context, torch.zeros_like(context).index_add(0, where[0], rows)), dim=1))
        slots = torch.full((len(seen), MAX_SIGNALS, WAYS), _NEVER, dtype=rows.dtype, device=rows.device)
        slots = slots.index_put(where, self.ways(rows))
        return torch.cat((rest[:, :1], slots.flatten(1)), dim=1), rest[:, 1]


def make_env(config: Mapping[str, Any]) -> gym.Env[Any, Any]:
    """Return an environment as RLlib takes it, on whatever machine; `id` and keywords of `gym.make`."""
    import proactivity_gym  # noqa: F401, PLC0415 (registers the ids in Ray's processes)

    return MaskedRow(FlatActions(gym.make(**config)))


def configured(args: Args) -> "PPOConfig":
    """Return RLlib's configuration."""
    played = {"id": args.id, "variation": "train", "difficulty": args.difficulty}
    return (
        PPOConfig()
        .environment(ENV, env_config=played)
        .env_runners(num_env_runners=args.runners, num_envs_per_env_runner=args.envs)
        .learners(num_learners=0)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=SlotModule))
        .training(
            train_batch_size_per_learner=args.batch,
            minibatch_size=min(500, args.batch),
            num_epochs=4,
            lr=args.lr,
            gamma=1.0,
            lambda_=0.95,
            entropy_coeff=0.005,
            vf_loss_coeff=0.5,
            grad_clip=0.5,
            use_kl_loss=False,
            clip_param=0.2,
        )
        .debugging(seed=args.seed, log_level="ERROR")
    )


@torch.no_grad()
def play(module: SlotModule, name: str, difficulty: str, seed: int) -> float:
    """Play a held-out week, each action the likeliest; return J."""
    env = make_env({"id": name, "variation": "test", "difficulty": difficulty})
    observation, info = env.reset(seed=seed)
    over = False
    while not over:
        logits = module.forward_inference({Columns.OBS: torch.as_tensor(observation)[None]})[Columns.ACTION_DIST_INPUTS]
        observation, _, over, _, info = env.step(int(logits.argmax()))
    return float(info["terms"]["J"])


def _node(_: object) -> str:
    """Return the node that this runs on."""
    return ray.get_runtime_context().get_node_id()


def train(args: Args) -> Iterator[str]:
    """Train and yield lines that tell how it goes."""
    where = args.address or "local"  # without an address Ray would join whatever cluster it remembers
    ray.init(where, num_cpus=args.cpus, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        yield f"nodes: {sum(node['Alive'] for node in ray.nodes())}, CPUs: {ray.cluster_resources().get('CPU', 0):.0f}"
        register_env(ENV, make_env)
        algorithm = configured(args).build_algo()
        players = algorithm.env_runner_group.foreach_env_runner(_node, local_env_runner=False)
        yield f"runners on each node: {', '.join(str(players.count(node)) for node in sorted(set(players))) or 'none'}"
        for number in range(1, args.iterations + 1):
            sampled = algorithm.train()["env_runners"]
            mean = sampled.get("episode_return_mean", float("nan"))
            yield f"iteration {number}: {sampled['num_env_steps_sampled_lifetime']:.0f} steps, mean return {mean:.3f}"
        if args.episodes:
            earned = [play(algorithm.get_module(), args.id, args.difficulty, seed) for seed in range(args.episodes)]
            yield f"held out: mean J {sum(earned) / len(earned):.3f} over {args.episodes} weeks"
        if args.out is not None:
            algorithm.save_to_path(str(args.out.resolve()))
            yield f"model: {args.out}"
        algorithm.stop()
    finally:
        ray.shutdown()


if __name__ == "__main__":
    for line in train(tyro.cli(Args)):
        print(line, flush=True)
