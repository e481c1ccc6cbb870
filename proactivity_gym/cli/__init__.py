"""The command line: `proactivity-gym`, or `pgym` for short. One file per command; the work is done elsewhere."""

import io
import sys

from proactivity_gym.cli import check, compare, evaluate, listing, mock_server, new, play, rescore, run, schema, show, view
from proactivity_gym.cli.app import UNREAD, app, forget_output

__all__ = [
    "app",
    "check",
    "compare",
    "evaluate",
    "listing",
    "main",
    "mock_server",
    "new",
    "play",
    "rescore",
    "run",
    "schema",
    "show",
    "view",
]


def main() -> None:
    """Run the command that the process was called with."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks or mangles a character must not end the run
    written = sys.stdout
    try:
        app(prog_name="pgym")
    finally:
        if sys.stdout is not written:  # typer puts another stream there when nobody reads the help or a usage error
            forget_output()
            sys.exit(UNREAD)
