"""What an observation says of a minute whatever the agent does: the clock, the user's phase, and what is foreseen to be free.

Worked out once per plan, as it is asked for, and shared by all episodes of its weeks.
"""

from array import array
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, sin

from proactivity_gym.envs.layout import CLOCK, USER
from proactivity_gym.sim.timeline import next_in, next_start
from proactivity_gym.sim.week import Plan
from proactivity_gym.sim.words import Phase

_DAY, _HALF_DAY = 1440.0, 720.0
_PHASES = {phase: tuple(float(phase == other) for other in Phase) for phase in Phase}
_PLANS_KEPT = 64

MOMENT = len(CLOCK) + USER.index("offers waiting / 4")
"""How many numbers, from the first of the clock on, follow from the minute."""


@dataclass(slots=True, eq=False)
class Stretch:
    """What is foreseen to be free, per resource as a share of its capacity, until a change of phase or forecast."""

    until: int
    then: "array[float]"  # (resources,)
    """In the next gap, or now if the user is free."""
    tonight: "array[float]"  # (resources,)
    """When the user next goes to sleep, or now if they are asleep."""


@lru_cache(_PLANS_KEPT)
def outlook_of(plan: Plan) -> "Outlook":
    """Return the outlook of a plan."""
    return Outlook(plan)


class Outlook:
    """The minutes of a plan, one by one and in stretches."""

    __slots__ = ("_bounds", "_plan", "_stretches", "moments")

    def __init__(self, plan: Plan) -> None:
        """Take the plan."""
        self._plan = plan
        self._bounds = sorted({*plan.phase_starts, *plan.forecast.changes, plan.horizon})
        self._stretches: dict[int, Stretch] = {}
        self.moments = _Moments(plan)
        """The first MOMENT numbers of the observation, by minute."""

    def __reduce__(self) -> tuple[object, tuple[Plan]]:
        """Copy and pickle it as what it follows from."""
        return outlook_of, (self._plan,)

    def stretch(self, minute: int) -> Stretch:
        """Return the stretch that a minute lies in."""
        index = bisect_right(self._bounds, minute)
        found = self._stretches.get(index)
        if found is None:
            found = self._stretches[index] = self._look(minute, self._bounds[index])
        return found

    def _look(self, minute: int, until: int) -> Stretch:
        plan = self._plan
        shares: list[array[float]] = []
        for spans in (plan.free, plan.asleep):
            at = next_in(spans, minute)
            free = [plan.forecast.free_at(i, at) / row.capacity for i, row in enumerate(plan.resources)]
            shares.append(array("f", free))
        return Stretch(until, *shares)


class _Moments(dict[int, "array[float]"]):
    """Numbers of the clock and the user's phase by minute, each worked out when it is first asked for."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self._plan = plan

    def __missing__(self, minute: int) -> "array[float]":
        plan = self._plan
        local = plan.clock.local(minute)
        angle, weekday = 2 * pi * (local.hour * 60 + local.minute) / _DAY, 2 * pi * local.weekday() / 7
        phase = plan.phase(minute)
        gap = next_in(plan.free, minute) - minute if phase != Phase.FREE else 0
        numbers = (
            sin(angle),
            cos(angle),
            sin(weekday),
            cos(weekday),
            minute / plan.horizon,
            capped((next_in(plan.awake, minute) - minute) / _DAY) if phase == Phase.SLEEP else 0.0,
            capped((next_start(plan.asleep, minute) - minute) / _DAY),
            capped(gap / _DAY),
            *_PHASES[phase],
            capped(gap / _HALF_DAY) if phase == Phase.FOCUS else 0.0,
        )
        found = self[minute] = array("f", numbers)
        return found


def capped(number: float) -> float:
    """Return a number, at most 1."""
    return number if number < 1.0 else 1.0
