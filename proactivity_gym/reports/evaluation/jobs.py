"""Episodes of an evaluation: as planned, and as rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, cast

from proactivity_gym.reports import runs
from proactivity_gym.reports.evaluation.config import Config
from proactivity_gym.reports.runs import COMPLETED, INFRA_ERROR, Key, Planned, Settings
from proactivity_gym.sim.scoring import TERMS, Terms, Weights

TRUNCATED = "truncated"
"""The model took more steps than allowed; the rest of the week just passed. Scored."""
AGENT_ERROR = "agent_error"
"""At least one turn or job of the model ended with nothing usable. Scored: the week went on without it."""
USER_SIM_ERROR = "user_sim_error"
"""The model behind the user's words did not answer. Not scored."""
JUDGE_UNSCORED = "judge_unscored"
"""Verdicts are missing. Scored by the rules; what judges say is None where it is missing."""
BUDGET_EXCEEDED = "budget_exceeded"
"""The cap was reached before the end. Not scored."""

STATUSES = (COMPLETED, TRUNCATED, AGENT_ERROR, INFRA_ERROR, USER_SIM_ERROR, JUDGE_UNSCORED, BUDGET_EXCEEDED)
SCORED = (COMPLETED, TRUNCATED, AGENT_ERROR, JUDGE_UNSCORED)
FAILED = (INFRA_ERROR, USER_SIM_ERROR, BUDGET_EXCEEDED)


@dataclass(frozen=True, slots=True)
class Job:
    """An episode to be played."""

    index: int
    """Its place in the plan; the name of its folder."""
    planned: Planned
    repetition: int

    @property
    def key(self) -> Key:
        """What tells it from all others: model, id, seed, repetition."""
        return self.planned.policy, self.planned.id, self.planned.seed, self.repetition


@dataclass(frozen=True, slots=True)
class Row:
    """What became of an episode. All but `timing` is the same however often a run was cut off."""

    model: str
    id: str
    seed: int
    repetition: int
    status: str
    scenario: str
    persona: str
    terms: Terms | None
    """All terms of the score; None where the episode failed."""
    agent_errors: int = 0
    worker_errors: int = 0
    steps: int = 0
    calls: int = 0
    """Questions that were answered, from the cache or not."""
    prompt_tokens: int = 0
    """Of those questions."""
    completion_tokens: int = 0
    judged: Mapping[str, Any] | None = None
    trace: str | None = None
    """Its log, relative to the folder of the run."""
    reason: str | None = None
    """Why it failed, or is unscored."""
    timing: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def key(self) -> Key:
        """What tells it from all others."""
        return self.model, self.id, self.seed, self.repetition

    @property
    def scored(self) -> bool:
        """Whether it has scores."""
        return self.status in SCORED

    def record(self) -> dict[str, Any]:
        """Return it as it is written."""
        return {name: getattr(self, name) for name in _NAMES}


_NAMES = tuple(item.name for item in fields(Row))
_TEXTS = ("model", "id", "status", "scenario", "persona")
_COUNTS = ("seed", "repetition", "agent_errors", "worker_errors", "steps", "calls", "prompt_tokens", "completion_tokens")
MOST = 1e12
"""No term of a week comes near; means and squares of what is beyond would overflow."""


def row_of(record: object) -> Row | None:
    """Return the row in a record; None: it is none."""
    if not isinstance(record, dict) or record.keys() != set(_NAMES):
        return None
    row = Row(**record)  # pyright: ignore[reportUnknownArgumentType] - the keys are its own
    return row if _is_whole(row) else None


def _is_whole(row: Row) -> bool:
    """Tell whether the values of a row that was read are of the kinds that they should be."""
    texts: list[object] = [getattr(row, name) for name in _TEXTS]
    maybe: list[object] = [row.trace, row.reason]
    counts: list[object] = [getattr(row, name) for name in _COUNTS]
    return (
        all(isinstance(text, str) for text in texts)
        and all(type(count) is int and count >= 0 for count in counts)
        and row.status in STATUSES
        and (_are_terms(row.terms) if row.scored else row.terms is None)
        and all(isinstance(text, str | None) for text in maybe)
        and all(isinstance(table, dict | None) for table in (row.judged, row.timing))
    )


def _are_terms(terms: object) -> bool:
    if not isinstance(terms, dict):
        return False
    given = cast("dict[str, object]", terms)
    return given.keys() >= TERMS.keys() and given["J"] is not None and all(map(_is_term, given.values()))


def _is_term(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MOST)


def plan(config: Config, ids: Sequence[str]) -> list[Job]:
    """Return the episodes of an evaluation: model by model, id by id, seed by seed.

    Raises:
        ScenarioError: a scenario cannot be used.
        ValueError: the weights are none.
    """
    worker = "reference" if by_model(config) else config.worker
    settings = Settings(config.variation, config.user, worker, Weights(*config.weights), difficulty=config.difficulty)
    labels = [table.label for table in config.model]
    seeds = list(dict.fromkeys(config.seeds))
    rounds = [(each, time) for each in runs.plan(labels, ids, seeds, settings) for time in range(config.repetitions)]
    return [Job(index, each, time) for index, (each, time) in enumerate(rounds)]


def by_model(config: Config) -> bool:
    """Tell whether a model does the work."""
    return config.worker == "self"


def status_of(row: Row, config: Config) -> str:
    """Return the status of a played episode, whatever judges say."""
    if row.steps > config.max_steps:
        return TRUNCATED
    return AGENT_ERROR if row.agent_errors or row.worker_errors else COMPLETED
