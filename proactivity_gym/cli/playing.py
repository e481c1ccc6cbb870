"""What commands share that play episodes: settings, progress, rows written as they come."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from proactivity_gym.cli.app import BadInputError, json_line, print_row
from proactivity_gym.cli.sources import check_policy

if TYPE_CHECKING:
    from proactivity_gym.reports.runs import Planned, Row, Settings

EQUAL = "equal"
_WEIGHTS = "give three positive numbers that sum to 1, as in 0.5,0.25,0.25."
_ROUNDING = 1e-9


def settings_of(policies: Sequence[str], named: Mapping[str, str], log: Path | None = None) -> "Settings":
    """Return settings that can be played, or refuse before anything is.

    Raises:
        BadInputError: a policy or a setting is none.
    """
    import numpy as np

    from proactivity_gym.envs import env
    from proactivity_gym.llm.errors import LlmError
    from proactivity_gym.reports.runs import Settings
    from proactivity_gym.sim.scoring import Weights

    for name in policies:
        check_policy(name)
    for name, allowed in (("variation", env.VARIATIONS), ("difficulty", env.DIFFICULTIES), ("user", env.USERS)):
        if named[name] not in allowed:
            raise BadInputError(f"--{name} {named[name]!r}: choose one of {', '.join(allowed)}.")
    try:
        weights = Weights(*_three(named["weights"]))
        env.make_worker(named["worker"], np.random.default_rng(0))
    except (ValueError, LlmError) as error:
        raise BadInputError(str(error)) from error
    return Settings(named["variation"], named["user"], named["worker"], weights, log, named["difficulty"])


def _three(text: str) -> tuple[float, float, float]:
    if text == EQUAL:
        return 1 / 3, 1 / 3, 1 / 3
    try:
        tc, ta, tr = map(float, text.split(","))
    except ValueError as error:
        raise BadInputError(f"--weights {text!r}: {_WEIGHTS}") from error
    if not abs(tc + ta + tr - 1) <= _ROUNDING:
        raise BadInputError(f"--weights {text!r}: they sum to {tc + ta + tr:g}; {_WEIGHTS}")
    if min(tc, ta, tr) <= 0:
        raise BadInputError(f"--weights {text!r}: one is not above 0; {_WEIGHTS}")
    return tc, ta, tr


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where rows go as they come."""

    out: Path | None = None
    """A new file."""
    print_rows: bool = False


def play(planned: "Sequence[Planned]", jobs: int, keeping: Keeping) -> "tuple[list[Row], bool]":
    """Play what is planned; return the rows, and whether Ctrl-C ended it early. Rows are written as they come.

    Raises:
        BadInputError: a language model does not answer.
    """
    from proactivity_gym.llm.errors import LlmError
    from proactivity_gym.reports import runs

    rows: list[Row] = []
    with ExitStack() as stack:
        file = stack.enter_context(_new_file(keeping.out)) if keeping.out else None
        try:
            for row in _with_progress(runs.run(planned, jobs), len(planned)):
                rows.append(row)
                _keep(row, keeping, file)
        except KeyboardInterrupt:
            return rows, True
        except LlmError as error:
            raise BadInputError(f"after {len(rows)} of {len(planned)} episodes: {error}") from error
    return rows, False


def interrupted(played: int, planned: int, out: Path | None) -> str:
    """Say how far a run came."""
    kept = f" and kept in {out}" if out else ""
    return f"pgym: interrupted: {played} of {planned} episodes were played{kept}"


@contextmanager
def _new_file(path: Path) -> Generator[TextIO]:
    from proactivity_gym.wrappers.log_file import naming

    try:
        file = path.open("x", encoding="utf-8", newline="\n")
    except FileExistsError as error:
        raise BadInputError(f"--out {path}: it exists already: give another name, or move it away.") from error
    try:
        yield file
    finally:
        with naming(path):  # closing writes what could not be written before
            file.close()


def _keep(row: "Row", keeping: Keeping, file: TextIO | None) -> None:
    from proactivity_gym.wrappers.log_file import naming

    record = row.record()
    if file and keeping.out:
        with naming(keeping.out):
            file.write(json_line(record) + "\n")
            file.flush()
    if keeping.print_rows:
        print_row(record)


def _with_progress(rows: "Iterator[Row]", total: int) -> "Iterator[Row]":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("episodes"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield from progress.track(rows, total=total)
