"""A policy that sees sixteen signals, not 1,392 numbers: one small network reads every signal's row, whatever its slot.

Open slots alone are computed (about one in twenty, when a policy acts at random). What is chosen for a slot follows from its
own row, the context (clock, user, resources, delegation) and the sum over all open rows; logits of empty slots are as good as
minus infinity.
"""

from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor, nn

from proactivity_gym.baselines.learned_view import frames_in
from proactivity_gym.baselines.slot_actor import CONTEXT, CROWD, NEVER, PRESENT
from proactivity_gym.envs.layout import BOUNDS, SIGNAL, TOTAL, WIDTH
from proactivity_gym.sim.words import MAX_SIGNALS, Depth, Timing
from proactivity_gym.wrappers.flat_actions import ACTIONS, WAYS

_NAMING = [i for i, name in enumerate(SIGNAL) if name.startswith(("app ", "topic row ", "resource row "))]
"""Columns of a signal that say which app, topic and resource it is of."""
_TABLES = [*range(*BOUNDS["resources"].indices(TOTAL)), *range(*BOUNDS["delegation"].indices(TOTAL))]
"""Columns of the context that stand in the order of a scenario's own resources and topics."""
_OF_BOTH = [*_TABLES, *(CONTEXT + slot * WIDTH + column for slot in range(MAX_SIGNALS) for column in _NAMING)]
"""Columns of a whole observation that do."""


