import json

from proactivity_gym.sim.parsing import json_schema
from tests.cli.pgym import pgym


def test_the_schema_is_json() -> None:
    result = pgym("schema")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == json_schema()
