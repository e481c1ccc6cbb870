"""`pgym new`: a scenario of one's own to begin with."""

import re
from pathlib import Path
from typing import Annotated

import typer

from proactivity_gym.cli.app import BadInputError, app, refusing


@app.command("new")
@refusing()
def begin_scenario(
    name: Annotated[str, typer.Argument(help="Name of the scenario, as in MyGarden.")],
    folder: Annotated[Path, typer.Option(help="Where to write it.")] = Path(),
) -> None:
    """Write a small scenario with comments that plays at once: make it yours piece by piece.

    The guide "Writing a scenario" explains it line by line; `pgym schema` gives editors completion.
    """
    from proactivity_gym.scenarios import catalogue
    from proactivity_gym.wrappers.log_file import naming

    if not re.fullmatch(r"[A-Z][A-Za-z0-9]{0,31}", name):
        raise BadInputError(f"{name!r}: begin with a capital, then up to 31 letters and digits, as in MyGarden.")
    if name in (*catalogue.names(), catalogue.MIXED):
        raise BadInputError(f"{name!r} is taken by a built-in scenario: choose another name, as in My{name}.")
    path = folder / f"{_file_name(name)}.toml"
    with naming(path), path.open("x", encoding="utf-8") as file:
        file.write(skeleton(name))
    print(f"{path} is written. It plays: pgym run --ids {path}. What it still lacks: pgym check {path}.")


def skeleton(name: str) -> str:
    """Return the text of a scenario to begin with."""
    from proactivity_gym.scenarios import catalogue

    return catalogue.skeleton().replace("Allotment", name)


def _file_name(name: str) -> str:
    """Return `my-garden` for MyGarden, from which the catalogue gets the name back."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()
