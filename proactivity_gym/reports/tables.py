"""Tables for people: what a run came to, policy by policy, and how policies compare."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from proactivity_gym.reports.comparison import Comparison
from proactivity_gym.reports.runs import INTERRUPTED
from proactivity_gym.reports.statistics import Estimate
from proactivity_gym.reports.summary import SCENARIO, SEED, Summary
from proactivity_gym.sim.safe_text import printable

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
_PLACES = {"CQ": 2, "TR_H": 2, "J": 3, "share": 2}
"""Decimal places; others have one."""


def of_run(summaries: Sequence[Summary], unit: str) -> RenderableType:
    """Return the tables of a run: scores, then costs, then what to know about them.

    Args:
        summaries: one for each policy.
        unit: what the intervals are clustered by.
    """
    costs = _table("per episode", *COSTS.values())
    for summary in summaries:
        costs.add_row(printable(summary.policy), *(_cell(name, summary.terms[name]) for name in COSTS))
    return Group(scores(summaries), costs, *(Text(note) for note in notes(summaries, unit)))


def scores(summaries: Sequence[Summary]) -> Table:
    """Return the table of scores, a row for each policy."""
    table = _table("policy", "scored", *SCORES.values(), "sd of J")
    for summary in summaries:
        cells = [_cell(name, summary.terms[name]) for name in SCORES]
        table.add_row(printable(summary.policy), f"{summary.scored} of {summary.planned}", *cells, _number("J", summary.spread))
    return table


def of_comparison(found: Comparison, term: str) -> RenderableType:
    """Return the tables of a comparison: scores, then how policies compare in one term, then what to know about them."""
    conventions = list(dict.fromkeys(each.failed for each in found.compared))
    tables = [_compared(found, term, convention, len(conventions) > 1) for convention in conventions]
    lines = [*notes(found.summaries, found.how.unit), *_notes_on_comparison(found)]
    blank = Text()
    return Group(scores(found.summaries), *(part for table in tables for part in (blank, table)), blank, *map(Text, lines))


def _compared(found: Comparison, term: str, convention: str, told: bool) -> Table:
    name, baseline = SCORES[term], printable(found.how.baseline)
    first = f"{name}, failed {convention}" if told else name
    closed = f"gap to {printable(found.how.ceiling or 'oracle')} closed"
    table = _table(first, "mean", "interquartile mean", f"less {baseline}", f"P(above {baseline})", closed)
    for each in found.compared:
        if (each.term, each.failed) == (term, convention):
            table.add_row(
                printable(each.policy),
                *(_cell(term, estimate) for estimate in (each.mean, each.iqm, each.difference)),
                *(_cell("share", estimate) for estimate in (each.better, each.closed)),
            )
    return table


def _notes_on_comparison(found: Comparison) -> list[str]:
    baseline, ceiling = printable(found.how.baseline), found.how.ceiling
    lines = [
        f"less {baseline}: mean difference over the same weeks. P(above {baseline}): probability of more on the same week, "
        "a tie counting half."
    ]
    if ceiling is None:
        return [*lines, "No oracle is among the policies, so no share of a gap is told: add --policy oracle."]
    return [
        *lines,
        f"Gap closed: that difference as a share of the mean difference between {printable(ceiling)} and {baseline}.",
    ]


def notes(summaries: Sequence[Summary], unit: str) -> list[str]:
    """Return what a reader of the tables should know."""
    within = " within each scenario" if unit == SEED else ""
    lines = [
        f"In brackets: 95 % confidence intervals: the standard error of a bootstrap clustered by {unit}{within}, scaled by "
        f"Student's t over {unit}s, cut to each term's possible range."
    ]
    if unit == SCENARIO and any(summary.scenarios < FEWEST_SCENARIOS for summary in summaries):
        lines.append("They are over episodes of too few scenarios: treat with care.")
    if unit == SEED and all(summary.scenarios < 2 for summary in summaries):
        lines.append("There is one scenario only: the intervals tell how seeds differ, not how scenarios do.")
    elif unit == SEED:
        lines.append(
            "The scenarios are taken as given: the intervals tell how other weeks of them differ, not how scenarios do."
        )
    if all(estimate.low is None for summary in summaries for estimate in summary.terms.values()):
        lines = [f"There is one {unit} only, so there are no confidence intervals."]
    lines.append("sd of J: its standard deviation between seeds of the same id.")
    for summary in summaries:
        missing = {name: count for name, count in summary.statuses.items() if name != "completed"}
        if missing:
            kinds = ", ".join(f"{count} {name}" for name, count in missing.items())
            line = f"{printable(summary.policy)}: {summary.planned} planned, {summary.scored} scored, {kinds}"
            failed = any(name != INTERRUPTED for name in missing)
            zero = summary.failed_as_zero["J"]
            lines.append(line + (f"; J {_number('J', zero)} with failed episodes as 0" if failed else ""))
        blank = [
            f"{SCORES[name]} in {summary.scored - summary.terms[name].n}"
            for name in SCORES
            if summary.terms[name].n < summary.scored
        ]
        if blank:
            lines.append(f"{printable(summary.policy)}: episodes without a value are left out: {', '.join(blank)}")
    if any(summary.incomplete for summary in summaries):
        lines.append("INCOMPLETE: more than 1 % of the planned episodes have no score. Do not cite these means.")
    return lines


def _table(first: str, *others: str) -> Table:
    table = Table(first, *others, box=None, pad_edge=False, padding=(0, 2, 0, 0))
    # Names of runs begin alike: one that is cut short could be any of them. So it goes on below.
    table.columns[0].overflow = "fold"
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
