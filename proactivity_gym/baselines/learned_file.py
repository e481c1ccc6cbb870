"""Files of models that stable-baselines3 and sb3-contrib saved, read without running anything that is in them.

Such a zip holds weights, plain settings, and pickles; unpickling runs whatever somebody put there. Weights and plain settings
suffice to rebuild the usual policies, so that is how a file is read. Others (recurrent ones, networks of one's own) need their
pickles, and so the reader's word that the file is trusted.
"""

import io
import json
import pickle
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from gymnasium import Space

from proactivity_gym.baselines.learned_view import frames_in, row_space
from proactivity_gym.envs.layout import TOTAL, action_space, observation_space
from proactivity_gym.wrappers.flat_actions import flat_space

TRUSTED = "trusted:"
"""Put before the path of a file, it says that its pickles may be run."""
_SLOTS = {"hidden", "names"}
_PERCEPTRON = {"net_arch", "optimizer_class", "optimizer_kwargs", "use_sde"}
"""Settings of a policy beyond which its network cannot be rebuilt (an optimizer is not needed to act)."""
_ACTING = {"net_arch", "hidden"}
_UNFIT = (
    *(RuntimeError, ValueError, TypeError, AttributeError, LookupError, AssertionError, EOFError, MemoryError, OverflowError),
    *(pickle.UnpicklingError, struct.error, zipfile.BadZipFile),
)
"""What torch raises at weights that were damaged or are others."""

Data = Mapping[str, Any]


class LearnedError(ValueError):
    """A model that cannot be used: the message names the file and says what to do."""


def read(path: Path) -> Any:  # noqa: ANN401 (a policy of either library)
    """Return the policy in a file, without unpickling.

    Raises:
        LearnedError: the file is no model, was trained on other spaces, or cannot be rebuilt without its pickles.
    """
    import torch  # noqa: PLC0415 (loads with the first model)

    data, weights = _contents(path)
    kind, settings = _kinds().get(_name_of_policy(data)), _settings(data)
    if kind is None or settings is None:
        raise LearnedError(
            f"{path}: only the pickles in this file describe its network, and unpickling runs what is in them: "
            f"if you trust whoever made it, write {TRUSTED}{path}"
        )
    sees, acts = spaces_of(path, data)
    try:
        policy = kind(sees, acts, _no_schedule, **settings)
        policy.load_state_dict(torch.load(io.BytesIO(weights), map_location="cpu", weights_only=True))
    except _UNFIT as error:
        raise LearnedError(f"{path}: its weights do not fit its settings: damaged, or not of this project") from error
    return _finite(path, policy)


def _finite(path: Path, policy: Any) -> Any:  # noqa: ANN401 (a policy of either library)
    """Return a policy, unless its network turned to NaN."""
    if not all(bool(weight.isfinite().all()) for weight in policy.parameters()):
        raise LearnedError(f"{path}: its weights are not all numbers, so it cannot choose: train it anew")
    return policy


def _no_schedule(_: float) -> float:
    return 0.0


def unpickle(path: Path) -> Any:  # noqa: ANN401 (a policy of either library)
    """Return the policy in a file that is trusted: its pickles are run.

    Raises:
        LearnedError: the file is no model, or was trained on other spaces.
    """
    data, _ = _contents(path)
    spaces_of(path, data)
    try:
        return _finite(path, _algorithm(data).load(path, device="cpu").policy)
    except LearnedError:
        raise
    except (*_UNFIT, ImportError) as error:
        why = str(error).partition("\n")[0]
        raise LearnedError(f"{path}: cannot be loaded: {why}: load it with the versions that saved it") from error


def _contents(path: Path) -> tuple[Data, bytes]:
    """Return the plain settings and the weights."""
    try:
        with zipfile.ZipFile(path) as file:
            data = json.loads(file.read("data"))
            return dict(data), file.read("policy.pth")
    except OSError as error:
        raise LearnedError(f"{path}: {error.strerror}: give the path of a saved model") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, LookupError, ValueError, TypeError) as error:
        raise LearnedError(f"{path}: damaged, or no model of stable-baselines3: save or copy it again") from error


