"""The paper's human study beside the simulated user: published figures, ours, and both played through whole episodes.

    python examples/human_study.py

See docs/human-study.md for the protocol and for what the table does and does not show.
"""

from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from proactivity_gym.reports import human_study as study
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.user import Offer
from proactivity_gym.sim.words import Depth, Reaction, Timing

SCENARIO = Path(__file__).with_suffix(".toml")
DAYS = (2, 4, 7)
"""Days on which trust is rated, counted from 1."""
OFFERS: dict[str, tuple[str, Offer]] = {
    "after sleep-time work": ("flyer", study.SLEPT),
    "at once, at a free moment": ("flyer", study.AT_ONCE),
    "at once, into focus": ("room", study.COMPETING),
    "content wrong": ("agenda", study.INCOMPLETE),
    "deeper than expected": ("diary", replace(study.SLEPT, expected=Depth.PREPARE)),
    "shallower than expected": ("milk", replace(study.SLEPT, expected=Depth.EXECUTE)),
}
"""What is offered first in the week: the task of `human_study.toml`, and what the user should make of it."""
EPISODES = 2000
"""Weeks that each of them is offered in."""
WIDTH = 160
"""Characters of a line: the tables are Markdown, which cannot be wrapped."""
Z = 2.576
"""Standard deviations to either side of an interval that holds 99 %."""


@dataclass(frozen=True)
class Played:
    """How often an offer was accepted in simulated weeks."""

    name: str
    closed_form: float
    accepted: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 99 % interval (Wilson's) of the rate of acceptance."""
        n, p = EPISODES, self.accepted / EPISODES
        middle, half = p + Z**2 / (2 * n), Z * sqrt(p * (1 - p) / n + Z**2 / (4 * n**2))
        return (middle - half) / (1 + Z**2 / n), (middle + half) / (1 + Z**2 / n)


def begin(draws: np.random.Generator | None = None) -> Episode:
    """Return an episode at its first activation."""
    episode = Episode(catalogue.written_week(str(SCENARIO), "B"), stochastic_user=draws)
    episode.start()
    return episode


def take_up(episode: Episode, task: str, depth: Depth, timing: Timing) -> None:
    """Wait for a task's signal and make an attempt on it."""
    number = next(i for i, row in enumerate(episode.week.plan.tasks) if row.id == task)
    while not episode.over:
        open_signals = [signal for signal in episode.board.slots if signal is not None and signal.task == number]
        if open_signals:
            refused = episode.act(open_signals[0].slot, depth, timing)
            if refused:
                raise LookupError(f"{task}: {refused}")
            return
        episode.wait()
    raise LookupError(f"{task}: no signal came")


def first_answer(task: str, offer: Offer, seed: int) -> Reaction:
    """Return how a stochastic user answers the first offer of a week."""
    episode = begin(np.random.default_rng(seed))
    take_up(episode, task, offer.depth, offer.timing)
    while not episode.over:
        episode.wait()
        for _, name, data in episode.trace:
            if name == "reaction":
                return Reaction(int(data["reaction"] or 0))
    raise LookupError(f"{task}: no answer came")


def played_offers() -> list[Played]:
    """Offer everything in many weeks each."""
    found: list[Played] = []
    for name, (task, offer) in OFFERS.items():
        answers = [first_answer(task, offer, seed) for seed in range(EPISODES)]
        found.append(Played(name, study.accepts(offer), answers.count(Reaction.APPROVE)))
    return found


def played_levels(history: str) -> list[float]:
    """Return trust at the end of each day of rating, for a history of A, O and U."""
    episode, found = begin(), list[float]()
    for day, letter in zip(DAYS, history, strict=True):
        topic = "groceries" if letter == "U" else "workshop"
        take_up(episode, f"{topic}-{day}", study.DEPTHS[letter][0], Timing.IDLE)
        midnight = min(episode.week.plan.horizon, day * 1440)
        while episode.now < midnight:
            episode.wait()
        found.append(episode.inbox.trust)
    return found


def number(value: float, unit: study.Unit) -> str:
    """Write a figure in its unit."""
    if unit == "share":
        return f"{value:.1%}"
    return f"{value:.1f}" if unit == "people" else f"{value:.2f}"


def figure_table(kind: study.Kind) -> Table:
    """Return published figures of one kind beside ours."""
    table = Table(kind, "published", "ours", "within", "computed as", "paper", box=box.MARKDOWN)
    for figure in study.figures():
        if figure.kind == kind:
            within = "" if figure.tolerance is None else f"{'yes' if figure.holds else 'NO'} ({figure.tolerance:g})"
            pair = (number(figure.published, figure.unit), number(figure.ours, figure.unit))
            table.add_row(figure.name, *pair, within, figure.how, figure.source)
    return table


def offer_table() -> Table:
    """Return the acceptances of offers in simulated weeks beside the closed form."""
    table = Table("first offer of a week", "closed form", "played", "99 % interval", "agrees", box=box.MARKDOWN)
    for row in played_offers():
        low, high = row.interval
        agrees = "yes" if low <= row.closed_form <= high else "NO"
        rates = (row.closed_form, row.accepted / EPISODES)
        table.add_row(row.name, *(f"{rate:.1%}" for rate in rates), f"{low:.1%} to {high:.1%}", agrees)
    return table


def trust_table() -> Table:
    """Return trust on the days of rating in simulated weeks beside the law."""
    table = Table("history", *(f"day {day}" for day in DAYS), "equals the law", box=box.MARKDOWN)
    for history in (each for sequence in study.SEQUENCES for each in study.histories(sequence)):
        found = played_levels(history)
        table.add_row(history, *(f"{level:.2f}" for level in found), "yes" if found == study.levels(history) else "NO")
    return table


def main(console: Console) -> None:
    """Print the tables."""
    for table in (figure_table("calibrated"), figure_table("not used in the fit"), offer_table(), trust_table()):
        console.print(table)


if __name__ == "__main__":
    main(Console(width=WIDTH, markup=False))
