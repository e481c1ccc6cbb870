"""Tables for people: what a run came to, policy by policy."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from proactivity_gym.reports.runs import INTERRUPTED
from proactivity_gym.reports.statistics import Estimate
from proactivity_gym.reports.summary import Summary

SCORES = {"TC": "TC", "TA": "TA", "CQ": "CQ", "TR_D": "TR-D", "TR_H": "TR-H", "J": "J"}
COSTS = {
    "over": "over",
    "under": "under",
    "unattempted": "unattempted",
    "competing_minutes": "competing min",
    "interruptions": "interruptions",
    "wasted_minutes": "wasted min",
    "false_alarms": "false alarms",
}
"""Headings of terms."""
FEWEST_SCENARIOS = 3
"""Below this, a reader is warned of the intervals."""
_PLACES = {"CQ": 2, "TR_H": 2, "J": 3}
"""Decimal places; others have one."""


def of_run(summaries: Sequence[Summary], unit: str) -> RenderableType:
    """Return the tables of a run: scores, then costs, then what to know about them.

    Args:
        summaries: one for each policy.
        unit: what the intervals are clustered by.
    """
    scores = _table("policy", "scored", *SCORES.values(), "sd of J")
    costs = _table("per episode", *COSTS.values())
    for summary in summaries:
        cells = [_cell(name, summary.terms[name]) for name in SCORES]
        scored = f"{summary.scored} of {summary.planned}"
        scores.add_row(summary.policy, scored, *cells, _number("J", summary.spread))
        costs.add_row(summary.policy, *(_cell(name, summary.terms[name]) for name in COSTS))
    return Group(scores, costs, *(Text(note) for note in notes(summaries, unit)))


def notes(summaries: Sequence[Summary], unit: str) -> list[str]:
    """Return what a reader of the tables should know."""
    lines = [
        f"In brackets: 95 % confidence intervals: the standard error of a bootstrap clustered by {unit}, scaled by Student's t "
        f"over {unit}s, cut to each term's possible range."
    ]
    if any(summary.scenarios < FEWEST_SCENARIOS for summary in summaries):
        lines.append("They are over episodes of too few scenarios: treat with care.")
    if unit == "seed":
        lines.append("There is one scenario only: the intervals tell how seeds differ, not how scenarios do.")
    if all(estimate.low is None for summary in summaries for estimate in summary.terms.values()):
        lines = [f"There is one {unit} only, so there are no confidence intervals."]
    lines.append("sd of J: its standard deviation between seeds of the same id.")
    for summary in summaries:
        missing = {name: count for name, count in summary.statuses.items() if name != "completed"}
        if missing:
            kinds = ", ".join(f"{count} {name}" for name, count in missing.items())
            line = f"{summary.policy}: {summary.planned} planned, {summary.scored} scored, {kinds}"
            failed = any(name != INTERRUPTED for name in missing)
            zero = summary.failed_as_zero["J"]
            lines.append(line + (f"; J {_number('J', zero)} with failed episodes as 0" if failed else ""))
        blank = [
            f"{SCORES[name]} in {summary.scored - summary.terms[name].n}"
            for name in SCORES
            if summary.terms[name].n < summary.scored
        ]
        if blank:
            lines.append(f"{summary.policy}: episodes without a value are left out: {', '.join(blank)}")
    if any(summary.incomplete for summary in summaries):
        lines.append("INCOMPLETE: more than 1 % of the planned episodes have no score. Do not cite these means.")
    return lines


def _table(first: str, *others: str) -> Table:
    table = Table(first, *others, box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in table.columns[1:]:
        column.justify = "right"
    return table


def _cell(name: str, estimate: Estimate) -> str:
    mean = _number(name, estimate.mean)
    if estimate.low is None:
        return mean
    return f"{mean}\n[{_number(name, estimate.low)}, {_number(name, estimate.high)}]"


def _number(name: str, value: float | None) -> str:
    return "-" if value is None else f"{value:.{_PLACES.get(name, 1)}f}"
