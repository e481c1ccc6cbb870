"""The model zoo: trained policies that come with the project, loaded by name (`zoo:Travel-PersonaB`), without torch or pickles.

A model is a file of weights (`.npz`, numpy alone, 16-bit floats) and an entry of `index.json`: what trained it, on what, and
what it scored on held-out weeks. `python -m proactivity_gym.train.zoo` makes both. A model whose scenarios or observation have
changed since is refused: it would act, but not as its entry says.
"""

import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from proactivity_gym.baselines.learned_file import LearnedError
from proactivity_gym.baselines.learned_view import row_of
from proactivity_gym.baselines.policy import ZOO, Action, Observation, Read
from proactivity_gym.baselines.slot_actor import Array, SlotActor, shapes
from proactivity_gym.envs import layout
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.spelling import suggestion
from proactivity_gym.wrappers.flat_actions import unflatten

FOLDER = Path(__file__).resolve().parent.parent / "zoo"
"""Where the models are."""
INDEX = "index.json"
_SHOWN = 12
"""Characters of a digest that are kept."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Means over held-out weeks."""

    ids: list[str]
    weeks: int
    """Of each id, of the stream `test`."""
    first_seed: int
    """Seed of the first week; the others follow."""
    J: float
    TC: float | None
    TA: float | None
    TR_D: float | None


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a model."""

    script: str
    """The script of `proactivity_gym.train` that trained it."""
    settings: dict[str, Any]
    """Of the script: weeks, seed, steps and the rest."""
    source: str
    """Digest of the model's file that the script wrote."""
    layout: str
    """Digest of the observation's layout."""
    scenarios: dict[str, int]
    """What it was trained on, and in which version."""
    scores: Scores


_ENTRIES = TypeAdapter(dict[str, Entry])


def entries(folder: Path | None = None) -> dict[str, Entry]:
    """Return the entries of a zoo by name, those of the project's own by default.

    Raises:
        LearnedError: its index cannot be read.
    """
    path = (folder or FOLDER) / INDEX
    try:
        return _ENTRIES.validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise LearnedError(f"{path}: no index of a zoo ({type(error).__name__}): install the package again") from error


def index_text(found: Mapping[str, Entry]) -> str:
    """Return the text of an index, in the order of names."""
    return _ENTRIES.dump_json(dict(sorted(found.items())), indent=1).decode() + "\n"


def load(name: str) -> "ZooPolicy":
    """Return the policy of a name, with `zoo:` before it.

    Raises:
        LearnedError: there is none, it was trained on what is no more, or its file is damaged; the message says what to do.
    """
    called, known = name.removeprefix(ZOO), entries()
    if called not in known:
        there = ", ".join(known) or "none"
        raise LearnedError(f"no model of the zoo is called {called!r}{suggestion(called, known)}: there are {there}")
    _check(name, known[called])
    path = file_of(called)
    return ZooPolicy(_actor(path, path.stat().st_mtime_ns if path.exists() else 0))


def file_of(name: str, folder: Path | None = None) -> Path:
    """Return where the weights of a model are, or are to be."""
    return (folder or FOLDER) / f"{name}.npz"


def _check(name: str, entry: Entry) -> None:
    remedy = f"train it anew with proactivity_gym.train.{entry.script}, or install the version of the package that it came with"
    if entry.layout != layout_digest():
        raise LearnedError(f"{name}: trained when observations were laid out otherwise: {remedy}")
    for scenario, version in entry.scenarios.items():
        if scenario not in catalogue.names():
            raise LearnedError(f"{name}: trained on the scenario {scenario}, which is no more: {remedy}")
        now = catalogue.load(scenario).version
        if now != version:
            raise LearnedError(f"{name}: trained on version {version} of {scenario}, which is now at {now}: {remedy}")


def layout_digest() -> str:
    """Return a digest of which number of an observation stands where."""
    named = (layout.CLOCK, layout.USER, layout.RESOURCE, layout.DELEGATION, layout.SIGNAL, tuple(layout.SHAPES.items()))
    return digest(repr(named).encode())


def digest(content: bytes) -> str:
    """Return a short digest."""
    return sha256(content).hexdigest()[:_SHOWN]


@lru_cache(maxsize=64)
def _actor(path: Path, changed: int) -> SlotActor:  # noqa: ARG001 (a changed file is another)
    """Return what a file holds, read once for many episodes."""
    return SlotActor(read(path))


def read(path: Path) -> dict[str, Array]:
    """Return the weights in a file, as 32-bit floats.

    Raises:
        LearnedError: it is not there, or no model of a zoo.
    """
    try:
        with zipfile.ZipFile(path) as archive:  # np.load would take a lone array or a pickle as well
            files = {name.removesuffix(".npy"): archive.read(name) for name in archive.namelist()}
        weights = {name: np.load(BytesIO(content), allow_pickle=False).astype(np.float32) for name, content in files.items()}
    except (OSError, ValueError, EOFError, RuntimeError, MemoryError, zipfile.BadZipFile, zlib.error) as error:
        raise LearnedError(f"{path}: no model of the zoo, or damaged: install the package again") from error
    found = {name: array.shape for name, array in weights.items()}
    if found != shapes(len(weights.get("row_in.bias", ()))):
        raise LearnedError(f"{path}: no model of the zoo: its weights have other names or shapes: install the package again")
    return weights


class ZooPolicy:
    """Acts as a model of the zoo thinks best; nothing is drawn."""

    def __init__(self, actor: SlotActor) -> None:
        """Take the network."""
        self._actor = actor

    def reset(self, observation: Observation, info: Mapping[str, Any], seed: int, read: Read) -> None:
        """Start an episode; nothing is kept from one decision to the next."""

    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        """Return the best action."""
        return action_of(int(np.argmax(self.logits(observation))))

    def logits(self, observation: Observation) -> Array:  # (257,)
        """Return what it thinks of every action, in the order of `FlatActions`."""
        return self._actor.logits(row_of(observation))


def action_of(number: int) -> Action:
    """Return the action of a number below 257."""
    chosen = unflatten(number)
    if chosen is None:
        raise ValueError(f"{number}: no number of an action")
    return int(chosen[0]), int(chosen[1]), int(chosen[2])
