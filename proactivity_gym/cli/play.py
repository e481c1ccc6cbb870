"""`pgym play`: a person plays the agent in the terminal."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from proactivity_gym.cli.app import BadInputError, app, refusing
from proactivity_gym.cli.sources import source_of

if TYPE_CHECKING:
    from proactivity_gym.envs.env import ProactivityEnv

HELP = """\
  3 suggest idle    take up the signal in slot 3: prepare, suggest or execute; now, idle, sleep or due
  3 dismiss         close the signal in slot 3 for good
  3 snooze sleep    put it back until the next idle, sleep or due moment
  wait              end the turn: time goes on until something calls for you
  read RECORD       read a record
  search APP WORDS  search an app
  look              show the situation again
  help, quit"""
DEPTHS = ("prepare", "suggest", "execute")
TIMINGS = ("now", "idle", "sleep", "due")


class MisunderstoodError(Exception):
    """What a person typed is no command; the message says what would be."""


@dataclass(frozen=True, slots=True)
class Command:
    """What a person wants done."""

    verb: str
    """act, read, search, look, help or quit."""
    action: tuple[int, int, int] = (0, 0, 0)
    words: tuple[str, ...] = ()


@app.command("play")
@refusing()
def play_week(
    name: Annotated[str, typer.Argument(metavar="ID", help="An id; or a .toml file or scenario's name (its first persona).")],
    seed: Annotated[int, typer.Option(min=0, help="Seed of the week.")] = 0,
    variation: Annotated[str, typer.Option(help="written, train or test.")] = "written",
) -> None:
    """Play the agent yourself."""
    from proactivity_gym.envs.env import VARIATIONS, ProactivityEnv
    from proactivity_gym.scenarios import catalogue

    if variation not in VARIATIONS:
        raise BadInputError(f"--variation {variation!r}: choose one of {', '.join(VARIATIONS)}.")
    source, persona = source_of(name)
    env = ProactivityEnv(source, persona or catalogue.load(source).personas[0].id, variation=variation)
    env.reset(seed=seed)
    _converse(env)
    _print_end(env)


def _converse(env: "ProactivityEnv") -> None:
    """Ask and obey until the week is over, or the person has had enough."""
    print(env.text())
    print(HELP)
    while not env.episode.over:
        try:
            typed = input("> ")
        except EOFError:
            print()
            return
        try:
            command = understood(typed)
        except MisunderstoodError as error:
            print(f"{error} Type help for what you can do.")
            continue
        if command.verb == "quit":
            return
        _obey(env, command)


def understood(typed: str) -> Command:
    """Return the command that a line stands for.

    Raises:
        MisunderstoodError: it stands for none.
    """
    words = typed.lower().split()
    match words:
        case []:
            raise MisunderstoodError("Say what to do.")
        case ["wait"]:
            return Command("act")
        case ["look" | "help" | "quit" as verb]:
            return Command(verb)
        case ["read", record]:
            return Command("read", words=(record,))
        case ["search", application, *sought] if sought:
            return Command("search", words=(application, " ".join(sought)))
        case [slot, *how] if slot.isdecimal():
            return Command("act", (_slot(slot), *_how(how)))
        case _:
            raise MisunderstoodError(f"{typed.strip()!r} is no command.")


def _slot(word: str) -> int:
    from proactivity_gym.sim.words import MAX_SIGNALS

    if not 1 <= int(word) <= MAX_SIGNALS:
        raise MisunderstoodError(f"There is no slot {word}: slots go from 1 to {MAX_SIGNALS}.")
    return int(word)


def _how(words: list[str]) -> tuple[int, int]:
    match words:
        case ["dismiss"]:
            return 0, 0
        case ["snooze", timing] if timing in TIMINGS[1:]:
            return 0, TIMINGS.index(timing)
        case [depth, timing] if depth in DEPTHS and timing in TIMINGS:
            return DEPTHS.index(depth) + 1, TIMINGS.index(timing)
        case _:
            raise MisunderstoodError(
                f"{' '.join(words) or 'A slot alone'!r} does not say how: dismiss; or snooze and one of "
                f"{', '.join(TIMINGS[1:])}; or one of {', '.join(DEPTHS)} and one of {', '.join(TIMINGS)}."
            )


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
        print(f"Slot {slot} holds no signal. Nothing was done; type look to see the slots.")
        return
    error = env.step(action)[4]["action_error"]
    if error:
        print(f"That counted as waiting: {ERRORS[error]}.")
    if not env.episode.over:
        print(env.text())


def _consult(env: "ProactivityEnv", command: Command) -> None:
    import json

    from proactivity_gym.sim.safe_text import printable
    from proactivity_gym.sim.tools import ToolError

    try:
        if command.verb == "search":
            result = env.read(f"{command.words[0]}.search", {"query": command.words[1]})
        else:
            entry = env.episode.reading.world(env.episode.now).get(command.words[0])
            result = env.read(f"{entry.app}.read", {"id": entry.id})
    except KeyError:
        print(f"There is no record {command.words[0]!r}. `search APP WORDS` finds some; a signal names its own.")
    except ToolError as error:
        print(error)
    else:
        print(printable(json.dumps(result, indent=2, ensure_ascii=False)))


def _print_end(env: "ProactivityEnv") -> None:
    from proactivity_gym.reports.chronicle import terms_lines

    print("The week is over." if env.episode.over else "You stopped before the end of the week. So far:")
    print("\n".join(terms_lines(env.episode.tally.terms())))
