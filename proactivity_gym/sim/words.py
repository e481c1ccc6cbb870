"""The vocabulary of the decision process: one enumeration per concept.

Every number in an action, an observation or a trace that stands for a word is defined here and nowhere else.
"""

from enum import IntEnum

MAX_SIGNALS = 16
"""Slots of the observation: at most this many signals are shown at once."""

MAX_TOPICS = 12
"""Rows of delegation: `any` and up to eleven topics of the scenario."""

MAX_RESOURCES = 4
"""Rows of resources."""

MAX_ATTEMPTS = 3
"""Attempts that one task allows."""

MAX_DAYS = 14
"""Days of a week: a scenario may take up to two real ones."""

MINUTES_PER_DAY = 1440

ANY_TOPIC = "any"
"""The topic of a statement that covers whatever no other statement covers."""


class Depth(IntEnum):
    """How far an intervention goes (paper, section 4.1)."""

    NOOP = 0
    PREPARE = 1
    SUGGEST = 2
    EXECUTE = 3


class Timing(IntEnum):
    """When an intervention is processed."""

    NOW = 0
    IDLE = 1
    SLEEP = 2
    DUE = 3


class Phase(IntEnum):
    """What the user is doing."""

    FREE = 0
    FOCUS = 1
    SLEEP = 2


class Trigger(IntEnum):
    """What made a signal appear (paper, section 4.1)."""

    USER = 0
    EVENT = 1
    AGENT = 2


class ActionClass(IntEnum):
    """How far-reaching the actions of a piece of work are, from the effect of its tools."""

    READ = 0
    DRAFT = 1
    COMMIT = 2
    CONSEQUENTIAL = 3


class RecordStatus(IntEnum):
    """What a record says about the matter it belongs to."""

    NONE = 0
    OPEN = 1
    CHANGED = 2
    INFO = 3
    DONE = 4
    CANCELLED = 5


class SignalStatus(IntEnum):
    """Why a signal stands in its slot."""

    FRESH = 0
    RETURNED = 1
    DRAFTED = 2
    EXECUTED = 3
    APPROVED = 4
    DECLINED = 5
    DEFERRED = 6
    COMPLAINED = 7
    NOTICE = 8


class Reaction(IntEnum):
    """How the user answers."""

    NONE = 0
    APPROVE = 1
    DECLINE = 2
    DEFER = 3
    COMPLAIN_TOO_DEEP = 4
    COMPLAIN_TOO_TIMID = 5


class Outcome(IntEnum):
    """What became of a task; conditions of later records name these."""

    OPEN = 0
    DRAFTED = 1
    APPROVED = 2
    DECLINED = 3
    EXECUTED = 4
    DISMISSED = 5
    EXPIRED = 6
