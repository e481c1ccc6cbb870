"""Rows that earlier runs kept: files of `pgym run` and `pgym compare`, folders of `pgym evaluate`; each episode once."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from proactivity_gym.reports import runs
from proactivity_gym.reports.evaluation import files, jobs, outcome, rescoring, running
from proactivity_gym.reports.runs import COMPLETED, Key, Row, Settings
from proactivity_gym.sim.difficulty import DEFAULT

_TEXTS = ("policy", "id", "variation", "status", "scenario", "persona", "user", "worker", "difficulty")
_NUMBERS = ("seed", "repetition")
_KEYS = {*_TEXTS, *_NUMBERS, *runs.TERMS, "reason", "weights"}
_STATUSES = (COMPLETED, *jobs.FAILED)


class RowsError(ValueError):
    """Rows cannot be used, or not together; the message names the file and says what to do."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What rows must share to compare."""

    variation: str
    user: str
    weights: tuple[float, float, float]
    """Of J."""
    trust: str = "depth"
    """What S_TR in J is."""
    difficulty: str = DEFAULT

    @classmethod
    def of(cls, settings: Settings) -> "Conditions":
        """Return those of a run."""
        weights = settings.weights
        return cls(settings.variation, settings.user, (weights.tc, weights.ta, weights.tr), difficulty=settings.difficulty)


@dataclass(frozen=True, slots=True)
class Saved:
    """The rows of a file or folder."""

    name: str
    rows: list[Row]
    planned: list[Key]
    """Episodes that were to be played, as far as the folder tells."""
    conditions: Conditions
    notes: list[str]
    """Lines that are damaged or cut off."""


Ids = Callable[[str], list[str]]
"""Returns the ids that a list of ids, scenario names and files stands for."""


def read(path: Path, ids_of: Ids) -> Saved:
    """Return the rows of a file of `pgym run --out`, or of a folder of `pgym evaluate` (or the file of rows in it).

    Args:
        path: of the file or folder.
        ids_of: asked for the ids that an evaluation was planned for.

    Raises:
        RowsError: it holds something else, or nothing.
        ConfigError: a folder's configuration cannot be used.
        RunError: it is damaged.
        OSError: it cannot be read.
    """
    folder = path if path.is_dir() else path.parent if path.name == running.EPISODES else None
    return _of_run(path) if folder is None else _of_evaluation(folder, ids_of)


def merged(found: Sequence[Saved], now: Conditions | None = None) -> list[Row]:
    """Return the rows of all files.

    Args:
        found: the files.
        now: conditions of what is about to be played.

    Raises:
        RowsError: an episode is there twice, or rows of two files do not compare.
    """
    known = [(saved.name, saved.conditions) for saved in found]
    if now is not None:
        known.append(("the episodes to be played", now))
    for name, conditions in known[1:]:
        if differs := _differing(known[0][1], conditions):
            remedy = f": {_options(known[0][1], conditions)}" if conditions is now else ""
            raise RowsError(f"{known[0][0]} and {name} differ in {differs}: they would not compare{remedy}")
    whose: dict[Key, str] = {}
    for saved in found:
        for row in saved.rows:
            if row.key in whose:
                policy, name, seed, _ = row.key
                raise RowsError(
                    f"{saved.name}: {policy} on {name}, seed {seed}, is in {whose[row.key]} already: leave one of them out"
                )
            whose[row.key] = saved.name
    return [row for saved in found for row in saved.rows]


def _differing(one: Conditions, other: Conditions) -> str:
    return ", ".join(name for name in Conditions.__slots__ if getattr(one, name) != getattr(other, name))


def _options(wanted: Conditions, now: Conditions) -> str:
    """Return the options of `pgym compare` that play as the rows were played, where it can."""
    if wanted.trust != now.trust:
        return "what is played here is not judged"
    given = {
        "variation": wanted.variation,
        "user": wanted.user,
        "weights": ",".join(map(str, wanted.weights)),
        "difficulty": wanted.difficulty,
    }
    options = [f"--{name} {value}" for name, value in given.items() if getattr(wanted, name) != getattr(now, name)]
    return f"give {' '.join(options)}"


