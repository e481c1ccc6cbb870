"""The application that commands add themselves to, and what they share: refusals, consoles, machine-readable rows."""

import errno
import json
import os
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console

from proactivity_gym import __version__
from proactivity_gym.sim.safe_text import printable

UNUSABLE = 2
"""Exit code for input that cannot be used."""
INTERRUPTED = 130
"""Exit code after Ctrl-C."""
UNREAD = 141
"""Exit code when whoever read the output left, as `head` does."""

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

_WIDTH = 120
"""Columns of tables where there is no terminal."""

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"proactivity_gym {__version__}")
        raise typer.Exit


@app.callback()
def start(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Proactivity-Gym: a Gymnasium environment for proactive agents."""


class BadInputError(Exception):
    """Input that cannot be used: the message names it and says what to do."""


@contextmanager
def refusing() -> Generator[None]:
    """Turn input that cannot be used into one message on stderr and exit code 2. Bugs stay bugs.

    Raises:
        typer.Exit: the input cannot be used, Ctrl-C, or nobody reads the output any more.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError as error:
        forget_output()
        raise typer.Exit(UNREAD) from error
    except KeyboardInterrupt as error:
        raise typer.Exit(INTERRUPTED) from error
    except _refusals() as error:
        print(f"pgym: {printable(_message(error))}", file=sys.stderr)
        raise typer.Exit(UNUSABLE) from error


def forget_output() -> None:
    """Send what is still to be written to nowhere: at its exit Python would complain of a pipe that nobody reads."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.__stdout__.fileno() if sys.__stdout__ else 1)
    os.close(nowhere)


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno in _FULL:
        where = "what was to be written" if error.filename is None else error.filename
        return f"{where}: {error.strerror}. Make room there, or have it written somewhere else."
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}. Check the name, and that it can be read or written."
    return str(error)


def _refusals() -> tuple[type[Exception], ...]:
    """Return what counts as bad input; looked up only when something was raised."""
    from proactivity_gym.envs.marks import PlotMissingError
    from proactivity_gym.sim.parsing import ScenarioError
    from proactivity_gym.wrappers.log_format import LogError
    from proactivity_gym.wrappers.replay import ReplayError

    return BadInputError, ScenarioError, LogError, ReplayError, PlotMissingError, OSError


class _PipedConsole(Console):
    """A console that leaves it to `refusing` what a broken pipe means; rich's own ends the process with code 1."""

    def on_broken_pipe(self) -> None:
        """Raise on."""
        raise BrokenPipeError


def console() -> Console:
    """Return a console on stdout."""
    found = _PipedConsole(highlight=False, markup=False, emoji=False)
    return found if found.is_terminal else _PipedConsole(width=_WIDTH, highlight=False, markup=False, emoji=False)


def print_row(row: Mapping[str, Any]) -> None:
    """Print one machine-readable row: strict JSON, in ASCII, on a line of its own."""
    print(json_line(row), flush=True)


def json_line(row: Mapping[str, Any]) -> str:
    """Return a row as strict JSON on one line, in ASCII."""
    return json.dumps(row, allow_nan=False)
