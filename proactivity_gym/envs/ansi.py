"""Render mode `ansi`: the present moment as a small picture in plain text, for terminals and logs.

It shows what `situation` tells and is built on the same safe texts; no escape codes, so it can be printed anywhere.
"""

from datetime import time

from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.happenings import happened, local_time, record_shown, topic_name, under_way
from proactivity_gym.sim.safe_text import quoted
from proactivity_gym.sim.situation import STATUS_WORDS
from proactivity_gym.sim.timeline import NEVER, index_of
from proactivity_gym.sim.words import Phase
from proactivity_gym.sim.world import APPS

LAST_EVENTS = 5
_CELL_MIN = 30
_PHASE_MARKS = {Phase.FREE: ".", Phase.FOCUS: "#", Phase.SLEEP: "z"}
_LINE = 118
_COLUMNS = "{:>4} {:9} {:6} {:12} {:14} {:20} {:>5}  {}"


def render_text(episode: Episode) -> str:
    """Return the picture: the day's phases with the present marked, open signals, jobs and the last events."""
    signals = [signal for signal in episode.board.slots if signal is not None]
    head = _COLUMNS.format("slot", "app", "from", "topic", "status", "stated deadline", "work", "title")
    lines = [
        *_day(episode),
        head,
        *(_row(episode, signal) for signal in signals),
        *(["     no signal is open"] if not signals else []),
        "jobs",
        *(f"     {line}" for line in under_way(episode) or ["none under way"]),
        "last",
        *(f"     {line}" for line in happened(episode, LAST_EVENTS) or ["nothing yet"]),
    ]
    return "\n".join(_cut(line) for line in lines) + "\n"


def _day(episode: Episode) -> list[str]:
    """Return the bar of the day (a mark for each half-hour, hours above) and the present below it."""
    plan = episode.week.plan
    now = min(episode.now, plan.horizon - 1)
    day = (plan.clock.local(now).date() - plan.scenario.start).days
    dawn, dusk = plan.clock.at(day, time()), plan.clock.at(day + 1, time())
    starts = [start for start, _ in plan.phases]
    cells = range(dawn, dusk, _CELL_MIN)
    bar = "".join(_PHASE_MARKS[plan.phases[index_of(starts, minute)][1]] for minute in cells)
    hours = "".join(f"{plan.clock.local(minute).hour:<6}" for minute in cells[::6])
    place = " " * ((now - dawn) // _CELL_MIN) + "^"
    return [
        f"{local_time(episode, episode.now)}  day {day + 1} of {plan.scenario.days}  user {episode.phase.name.lower()}"
        f"  offers waiting {episode.inbox.waiting()}{'  the week is over' if episode.over else ''}",
        f"     {hours.rstrip()}",
        f"     {bar}   z asleep  # focus  . free",
        f"     {place}",
    ]


def _row(episode: Episode, signal: OpenSignal) -> str:
    """Return the line of one open signal."""
    row = episode.week.plan.signals[signal.index]
    by = episode.week.signal_by[signal.index]
    return _COLUMNS.format(
        signal.slot + 1,
        APPS[row.app],
        row.trigger.name.lower(),
        topic_name(episode, row.topic),
        STATUS_WORDS[signal.status],
        local_time(episode, by) if by < NEVER else "-",
        episode.week.signal_work[signal.index],
        quoted(record_shown(episode, row.record).title),
    )


def _cut(line: str) -> str:
    line = line.rstrip()
    return line if len(line) <= _LINE else f"{line[: _LINE - 3]}..."
