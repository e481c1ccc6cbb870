"""What a person types when playing, and the commands that it stands for."""

from dataclasses import dataclass

HELP = """\
  3 suggest idle    take up the signal in slot 3: prepare, suggest or execute; now, idle, sleep or due
  3 dismiss         close the signal in slot 3 for good
  3 snooze sleep    put it back until the next idle, sleep or due moment
  wait              end the turn: time goes on until something calls for you
  read RECORD       read a record
  search APP WORDS  search an app
  look              show the whole situation
  help or ?, quit or q or exit"""
DEPTHS = ("prepare", "suggest", "execute")
TIMINGS = ("now", "idle", "sleep", "due")
_SHORT = {"q": "quit", "exit": "quit", "?": "help"}


class MisunderstoodError(Exception):
    """What a person typed is no command; the message says what would be."""


@dataclass(frozen=True, slots=True)
class Command:
    """What a person wants done."""

    verb: str
    """act, read, search, look, help or quit."""
    action: tuple[int, int, int] = (0, 0, 0)
    words: tuple[str, ...] = ()


def understood(typed: str, example: str = "RECORD") -> Command:
    """Return the command that a line stands for.

    Args:
        typed: the line; commas between its words do no harm.
        example: id of a record that can be read.

    Raises:
        MisunderstoodError: it stands for none.
    """
    words = typed.lower().split()
    if words[:1] != ["search"]:
        words = typed.lower().replace(",", " ").split()
    match words:
        case []:
            raise MisunderstoodError("Say what to do.")
        case ["wait"]:
            return Command("act")
        case ["look" | "help" | "quit" | "exit" | "q" | "?" as verb]:
            return Command(_SHORT.get(verb, verb))
        case ["read" | "search" as verb, *rest]:
            return _consultation(verb, rest, example)
        case [slot, *how] if slot.isdecimal():
            return Command("act", (_slot(slot), *_how(slot, how)))
        case _:
            raise MisunderstoodError(f"{typed.strip()!r} is no command.")


def _consultation(verb: str, words: list[str], example: str) -> Command:
    match verb, words:
        case "read", [record]:
            return Command("read", words=(record,))
        case "read", _:
            raise MisunderstoodError(f"read needs a record: read {example}.")
        case _, [application, *sought] if sought:
            return Command("search", words=(application.rstrip(","), " ".join(sought)))
        case _:
            raise MisunderstoodError("search needs an app and words: search mail invoice.")


def _slot(word: str) -> int:
    from proactivity_gym.sim.words import MAX_SIGNALS

    if len(word) > len(str(MAX_SIGNALS)) or not 1 <= int(word) <= MAX_SIGNALS:
        raise MisunderstoodError(f"There is no slot {word}: slots go from 1 to {MAX_SIGNALS}.")
    return int(word)


def _how(slot: str, words: list[str]) -> tuple[int, int]:
    match words:
        case ["dismiss"]:
            return 0, 0
        case ["snooze", timing] if timing in TIMINGS[1:]:
            return 0, TIMINGS.index(timing)
        case [depth, timing] if depth in DEPTHS and timing in TIMINGS:
            return DEPTHS.index(depth) + 1, TIMINGS.index(timing)
        case _:
            wrong = f", not {' '.join(words)!r}" if words else ""
            raise MisunderstoodError(
                f"slot {slot}: say how: dismiss; or snooze and one of {', '.join(TIMINGS[1:])}; "
                f"or one of {', '.join(DEPTHS)} and one of {', '.join(TIMINGS)}{wrong}."
            )
