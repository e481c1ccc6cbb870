"""Tools: typed functions over the world's records, all checked by one strict policy.

Nothing is coerced: a value fits its parameter's annotation or the call is refused, before anything changes, with tool,
parameter and remedy named.
"""

import inspect
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Literal, cast, get_args, get_origin

from proactivity_gym.sim.words import ActionClass

LARGEST_NUMBER = 2**53
"""Numbers beyond this lose digits in JSON and would overflow sums: they are refused."""

Result = dict[str, object]
"""What a tool answers; JSON can carry it."""


@dataclass(frozen=True, slots=True)
class Call:
    """One use of a tool, made or only proposed."""

    tool: str
    arguments: Mapping[str, object]


class ToolError(ValueError):
    """A call that was refused and changed nothing. `parameter` is None where no single one is to blame."""

    def __init__(self, tool: str, parameter: str | None, remedy: str) -> None:
        """Keep the parts as arguments of the exception, so that it pickles."""
        super().__init__(tool, parameter, remedy)
        self.tool = tool
        self.parameter = parameter
        self.remedy = remedy

    def __str__(self) -> str:
        """Return tool, parameter and remedy."""
        return ": ".join(part for part in (self.tool, self.parameter, self.remedy) if part is not None)


class RefusalError(ValueError):
    """What a tool's function raises, which does not know its own name: `Tool.run` makes a `ToolError` of it."""

    def __init__(self, parameter: str, remedy: str) -> None:
        """Name the parameter to blame and what to give instead."""
        super().__init__(parameter, remedy)
        self.parameter = parameter
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Hint:
    """What an annotation says beyond its type: `Annotated[float, Hint("an amount", minimum=0)]`."""

    text: str
    minimum: int | None = None


RecordId = Annotated[str, Hint("id of a record")]
When = Annotated[str, Hint("local date-time, such as 2027-03-11T07:10")]
Day = Annotated[str, Hint("date, such as 2027-03-11")]
Money = Annotated[float, Hint("amount of money", minimum=0)]
Quantity = Annotated[float, Hint("quantity", minimum=0)]
Count = Annotated[int, Hint("whole number", minimum=1)]


@dataclass(frozen=True, slots=True)
class Kind:
    """What a value may be: in words, as a test and as JSON schema."""

    words: str
    fits: Callable[[object], bool]
    schema: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool."""

    kind: Kind
    required: bool


@dataclass(frozen=True, slots=True)
class Tool:
    """A function of an app, as workers call it."""

    name: str
    app: str
    effect: ActionClass
    function: Callable[..., Result]
    description: str
    parameters: Mapping[str, Parameter]

    def check(self, arguments: Mapping[str, object]) -> None:
        """Refuse arguments that are unknown, missing or of the wrong kind.

        Raises:
            ToolError: naming the first parameter at fault.
        """
        for name in arguments:
            if name not in self.parameters:
                known = ", ".join(self.parameters)
                raise ToolError(self.name, name, f"there is no such parameter: remove it; the tool takes {known}")
        for name, parameter in self.parameters.items():
            if name not in arguments:
                if parameter.required:
                    raise ToolError(self.name, name, f"it is missing: give {parameter.kind.words}")
            elif not parameter.kind.fits(arguments[name]):
                given = reprlib.repr(arguments[name])
                raise ToolError(self.name, name, f"it must be {parameter.kind.words}, not {given}")

    def run(self, state: object, arguments: Mapping[str, object]) -> Result:
        """Check the arguments and call the function with the state and them.

        Raises:
            ToolError: the arguments do not fit each other or the state; nothing has changed.
        """
        self.check(arguments)
        try:
            return self.function(state, **arguments)
        except RefusalError as refusal:
            raise ToolError(self.name, refusal.parameter, refusal.remedy) from refusal


def define(app: str, effect: ActionClass, function: Callable[..., Result]) -> Tool:
    """Return the tool of a function: name, docstring and annotations say all; its first parameter is the state.

    Raises:
        TypeError: there is no docstring, or an annotation that `kind_of` does not know.
    """
    description = inspect.getdoc(function)
    if not description:
        raise TypeError(f"{app}.{function.__name__} needs a docstring: it is what workers read")
    signature = list(inspect.signature(function).parameters.values())[1:]
    parameters = {item.name: Parameter(kind_of(item.annotation), item.default is item.empty) for item in signature}
    return Tool(f"{app}.{function.__name__}", app, effect, function, description, MappingProxyType(parameters))


def schema(tool: Tool) -> dict[str, object]:
    """Return the JSON schema of a tool in the style of OpenAI's functions (whose API wants another name: no dot)."""
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": {
            "type": "object",
            "properties": {name: dict(parameter.kind.schema) for name, parameter in tool.parameters.items()},
            "required": [name for name, parameter in tool.parameters.items() if parameter.required],
            "additionalProperties": False,
        },
    }


def is_number(value: object) -> bool:
    """Whether a value is a finite number of reasonable size, and not a truth value."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= LARGEST_NUMBER  # NaN compares false; an endless one is too large


def kind_of(annotation: object) -> Kind:
    """Return what an annotation allows: str, int, float, bool, list[str], a Literal, or one of them with a `Hint`.

    Raises:
        TypeError: for any other annotation.
    """
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _narrowed(kind_of(parts[0]), parts[1])
    if origin is Literal:
        return _choice(parts)
    if annotation not in _KINDS:
        raise TypeError(f"{annotation!r} is no kind of argument: use str, int, float, bool, list[str] or a Literal")
    return _KINDS[annotation]


def _narrowed(kind: Kind, hint: Hint) -> Kind:
    words, narrowed = f"{kind.words} ({hint.text})", {**kind.schema, "description": hint.text}
    least = hint.minimum
    if least is None:
        return Kind(words, kind.fits, narrowed)

    def fits(value: object) -> bool:
        return kind.fits(value) and cast("float", value) >= least

    return Kind(f"{words}, at least {least}", fits, {**narrowed, "minimum": least})


def _choice(options: tuple[object, ...]) -> Kind:
    def fits(value: object) -> bool:
        return any(type(value) is type(option) and value == option for option in options)

    return Kind("one of " + ", ".join(map(repr, options)), fits, {"enum": list(options)})


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in cast("list[object]", value))


_KINDS: Mapping[object, Kind] = {
    str: Kind("text", lambda value: isinstance(value, str), {"type": "string"}),
    int: Kind("a whole number", lambda value: isinstance(value, int) and is_number(value), {"type": "integer"}),
    float: Kind("a number", is_number, {"type": "number"}),
    bool: Kind("true or false", lambda value: isinstance(value, bool), {"type": "boolean"}),
    list[str]: Kind("a list of texts", _is_texts, {"type": "array", "items": {"type": "string"}}),
}
