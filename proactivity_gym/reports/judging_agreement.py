"""Episodes as a panel judged them, and how well its judges agree with each other and with the rules."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

from proactivity_gym.reports.agreement import Agreement, of_labels, of_scores
from proactivity_gym.reports.judging import COMPLETION, SEMANTICS, JudgedWork, judge_work
from proactivity_gym.reports.judging_windows import LABELS, JudgedWindow, judge_window
from proactivity_gym.sim.episode import Episode
from proactivity_gym.wrappers.judge_panel import Count, Panel
from proactivity_gym.wrappers.trust_judge_rating import TrustReport, rate

KINDS = ("trust", "work", "window")
"""What a panel can be asked about an episode: TR-J, Semantics and Completion, NOW and LATER."""

Columns = Callable[["JudgedEpisode"], tuple[float | None, ...]]


@dataclass(frozen=True, slots=True)
class JudgedEpisode:
    """An episode as a panel judged it; None: not asked, or nothing to judge."""

    judges: int
    trust: TrustReport | None = None
    work: JudgedWork | None = None
    window: JudgedWindow | None = None

    @property
    def count(self) -> Count:
        """Verdicts asked for and missing. Beyond 5 % missing (`not count.complete`), the episode is `judge_unscored`."""
        parts = [self.trust and self.trust.count, self.work and self.work.count]
        windows = Count.of([self.window.answer]) if self.window else Count()
        return sum((part for part in parts if part is not None), windows)

    def record(self) -> dict[str, object]:
        """Return what JSON can carry of it."""
        return {
            "asked": self.count.asked,
            "unscored": self.count.unscored,
            "trust": self.trust and self.trust.record(),
            "work": self.work and self.work.record(),
            "window": self.window and self.window.record(),
        }


def judge_episode(
    episode: Episode, panel: Panel, kinds: Collection[str] = KINDS, *, hide: Collection[str] = ()
) -> JudgedEpisode:
    """Have a panel judge an episode that is over.

    Args:
        episode: as it was played; judging changes nothing in it.
        panel: the judges.
        kinds: which of `KINDS`.
        hide: names of model and harness that the agent's texts may give away.

    Raises:
        ValueError: a kind is none.
        LlmError: a server, a key or the budget failed.
    """
    if unknown := sorted(set(kinds) - set(KINDS)):
        raise ValueError(f"a panel cannot judge {', '.join(unknown)}: choose from {', '.join(KINDS)}")
    return JudgedEpisode(
        len(panel.judges),
        rate(episode, panel, hide=hide) if "trust" in kinds else None,
        judge_work(episode, panel, hide=hide) if "work" in kinds else None,
        judge_window(episode, panel, hide=hide) if "window" in kinds else None,
    )


def agreements(episodes: Sequence[JudgedEpisode]) -> list[Agreement]:
    """Compare the judges two by two over episodes, and each with the rule where there is one (NOW, LATER).

    Scores of an episode are its means, as in the paper (appendix E.5); judges are told apart by their place in the panel.

    Raises:
        ValueError: the episodes were judged by panels of different sizes.
    """
    sizes = {episode.judges for episode in episodes}
    if len(sizes) > 1:
        raise ValueError("the episodes were judged by panels of different sizes: compare each panel's on their own")
    return [row for judges in sizes for row in _rows(episodes, judges)]


def rows(found: Sequence[Agreement]) -> list[dict[str, object]]:
    """Return agreements as JSON can carry them."""
    return [asdict(agreement) for agreement in found]


def _rows(episodes: Sequence[JudgedEpisode], judges: int) -> Iterator[Agreement]:
    none: tuple[None, ...] = (None,) * judges
    measures: dict[str, Columns] = {
        "TC semantics": lambda e: e.work.by_judge(SEMANTICS, judges) if e.work else none,
        "TC completion": lambda e: e.work.by_judge(COMPLETION, judges) if e.work else none,
        "TR-J": lambda e: (e.trust.by_judge or none) if e.trust else none,
    }
    for measure, columns in measures.items():
        table = [columns(episode) for episode in episodes]
        for i, j in combinations(range(judges), 2):
            yield of_scores(measure, _names(i, j), [row[i] for row in table], [row[j] for row in table])
    for label in LABELS:
        table = [e.window.answer.by_judge(label) if e.window else none for e in episodes]
        rule = [e.window.rule[label] if e.window else None for e in episodes]
        for i, j in combinations(range(judges), 2):
            yield of_labels(f"TA {label}", _names(i, j), [row[i] for row in table], [row[j] for row in table])
        for i in range(judges):
            yield of_labels(f"TA {label}", (_names(i, i)[0], "rule"), [row[i] for row in table], rule)


def _names(first: int, second: int) -> tuple[str, str]:
    return f"judge {first + 1}", f"judge {second + 1}"
