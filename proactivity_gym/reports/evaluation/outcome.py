"""What an evaluation came to: counts by status, means under both conventions for failures, and what it cost."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from proactivity_gym.llm.ledger import Ledger
from proactivity_gym.reports import runs, summary, tables
from proactivity_gym.reports.agreement import of_scores
from proactivity_gym.reports.evaluation.jobs import STATUSES, Job, Row
from proactivity_gym.reports.statistics import Estimate, estimate
from proactivity_gym.reports.summary import Summary

TRUST_BOUNDS = (1.0, 5.0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a model came to."""

    model: str
    scores: Summary
    """Over scored episodes; what has no score counts as failed."""
    statuses: dict[str, int]
    """Episodes by status; those not played are `interrupted`."""
    agent_errors: int
    worker_errors: int
    trust: Estimate
    """TR-J."""

    def record(self) -> dict[str, Any]:
        """Return it as JSON can carry it."""
        return {
            "model": self.model,
            "planned": self.scores.planned,
            "scored": self.scores.scored,
            "incomplete": self.scores.incomplete,
            "statuses": self.statuses,
            "agent_errors": self.agent_errors,
            "worker_errors": self.worker_errors,
            "terms": {name: asdict(found) for name, found in self.scores.terms.items()} | {"TR_J": asdict(self.trust)},
            "failed_as_zero": self.scores.failed_as_zero,
            "sd_of_J": self.scores.spread,
        }


def outcomes(jobs: Sequence[Job], rows: Sequence[Row]) -> list[Outcome]:
    """Return one outcome for each model, in the order of the plan."""
    found = summary.summaries([job.planned for job in jobs], [plain(row) for row in rows])
    return [_outcome(each, [row for row in rows if row.model == each.policy], unit_of(rows)) for each in found]


def unit_of(rows: Sequence[Row]) -> str:
    """Return what intervals are clustered by."""
    return summary.cluster_unit([plain(row) for row in rows])


def agreement(rows: Sequence[Row]) -> list[dict[str, object]]:
    """Return how well judges agree on TR-J, two by two, over episodes that both scored."""
    reports = [row.judged["trust"]["by_judge"] for row in rows if row.judged and row.judged["trust"]]
    columns = [list(column) for column in zip(*[report for report in reports if report], strict=True)]
    pairs = [(i, j) for j in range(len(columns)) for i in range(j)]
    return [asdict(of_scores("TR-J", (f"judge {i + 1}", f"judge {j + 1}"), columns[i], columns[j])) for i, j in pairs]


def record(found: Sequence[Outcome], rows: Sequence[Row]) -> dict[str, Any]:
    """Return the summary of a run as JSON can carry it. Nothing in it depends on time."""
    models = [each.record() for each in found]
    incomplete = any(each["incomplete"] for each in models)
    return {"incomplete": incomplete, "clusters": unit_of(rows), "models": models, "agreement": agreement(rows)}


def shown(found: Sequence[Outcome], unit: str) -> RenderableType:
    """Return the tables of a run: scores and costs, then statuses, then failures under both conventions."""
    used = [name for name in (*STATUSES, runs.INTERRUPTED) if any(each.statuses.get(name) for each in found)]
    counts = _table("episodes", "planned", *used, "agent errors", "worker errors")
    means = _table("failures", "TC", "TA", "TR-D", "J", "TR-J")
    for each in found:
        figures = [each.scores.planned, *(each.statuses.get(name, 0) for name in used), each.agent_errors, each.worker_errors]
        counts.add_row(each.model, *map(str, figures))
        kept = [each.scores.terms[name].mean for name in ("TC", "TA", "TR_D", "J")]
        means.add_row(f"{each.model}, left out", *map(_number, [*kept, each.trust.mean]))
        means.add_row(
            f"{each.model}, as 0", *(_number(each.scores.failed_as_zero[name]) for name in ("TC", "TA", "TR_D", "J")), "-"
        )
    return Group(tables.of_run([each.scores for each in found], unit), Text(), counts, Text(), means)


def bill(ledger: Ledger) -> RenderableType:
    """Return the accounts of a ledger as a table."""
    table = _table("spent", "for", "calls", "failed", "prompt tokens", "reply tokens", "USD")
    for account in ledger.totals():
        figures = account.calls, account.failed, account.prompt_tokens, account.completion_tokens
        table.add_row(account.model, account.purpose, *map(str, figures), "-" if account.usd is None else f"{account.usd:.4f}")
    return table


def _outcome(found: Summary, rows: Sequence[Row], unit: str) -> Outcome:
    statuses = Counter(row.status for row in rows)
    statuses[runs.INTERRUPTED] = found.planned - len(rows)
    scored = [(row, row.terms) for row in rows if row.terms is not None]
    drawn = summary.grouping([plain(row) for row, _ in scored], unit)
    trust = estimate([terms.get("TR_J") for _, terms in scored], drawn, TRUST_BOUNDS)
    errors = sum(row.agent_errors for row in rows), sum(row.worker_errors for row in rows)
    return Outcome(found.policy, found, {name: count for name, count in statuses.items() if count}, *errors, trust)


def plain(row: Row) -> runs.Row:
    """Return a row as summaries take it: what has scores is completed."""
    status = runs.COMPLETED if row.scored else row.status
    terms = {name: row.terms[name] if row.terms else None for name in runs.TERMS}
    head = row.model, row.id, row.seed, ""
    return runs.Row(*head, status, row.scenario, row.persona, terms, row.reason, row.repetition)


def _table(first: str, *others: str) -> Table:
    table = Table(first, *others, box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in table.columns[1:]:
        column.justify = "right"
    return table


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
