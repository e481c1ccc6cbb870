"""The layout of the observation: which number stands where."""

from copy import copy

import numpy as np
from gymnasium import spaces

from proactivity_gym.sim.words import (
    MAX_RESOURCES,
    MAX_SIGNALS,
    MAX_TOPICS,
    ActionClass,
    Depth,
    Phase,
    Reaction,
    RecordStatus,
    SignalStatus,
    Trigger,
)

MAX_APPS = 16

CLOCK = (
    "minute of day, sine", "minute of day, cosine", "weekday, sine", "weekday, cosine", "share of the episode gone",
    "days to wake-up", "days to sleep", "days to the next free gap",
)  # fmt: skip

USER = (
    *(f"phase is {phase.name.lower()}" for phase in Phase),
    "focus left, in half days", "offers waiting / 4", "offers today / 8", "interruptions today / 8",
    "days since the last reaction",
)  # fmt: skip

RESOURCE = (
    "present", "capacity / 8", "share free now", "share free in the next gap", "share free tonight",
    "days queued by the agent",
)  # fmt: skip

DELEGATION = (
    "nothing stated",
    *(f"last stated: {depth.name.lower()}" for depth in (Depth.PREPARE, Depth.SUGGEST, Depth.EXECUTE)),
    "days since it was stated / 8",
    "approvals / 8", "declines / 8", "complaints as too deep / 8", "complaints as too timid / 8",
)  # fmt: skip

SIGNAL = (
    "present",
    *(f"app {app}" for app in range(MAX_APPS)),
    *(f"trigger is {trigger.name.lower()}" for trigger in Trigger),
    *(f"topic row {topic}" for topic in range(MAX_TOPICS)),
    *(f"status is {status.name.lower()}" for status in SignalStatus),
    "age, in two days",
    "a deadline is stated",
    "stated deadline, in two days",
    "work, in half days",
    "review, in hours",
    *(f"resource row {resource}" for resource in range(MAX_RESOURCES)),
    "demand as share of capacity",
    "clashes with usage now",
    "fits before the stated deadline if IDLE",
    "fits before the stated deadline if SLEEP",
    *(f"class is {action_class.name.lower()}" for action_class in ActionClass),
    "an amount is at stake",
    "amount / stated limit / 2",
    "reversible",
    "asked for",
    "records linked / 8",
    *(f"newest linked record is {status.name.lower()}" for status in RecordStatus),
    "share of linked records read",
    "already resolved, as read",
    "facts out, as read",
    *(f"last reaction is {reaction.name.lower().replace('_', ' ')}" for reaction in Reaction),
    *(f"delegation: {name}" for name in DELEGATION),
)
"""Names of the columns of one signal's row."""

COLUMN = {name: i for i, name in enumerate(SIGNAL)}
WIDTH = len(SIGNAL)

SHAPES = {
    "clock": len(CLOCK),
    "user": len(USER),
    "resources": MAX_RESOURCES * len(RESOURCE),
    "delegation": MAX_TOPICS * len(DELEGATION),
    "signals": MAX_SIGNALS * WIDTH,
}
"""Length of each key of the observation; tables are row-major."""

BOUNDS: dict[str, slice] = {}
for _name, _length in SHAPES.items():
    _start = sum(part.stop - part.start for part in BOUNDS.values())
    BOUNDS[_name] = slice(_start, _start + _length)
TOTAL = sum(SHAPES.values())


_BOXES = {name: spaces.Box(-1.0, 1.0, (length,), np.float32) for name, length in SHAPES.items()}


def observation_space() -> spaces.Dict:
    """Return the observation space: a Dict of float32 boxes in [-1, 1]; all of them share their bounds, 17 KB."""
    return spaces.Dict({name: copy(box) for name, box in _BOXES.items()})


def action_space() -> spaces.MultiDiscrete:
    """Return the action space: target (0 waits, 1 to 16 a slot), depth, timing."""
    return spaces.MultiDiscrete([MAX_SIGNALS + 1, len(Depth), 4])
