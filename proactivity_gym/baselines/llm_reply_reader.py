"""Readers of what models really sent: JSON or native tool calls become records, or an error that says what to mend."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from proactivity_gym.baselines.llm_schema import DECIDE, as_object, given_arguments, tool_name
from proactivity_gym.llm.errors import Unreadable
from proactivity_gym.llm.messages import Reply
from proactivity_gym.llm.replies import parse_json
from proactivity_gym.sim.tools import Call
from proactivity_gym.sim.words import Depth, Timing

_DEPTHS = {depth.name: depth for depth in Depth}
_TIMINGS = {timing.name: timing for timing in Timing}


@dataclass(frozen=True, slots=True)
class Decision:
    """An intervention as a model wrote it."""

    slot: int
    depth: Depth
    timing: Timing


@dataclass(frozen=True, slots=True)
class Turn:
    """What a policy's model wants: to read, or to intervene and end its turn."""

    reads: tuple[Call, ...] = ()
    decisions: tuple[Decision, ...] = ()
    stated: tuple[str, ...] = ()
    inferred: tuple[str, ...] = ()
    look_again: bool = False


@dataclass(frozen=True, slots=True)
class Work:
    """What a worker's model wants: calls, and whether they are the last."""

    calls: tuple[Call, ...]
    done: bool


def turn_of(reply: Reply, slots: Collection[int]) -> Turn:
    """Return the turn in a reply, given the open slots.

    Raises:
        Unreadable: it is none, or names what there is not.
    """
    if not reply.tool_calls:
        return _turn(_object(parse_json(reply.text), "the reply"), slots)
    decisions = [call.arguments for call in reply.tool_calls if call.name == DECIDE]
    reads = tuple(_native(call.name, call.arguments) for call in reply.tool_calls if call.name != DECIDE)
    if len(decisions) > 1:
        raise Unreadable(f"there is more than one call of {DECIDE}: make one")
    if reads or not decisions:
        return Turn(reads=reads)
    return _turn(_object(parse_json(decisions[0]), f"the arguments of {DECIDE}"), slots)


def work_of(reply: Reply, *, native: bool = False) -> Work:
    """Return the work in a reply; where tools are called natively, prose without a call says that all is done.

    Raises:
        Unreadable: it is none.
    """
    if reply.tool_calls:
        return Work(tuple(_native(call.name, call.arguments) for call in reply.tool_calls), done=False)
    if native and "{" not in reply.text:
        return Work((), done=True)
    value = _object(parse_json(reply.text), "the reply")
    if "calls" not in value and "done" not in value:
        raise Unreadable('the reply has neither "calls" nor "done"')
    return Work(_calls(value, "calls"), done=_flag(value, "done"))


def _turn(value: Mapping[str, object], slots: Collection[int]) -> Turn:
    if "interventions" not in value and "reads" not in value:
        raise Unreadable('the reply has neither "interventions" nor "reads"')
    notes = _object(value.get("notes") or {}, '"notes"')
    decisions = tuple(_decision(item, slots) for item in _list(value, "interventions"))
    return Turn(
        reads=_calls(value, "reads"),
        decisions=decisions,
        stated=_texts(notes, "stated"),
        inferred=_texts(notes, "inferred"),
        look_again=_flag(value, "look_again"),
    )


def _decision(item: object, slots: Collection[int]) -> Decision:
    value = _object(item, "an intervention")
    slot, depth, timing = value.get("slot"), value.get("depth"), value.get("timing")
    if isinstance(slot, bool) or not isinstance(slot, int) or slot not in slots:
        known = ", ".join(map(str, sorted(slots))) or "none"
        raise Unreadable(f'an intervention\'s "slot" must be the number of an open signal: {known}')
    if str(depth).upper() not in _DEPTHS:
        raise Unreadable(f'an intervention\'s "depth" must be one of {", ".join(_DEPTHS)}')
    if str(timing).upper() not in _TIMINGS:
        raise Unreadable(f'an intervention\'s "timing" must be one of {", ".join(_TIMINGS)}')
    return Decision(slot, _DEPTHS[str(depth).upper()], _TIMINGS[str(timing).upper()])


def _calls(value: Mapping[str, object], name: str) -> tuple[Call, ...]:
    return tuple(_call(item) for item in _list(value, name))


def _call(item: object) -> Call:
    value = _object(item, "a call")
    tool = value.get("tool")
    if not isinstance(tool, str):
        raise Unreadable('a call needs "tool", the name of a tool')
    name = tool_name(tool)
    return Call(name, given_arguments(name, _object(value.get("arguments"), f'the "arguments" of {tool}')))


def _native(wire: str, arguments: str) -> Call:
    name = tool_name(wire)
    found = _object(parse_json(arguments or "{}"), f"the arguments of {wire}")
    return Call(name, given_arguments(name, found))


def _object(value: object, what: str) -> Mapping[str, object]:
    found = as_object(value)
    if found is None:
        raise Unreadable(f"{what} must be a JSON object")
    return found


def _list(value: Mapping[str, object], name: str) -> Sequence[object]:
    found = value.get(name)
    if found is None:
        return []
    if not isinstance(found, list):
        raise Unreadable(f'"{name}" must be a list')
    return cast("list[object]", found)


def _texts(value: Mapping[str, object], name: str) -> tuple[str, ...]:
    return tuple(item for item in _list(value, name) if isinstance(item, str) and item.strip())


def _flag(value: Mapping[str, object], name: str) -> bool:
    return value.get(name) is True
