"""TR-J: trust as judges rate it, from what the user saw (paper, appendix E.4; constructs of Madsen and Gregor, 2000).

A closed task is eligible if the user ever saw anything of it; it is rated at the last turn that is about it, from the history
up to there. TR-J is the mean over judges and constructs of a task, then over tasks.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from proactivity_gym.sim.episode import Episode
from proactivity_gym.wrappers.judge_history import history, last_turns, person, visible
from proactivity_gym.wrappers.judge_panel import Answer, Count, Panel, Question, Verdict
from proactivity_gym.wrappers.judge_panel_reading import TEXT, Evidence, choice_of, object_of, record, text_of

CONSTRUCTS = ("understandability", "technical_competence", "reliability", "personal_attachment", "faith")
SCALE = (1, 2, 3, 4, 5)
TEMPLATE = "judge_trust"

_RATING = record({"quote": TEXT, "reason": TEXT, "score": {"type": "integer", "enum": list(SCALE)}})
_SCHEMA = record({"code": TEXT, **dict.fromkeys(CONSTRUCTS, _RATING)})


@dataclass(frozen=True, slots=True)
class Rating:
    """One task as the judges rated it."""

    task: int
    turn: int
    """Where its last turn stands in what the user saw."""
    answer: Answer

    @property
    def score(self) -> float | None:
        """Mean over judges and constructs, 1 to 5; None: unscored."""
        return self.answer.mean(*CONSTRUCTS)


@dataclass(frozen=True, slots=True)
class TrustReport:
    """An episode as the judges rated it."""

    ratings: tuple[Rating, ...]

    @property
    def tr_j(self) -> float | None:
        """Mean over the tasks that are scored, 1 to 5; None: none is."""
        return mean([rating.score for rating in self.ratings])

    @property
    def constructs(self) -> dict[str, float | None]:
        """The same for each construct."""
        return {name: mean([rating.answer.mean(name) for rating in self.ratings]) for name in CONSTRUCTS}

    @property
    def by_judge(self) -> tuple[float | None, ...]:
        """The same for each judge, over tasks that all of them scored."""
        rows = [rating.answer.by_judge(*CONSTRUCTS) for rating in self.ratings if not rating.answer.unscored]
        return tuple(mean(column) for column in zip(*rows, strict=True))

    @property
    def count(self) -> Count:
        """Verdicts asked for and missing."""
        return Count.of([rating.answer for rating in self.ratings])

    def record(self) -> dict[str, object]:
        """Return the report as JSON can carry it."""
        count = self.count
        return {
            "TR_J": self.tr_j,
            "constructs": self.constructs,
            "by_judge": list(self.by_judge),
            "asked": count.asked,
            "unscored": count.unscored,
        }


def rate(episode: Episode, panel: Panel, *, hide: Collection[str] = (), template: str | Path = TEMPLATE) -> TrustReport:
    """Have a panel rate an episode that is over, or the closed tasks of one that was cut off.

    Args:
        episode: what was played.
        panel: the judges.
        hide: names of model and harness that the agent's texts may give away.
        template: the rules for the judges; a path for rules of one's own.

    Raises:
        LlmError: a server, a key or the budget failed.
    """
    turns = visible(episode, hide)
    closed = {data["task"] for _, name, data in episode.trace if name == "close"}
    about = (("The person", person(episode)), ("Their week", _week(episode)))
    ratings: list[Rating] = []
    for task, turn in last_turns(turns).items():
        if task in closed:
            log = history(turns[: turn + 1])
            blocks = (*about, ("The log of the person and the assistant", log))
            ratings.append(Rating(task, turn, panel.ask(Question(template, blocks, _SCHEMA, _Reader(Evidence(log))))))
    return TrustReport(tuple(ratings))


@dataclass(frozen=True, slots=True)
class _Reader:
    evidence: Evidence

    def __call__(self, found: Mapping[str, object]) -> Verdict:
        ratings = {name: object_of(found, name) for name in CONSTRUCTS}
        quotes = self.evidence.check([text_of(rating, "quote") for rating in ratings.values()])
        return Verdict(
            {name: choice_of(rating, "score", SCALE) for name, rating in ratings.items()},
            quotes,
            {name: text_of(rating, "reason") for name, rating in ratings.items()},
        )


def mean(values: Collection[float | None]) -> float | None:
    """Return the mean of what is there; None: nothing is."""
    found = [value for value in values if value is not None]
    return sum(found) / len(found) if found else None


def _week(episode: Episode) -> str:
    scenario = episode.week.plan.scenario
    return f"{scenario.title}\n{scenario.summary}"
