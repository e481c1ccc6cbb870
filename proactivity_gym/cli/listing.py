"""`pgym list`: the environment ids, what all their scenarios hold, and the models of the zoo."""

from typing import Annotated

import typer

from proactivity_gym.cli.app import BadInputError, app, console, print_row, refusing


@app.command("list")
@refusing()
def list_ids(
    of_zoo: Annotated[bool, typer.Option("--zoo", help="List the models of the zoo instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line and nothing else.")] = False,
    balance: Annotated[bool, typer.Option("--balance", help="Print what the scenarios hold in all instead.")] = False,
) -> None:
    """List the environment ids; or the models of the zoo; or shares of tasks, depths and timings over all scenarios."""
    from rich.table import Table

    rows, unusable = (model_rows(), []) if of_zoo else id_rows()
    if balance:
        _print_balance([str(row["scenario"]) for row in rows if row["persona"]], as_json)
    elif as_json:
        for row in rows:
            print_row(row)
    else:
        table = Table(*(rows[0] if rows else ["model"]), box=None, pad_edge=False)
        for row in rows:
            table.add_row(*map(_cell, row.values()))
        console().print(table)
    if unusable:
        raise BadInputError("\n".join(unusable))


def _print_balance(names: list[str], as_json: bool) -> None:
    from rich.table import Table

    from proactivity_gym.reports import census

    shares = census.census(list(dict.fromkeys(names)))
    if as_json:
        for share in shares:
            print_row(share.record())
        return
    table = Table("what", "of", "shares", box=None, pad_edge=False)
    for line in census.lines(shares):
        table.add_row(*line)
    console().print(table)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return "drawn" if value is None else str(value)


def model_rows() -> list[dict[str, object]]:
    """Return a row for each model of the zoo: its name as a policy, what trained it, and its means on held-out weeks."""
    from proactivity_gym.baselines import learned, policy, zoo

    try:
        found = zoo.entries()
    except learned.LearnedError as error:
        raise BadInputError(f"{error}.") from error
    return [
        {
            "policy": f"{policy.ZOO}{name}",
            "script": entry.script,
            "steps": entry.settings["total_timesteps"],
            "seed": entry.settings["seed"],
            "J": entry.scores.J,
            "weeks": entry.scores.weeks * len(entry.scores.ids),
        }
        for name, entry in found.items()
    ]


def id_rows() -> tuple[list[dict[str, object]], list[str]]:
    """Return a row for each registered id, and what is wrong with files that cannot be used.

    What an id draws at reset is None.
    """
    import gymnasium as gym

    from proactivity_gym.envs import registration
    from proactivity_gym.scenarios import catalogue
    from proactivity_gym.sim.parsing import ScenarioError

    rows: list[dict[str, object]] = []
    unusable: dict[str, None] = {}
    for name in registration.ids():
        kwargs = gym.spec(name).kwargs
        try:
            scenario = None if name == registration.MIXED_ID else catalogue.load(kwargs["scenario"])
        except ScenarioError as error:  # each of its ids says the same
            unusable[str(error)] = None
            continue
        rows.append(
            {
                "id": name,
                "scenario": scenario.name if scenario else "Mixed",
                "persona": kwargs.get("persona"),
                "days": scenario.days if scenario else None,
                "tasks": len(scenario.tasks) if scenario else None,
            }
        )
    return rows, list(unusable)
