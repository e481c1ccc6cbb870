"""The catalogue: which scenarios exist, and their loaded form, each read and built once per process.

A scenario is named (`Travel`: a file of this folder, of a folder of the user's, or of an installed package) or given as a path
to a TOML file elsewhere. A name follows from the file's: `travel.toml` is `Travel`, `my-week.toml` is `MyWeek`.

What importing the package does not need is imported where it is used: pathlib and importlib.metadata alone would cost half of
what Gymnasium does.
"""

import os
import re
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from proactivity_gym.sim.scenario import Scenario
    from proactivity_gym.sim.week import Week

PERSONAS = ("A", "B", "C")

MIXED = "Mixed"
"""The name that stands for all built-in scenarios."""

FOLDERS = "PROACTIVITY_GYM_SCENARIOS"
"""The environment variable that names folders of further scenarios, parted as in PATH."""
PACKAGES = "proactivity_gym.scenarios"
"""The group of entry points by which installed packages add scenarios: each names a package with TOML files in it."""

_NAME = re.compile(r"[A-Z][A-Za-z0-9]{0,31}")
"""What `Scenario.name` may be, without its module (see above): other names make no ids."""
_FOLDER = os.path.dirname(__file__)  # noqa: PTH120 (without pathlib, see above)


def names() -> list[str]:
    """Return the names of the built-in scenarios."""
    return sorted(_name(file) for file in os.listdir(_FOLDER) if is_path(file))  # noqa: PTH208 (as above)


def skeleton() -> str:
    """Return a small scenario with comments to begin one's own with: the one of the guide."""
    from pathlib import Path  # noqa: PLC0415 (as above)

    return (Path(_FOLDER) / "skeleton.txt").read_text(encoding="utf-8")


def _built_in() -> "dict[str, Path]":
    from pathlib import Path  # noqa: PLC0415 (as above)

    return {_name(path.name): path for path in files_in(Path(_FOLDER))}


@cache
def added() -> "dict[str, Path]":
    """Return the files of scenarios from folders of the user's and installed packages, by name; none of them is opened.

    A folder or package that cannot be used, and a file whose name is taken or can be none, is left out with a warning.
    """
    found: dict[str, Path] = {}
    for path in [path for folder in (*_folders(), *_packages()) for path in files_in(folder)]:
        name = _name(path.name)
        taken = found.get(name) or (name in (*names(), MIXED) and "a built-in scenario")
        if not _NAME.fullmatch(name):
            _warn(f"{path}: {name!r} can be no name of a scenario: rename the file, to letters, digits and hyphens")
        elif taken:
            _warn(f"{path}: the name {name!r} is taken by {taken}: rename the file, and the scenario in it")
        else:
            found[name] = path
    return found


def files_in(folder: "Path") -> "list[Path]":
    """Return the scenario files of a folder, sorted."""
    return sorted(folder.glob("*.toml"))


def _name(file: str) -> str:
    return "".join(part[0].upper() + part[1:] for part in re.split(r"[-_ ]+", file.removesuffix(".toml")) if part)


def _folders() -> "Iterator[Path]":
    named_folders = [named for named in os.environ.get(FOLDERS, "").split(os.pathsep) if named]
    if not named_folders:
        return
    from pathlib import Path  # noqa: PLC0415 (as above)

    for named in named_folders:
        if Path(named).is_dir():
            yield Path(named).resolve()
        else:
            _warn(f"{FOLDERS}: {named} is no folder: name folders of scenario files, parted by {os.pathsep!r}")


def _packages() -> "Iterator[Path]":
    if not any(map(_adds, sys.path)):
        return
    from importlib.metadata import entry_points  # noqa: PLC0415 (as above)
    from importlib.util import find_spec  # noqa: PLC0415 (as above)
    from pathlib import Path  # noqa: PLC0415 (as above)

    for entry in entry_points(group=PACKAGES):
        try:
            package, *inner = entry.module.split(".")
            spec = find_spec(package)
        except (ImportError, ValueError, AttributeError):  # AttributeError: what the metadata names can be no module
            inner, spec = [], None
        # Of a package within another the folder is looked for: its spec would import the outer one, whatever that does.
        places = [Path(place, *inner) for place in (spec and spec.submodule_search_locations) or ()]
        folders = [place for place in places if place.is_dir()]
        if not folders:
            _warn(f"entry point {entry.name!r} of {PACKAGES}: {entry.value!r} is no package: name the one with the TOML files")
        elif not any(map(files_in, folders)):
            _warn(
                f"entry point {entry.name!r} of {PACKAGES}: no TOML file is in {entry.value!r}: list them as its package data"
            )
        yield from folders