def _of_run(path: Path) -> Saved:
    if not path.exists():
        raise RowsError(f"{path}: no such file: give a file of `pgym run --out`, or a folder of `pgym evaluate`")
    rows: list[Row] = []
    notes: list[str] = []
    for number, record in enumerate(files.read_lines(path), 1):
        where = f"{path}, line {number}"
        if record is None:
            notes.append(f"{where}: damaged or cut off: its episode counts as not played")
        else:
            rows.append(_row({"difficulty": DEFAULT, **record}, where))
    if not rows:
        raise RowsError(f"{path}: there are no rows in it: give a file of `pgym run --out`, or a folder of `pgym evaluate`")
    conditions = {Conditions(row.variation, row.user, row.weights, difficulty=row.difficulty) for row in rows}
    if len(conditions) > 1:
        raise RowsError(f"{path}: its rows differ in {_differing(*list(conditions)[:2])}: they would not compare")
    return Saved(str(path), rows, [], conditions.pop(), notes)


def _of_evaluation(folder: Path, ids_of: Ids) -> Saved:
    if not (folder / running.CONFIG).exists():
        raise RowsError(f"{folder}: no {running.CONFIG} is in it: give a folder of `pgym evaluate`, or a file of `pgym run`")
    config = rescoring.config_of(folder)
    rows, notes = running.read_rows(folder / running.EPISODES)
    if not rows:
        raise RowsError(f"{folder}: no episode was played yet")
    settings = {"variation": config.variation, "user": config.user, "worker": config.worker, "difficulty": config.difficulty}
    tc, ta, tr = config.weights
    plain = [replace(outcome.plain(row), **settings, weights=(tc, ta, tr)) for row in rows]
    planned = [job.key for job in jobs.plan(config, ids_of(",".join(config.ids)))]
    conditions = Conditions(config.variation, config.user, (tc, ta, tr), config.trust, config.difficulty)
    return Saved(str(folder), plain, planned, conditions, notes)


def _row(record: Mapping[str, object], where: str) -> Row:
    """Return the row in a record.

    Raises:
        RowsError: it is none; the message names the key.
    """
    for name in sorted(_KEYS - record.keys()):
        raise RowsError(f"{where}: {name} is missing: this is no row of this version's `pgym run`")
    for name, message in _faults(record):
        raise RowsError(f"{where}: {name}: {message}, not {record[name]!r}")
    terms = {name: cast("float | None", record[name]) for name in runs.TERMS}
    texts = {name: cast("str", record[name]) for name in _TEXTS}
    seed, repetition = (cast("int", record[name]) for name in _NUMBERS)
    reason = cast("str | None", record["reason"])
    tc, ta, tr = cast("list[float]", record["weights"])
    return Row(**texts, seed=seed, repetition=repetition, terms=terms, reason=reason, weights=(tc, ta, tr))


def _faults(record: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield keys of a record, and what should stand there."""
    scored = record["status"] == COMPLETED
    wanted: list[tuple[Iterable[str], Callable[[object], bool], str]] = [
        (_TEXTS, lambda value: isinstance(value, str), "a text is wanted"),
        (_NUMBERS, lambda value: type(value) is int, "a whole number is wanted"),
        (["status"], lambda value: value in _STATUSES, f"one of {', '.join(_STATUSES)} is wanted"),
        (runs.TERMS, lambda value: value is None or _is_number(value), "a number or null is wanted"),
        (["J"] if scored else [], _is_number, "a number is wanted"),
        (["reason"], lambda value: value is None or isinstance(value, str), "a text or null is wanted"),
        (["weights"], _are_weights, "three numbers are wanted"),
    ]
    yield from ((name, message) for names, fits, message in wanted for name in names if not fits(record[name]))


def _are_weights(value: object) -> bool:
    return isinstance(value, list) and [*map(_is_number, cast("list[object]", value))] == [True] * 3


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= jobs.MOST
