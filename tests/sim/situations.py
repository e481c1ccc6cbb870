"""The two days of `tests/data/tiny.toml`, changed where a test wants it, and a player for them."""

from collections.abc import Callable, Mapping
from pathlib import Path

from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.parsing import parse
from proactivity_gym.sim.plan import build
from proactivity_gym.sim.scenario import Scenario
from proactivity_gym.sim.situation import describe
from proactivity_gym.sim.variation import written
from proactivity_gym.sim.words import Depth, SignalStatus, Timing

TINY = (Path(__file__).parents[1] / "data" / "tiny.toml").read_text(encoding="utf-8")

Choice = tuple[Depth, Timing]
Script = Mapping[tuple[str, SignalStatus], Choice]
"""What to do with the signal of a record in a status; each is done once."""

SCRIPT: Script = {
    ("parcel-note", SignalStatus.FRESH): (Depth.EXECUTE, Timing.IDLE),
    ("desk-mail", SignalStatus.FRESH): (Depth.SUGGEST, Timing.NOW),
    ("card-mail", SignalStatus.FRESH): (Depth.NOOP, Timing.NOW),
    ("offer", SignalStatus.FRESH): (Depth.NOOP, Timing.SLEEP),
}


def scenario(changes: Mapping[str, str] | None = None, more: str = "") -> Scenario:
    """Return the tiny scenario with pieces of its text replaced, each of which must be there, and more at its end."""
    text = TINY
    for old, new in (changes or {}).items():
        assert old in text, old
        text = text.replace(old, new)
    return parse(text + more, "tiny.toml")


def begin(source: Scenario) -> Episode:
    """Return an episode of a scenario's written week with its only persona, at the first activation."""
    episode = Episode(written(build(source, source.personas[0])))
    episode.start()
    return episode


def play(episode: Episode, script: Script, look: Callable[[], object] | None = None) -> None:
    """Play an episode to its end by a script, looking after every decision."""
    left = dict(script)
    while not episode.over:
        for slot, signal in enumerate(list(episode.board.slots)):
            if signal is None:
                continue
            record = episode.week.plan.records[episode.week.plan.signals[signal.index].record].id
            choice = left.pop((record, signal.status), None)
            if choice is not None:
                assert episode.act(slot, *choice) is None
            if look:
                look()
        if look:
            look()
        episode.wait()
    if look:
        look()


def watch(source: Scenario, script: Script, show: Callable[[Episode], str]) -> list[tuple[int, str]]:
    """Return the minute and what `show` says at every step of a game."""
    episode = begin(source)
    seen: list[tuple[int, str]] = []
    play(episode, script, lambda: seen.append((episode.now, show(episode))))
    return seen


def final(source: Scenario, script: Script) -> str:
    """Return the situations of a whole game in words, one after the other."""
    return "\n".join(text for _, text in watch(source, script, describe))