def _kinds() -> dict[str, Any]:
    """Return the policies that can be rebuilt, by the names of their classes."""
    from sb3_contrib.common.maskable import policies as masked  # noqa: PLC0415 (loads with the first model)
    from stable_baselines3.common import policies  # noqa: PLC0415
    from stable_baselines3.dqn.policies import DQNPolicy  # noqa: PLC0415
    from stable_baselines3.dqn.policies import MultiInputPolicy as DictDQNPolicy  # noqa: PLC0415

    from proactivity_gym.baselines.slot_policy import MaskableSlotPolicy, SlotPolicy  # noqa: PLC0415

    kinds = (
        policies.ActorCriticPolicy,
        policies.MultiInputActorCriticPolicy,
        masked.MaskableActorCriticPolicy,
        masked.MaskableMultiInputActorCriticPolicy,
        DQNPolicy,
        DictDQNPolicy,
        MaskableSlotPolicy,
        SlotPolicy,
    )
    return {kind.__name__: kind for kind in kinds}


def _name_of_policy(data: Data) -> str:
    """Return the name of the policy's class, which stands in the words that the library writes beside each pickle."""
    said = re.match(r"<function (\w+)\.__init__ ", str(_words(data, "policy_class").get("__init__", "")))
    return said.group(1) if said else ""


def _words(data: Data, key: str) -> dict[str, Any]:
    """Return what is said in plain words of a setting."""
    found = data.get(key)
    said = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    return {name: value for name, value in said.items() if not name.startswith(":")}


def _settings(data: Data) -> dict[str, Any] | None:
    """Return the settings of the policy's network, or None if they are not all plain."""
    said = _words(data, "policy_kwargs")
    allowed = _SLOTS if _name_of_policy(data).endswith("SlotPolicy") else _PERCEPTRON
    if not said.keys() <= allowed or isinstance(said.get("net_arch"), str):
        return None
    return {name: value for name, value in said.items() if name in _ACTING}


def spaces_of(path: Path, data: Data) -> tuple[Space[Any], Space[Any]]:
    """Return what the model sees and how it acts.

    Raises:
        LearnedError: it is not what this project's environments show, or how they are acted on.
    """
    sees, acts = _words(data, "observation_space"), _words(data, "action_space")
    table, flat, parts = observation_space(), flat_space(), action_space()
    frames = frames_in(sees.get("_shape"))
    sights: dict[str, Space[Any]] = {str(dict(table.spaces)): table}
    ways: dict[str, Space[Any]] = {str(flat.n): flat, str(parts.nvec): parts}
    sight = row_space(frames) if frames else sights.get(str(sees.get("spaces")))
    way = ways.get(str(acts.get("nvec") or acts.get("n")))
    if sight is None or way is None:
        raise LearnedError(
            f"{path}: trained on other spaces: a model sees the environment's Dict, or its {TOTAL} numbers in a row (with "
            f"--frames several times over), and acts in {parts} or, through FlatActions, {flat}"
        )
    return sight, way


def _algorithm(data: Data) -> Any:  # noqa: ANN401 (an algorithm of either library)
    """Return the algorithm that saved a model."""
    from sb3_contrib import MaskablePPO, RecurrentPPO  # noqa: PLC0415 (loads with the first model)
    from stable_baselines3 import A2C, DQN, PPO  # noqa: PLC0415

    if "Recurrent" in _name_of_policy(data) or "recurrent" in str(_words(data, "policy_class").get("__module__")):
        return RecurrentPPO
    if "maskable" in str(_words(data, "rollout_buffer_class").get("__module__")):
        return MaskablePPO
    if "exploration_rate" in data:
        return DQN
    return PPO if "clip_range" in data else A2C