class SlotNetwork(nn.Module):
    """From observations (B, frames * 1540) to the logits of actions and a latent for the value."""

    def __init__(self, action_space: spaces.Space[Any], hidden: int, names: bool = True, frames: int = 1) -> None:
        """Build it for Discrete(257) or MultiDiscrete([17, 4, 4]). Observations before the present one are part of the context.

        Without `names` it sees neither which app, topic and resource a signal is of nor the tables by topic and resource, whose
        order is each scenario's own: what is left means the same everywhere.
        """
        super().__init__()
        self._flat = isinstance(action_space, spaces.Discrete)
        self.latent_dim_pi = ACTIONS if self._flat else 1 + MAX_SIGNALS + len(Depth) + len(Timing)
        self.latent_dim_vf = hidden
        self.row_in = _linear(WIDTH, hidden)
        context = CONTEXT + (frames - 1) * TOTAL
        self.context_to_row = _linear(context, hidden)
        self.context_in = _linear(context, hidden)
        self.sum_in = _linear(hidden, hidden)
        self.row_out = _linear(hidden, hidden)
        self.summary_to_row = _linear(hidden, hidden)
        self.row_head = _linear(hidden, WAYS if self._flat else 1, gain=0.01)
        self.head = _linear(hidden, 1 if self._flat else 1 + len(Depth) + len(Timing), gain=0.01)
        self.value = _linear(hidden, hidden)
        if not names:
            _blind(self.row_in, _NAMING)
            before = [CONTEXT + frame * TOTAL + column for frame in range(frames - 1) for column in _OF_BOTH]
            _blind(self.context_to_row, [*_TABLES, *before])
            _blind(self.context_in, [*_TABLES, *before])

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:  # (B, actions), (B, hidden)
        """Return both."""
        where, summary, rows = self._read(features)
        return self._logits(where, summary, rows), torch.tanh(self.value(summary))

    def forward_actor(self, features: Tensor) -> Tensor:  # (B, actions)
        """Return the logits."""
        return self._logits(*self._read(features))

    def forward_critic(self, features: Tensor) -> Tensor:  # (B, hidden)
        """Return the latent for the value."""
        return torch.tanh(self.value(self._read(features)[1]))

    def _read(self, features: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return where signals are open (K,), the summary of each situation (B, hidden), and the open rows (K, hidden)."""
        context, table = features[:, :CONTEXT], features[:, CONTEXT:TOTAL].reshape(-1, WIDTH)
        if features.shape[1] > TOTAL:
            context = torch.cat((context, features[:, TOTAL:]), dim=1)
        where = table[:, PRESENT].nonzero().squeeze(1)
        whose = where.div(MAX_SIGNALS, rounding_mode="floor")
        rows = torch.tanh(self.row_in(table[where]) + self.context_to_row(context)[whose])
        sums = torch.zeros(len(context), rows.shape[1], dtype=rows.dtype, device=rows.device).index_add(0, whose, rows)
        summary = torch.tanh(self.context_in(context) + self.sum_in(sums / CROWD))
        return where, summary, torch.tanh(self.row_out(rows) + self.summary_to_row(summary)[whose])

    def _logits(self, where: Tensor, summary: Tensor, rows: Tensor) -> Tensor:
        of_rows = self.row_head(rows)  # (K, 16) or (K, 1)
        empty = torch.full((len(summary) * MAX_SIGNALS, of_rows.shape[1]), NEVER, dtype=rows.dtype, device=rows.device)
        slots = empty.index_copy(0, where, of_rows).reshape(len(summary), -1)
        rest = self.head(summary)
        return torch.cat((rest[:, :1], slots, rest[:, 1:]), dim=1)


def _linear(inputs: int, outputs: int, gain: float = 1.0) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def _blind(layer: nn.Linear, columns: list[int]) -> None:
    """Make a layer blind to inputs for good: their weights are zero and learn nothing."""
    seen = torch.ones(layer.in_features)
    seen[columns] = 0.0

    def kept(gradient: Tensor) -> Tensor:
        return gradient * seen

    with torch.no_grad():
        layer.weight.mul_(seen)
    layer.weight.register_hook(kept)  # pyright: ignore[reportUnknownMemberType] (torch leaves it untyped)


class MaskableSlotPolicy(MaskableActorCriticPolicy):
    """For MaskablePPO; `hidden` is the width of its layers, `names` as in `SlotNetwork`.

    Its network masks empty slots: once is enough.
    """

    def __init__(self, *args: Any, hidden: int = 64, names: bool = True, **kwargs: Any) -> None:  # noqa: ANN401 (handed on)
        """Take what the library's policy takes."""
        self._hidden, self._names = hidden, names
        super().__init__(*args, **kwargs)  # pyright: ignore[reportUnknownMemberType] (its spaces have no type parameters)

    def _build(self, lr_schedule: Schedule) -> None:
        build_slots(self, lr_schedule, self._hidden, self._names)

    def forward(self, obs: Tensor, deterministic: bool = False, action_masks: object = None) -> tuple[Tensor, Tensor, Tensor]:
        """Return actions, values and log-probabilities; masks are what the observations say anyway."""
        return super().forward(obs, deterministic)

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: object = None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Return values, log-probabilities and entropies of actions that were taken."""
        return super().evaluate_actions(obs, actions)


class SlotPolicy(ActorCriticPolicy):
    """For PPO and A2C; `hidden` is the width of its layers, `names` as in `SlotNetwork`."""

    def __init__(self, *args: Any, hidden: int = 64, names: bool = True, **kwargs: Any) -> None:  # noqa: ANN401 (handed on)
        """Take what the library's policy takes."""
        self._hidden, self._names = hidden, names
        super().__init__(*args, **kwargs)  # pyright: ignore[reportUnknownMemberType] (its spaces have no type parameters)

    def _build(self, lr_schedule: Schedule) -> None:
        build_slots(self, lr_schedule, self._hidden, self._names)


def build_slots(policy: Any, lr_schedule: Schedule, hidden: int, names: bool = True) -> None:  # noqa: ANN401 (either library's policy)
    """Give a policy its networks and optimizer.

    Raises:
        ValueError: it does not see observations as rows.
    """
    frames = frames_in(policy.observation_space.shape)
    if frames is None:
        raise ValueError(f"a slot policy sees rows of {TOTAL} numbers (RowVecEnv), not {policy.observation_space}")
    policy.mlp_extractor = SlotNetwork(policy.action_space, hidden, names, frames)
    policy.action_net = nn.Identity()  # the network's latent is the logits
    policy.value_net = _linear(hidden, 1)
    policy.optimizer = policy.optimizer_class(policy.parameters(), lr=lr_schedule(1), **policy.optimizer_kwargs)
