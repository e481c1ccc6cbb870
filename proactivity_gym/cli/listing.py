"""`pgym list`: the environment ids."""

from typing import Annotated

import typer

from proactivity_gym.cli.app import app, console, print_row, refusing


@app.command("list")
@refusing()
def list_ids(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line and nothing else.")] = False,
) -> None:
    """List the environment ids."""
    rows = id_rows()
    if as_json:
        for row in rows:
            print_row(row)
        return
    from rich.table import Table

    table = Table("id", "scenario", "persona", "days", "tasks", box=None, pad_edge=False)
    for row in rows:
        table.add_row(*("drawn" if value is None else str(value) for value in row.values()))
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
