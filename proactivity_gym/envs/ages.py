"""The numbers of the observation that change by the minute: how old things are, and the time left to stated deadlines.

All of them are looked up at once in one table. A number has a start in it, set when what it tells of begins; its place is the
start plus the minute, so time does the rest.
"""

from array import array

import numpy as np
import numpy.typing as npt

from proactivity_gym.envs.flat import Flat
from proactivity_gym.envs.layout import BOUNDS, COLUMN, DELEGATION, MAX_SIGNALS, MAX_TOPICS, USER, WIDTH
from proactivity_gym.sim.words import MAX_DAYS, MINUTES_PER_DAY

_DAY, _TWO_DAYS, _EIGHT_DAYS = MINUTES_PER_DAY, 2 * MINUTES_PER_DAY, 8 * MINUTES_PER_DAY
_END = (MAX_DAYS + 1) * MINUTES_PER_DAY
"""After the last minute of any week, summer time included."""
_REACH = _END + _EIGHT_DAYS
_MINUTES = np.arange(-_REACH, _REACH)
"""Minutes since something; less than 0: minutes to it."""

# The table's four parts, (2 * _REACH,) each, and where minute 0 lies in each.
_TABLE: npt.NDArray[np.float32] = np.concatenate(
    [
        np.clip(_MINUTES / _TWO_DAYS, 0, 1),
        np.clip(-_MINUTES / _TWO_DAYS, -1, 1),
        np.clip(_MINUTES / _EIGHT_DAYS, 0, 1),
        np.clip(_MINUTES / _DAY, 0, 1),
    ]
).astype(np.float32)
_AGE, _LEFT, _STATED, _REACTION = (_REACH * part for part in (1, 3, 5, 7))
_NOTHING = _AGE - _END
"""Where a number starts that stays 0: it tells of something that is still to come."""

_START = BOUNDS["signals"].start
_TOLD = len(COLUMN) - len(DELEGATION) + DELEGATION.index("days since it was stated / 8")
_PER_SLOT = [COLUMN["age, in two days"], COLUMN["stated deadline, in two days"], _TOLD]
_FIRST_TOPIC = len(_PER_SLOT) * MAX_SIGNALS
_LAST_REACTION = _FIRST_TOPIC + MAX_TOPICS

_PLACES = np.array(
    [_START + slot * WIDTH + column for slot in range(MAX_SIGNALS) for column in _PER_SLOT]
    + [
        BOUNDS["delegation"].start + topic * len(DELEGATION) + DELEGATION.index("days since it was stated / 8")
        for topic in range(MAX_TOPICS)
    ]
    + [BOUNDS["user"].start + USER.index("days since the last reaction")]
)
"""Where the numbers stand in the observation: three per slot, one per topic, and one."""


_SLOTS = [slice(3 * slot, 3 * slot + 3) for slot in range(MAX_SIGNALS)]
_EMPTY = array("q", [_NOTHING] * 3)


class Ages:
    """What begins when, in one observation."""

    __slots__ = ("_flat", "_starts")

    def __init__(self) -> None:
        """Start with nothing."""
        self._starts = array("q", [_NOTHING]) * len(_PLACES)
        self._flat = Flat(self._starts, np.int64)

    def write(self, flat: npt.NDArray[np.float32], now: int) -> None:
        """Write the numbers into a whole observation (TOTAL,)."""
        flat[_PLACES] = _TABLE[now:][self._flat.view]

    def open_slot(self, slot: int, since: int, by: int, stated: int) -> None:
        """Take note of a signal in a slot: since when it is there, by when it is due, and when its statement was made.

        The latter two as `due` and `stated` tell them.
        """
        starts, place = self._starts, 3 * slot
        starts[place] = _AGE - since
        starts[place + 1] = by
        starts[place + 2] = stated

    def told_slot(self, slot: int, stated: int) -> None:
        """Take note of when the statement that a slot shows was made (as `stated` tells it)."""
        self._starts[3 * slot + 2] = stated

    def empty_slot(self, slot: int) -> None:
        """Take note that a slot is empty."""
        self._starts[_SLOTS[slot]] = _EMPTY

    def told_topic(self, topic: int, stated: int) -> None:
        """Take note of when the last statement of a topic was made (as `stated` tells it)."""
        self._starts[_FIRST_TOPIC + topic] = stated

    def reacted(self, last: int | None) -> None:
        """Take note of the last reaction; none is as old as can be."""
        self._starts[_LAST_REACTION] = _REACTION - (-_DAY if last is None else last)


def due(by: int) -> int:
    """Return the start of a stated deadline; none is as far off as can be."""
    return _LEFT - max(-_TWO_DAYS, min(by, _END + _TWO_DAYS))


def stated(at: int | None) -> int:
    """Return the start of a statement; what was said before the week is as old as can be, None is no statement."""
    return _NOTHING if at is None else _STATED - max(at, -_EIGHT_DAYS)