def _adds(folder: str) -> bool:
    """Tell whether the metadata of a package in a folder of `sys.path` speaks of scenarios: a look before the long search."""
    try:
        told = [name for name in os.listdir(folder or ".") if name.endswith((".dist-info", ".egg-info"))]  # noqa: PTH208 (as above)
    except OSError:  # it is no folder
        return False
    return any(PACKAGES.encode() in _entry_points(f"{folder or '.'}/{name}/entry_points.txt") for name in told)


def _entry_points(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 (as above)
            return file.read()
    except OSError:  # it has none
        return b""


def _warn(message: str) -> None:
    warnings.warn(f"proactivity_gym: {message}", stacklevel=2)


def is_path(source: str) -> bool:
    """Tell whether a scenario is given as a file rather than by its name."""
    return source.endswith(".toml")


def path_of(source: str) -> "Path":
    """Return the file of a scenario.

    Raises:
        ScenarioError: there is no such scenario or file.
    """
    from pathlib import Path  # noqa: PLC0415 (as above)

    from proactivity_gym.sim.parsing import ScenarioError  # noqa: PLC0415 (pydantic loads with the first scenario)

    if is_path(source):
        try:
            if Path(source).is_file():
                return Path(source)
        except OSError as error:  # a name that the file system cannot hold
            raise ScenarioError(f"{source[:80]}...: no such file: {error.strerror}. Give the path of a TOML file.") from error
        raise ScenarioError(f"{source}: no such file. Give the path of a scenario's TOML file.")
    named = added() | _built_in()
    if source in named:
        return named[source]
    raise ScenarioError(f"no scenario is called {source!r}. There are {', '.join(named)}; or give a path that ends in .toml.")


@cache
def load(source: str) -> "Scenario":
    """Read a scenario and check its references.

    Raises:
        ScenarioError: the file cannot be used; the message names file, key and remedy.
    """
    from proactivity_gym.sim import parsing, references  # noqa: PLC0415 (pydantic loads with the first scenario)

    path = path_of(source)
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors begin a file with a byte order mark
    except (OSError, UnicodeDecodeError) as error:
        raise parsing.ScenarioError(f"{path}: cannot be read: {error}. Save it as UTF-8 text.") from error
    loaded = parsing.parse(text, path.name)
    if not is_path(source) and loaded.name != source:
        raise parsing.ScenarioError(f"{path}: name: is {loaded.name!r}, but the file's name says {source!r}: rename one.")
    problems = references.problems(loaded)
    if problems:
        raise parsing.ScenarioError("\n".join(f"{path.name}: {problem}" for problem in problems))
    return loaded


@cache
def written_week(source: str, persona: str, level: str = "standard") -> "Week":
    """Return the written week of a scenario with one persona, at a level of `sim.difficulty.LEVELS`.

    Raises:
        ScenarioError: the file cannot be used, or it has no such persona.
    """
    from proactivity_gym.sim import difficulty, parsing, plan, variation  # noqa: PLC0415 (loads with the first scenario)

    loaded = load(source)
    chosen = [p for p in loaded.personas if p.id == persona]
    if not chosen:
        there = ", ".join(p.id for p in loaded.personas)
        raise parsing.ScenarioError(f"{path_of(source).name}: no persona {persona!r}. It has {there}.")
    if level != difficulty.DEFAULT:
        return variation.written(written_week(source, persona).plan, difficulty.LEVELS[level])
    return variation.written(plan.build(loaded, chosen[0]))


def week(source: str, persona: str, stream: str, seed: int, level: str = "standard") -> "Week":
    """Return a week of a level: the written one, or the variation of a stream (`train`, `test`) that a seed draws."""
    from proactivity_gym.sim import difficulty, variation  # noqa: PLC0415 (loads with the first scenario)

    if stream == "written":
        return written_week(source, persona, level) if level != difficulty.DEFAULT else written_week(source, persona)
    return variation.vary(written_week(source, persona), stream, seed, difficulty.LEVELS[level])
