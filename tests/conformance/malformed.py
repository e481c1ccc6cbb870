"""Objects that are no action, each with a name, and actions in every legal form."""

import json
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from proactivity_gym.baselines.policy import Action

_NUMBERS: list[object] = [0, 1, -1, 17, 2**31, 2**63, 2**100, -(2**70), 0.5, 1.0, float("nan"), float("inf"), True, 1j]
_PARTS: list[object] = [
    None, "x", "", "NOWHERE", "1", b"1", [], [1], {}, (), object, Decimal(1), Fraction(1), -1, 99, 2**64, 1.5, -0.5,
    float("nan"), float("inf"), -float("inf"), True, False, 1j, np.bool_(True), np.float32("nan"), np.array([1]),
]  # fmt: skip
_TEXTS = [
    "",
    " ",
    "wait",
    "NOW",
    "[1, 2]",
    "[1, 2, 3, 4]",
    "{",
    "}",
    "[",
    "nul",
    "null",
    "true",
    "NaN",
    "Infinity",
    "1",
    '"1,2,3"',
    "[NaN, 0, 0]",
    "[Infinity, 0, 0]",
    "[1e400, 0, 0]",
    "[0.5, 0, 0]",
    "[true, 0, 0]",
    "[[1, 0, 0]]",
    '{"target": 1}',
    '{"target": 1, "depth": 9, "timing": 0}',
    '{"target": 1, "depth": "DEEP", "timing": "NOW"}',
    '{"target": 1, "depth": 1, "timing": 1, "extra": 1}',
    '{"Target": 1, "Depth": 1, "Timing": 1}',
    "[" * 9_000,
    "[" * 20_000,
    '{"a":' * 1_500 + "1" + "}" * 1_500,
    "1" * 5_000,
    "\x00",
    "\ud835",
    "\u202e[1,0,0]",
    "[1, 0, 0] and more",
    "```json\n[1,0,0]\n```",
    "1,0,0",
    "(1, 0, 0)",
    "{'target': 1, 'depth': 0, 'timing': 0}",
    "[-1, 0, 0]",
    "[17, 0, 0]",
    "[1, 4, 0]",
    "[1, 0, 4]",
    '["1", 0, 0]',
    "[null, 0, 0]",
]


class _Odd:
    """Looks like a sequence and fails at every touch."""

    def __len__(self) -> int:
        raise RuntimeError("no length")

    def __iter__(self) -> "_Odd":
        raise RuntimeError("no items")

    def __array__(self, *_: object) -> object:
        raise RuntimeError("no array")


def malformed() -> dict[str, object]:
    """Return at least 150 objects that are no action."""
    found: dict[str, object] = {f"number {n!r}": n for n in _NUMBERS}
    for place in range(3):
        for number, part in enumerate(_PARTS):
            parts: list[object] = [1, 0, 0]
            parts[place] = part
            found[f"part {place} is {part!r} ({number})"] = parts
    found |= {f"text {text[:40]!r} {len(text)}": text for text in _TEXTS}
    found |= {f"bytes {text[:40]!r}": text.encode("utf-8", "surrogatepass") for text in _TEXTS[:6]}
    found |= {f"array {name}": array for name, array in _arrays().items()}
    found |= {f"thing {name}": thing for name, thing in _things().items()}
    return found


def _arrays() -> dict[str, npt.NDArray[Any]]:
    return {
        "empty": np.array([]),
        "of two": np.array([1, 0]),
        "of four": np.array([1, 0, 0, 0]),
        "of rows": np.array([[1, 0, 0]]),
        "of columns": np.array([[1], [0], [0]]),
        "without dimension": np.array(1),
        "negative": np.array([-1, 0, 0]),
        "target too large": np.array([17, 0, 0]),
        "depth too large": np.array([1, 4, 0]),
        "timing too large": np.array([1, 0, 4]),
        "unsigned, huge": np.array([2**64 - 1, 0, 0], np.uint64),
        "not whole": np.array([0.5, 0, 0]),
        "not a number": np.array([np.nan, 0, 0]),
        "endless": np.array([np.inf, 0, 0]),
        "truths": np.array([True, False, False]),
        "complex": np.array([1j, 0, 0]),
        "objects": np.array([None, 0, 0], object),
        "texts": np.array(["a", "b", "c"]),
        "bytes": np.array([b"a", b"b", b"c"]),
        "dates": np.array(["2027-03-01"] * 3, "datetime64[D]"),
        "void": np.zeros(3, np.dtype([("a", "i4")])),
    }


def _things() -> Mapping[str, object]:
    endless: list[object] = []
    endless.append(endless)
    return {
        "None": None,
        "set": {1, 2, 3},
        "frozenset": frozenset((1, 2, 3)),
        "range": range(3),
        "generator": (n for n in (1, 0, 0)),
        "iterator": iter((1, 0, 0)),
        "class": int,
        "function": len,
        "object": object(),
        "ellipsis": ...,
        "odd": _Odd(),
        "bytearray": bytearray(3),
        "memoryview": memoryview(b"\x01\x00\x00"),
        "in itself": endless,
        "three of it": [endless, endless, endless],
        "empty list": [],
        "empty tuple": (),
        "empty dict": {},
        "other keys": {"a": 1, "b": 2, "c": 3},
        "numbers as keys": {0: 1, 1: 0, 2: 0},
        "one key too few": {"target": 1, "depth": 1},
        "one key too many": {"target": 1, "depth": 1, "timing": 1, "why": "because"},
        "nested": {"action": {"target": 1, "depth": 1, "timing": 1}},
        "a call": {"name": "act", "arguments": json.dumps({"target": 1, "depth": 0, "timing": 0})},
        "long list": [1] * 100_000,
        "exception": ValueError("x"),
    }


def legal(action: Action) -> dict[str, object]:
    """Return one action in every form that libraries and language models send."""
    target, depth, timing = action
    words = {
        "target": target,
        "depth": ("NOOP", "PREPARE", "SUGGEST", "EXECUTE")[depth],
        "timing": ("NOW", "IDLE", "SLEEP", "DUE")[timing],
    }
    numbers = {"target": target, "depth": depth, "timing": timing}
    arrays = {
        kind.__name__: np.array(action, kind)
        for kind in (np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64)
    }
    return {
        "tuple": action,
        "list": list(action),
        "numpy numbers": [np.int64(part) for part in action],
        "arrays without dimension": [np.array(part) for part in action],
        "whole floats": [float(part) for part in action],
        "float array": np.array(action, np.float32),
        "read-only view": np.broadcast_to(np.array(action), (1, 3))[0],
        "strided": np.array([action, action]).T[:, 1],
        "objects": np.array(action, object),
        "dict": numbers,
        "dict in words": words,
        "dict in small letters": {key: part.lower() if isinstance(part, str) else part for key, part in words.items()},
        "dict of numpy numbers": {key: np.int32(part) for key, part in numbers.items()},
        "json list": json.dumps(action),
        "json": json.dumps(numbers),
        "json in words": json.dumps(words, indent=2),
        "json bytes": json.dumps(numbers).encode(),
        **arrays,
    }
