"""The tables of docs/results.md, as Markdown, from the rows of episodes."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from proactivity_gym.reports import comparison
from proactivity_gym.reports.comparison import Compared, How
from proactivity_gym.reports.runs import TERMS, Row
from proactivity_gym.reports.statistics import Estimate
from proactivity_gym.reports.summary import REPETITION, SCENARIO, SEED
from proactivity_gym.reports.tables import COSTS, SCORES
from proactivity_gym.train.trained import short

RULES, ORACLE, LEARNED = "rules", "oracle", "learned"
SHOWN = ("TC", "TA", "CQ", "TR_D", "J")
A_THIRD = 1 / 3
"""Share of the gap that a policy is asked to close."""

Found = dict[str, dict[str, Compared]]
"""By policy and term."""


def compared(rows: Sequence[Row], unit: str, baseline: str = RULES, ceiling: str = ORACLE) -> Found:
    """Return what policies come to; what is drawn for the intervals is one of `summary.UNITS`."""
    found: Found = {}
    for each in comparison.compare(Counter(row.policy for row in rows), rows, How(unit, baseline, ceiling)).compared:
        found.setdefault(each.policy, {})[each.term] = each
    return found


def averaged(rows: Sequence[Row]) -> list[Row]:
    """Return one row for each policy and week: the means over its repetitions, so that ids with more seeds count no more."""
    weeks: dict[tuple[str, str, int], list[Row]] = {}
    for row in rows:
        weeks.setdefault((row.policy, row.id, row.seed), []).append(row)
    return [replace(own[0], repetition=0, terms={term: _mean(own, term) for term in TERMS}) for own in weeks.values()]


def _mean(rows: Sequence[Row], term: str) -> float | None:
    values = [value for row in rows if (value := row.terms[term]) is not None]
    return sum(values) / len(values) if values else None


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *lines))


def cell(found: Estimate, digits: int = 3) -> str:
    """Return a figure and its interval."""
    if found.mean is None:
        return "-"
    interval = "" if found.low is None or found.high is None else f" [{found.low:.{digits}f}, {found.high:.{digits}f}]"
    return f"{found.mean:.{digits}f}{interval}"


def per_id(rows: Sequence[Row], trained_with: Mapping[str, tuple[int, int]], others: Sequence[str] = ()) -> str:
    """Return the table of all ids that a policy was trained on.

    Args:
        rows: of rules, oracle, `LEARNED`, and of others.
        trained_with: id to seeds and steps of training.
        others: policies of which J alone is told.
    """
    lines: list[list[str]] = []
    shares: list[float | None] = []
    for name, (seeds, steps) in trained_with.items():
        found = compared([row for row in rows if row.id == name], SEED)
        own = found[LEARNED]["J"]
        shares.append(own.closed.mean)
        told = [cell(found[each]["J"].mean) for each in (RULES, LEARNED, ORACLE)]
        more = [cell(found[each]["J"].mean) if each in found else "-" for each in others]
        lines.append([short(name), f"{steps:,}", str(seeds), *told, cell(own.closed, 2), *more])
    enough = sum(share is not None and share >= A_THIRD for share in shares)
    below = sum(share is not None and share < 0 for share in shares)
    note = f"{enough} of {len(shares)} ids: at least a third of the gap is closed. {below}: worse than the rules."
    return f"{table(['id', 'steps', 'seeds', RULES, LEARNED, ORACLE, 'gap closed', *others], lines)}\n\n{note}"


def seeds_of(rows: Sequence[Row], name: str, seeds: Sequence[int]) -> str:
    """Return the table of an id that several policies were trained on: each, and all; repetitions count the seeds."""
    rows = [row for row in rows if row.id == name]
    ends = [row for row in rows if row.policy != LEARNED]
    lines = [[each, *_scores(found[each], ("J",))] for found in [compared(ends, SEED)] for each in (RULES, ORACLE)]
    for place, seed in enumerate(seeds):
        found = compared([*ends, *(row for row in rows if row.policy == LEARNED and row.repetition == place)], SEED)
        lines.append([f"seed {seed}", *_scores(found[LEARNED], ("J",))])
    every = compared(rows, REPETITION)[LEARNED]
    lines.append([f"**all {len(seeds)}**, interval over seeds of training", *_scores(every, ("J",))])
    return f"{short(name)}:\n\n{table(['policy', 'J', 'gap closed'], lines)}"


def overall(rows: Sequence[Row], policies: Sequence[str], unit: str = SCENARIO) -> str:
    """Return the table of policies over several ids."""
    found = compared(rows, unit)
    head = ["policy", *(SCORES[term] for term in SHOWN), "J less rules", "better than rules", "gap closed"]
    lines = [[each, *_scores(found[each], SHOWN, against=True)] for each in policies]
    return table(head, lines)


def _scores(found: Mapping[str, Compared], terms: Sequence[str], against: bool = False) -> Iterator[str]:
    for term in terms:
        yield cell(found[term].mean, 1 if term in ("TC", "TA", "TR_D") else 3)
    joint = found["J"]
    if against:
        yield cell(joint.difference)
        yield cell(joint.better, 2)
    yield cell(joint.closed, 2)


def left_out(rows: Sequence[Row], policies: Sequence[str]) -> str:
    """Return J on the scenarios that a policy was not trained on: scenario by scenario, then all."""
    scenarios = list(dict.fromkeys(row.scenario for row in rows))
    lines = [[name, *_joint([row for row in rows if row.scenario == name], policies, SEED)] for name in scenarios]
    lines.append(["**all**", *_joint(rows, policies, SCENARIO)])
    return table(["scenario", *policies, "gap closed by the first"], lines)


def where_lost(rows: Sequence[Row], policies: Sequence[str]) -> str:
    """Return the means of what a policy's J is lost by: scores, cases gone wrong an episode, and work on noise."""
    columns = ("TC", "TA", "TR_D", "over", "under", "unattempted", "false_alarms")
    lines = [
        [each, *(_plain(_mean([row for row in rows if row.policy == each], term)) for term in columns)] for each in policies
    ]
    return table(["policy", *((SCORES | COSTS)[term] for term in columns)], lines)


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _joint(rows: Sequence[Row], policies: Sequence[str], unit: str) -> Iterator[str]:
    found = compared(rows, unit)
    yield from (cell(found[each]["J"].mean) if each in found else "-" for each in policies)
    yield cell(found[policies[0]]["J"].closed, 2)


def ablation(rows: Sequence[Row], frozen: Sequence[str], unit: str) -> str:
    """Return what is left of the gain of `LEARNED` over rules when a choice is the rules'."""
    found, loss = compared(rows, unit, RULES, LEARNED), compared(rows, unit, LEARNED, RULES)
    head = ["policy", *(SCORES[term] for term in SHOWN), "J less learned", "share of the gain that is left"]
    lines = [
        [each, *list(_scores(found[each], SHOWN))[:-1], cell(loss[each]["J"].difference), cell(found[each]["J"].closed, 2)]
        for each in (LEARNED, *frozen, RULES)
    ]
    return table(head, lines)


def sweep(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of a sweep."""
    columns = ("TC", "TA", "TR_D", "over", "under", "unattempted")
    lines = [[row["weighting"], f"{row['timesteps']:,}", *(_plain(row[name]) for name in columns)] for row in rows]
    return table(["weighted", "steps", *(SCORES.get(name, name) for name in columns)], lines)
