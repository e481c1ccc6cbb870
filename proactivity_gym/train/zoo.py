"""Put a trained model into the zoo: `python -m proactivity_gym.train.zoo runs/NAME --name Travel-PersonaB`.

The weights that acting needs are written as 16-bit floats, and what is written is what is scored: on weeks of the stream `test`
that no evaluation during training played (those have seeds from 1,000,000 on).
"""

import proactivity_gym.train.extra  # noqa: F401 (before what it looks for)

# isort: split
import re
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import tyro

from proactivity_gym.baselines import learned_file, policy, zoo
from proactivity_gym.baselines.learned_file import LearnedError
from proactivity_gym.baselines.slot_actor import SlotActor, Weights, shapes
from proactivity_gym.reports import runs
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.difficulty import DEFAULT
from proactivity_gym.train import script, trained
from proactivity_gym.train.run_directory import RunError, replace
from proactivity_gym.train.trained import Trained

FIRST_SEED = 1000
"""Seed of the first week that scores are told of."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass
class Args:
    """Put a trained model into the zoo, with its scores on held-out weeks."""

    run_dir: tyro.conf.Positional[Path]
    """Folder of a run that has ended."""
    name: str | None = None
    """What it is called; by default its id without namespace and version."""
    weeks: int = 40
    """Held-out weeks of each id it was trained on."""
    first_seed: int = FIRST_SEED
    """Seed of the first of them."""
    zoo_dir: Path = zoo.FOLDER
    """Folder of the zoo."""


def add(args: Args) -> Path:
    """Write model and entry, unless the same are there already; return the model's file.

    Raises:
        RunError: the run has not ended, its scenarios have changed since, or its model is none that the zoo can hold.
    """
    run = trained.read(args.run_dir)
    name = args.name or run.short_name
    if not _NAME.fullmatch(name):
        raise RunError(f"--name {name}: letters, digits, dots, dashes and underscores only.")
    if args.weeks < 1:
        raise RunError(f"--weeks {args.weeks}: at least one is needed.")
    if args.first_seed < 0:
        raise RunError(f"--first-seed {args.first_seed}: give a whole number, 0 or more.")
    if run.difficulty != DEFAULT:
        raise RunError(f"{run.folder}: trained at another difficulty: the zoo holds and scores models of {DEFAULT!r} alone.")
    _check_versions(run)
    known = zoo.entries(args.zoo_dir) if (args.zoo_dir / zoo.INDEX).exists() else {}
    path = zoo.file_of(name, args.zoo_dir)
    if path.exists() and name in known and _is_of(known[name], run, args):
        return path
    content = file_content(run.model)
    scores = scores_of(zoo.ZooPolicy(SlotActor(_as_read(content))), run.ids, args)
    args.zoo_dir.mkdir(parents=True, exist_ok=True)
    replace(path, content)
    replace(args.zoo_dir / zoo.INDEX, zoo.index_text({**known, name: _entry(run, scores)}).encode())
    return path


def _as_read(content: bytes) -> Weights:
    """Return the weights in the content of a file that stands nowhere yet: a zoo keeps what it has until scores are known."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "model.npz")
        file.write_bytes(content)
        return zoo.read(file)


def _entry(run: Trained, scores: zoo.Scores) -> zoo.Entry:
    return zoo.Entry(run.script, run.settings, _source(run), zoo.layout_digest(), run.versions, scores)


def _is_of(entry: zoo.Entry, run: Trained, args: Args) -> bool:
    """Tell whether an entry says what would be written."""
    scores = entry.scores
    played = (scores.ids, scores.weeks, scores.first_seed) == (run.ids, args.weeks, args.first_seed)
    return played and entry == _entry(run, scores)


def _source(run: Trained) -> str:
    return zoo.digest(run.model.read_bytes())


def _check_versions(run: Trained) -> None:
    for name, version in run.versions.items():
        now = catalogue.load(name).version
        if version != now:
            raise RunError(f"{run.folder}: trained on version {version} of {name}, which is now at {now}: train it anew.")


def file_content(model: Path) -> bytes:
    """Return the content of the zoo's file of a saved model.

    Raises:
        RunError: it cannot be read, or is no slot policy that acts by one number.
    """
    try:
        network: Any = getattr(learned_file.read(model), "mlp_extractor", None)
    except LearnedError as error:
        raise RunError(f"{error}.") from error
    weights: dict[str, Any] = {} if network is None else network.state_dict()
    state = {name: weight.numpy() for name, weight in weights.items() if not name.startswith("value.")}
    if {name: array.shape for name, array in state.items()} != shapes(len(state.get("row_in.bias", ()))):
        raise RunError(f"{model}: the zoo holds slot policies alone: train with --policy slots --actions flat --frames 1.")
    written = BytesIO()
    np.savez_compressed(written, allow_pickle=False, **{name: array.astype(np.float16) for name, array in state.items()})
    return written.getvalue()


def scores_of(player: policy.Policy, ids: list[str], args: Args) -> zoo.Scores:
    """Return the means of a policy over held-out weeks of ids."""
    seeds = range(args.first_seed, args.first_seed + args.weeks)
    terms: list[dict[str, Any]] = []
    for planned in runs.plan([""], ids, seeds, runs.Settings()):
        terms.append(policy.play(player, runs.make(planned), planned.seed)[1]["terms"])
    means = {term: _mean([each[term] for each in terms]) for term in ("TC", "TA", "TR_D")}
    joint = float(np.mean([each["J"] for each in terms]))
    return zoo.Scores(ids, args.weeks, args.first_seed, joint, **means)


def _mean(values: list[float | None]) -> float | None:
    found = [value for value in values if value is not None]
    return float(np.mean(found)) if found else None


if __name__ == "__main__":
    script.main(Args, add)
