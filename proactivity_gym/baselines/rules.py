"""A rule of thumb: the best honest heuristic over the observation. Frozen before anything was trained."""

from collections.abc import Mapping
from typing import Any

from proactivity_gym.baselines import rows
from proactivity_gym.baselines.policy import WAIT, Action, Observation, Read
from proactivity_gym.envs.layout import COLUMN
from proactivity_gym.sim.words import Depth, Timing

_SOON = 0.1
"""Stated deadline, in two days: some five hours."""


def _column(name: str) -> int:
    return COLUMN[name]


_ASKED, _READ, _RESOLVED = _column("asked for"), _column("share of linked records read"), _column("already resolved, as read")
_FACTS = _column("facts out, as read")
_RETURNED = _column("status is returned")
_HAS_BY, _BY = _column("a deadline is stated"), _column("stated deadline, in two days")
_IDLE, _SLEEP = _column("fits before the stated deadline if IDLE"), _column("fits before the stated deadline if SLEEP")
_LINKED, _INFO = _column("records linked / 8"), _column("newest linked record is info")
_OVER_LIMIT = _column("amount / stated limit / 2")
_CONSEQUENTIAL, _HAS_AMOUNT = _column("class is consequential"), _column("an amount is at stake")
_SAID_PREPARE = _column("delegation: last stated: prepare")
_SAID_EXECUTE = _column("delegation: last stated: execute")


class Rules:
    """Drops what is settled or about nothing, defers what can wait, takes the rest now, as deep as was stated."""

    def reset(self, observation: Observation, info: Mapping[str, Any], seed: int, read: Read) -> None:
        """Start an episode; nothing is kept from one decision to the next."""

    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        """Return the next intervention, or wait."""
        for target, row in rows.fresh(observation):
            depth, timing = self._decide(row)
            if (depth, timing) != (None, None):
                return target, int(depth or 0), int(timing or 0)
        return WAIT

    def _decide(self, row: rows.Row) -> tuple[Depth | None, Timing | None]:
        if row[_RESOLVED]:
            return Depth.NOOP, Timing.NOW
        if row[_READ] < 1 and not _urgent(row) and not row[_ASKED] and not row[_RETURNED]:
            return Depth.NOOP, Timing.IDLE
        if not row[_ASKED] and not row[_LINKED] and row[_INFO]:
            return Depth.NOOP, Timing.NOW
        return depth_for(row), timing_for(row)


def depth_for(row: rows.Row) -> Depth:
    """Return how deep the rules go once they take a signal up."""
    if row[_SAID_PREPARE]:
        return Depth.PREPARE
    covered = row[_OVER_LIMIT] <= 0.5 and (not row[_CONSEQUENTIAL] or bool(row[_HAS_AMOUNT]))
    return Depth.EXECUTE if row[_SAID_EXECUTE] and covered else Depth.SUGGEST


def timing_for(row: rows.Row) -> Timing:
    """Return when the rules do what they take up."""
    if _urgent(row):
        return Timing.NOW
    return Timing.IDLE if row[_IDLE] else Timing.SLEEP if row[_SLEEP] else Timing.NOW


def _urgent(row: rows.Row) -> bool:
    return bool(row[_HAS_BY]) and not row[_IDLE]
