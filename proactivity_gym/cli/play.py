"""`pgym play`: a person plays the agent in the terminal."""

from typing import TYPE_CHECKING, Annotated

import typer

from proactivity_gym.cli.app import BadInputError, app, refusing
from proactivity_gym.cli.commands import HELP, Command, MisunderstoodError, understood
from proactivity_gym.cli.sources import source_of

if TYPE_CHECKING:
    from proactivity_gym.envs.env import ProactivityEnv
    from proactivity_gym.sim.board import OpenSignal

AIM = """\
You are the assistant of somebody's week. You are judged on three things: TC, whether what was needed got done, and right;
TA, whether the urgent was done at once and what could wait was put off; TR-D, whether you went as deep as the user wants,
and no deeper. J weighs all three: it is what counts."""
JUDGED = {
    "TC": "of what was needed was done, weighted by value",
    "TA": "of the choices between the urgent and what can wait were right",
    "TR_D": "of the tasks were taken up as deep as the user wants",
    "J": "all three together",
}
"""The terms that tell how it went, in words."""


@app.command("play")
@refusing()
def play_week(
    name: Annotated[str, typer.Argument(metavar="ID", help="An id; or a .toml file or scenario's name (its first persona).")],
    seed: Annotated[int, typer.Option(min=0, help="Seed of the week.")] = 0,
    variation: Annotated[str, typer.Option(help="written, train or test.")] = "written",
    difficulty: Annotated[str, typer.Option(help="easy, standard or hard.")] = "standard",
    every: Annotated[bool, typer.Option("--all", help="Show every score at the end.")] = False,
) -> None:
    """Play the agent yourself."""
    from proactivity_gym.envs.env import DIFFICULTIES, VARIATIONS, ProactivityEnv
    from proactivity_gym.scenarios import catalogue

    if variation not in VARIATIONS:
        raise BadInputError(f"--variation {variation!r}: choose one of {', '.join(VARIATIONS)}.")
    if difficulty not in DIFFICULTIES:
        raise BadInputError(f"--difficulty {difficulty!r}: choose one of {', '.join(DIFFICULTIES)}.")
    source, persona = source_of(name)
    env = ProactivityEnv(source, persona or catalogue.load(source).personas[0].id, variation=variation, difficulty=difficulty)
    env.reset(seed=seed)
    _converse(env)
    _print_end(env, every)


def _converse(env: "ProactivityEnv") -> None:
    """Ask and obey until the week is over, or the person has had enough."""
    print(f"{AIM}\n")
    print(env.text())
    print(HELP)
    while not env.episode.over:
        try:
            typed = input("> ")
        except EOFError:
            print()
            return
        try:
            command = understood(typed, _example(env))
        except MisunderstoodError as error:
            print(f"{error} Type help for what you can do.")
            continue
        if command.verb == "quit":
            return
        _obey(env, command)


def _example(env: "ProactivityEnv") -> str:
    """Return the id of a record that can be read: that of an open signal, if there is one."""
    plan = env.episode.week.plan
    shown = [plan.scenario.records[plan.signals[signal.index].record].id for signal in _open(env)]
    return shown[0] if shown else "RECORD"


def _open(env: "ProactivityEnv") -> "list[OpenSignal]":
    return [signal for signal in env.episode.board.slots if signal is not None]


def _obey(env: "ProactivityEnv", command: Command) -> None:
    if command.verb == "help":
        print(HELP)
    elif command.verb == "look":
        print(env.text())
    elif command.verb in ("read", "search"):
        _consult(env, command)
    else:
        _act(env, command.action)


def _act(env: "ProactivityEnv", action: tuple[int, int, int]) -> None:
    from proactivity_gym.sim.interventions import ERRORS

    slot = action[0]
    if slot and not env.action_masks()[slot]:
        there = ", ".join(str(signal.slot + 1) for signal in _open(env)) or "none"
        print(f"Slot {slot} is empty: nothing was done. Slots with a signal: {there}.")
        return
    before = {(signal.index, signal.since) for signal in _open(env)}
    error = env.step(action)[4]["action_error"]
    if error:
        print(f"That counted as waiting: {ERRORS[error]}.")
    if not env.episode.over:
        _print_news(env, before)


def _print_news(env: "ProactivityEnv", before: set[tuple[int, int]]) -> None:
    """Print the present in brief, and in full what has opened or changed since the action."""
    from proactivity_gym.envs.ansi import render_text
    from proactivity_gym.sim.situation import describe_signal

    print(render_text(env.episode))
    for signal in _open(env):
        if (signal.index, signal.since) not in before:
            print(describe_signal(env.episode, signal))


def _consult(env: "ProactivityEnv", command: Command) -> None:
    import json

    from proactivity_gym.sim.safe_text import printable
    from proactivity_gym.sim.world import APPS

    if command.verb == "search" and command.words[0] not in APPS:
        print(f"There is no app {command.words[0]!r}: search one of {', '.join(APPS)}.")
        return
    try:
        if command.verb == "search":
            result = env.read(f"{command.words[0]}.search", {"query": command.words[1]})
        else:
            entry = env.episode.reading.world(env.episode.now).get(command.words[0])
            result = env.read(f"{entry.app}.read", {"id": entry.id})
    except KeyError:
        print(f"There is no record {command.words[0]!r}. `search APP WORDS` finds some; a signal names its own.")
    else:
        print(printable(json.dumps(result, indent=2, ensure_ascii=False)))


def _print_end(env: "ProactivityEnv", every: bool) -> None:
    from proactivity_gym.reports.chronicle import terms_lines

    terms = env.episode.tally.terms()
    print("The week is over." if env.episode.over else "You stopped before the end of the week. So far:")
    for name, words in JUDGED.items():
        print(f"  {name.replace('_', '-'):5}{_worth(name, terms[name]):>14}  {words}")
    if every:
        print("\n".join(["", *terms_lines(terms)]))
    else:
        print("With --all, the end shows every other score too.")


def _worth(name: str, value: float | None) -> str:
    if value is None:
        return "no case yet"
    return f"{value:.2f} of 1" if name == "J" else f"{value:.0f} %"
