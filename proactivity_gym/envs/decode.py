"""One place that decodes actions, in every form that real libraries and language models send."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from proactivity_gym.sim.words import MAX_SIGNALS, Depth, Timing

Decoded = tuple[int, int, int]

WAIT: Decoded = (0, 0, 0)

KEYS = ("target", "depth", "timing")
_SIZES = (MAX_SIGNALS + 1, len(Depth), len(Timing))
_WORDS: tuple[Mapping[str, int], ...] = ({}, {d.name: int(d) for d in Depth}, {t.name: int(t) for t in Timing})
_ARRAY, _INT64 = np.ndarray, np.dtype(np.int64)
_LEGAL: dict[bytes, Decoded] = {
    np.array((target, depth, timing), np.int64).tobytes(): (target, depth, timing)
    for target, depth, timing in product(*map(range, _SIZES))
}
"""The actions of the space by their bytes."""
_LONGEST_JSON = 10_000


def decode(action: Any) -> Decoded | None:
    """Return (target, depth, timing), or None for what is no action.

    Taken are sequences and integer arrays of three, mappings and JSON objects with the keys target, depth and timing (depth
    and timing also as words), and numbers with whole values; booleans and numbers out of range are not.
    """
    if type(action) is _ARRAY and action.dtype is _INT64 and action.ndim == 1:
        return _LEGAL.get(action.tobytes())  # what a MultiDiscrete space samples: no need to look at its numbers
    return _decode_slowly(action)


def _decode_slowly(action: object) -> Decoded | None:
    if isinstance(action, (str, bytes)):
        action = _from_json(action)
    parts: list[object] = []
    array = cast("npt.NDArray[np.generic]", action)
    if isinstance(action, Mapping):
        given = cast("Mapping[object, object]", action)
        parts = [given.get(key) for key in KEYS] if set(given) == set(KEYS) else []
    elif isinstance(action, np.ndarray):
        parts = list(array) if array.ndim == 1 else []
    elif isinstance(action, (list, tuple)):
        parts = list(cast("Sequence[object]", action))
    return _numbers(parts) if len(parts) == len(KEYS) else None


def _from_json(text: str | bytes) -> object:
    if len(text) > _LONGEST_JSON:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _numbers(parts: Iterable[object]) -> Decoded | None:
    found = [_number(part, words, size) for part, words, size in zip(parts, _WORDS, _SIZES, strict=True)]
    if None in found:
        return None
    target, depth, timing = (number or 0 for number in found)
    return target, depth, timing


def _number(part: object, words: Mapping[str, int], size: int) -> int | None:
    scalar = cast("np.generic", part)
    if isinstance(part, (np.ndarray, np.generic)) and scalar.ndim == 0:
        part = scalar.item()
    if isinstance(part, str):
        return words.get(part.upper())
    if isinstance(part, bool) or not isinstance(part, (int, float)):
        return None
    if isinstance(part, float) and not part.is_integer():
        return None
    return int(part) if 0 <= part < size else None
