"""`pgym show`: a person's view of a scenario's week."""

from typing import Annotated

import typer

from proactivity_gym.cli.app import BadInputError, app, refusing
from proactivity_gym.cli.sources import source_of


@app.command("show")
@refusing()
def show_scenario(
    scenario: Annotated[str, typer.Argument(help="A scenario's name, an id, or a .toml file.")],
    persona: Annotated[str | None, typer.Option(help="A, B or C; the first one, or the id's, if not given.")] = None,
    difficulty: Annotated[str, typer.Option(help="easy, standard or hard.")] = "standard",
    author: Annotated[bool, typer.Option("--author", help="Show hidden truth too: tasks, windows, noise.")] = False,
    prompt: Annotated[bool, typer.Option("--prompt", help="Show three whole prompts of language models instead.")] = False,
) -> None:
    """Show a week: who, the days, what was said, what arrives."""
    from proactivity_gym.cli.prompts import prompts
    from proactivity_gym.reports.portrait import portrait
    from proactivity_gym.reports.truth import truth
    from proactivity_gym.scenarios import catalogue
    from proactivity_gym.sim.difficulty import LEVELS
    from proactivity_gym.sim.safe_text import printable

    if difficulty not in LEVELS:
        raise BadInputError(f"--difficulty {difficulty!r}: choose one of {', '.join(LEVELS)}.")
    source, own = source_of(scenario)
    personas = [each.id for each in catalogue.load(source).personas]
    chosen = persona or own or personas[0]
    if chosen not in personas:
        raise BadInputError(f"--persona {chosen!r}: {source} has {', '.join(personas)}.")
    if prompt:
        print(printable("\n".join(prompts(source, chosen, difficulty))))
        return
    lines = portrait(catalogue.written_week(source, chosen, difficulty))
    if author:
        lines += truth({each: catalogue.written_week(source, each, difficulty) for each in personas})
    print(printable("\n".join(lines)))
