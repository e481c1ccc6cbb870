"""`pgym list`: the environment ids, and what all their scenarios hold."""

from typing import Annotated

import typer

from proactivity_gym.cli.app import app, console, print_row, refusing


@app.command("list")
@refusing()
def list_ids(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line and nothing else.")] = False,
    balance: Annotated[bool, typer.Option("--balance", help="Print what the scenarios hold in all instead.")] = False,
) -> None:
    """List the environment ids, or the shares of tasks, expected depths and timings over all of their scenarios."""
    from rich.table import Table

    if balance:
        _print_balance(as_json)
        return
    rows = id_rows()
    if as_json:
        for row in rows:
            print_row(row)
        return

    table = Table("id", "scenario", "persona", "days", "tasks", box=None, pad_edge=False)
    for row in rows:
        table.add_row(*("drawn" if value is None else str(value) for value in row.values()))
    console().print(table)


def _print_balance(as_json: bool) -> None:
    from rich.table import Table

    from proactivity_gym.reports import census

    names = [str(row["scenario"]) for row in id_rows() if row["persona"]]
    shares = census.census(list(dict.fromkeys(names)))
    if as_json:
        for share in shares:
            print_row(share.record())
        return
    table = Table("what", "of", "shares", box=None, pad_edge=False)
    for line in census.lines(shares):
        table.add_row(*line)
    console().print(table)


def id_rows() -> list[dict[str, object]]:
    """Return a row for each registered id; what an id draws at reset is None."""
    import gymnasium as gym

    from proactivity_gym.envs import registration
    from proactivity_gym.scenarios import catalogue

    rows: list[dict[str, object]] = []
    for name in registration.ids():
        kwargs = gym.spec(name).kwargs
        scenario = None if name == registration.MIXED_ID else catalogue.load(kwargs["scenario"])
        rows.append(
            {
                "id": name,
                "scenario": scenario.name if scenario else "Mixed",
                "persona": kwargs.get("persona"),
                "days": scenario.days if scenario else None,
                "tasks": len(scenario.tasks) if scenario else None,
            }
        )
    return rows
