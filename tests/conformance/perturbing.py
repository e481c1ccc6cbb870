"""Traces in which one wrong choice is mended and all other outcomes stay as they are."""

from collections.abc import Callable, Iterator

from proactivity_gym.sim.trace import Entry, Value
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import Depth, Timing

Data = dict[str, Value]
Mend = Callable[[Week, str, Data], "list[tuple[str, Data]] | None"]
"""From one entry to what stands in its place, or None where it has nothing to mend."""


def depth(_: Week, name: str, data: Data) -> list[tuple[str, Data]] | None:
    """A first attempt that was too deep or too shallow has the expected depth."""
    wrong = (
        name == "attempt" and data["first"] and data["task"] != -1 and data["expected"] and data["depth"] != data["expected"]
    )
    return [(name, {**data, "depth": data["expected"]})] if wrong else None


def too_deep_later(_: Week, name: str, data: Data) -> list[tuple[str, Data]] | None:
    """A later attempt that went too deep does not."""
    later = name == "attempt" and not data["first"] and int(data["depth"] or 0) > int(data["expected"] or 0)
    return [(name, {**data, "depth": data["expected"]})] if later and data["expected"] else None


def needless(_: Week, name: str, data: Data) -> list[tuple[str, Data]] | None:
    """An attempt on a NOOP case is a dismissal after reading."""
    wrong = name == "attempt" and data["first"] and data["task"] != -1 and data["expected"] == Depth.NOOP
    told: Data = {"signal": data.get("signal"), "task": data.get("task"), "expected": 0, "evidence": 1.0}
    return [("dismiss", told)] if wrong else None


def noise(_: Week, name: str, data: Data) -> list[tuple[str, Data]] | None:
    """An attempt on noise is not made."""
    return [] if name == "attempt" and data["task"] == -1 else None


def unread(_: Week, name: str, data: Data) -> list[tuple[str, Data]] | None:
    """A dismissal reads the evidence first."""
    return [(name, {**data, "evidence": 1.0})] if name == "dismiss" and data["evidence"] != 1.0 else None


def content(_: Week, name: str, data: Data) -> list[tuple[str, Data]] | None:
    """Work that was wrong or late is right and in time."""
    return [(name, {**data, "tc": 1.0, "late": False})] if name == "credit" and (data["tc"] != 1.0 or data["late"]) else None


def competing(_: Week, name: str, _data: Data) -> list[tuple[str, Data]] | None:
    """A job that competed does not."""
    return [] if name == "compete" else None


def timing(week: Week, name: str, data: Data) -> list[tuple[str, Data]] | None:
    """An urgent task that was put off is taken at once."""
    urgent = {row.urgent for row in week.plan.windows}
    wrong = name == "attempt" and data["first"] and data["task"] in urgent and data["timing"] != Timing.NOW
    return [(name, {**data, "timing": int(Timing.NOW)})] if wrong else None


MENDS: dict[str, Mend] = {
    mend.__name__: mend for mend in (depth, too_deep_later, needless, noise, unread, content, competing, timing)
}


def mended(entries: list[Entry], week: Week) -> Iterator[tuple[str, list[Entry]]]:
    """Yield the name of a mend and the trace with it, for each place that has one."""
    for place, (minute, name, data) in enumerate(entries):
        for kind, mend in MENDS.items():
            instead = mend(week, name, data)
            if instead is not None:
                yield kind, [*entries[:place], *((minute, *each) for each in instead), *entries[place + 1 :]]
