"""`pgym schema`: the JSON Schema of scenario files."""

import json

from proactivity_gym.cli.app import app, refusing


@app.command("schema")
@refusing()
def print_schema() -> None:
    """Print the JSON Schema of scenario files, for editors that complete and check."""
    from proactivity_gym.sim.parsing import json_schema

    print(json.dumps(json_schema(), indent=2))
