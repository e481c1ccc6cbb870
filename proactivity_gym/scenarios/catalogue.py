"""The catalogue: which scenarios exist, and their loaded form, each read and built once per process.

A scenario is named (`Travel`: a file of this folder) or given as a path to a TOML file elsewhere.
"""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proactivity_gym.sim.scenario import Scenario
    from proactivity_gym.sim.week import Week

PERSONAS = ("A", "B", "C")

_FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Return the names of the built-in scenarios, from their file names: `travel.toml` is `Travel`."""
    return sorted(path.stem.capitalize() for path in _FOLDER.glob("*.toml"))


def is_path(source: str) -> bool:
    """Tell whether a scenario is given as a file rather than by its name."""
    return source.endswith(".toml")


def path_of(source: str) -> Path:
    """Return the file of a scenario.

    Raises:
        ScenarioError: there is no such scenario or file.
    """
    from proactivity_gym.sim.parsing import ScenarioError  # noqa: PLC0415 (pydantic loads with the first scenario)

    if is_path(source):
        try:
            if Path(source).is_file():
                return Path(source)
        except OSError as error:  # a name that the file system cannot hold
            raise ScenarioError(f"{source[:80]}...: no such file: {error.strerror}. Give the path of a TOML file.") from error
        raise ScenarioError(f"{source}: no such file. Give the path of a scenario's TOML file.")
    if source in names():
        return _FOLDER / f"{source.lower()}.toml"
    raise ScenarioError(f"no scenario is called {source!r}. There are {', '.join(names())}; or give a path that ends in .toml.")


@cache
def load(source: str) -> "Scenario":
    """Read a scenario and check its references.

    Raises:
        ScenarioError: the file cannot be used; the message names file, key and remedy.
    """
    from proactivity_gym.sim import parsing, references  # noqa: PLC0415 (pydantic loads with the first scenario)

    path = path_of(source)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise parsing.ScenarioError(f"{path}: cannot be read: {error}. Save it as UTF-8 text.") from error
    loaded = parsing.parse(text, path.name)
    problems = references.problems(loaded)
    if problems:
        raise parsing.ScenarioError("\n".join(f"{path.name}: {problem}" for problem in problems))
    return loaded


@cache
def written_week(source: str, persona: str) -> "Week":
    """Return the written week of a scenario with one persona.

    Raises:
        ScenarioError: the file cannot be used, or it has no such persona.
    """
    from proactivity_gym.sim import parsing, plan, variation  # noqa: PLC0415 (loads with the first scenario)

    loaded = load(source)
    chosen = [p for p in loaded.personas if p.id == persona]
    if not chosen:
        there = ", ".join(p.id for p in loaded.personas)
        raise parsing.ScenarioError(f"{path_of(source).name}: no persona {persona!r}. It has {there}.")
    return variation.written(plan.build(loaded, chosen[0]))


def week(source: str, persona: str, stream: str, seed: int) -> "Week":
    """Return a week: the written one, or the variation of a stream (`train`, `test`) that a seed draws."""
    from proactivity_gym.sim import variation  # noqa: PLC0415 (loads with the first scenario)

    base = written_week(source, persona)
    return base if stream == "written" else variation.vary(base, stream, seed)
