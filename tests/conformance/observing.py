"""Rows of the observation for the test of how well it tells what is expected: one for each case, its evidence read.

A feature is a column of the signal's own row. The rest of the observation is left out on purpose: clock and resources tell the
personas apart by their rhythms, and with them a tree could learn persona and task by heart instead of delegation.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from proactivity_gym.baselines.oracle import choose
from proactivity_gym.envs.encode import Encoder
from proactivity_gym.envs.layout import SIGNAL, WIDTH
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.words import Depth, Timing
from tests.conformance.drivers import CASES

DELEGATION = [i for i, name in enumerate(SIGNAL) if name.startswith("delegation: ") or name == "amount / stated limit / 2"]
"""Columns that come from what the user said about delegation: its row, and the limit that was stated."""


@dataclass(frozen=True)
class Sample:
    """Cases of one scenario, personas pooled."""

    rows: npt.NDArray[np.float32]  # (cases, WIDTH)
    depths: npt.NDArray[np.int64]  # (cases,)
    tasks: frozenset[str]


@cache
def sample(scenario: str, stream: str, weeks: int) -> Sample:
    """Return the cases of some weeks of each persona, as the oracle meets them."""
    rows: list[npt.NDArray[np.float32]] = []
    depths: list[int] = []
    tasks: set[str] = set()
    for persona in catalogue.PERSONAS:
        for seed in range(weeks):
            for row, depth, task in cases(Episode(catalogue.week(scenario, persona, stream, seed))):
                rows.append(row)
                depths.append(depth)
                tasks.add(task)
    return Sample(np.array(rows), np.array(depths), frozenset(tasks))


def cases(playing: Episode) -> Iterable[tuple[npt.NDArray[np.float32], int, str]]:
    """Yield row, expected depth and task of each case that needs something done, once its evidence is read."""
    playing.start()
    encoder = Encoder(playing)
    done: set[int] = set()
    while not playing.over:
        action = choose(playing)
        for slot, signal in enumerate(list(playing.board.slots)):
            if signal is None or signal.task in done or not _is_case(playing, signal):
                continue
            deciding = action[0] == slot + 1 and action[1] != Depth.NOOP
            if deciding or playing.now >= playing.week.task_ready[signal.task]:
                done.add(signal.task)
                playing.note_read(playing.week.links(signal.index))
                row = encoder.observe()["signals"].reshape(-1, WIDTH)[slot]
                yield row, int(playing.expected(signal.index)), playing.week.plan.tasks[signal.task].id
        if not action[0] or playing.act(action[0] - 1, Depth(action[1]), Timing(action[2])) is not None:
            playing.wait()


def _is_case(playing: Episode, signal: OpenSignal) -> bool:
    """Tell whether a signal stands for a request or a latent need that is undecided."""
    if signal.task < 0 or playing.week.task_noop[signal.task]:
        return False
    return not playing.outcomes.matters[signal.task].decided


def accuracy(train: Sample, test: Sample, columns: list[int]) -> float:
    """Return how often a decision tree over some columns, fitted on one sample, is right about another."""
    from sklearn.tree import DecisionTreeClassifier

    tree: Any = DecisionTreeClassifier(random_state=0)
    tree.fit(train.rows[:, columns], train.depths)
    return float(tree.score(test.rows[:, columns], test.depths))


@dataclass(frozen=True)
class Arrivals:
    """Signals as they arrive in weeks in which nothing is done."""

    rows: npt.NDArray[np.float32]  # (signals, WIDTH)
    needs: npt.NDArray[np.bool_]  # (signals,): whether something should be done; noise and NOOP cases are the rest


def arrivals(stream: str, weeks: int) -> Arrivals:
    """Return each signal's row at its arrival, over some weeks of every scenario and persona."""
    found = [
        arrival
        for scenario, persona in CASES
        for seed in range(weeks)
        for arrival in _arriving(Episode(catalogue.week(scenario, persona, stream, seed)))
    ]
    return Arrivals(np.array([row for row, _ in found]), np.array([need for _, need in found]))


def _arriving(playing: Episode) -> Iterable[tuple[npt.NDArray[np.float32], bool]]:
    playing.start()
    encoder = Encoder(playing)
    seen: set[int] = set()
    while not playing.over:
        rows = np.array(encoder.observe()["signals"]).reshape(-1, WIDTH)
        for slot, signal in enumerate(playing.board.slots):
            if signal is not None and signal.index not in seen:
                seen.add(signal.index)
                yield rows[slot], signal.task >= 0 and not playing.week.task_noop[signal.task]
        playing.wait()


def told_apart(train: Arrivals, test: Arrivals) -> float:
    """Return the area under the curve of a linear classifier of needs, fitted on one sample and judged on another."""
    from sklearn import metrics
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    scaler: Any = StandardScaler()
    fitted: Any = LogisticRegression(max_iter=3000)
    fitted.fit(scaler.fit_transform(train.rows), train.needs)
    judged: Any = metrics
    return float(judged.roc_auc_score(test.needs, fitted.decision_function(scaler.transform(test.rows))))
