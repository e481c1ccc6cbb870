import json
import math
import pickle
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proactivity_gym.sim.tools import (
    LARGEST_NUMBER,
    Call,
    Count,
    Result,
    Tool,
    ToolError,
    define,
    is_number,
    kind_of,
    schema,
)
from proactivity_gym.sim.words import ActionClass
from proactivity_gym.sim.world import TOOLS
from tests.sim.apps.sample import right, sample

WRONG: dict[str, list[object]] = {
    "string": [None, 5, True, ["a"], {"a": 1}, b"a"],
    "number": [None, "120.5", True, [1], math.nan, math.inf, -math.inf, LARGEST_NUMBER + 1, -1],
    "integer": [None, "4", True, 4.0, [4], LARGEST_NUMBER + 1, 0],
    "array": [None, "Ana", 5, ["Ana", 5], [None], ("Ana",), {"Ana": 1}],
}
EVERY_PARAMETER = [(tool.name, parameter) for tool in TOOLS.values() for parameter in tool.parameters]
WRONG_CALLS = [
    (name, parameter, wrong)
    for name, parameter in EVERY_PARAMETER
    for wrong in WRONG[str(TOOLS[name].parameters[parameter].kind.schema["type"])]
]


def refusal(name: str, arguments: dict[str, object]) -> ToolError:
    """Make a call that is refused and changes nothing."""
    world = sample()
    before = world.snapshot()
    with pytest.raises(ToolError) as caught:
        world.call(name, arguments)
    assert world.snapshot() == before
    assert caught.value.tool == name
    return caught.value


@pytest.mark.parametrize("name", TOOLS)
def test_right_arguments_are_taken(name: str) -> None:
    world, tool = sample(), TOOLS[name]
    before = world.snapshot()
    result = world.call(name, right(tool))
    assert json.loads(json.dumps(result)) == result
    assert (world.snapshot() == before) is (tool.effect is ActionClass.READ)


@pytest.mark.parametrize(("name", "parameter", "wrong"), WRONG_CALLS)
def test_a_value_of_the_wrong_kind_is_refused(name: str, parameter: str, wrong: object) -> None:
    error = refusal(name, {**right(TOOLS[name]), parameter: wrong})
    assert error.parameter == parameter
    assert "it must be" in str(error)


@pytest.mark.parametrize(("name", "parameter"), EVERY_PARAMETER)
def test_a_missing_argument_is_refused(name: str, parameter: str) -> None:
    arguments = right(TOOLS[name])
    del arguments[parameter]
    error = refusal(name, arguments)
    assert (error.parameter, "missing" in error.remedy) == (parameter, True)


@pytest.mark.parametrize("name", TOOLS)
def test_an_extra_argument_is_refused(name: str) -> None:
    assert refusal(name, {**right(TOOLS[name]), "colour": "red"}).parameter == "colour"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(call=st.sampled_from(EVERY_PARAMETER), junk=JSON)
def test_junk_is_taken_or_refused_by_name(call: tuple[str, str], junk: object) -> None:
    name, parameter = call
    world = sample()
    before = world.snapshot()
    try:
        world.call(name, {**right(TOOLS[name]), parameter: junk})
    except ToolError as error:
        assert error.parameter in (parameter, "end")  # a new start may come after the end
        assert world.snapshot() == before
    else:
        assert TOOLS[name].parameters[parameter].kind.fits(junk)


def paint(_: object, colour: Literal["red", "blue", 1], coats: Count = 2, dry: bool = True) -> Result:
    """Paint it."""
    return {"said": f"{colour} x {coats}", "dry": dry}


PAINT = define("shed", ActionClass.DRAFT, paint)


@pytest.mark.parametrize("colour", ["green", "RED", "", None, True, 1.0, ["red"]])
def test_only_the_listed_choices_are_taken(colour: object) -> None:
    with pytest.raises(ToolError, match=r"shed\.paint: colour: it must be one of 'red', 'blue', 1, not"):
        PAINT.run(None, {"colour": colour})


@pytest.mark.parametrize("dry", [0, 1, "true", None])
def test_only_truth_values_are_true_or_false(dry: object) -> None:
    with pytest.raises(ToolError, match="dry: it must be true or false"):
        PAINT.run(None, {"colour": "red", "dry": dry})


def test_defaults_may_be_left_out() -> None:
    assert PAINT.run(None, {"colour": "red"}) == {"said": "red x 2", "dry": True}
    assert PAINT.run(None, {"colour": 1, "coats": 3, "dry": False}) == {"said": "1 x 3", "dry": False}


def test_a_tool_is_what_its_function_says() -> None:
    assert (PAINT.name, PAINT.app, PAINT.effect) == ("shed.paint", "shed", ActionClass.DRAFT)
    assert PAINT.description == "Paint it."


def test_schema_in_full() -> None:
    assert schema(PAINT) == {
        "name": "shed.paint",
        "description": "Paint it.",
        "parameters": {
            "type": "object",
            "properties": {
                "colour": {"enum": ["red", "blue", 1]},
                "coats": {"type": "integer", "description": "whole number", "minimum": 1},
                "dry": {"type": "boolean"},
            },
            "required": ["colour"],
            "additionalProperties": False,
        },
    }


@pytest.mark.parametrize("tool", TOOLS.values(), ids=list(TOOLS))
def test_every_schema_is_json(tool: Tool) -> None:
    shown = schema(tool)
    assert json.loads(json.dumps(shown)) == shown
    assert shown["name"] == tool.name
    assert len(tool.description.splitlines()) == 1


def test_a_schema_does_not_share_the_tool_s_state() -> None:
    schema(PAINT)["parameters"] = None
    assert schema(PAINT)["parameters"] is not None


def test_a_function_without_docstring_is_no_tool() -> None:
    def silent(_: object) -> Result:
        return {}

    with pytest.raises(TypeError, match=r"shed\.silent needs a docstring"):
        define("shed", ActionClass.READ, silent)


def test_other_annotations_are_no_kinds() -> None:
    with pytest.raises(TypeError, match="no kind of argument"):
        kind_of(dict[str, int])


def test_an_error_names_tool_parameter_and_remedy_and_pickles() -> None:
    error = ToolError("mail.send", "to", "it is missing: give text")
    twin = pickle.loads(pickle.dumps(error))
    assert str(twin) == str(error) == "mail.send: to: it is missing: give text"
    assert (twin.tool, twin.parameter, twin.remedy) == (error.tool, error.parameter, error.remedy)
    assert str(ToolError("mail.sing", None, "there is no such tool")) == "mail.sing: there is no such tool"


def test_long_values_are_cut_in_errors() -> None:
    assert len(str(refusal("mail.send", {**right(TOOLS["mail.send"]), "to": ["x" * 9999] * 9999}))) < 300


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0, True), (-2.5, True), (LARGEST_NUMBER, True), (10**400, False), (math.nan, False), (True, False), ("1", False)],
)
def test_what_is_a_number(value: object, expected: bool) -> None:
    assert is_number(value) is expected


def test_a_call_is_a_value() -> None:
    assert Call("mail.read", {"id": "letter"}) == Call("mail.read", {"id": "letter"})
