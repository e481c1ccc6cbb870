"""`pgym view`: a played week from its trace."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proactivity_gym.cli.app import BadInputError, app, refusing

if TYPE_CHECKING:
    from proactivity_gym.sim.trace import Trace
    from proactivity_gym.sim.week import Week
    from proactivity_gym.wrappers.log_format import Log


@app.command("view")
@refusing()
def view_trace(
    trace: Annotated[Path, typer.Argument(help="A file that EpisodeLog or `pgym run --log` wrote.")],
    svg: Annotated[Path | None, typer.Option(help="Write the week as a picture to this .svg file.")] = None,
    png: Annotated[Path | None, typer.Option(help="Write the week as a picture to this .png file.")] = None,
    author: Annotated[bool, typer.Option("--author", help="Show hidden truth too: tasks, credits, trust.")] = False,
    scenario: Annotated[
        str | None, typer.Option(metavar="FILE", help="The scenario's .toml file, should it have moved.")
    ] = None,
) -> None:
    """Show a played week as text and, if wanted, as a picture."""
    from proactivity_gym.scenarios import catalogue
    from proactivity_gym.wrappers.log_format import load
    from proactivity_gym.wrappers.replay import replay

    for path, suffix in ((svg, ".svg"), (png, ".png")):
        if path is not None and path.suffix.lower() != suffix:
            raise BadInputError(f"--{suffix[1:]} {path}: the name must end in {suffix}.")
    _check_is_log(trace)
    log = load(trace)
    header = log.header
    source = scenario or _found(header.source)
    week = catalogue.week(source, header.persona, header.variation, header.week, header.difficulty)
    entries = replay(log, source)
    _print_week(log, week, entries, author)
    for path in (svg, png):
        if path is not None:
            _save(week, entries, author, path)


def _check_is_log(path: Path) -> None:
    """Refuse a file that begins otherwise than logs do; an empty one may be a log that was cut off.

    Raises:
        BadInputError: it is no log.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        first = file.readline()
    if first and b'"schema"' not in first:
        raise BadInputError(f"{path}: this is no log of EpisodeLog; give a .jsonl file that it wrote.")


def _found(source: str) -> str:
    """Return the scenario of a log, if it is where it was.

    Raises:
        BadInputError: its file is not there.
    """
    from proactivity_gym.scenarios import catalogue

    if catalogue.is_path(source) and not Path(source).is_file():
        here = "" if Path(source).is_absolute() else "run this from the folder that the week was played in, or "
        raise BadInputError(f"the log's scenario {source} is not there: {here}give --scenario FILE.")
    return source


def _print_week(log: "Log", week: "Week", trace: "Trace", author: bool) -> None:
    from proactivity_gym.reports.chronicle import chronicle, terms_lines
    from proactivity_gym.sim.difficulty import DEFAULT
    from proactivity_gym.sim.safe_text import printable
    from proactivity_gym.sim.scoring import Weights, score

    header = log.header
    weights = Weights(*header.weights)
    which = header.variation if header.variation == "written" else f"{header.variation} {header.week}"
    which += "" if header.difficulty == DEFAULT else f" {header.difficulty}"
    head = f"{header.id}, seed {header.seed}: {week.plan.scenario.title}, persona {header.persona}, {which} week"
    lines = [head, *([f"NOTE: {log.note}"] if log.note else []), *chronicle(week, trace, author)]
    lines += ["", f"TERMS ({log.status})", *terms_lines(score(trace, week, weights))]
    print(printable("\n".join(lines)))


def _save(week: "Week", trace: "Trace", author: bool, path: Path) -> None:
    from proactivity_gym.envs.timeline import draw, save
    from proactivity_gym.wrappers.log_file import naming

    with naming(path):
        save(draw(week, trace.entries, author), path)
    print(f"picture: {path}")
