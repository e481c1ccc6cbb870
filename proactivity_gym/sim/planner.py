"""When work lands, and when it must start at the latest: rules of delivery by phase."""

from proactivity_gym.sim.timeline import NEVER, inside, last_in, next_in
from proactivity_gym.sim.week import Plan
from proactivity_gym.sim.words import Depth, Timing


def delivery(plan: Plan, timing: Timing, ready: int) -> int:
    """Return when a result that is ready reaches the user: NOW at once unless they sleep, else at the next free moment."""
    if timing == Timing.NOW and not inside(plan.asleep, ready):
        return ready
    return next_in(plan.free, ready)


def lands(plan: Plan, depth: Depth, timing: Timing, ready: int) -> int:
    """Return when an attempt whose work ends at `ready` gets to where TC scores it: offers when delivered, others at once."""
    return delivery(plan, timing, ready) if depth == Depth.SUGGEST and ready < NEVER else ready


def latest_start(plan: Plan, work_min: int, review_min: int, by: int) -> int:
    """Return the latest start whose result is delivered at a free moment and answered by the stated deadline.

    Without a stated deadline (NEVER) the end of the episode takes its place. -1: there is none.
    """
    moment = last_in(plan.free, min(by, plan.horizon) - review_min - plan.latency_min)
    return moment - work_min if moment >= work_min else -1
