"""`pgym mock-server`: a scripted model, to try commands and programs without one."""

from pathlib import Path
from typing import Annotated

import typer

from proactivity_gym.cli.app import BadInputError, app, print_row, refusing

Script = Annotated[Path, typer.Option("--script", help="TOML file of canned replies and errors.")]
Port = Annotated[int, typer.Option("--port", min=0, max=65_535, help="Port on loopback; 0 takes a free one.")]


@app.command("mock-server")
@refusing()
def serve(script: Script, port: Port = 0) -> None:
    """Serve a scripted model on loopback as OpenAI's chat completions, until Ctrl-C. Prints its address first."""
    from proactivity_gym.llm.mock_server import MockServer
    from proactivity_gym.llm.scripted import ScriptError, from_file

    try:
        answers = from_file(script)
    except ScriptError as error:
        raise BadInputError(str(error)) from error
    with MockServer(answers, port) as server:
        print_row({"base_url": server.url})
        server.wait()
