"""What models may answer: JSON schemas, native tools and lists of tools in words, all made from the tools themselves.

Schemas keep to the subset that strict modes take: every property is required, nothing else is allowed; what may be left out
may be null instead.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, cast

from proactivity_gym.sim.tools import Parameter, Tool, schema
from proactivity_gym.sim.words import MAX_SIGNALS, ActionClass, Depth, Timing
from proactivity_gym.sim.world import TOOLS

if TYPE_CHECKING:
    from proactivity_gym.sim.scenario import Scenario

Schema = dict[str, object]

DECIDE = "decide"
"""The native tool that ends a policy's reading."""

_EFFECTS = {ActionClass.DRAFT: "draft: ", ActionClass.COMMIT: "commit: ", ActionClass.CONSEQUENTIAL: "consequential: "}
_TEXT: Schema = {"type": "string"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}


def reading_tools() -> list[Tool]:
    """Return the tools that only read."""
    return [tool for tool in TOOLS.values() if tool.effect == ActionClass.READ]


def tools_of(scenario: "Scenario") -> list[Tool]:
    """Return the tools of the apps that a scenario uses; those of the others would only fill prompts."""
    apps = {record.app for record in scenario.records}
    apps |= {action.tool.partition(".")[0] for task in scenario.tasks for action in task.actions}
    return [tool for tool in TOOLS.values() if tool.app in apps]


@cache
def turn_schema() -> Schema:
    """Return the schema of a policy's reply."""
    calls = {"type": "array", "items": _any_call(reading_tools())}
    return _object({"thought": _TEXT, "reads": calls} | _decision_properties())


def work_schema(tools: Sequence[Tool]) -> Schema:
    """Return the schema of a worker's reply."""
    calls = {"type": "array", "items": _any_call(tools)}
    return _object({"thought": _TEXT, "calls": calls, "done": {"type": "boolean"}})


def native_tools(tools: Iterable[Tool]) -> tuple[Schema, ...]:
    """Return tools in OpenAI's form, under names that it takes."""
    return tuple({"type": "function", "function": schema(tool) | {"name": wire_name(tool.name)}} for tool in tools)


def decide_tool() -> Schema:
    """Return the native tool that carries a policy's decision."""
    described = {
        "name": DECIDE,
        "description": "End your reading with a decision.",
        "parameters": _object(_decision_properties()),
    }
    return {"type": "function", "function": described}


def wire_name(tool: str) -> str:
    """Return a tool's name as OpenAI takes it: `mail__send` for `mail.send`."""
    return tool.replace(".", "__")


def tool_name(wire: str) -> str:
    """Return the name of a tool that a model called, whichever way it wrote it."""
    return wire if wire in TOOLS else wire.replace("__", ".")


def tools_in_words(tools: Iterable[Tool]) -> str:
    """Return a list of tools for a prompt; those that every app has alike stand on one line."""
    apps: dict[str, list[str]] = {}
    for tool in tools:
        verb = tool.name.partition(".")[2]
        words = ", ".join(f'"{name}": {_kind(parameter)}' for name, parameter in tool.parameters.items())
        apps.setdefault(f"{verb} {{{words}}}: {_EFFECTS.get(tool.effect, '')}{tool.description}", []).append(tool.app)
    lines: list[str] = []
    told: list[str] = []
    for rest, names in apps.items():
        lines.append(_line(rest, names, told))
        told = names if len(names) > 1 else told
    return "\n".join(lines)


@cache
def reading_words() -> str:
    """Return the list of the tools that only read."""
    return tools_in_words(reading_tools())


def _kind(parameter: Parameter) -> str:
    hint = str(parameter.kind.schema.get("description", parameter.kind.words))
    return hint if parameter.required else f"{hint} or null"


def _line(rest: str, apps: Sequence[str], told: Sequence[str]) -> str:
    """Return the line of a tool of one app or several; those that were told last are not told again."""
    if len(apps) == 1:
        return f"- {apps[0]}.{rest}"
    return f"- APP.{rest}" + ("" if apps == told else f" APP is one of {', '.join(apps)}.")


def _decision_properties() -> Schema:
    slot: Schema = {"type": "integer", "enum": list(range(1, MAX_SIGNALS + 1))}
    depth: Schema = {"type": "string", "enum": [depth.name for depth in Depth]}
    timing: Schema = {"type": "string", "enum": [timing.name for timing in Timing]}
    interventions = {"type": "array", "items": _object({"slot": slot, "depth": depth, "timing": timing})}
    notes = _object({"stated": _TEXTS, "inferred": _TEXTS})
    return {"interventions": interventions, "notes": notes, "look_again": {"type": "boolean"}}


def _any_call(tools: Sequence[Tool]) -> Schema:
    """Return the schema of a call of one of some tools; those with the same parameters share a branch."""
    branches: list[tuple[Schema, list[str]]] = []
    for tool in tools:
        arguments = _arguments(tool)
        names = next((names for known, names in branches if known == arguments), None)
        if names is None:
            branches.append((arguments, [tool.name]))
        else:
            names.append(tool.name)
    return {"anyOf": [_object({"tool": {"type": "string", "enum": names}, "arguments": known}) for known, names in branches]}


def _arguments(tool: Tool) -> Schema:
    found: Schema = {}
    for name, parameter in tool.parameters.items():
        kind = dict(parameter.kind.schema)
        found[name] = kind if parameter.required else {"anyOf": [kind, {"type": "null"}]}
    return _object(found)


def _object(properties: Mapping[str, object]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def given_arguments(tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
    """Return arguments without the nulls that stand for optional ones left out."""
    known = TOOLS.get(tool)
    optional = {name for name, parameter in known.parameters.items() if not parameter.required} if known else set[str]()
    return {name: value for name, value in arguments.items() if value is not None or name not in optional}


def as_object(value: object) -> Mapping[str, object] | None:
    """Return a value if it is a JSON object."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else None
