"""What the scenarios hold in all: shares of tasks and cases by kind, expected depth, trigger, horizon and timing."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from proactivity_gym.reports.balance import depths
from proactivity_gym.reports.plays import fates, play
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.scenario import Scenario
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import Depth, Timing

MOST_OF_A_DEPTH = 0.5
"""Share of a persona's cases over all scenarios that may expect the same depth."""

_KINDS = ("request", "latent", "noop")
_HORIZONS = ("immediate", "within-interaction", "out-of-interaction")
_SCOPES = ("within-task", "out-of-task")
_TRIGGERS = ("user", "event", "agent")
_SCARCE = ("compute", "attention", "hours", "money", "deadline")


@dataclass(frozen=True, slots=True)
class Share:
    """How many of something are of one sort."""

    what: str
    """What is sorted: `tasks by kind`."""
    of: str
    """Whose: `all`, or a persona."""
    sort: str
    count: int
    total: int

    @property
    def share(self) -> float:
        """The part of the whole, 0 to 1."""
        return self.count / self.total if self.total else 0.0

    def record(self) -> dict[str, object]:
        """Return it as a row."""
        return {"what": self.what, "of": self.of, "sort": self.sort, "count": self.count, "share": round(self.share, 4)}


def census(sources: Sequence[str]) -> list[Share]:
    """Return the shares over scenarios, in their written weeks: of tasks, then of cases and first attempts by persona.

    Raises:
        ScenarioError: a scenario cannot be used.
    """
    scenarios = [catalogue.load(source) for source in sources]
    weeks = [catalogue.written_week(each, p.id) for each in sources for p in catalogue.load(each).personas]
    return [*_of_scenarios(scenarios), *of_depths(weeks), *of_timings(weeks)]


def _of_scenarios(scenarios: Sequence[Scenario]) -> list[Share]:
    tasks = [task for scenario in scenarios for task in scenario.tasks]
    signals = [record.signal for scenario in scenarios for record in scenario.records if record.signal]
    return [
        *_shares("tasks by kind", "all", (task.kind for task in tasks), _KINDS),
        *_shares("value by kind", "all", (task.kind for task in tasks for _ in range(task.value)), _KINDS),
        *_shares("tasks by horizon", "all", (task.horizon for task in tasks), _HORIZONS),
        *_shares("tasks by scope", "all", (task.scope for task in tasks), _SCOPES),
        *_shares("signals of tasks by trigger", "all", (s.trigger for s in signals if s.task), _TRIGGERS),
        *_shares("signals of noise by trigger", "all", (s.trigger for s in signals if not s.task), _TRIGGERS),
        *_shares("windows by what is scarce", "all", (w.scarce for each in scenarios for w in each.windows), _SCARCE),
    ]


def of_depths(weeks: Iterable[Week]) -> list[Share]:
    """Return the shares of expected depths among the cases of weeks, by persona."""
    by_persona = _by_persona((week, [depth.name for depth in depths(week).values()]) for week in weeks)
    sorts = [depth.name for depth in Depth]
    return [share for of, found in by_persona.items() for share in _shares("cases by expected depth", of, found, sorts)]


def of_timings(weeks: Iterable[Week]) -> list[Share]:
    """Return the shares of timings among the oracle's first attempts in weeks, by persona."""
    played = ((week, [fate.timing.name for fate in fates(play(week)).values() if fate.timing is not None]) for week in weeks)
    by_persona, sorts = _by_persona(played), [timing.name for timing in Timing]
    return [share for of, found in by_persona.items() for share in _shares("oracle's attempts by timing", of, found, sorts)]


def _by_persona(found: Iterable[tuple[Week, list[str]]]) -> dict[str, list[str]]:
    """Return what was found in weeks, for each persona and for all."""
    by_persona: dict[str, list[str]] = {"all": []}
    for week, names in found:
        by_persona["all"] += names
        by_persona.setdefault(f"persona {week.plan.persona.id}", []).extend(names)
    return by_persona


def _shares(what: str, of: str, found: Iterable[str], sorts: Iterable[str]) -> list[Share]:
    counts = Counter(found)
    return [Share(what, of, sort, counts[sort], counts.total()) for sort in sorts]


def lines(shares: Iterable[Share]) -> list[tuple[str, str, str]]:
    """Return a line for each group of shares: what is sorted, whose, and the shares in words."""
    groups: dict[tuple[str, str], list[Share]] = {}
    for share in shares:
        groups.setdefault((share.what, share.of), []).append(share)
    return [
        (what, of, ", ".join(f"{each.sort} {each.share:.0%} ({each.count})" for each in group))
        for (what, of), group in groups.items()
    ]
