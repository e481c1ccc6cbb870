"""The situation in words as the observation, and the space that such texts are in."""

import multiprocessing
from collections.abc import Iterable, Sequence
from typing import Any, SupportsFloat, cast

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.vector import utils as vector_utils

MAX_LENGTH = 100_000
_CUT = "\n[cut here: the text is longer than max_length]"
_LONGEST_SAMPLE = 200
_SURROGATES = range(0xD800, 0xE000)


class UnicodeText(gym.spaces.Space[str]):
    """Every text of up to `max_length` characters, of any script; gymnasium's `Text` knows only listed characters."""

    def __init__(self, max_length: int, *, seed: int | np.random.Generator | None = None) -> None:
        """Take the length in characters (code points) of the longest text.

        Raises:
            ValueError: it is no whole number, or negative.
        """
        if not _is_length(max_length):
            raise ValueError(f"max_length={max_length!r}: give a whole number of characters, such as {MAX_LENGTH}")
        self.max_length = int(max_length)
        super().__init__(dtype=str, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """Whether it fits into arrays of numbers: no."""
        return False

    def contains(self, x: object) -> bool:
        """Tell whether something is a text short enough."""
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: None = None, probability: None = None) -> str:
        """Return a random text of up to 200 characters, without half characters.

        Raises:
            ValueError: a mask or probabilities are given, which have no meaning here.
        """
        if mask is not None or probability is not None:
            raise ValueError("a UnicodeText is sampled without mask and probability")
        length = int(self.np_random.integers(min(self.max_length, _LONGEST_SAMPLE) + 1))
        codes = self.np_random.integers(0x110000 - len(_SURROGATES), size=length).tolist()
        return "".join(chr(code if code < _SURROGATES.start else code + len(_SURROGATES)) for code in codes)

    def to_jsonable(self, sample_n: Iterable[str]) -> list[str]:
        """Return texts in a form that JSON can carry."""
        return list(sample_n)

    def from_jsonable(self, sample_n: list[Any]) -> list[str]:
        """Return texts from what JSON carried."""
        return [str(text) for text in sample_n]

    def __eq__(self, other: object) -> bool:
        """Compare with another space."""
        return isinstance(other, UnicodeText) and self.max_length == other.max_length

    __hash__ = None  # type: ignore[assignment]  # like every other space

    def __repr__(self) -> str:
        """Return how to make it."""
        return f"UnicodeText({self.max_length})"


def _is_length(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and int(cast("Any", value)) >= 0


class TextView(gym.Wrapper[str, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Makes the observation the text of `env.unwrapped.text()`: the situation as a language model reads it."""

    def __init__(self, env: gym.Env[Any, Any], *, max_length: int = MAX_LENGTH) -> None:
        """Take the length of the longest text; what is longer is cut, and its last line says so.

        Raises:
            ValueError: the length is none, or too short for that line; or the environment has no text.
        """
        space = UnicodeText(max_length)
        if space.max_length < len(_CUT):
            raise ValueError(f"max_length={max_length}: give at least {len(_CUT)}")
        if not callable(getattr(env.unwrapped, "text", None)):
            raise ValueError(f"TextView needs an environment with a method text(), which {env.unwrapped} has not")
        gym.utils.RecordConstructorArgs.__init__(self, max_length=space.max_length)
        gym.Wrapper.__init__(self, env)
        self.observation_space = space
        self._max_length = space.max_length

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start a new week."""
        _, info = self.env.reset(seed=seed, options=options)
        return self._text(), info

    def step(self, action: object) -> tuple[str, SupportsFloat, bool, bool, dict[str, Any]]:
        """Act."""
        _, reward, terminated, truncated, info = self.env.step(action)
        return self._text(), reward, terminated, truncated, info

    def _text(self) -> str:
        text: str = cast("Any", self.env.unwrapped).text()
        return text if len(text) <= self._max_length else text[: self._max_length - len(_CUT)] + _CUT


# How vector environments keep many texts: in a tuple, whose space is a Tuple (gymnasium's way with any space that it does
# not know, `iterate` included: one registered here would go through the characters); in shared memory, as rows of a
# length and that many code points.


def _concatenate(space: UnicodeText, items: Sequence[str], out: object) -> tuple[str, ...]:  # noqa: ARG001 (gymnasium gives it)
    return tuple(items)


def _empty(space: UnicodeText, n: int = 1, fn: object = None) -> tuple[str, ...]:  # noqa: ARG001 (likewise)
    return ("",) * n


def _shared(space: UnicodeText, n: int = 1, ctx: Any = multiprocessing) -> Any:  # noqa: ANN401 (any kind of context)
    return ctx.Array("i", n * (1 + space.max_length))


def _rows(space: UnicodeText, memory: Any) -> npt.NDArray[np.int32]:  # noqa: ANN401 (ctypes) # (n, 1 + max_length)
    return np.frombuffer(memory.get_obj(), np.int32).reshape(-1, 1 + space.max_length)


class _SharedTexts(Sequence[str]):
    """Texts in shared memory as they stand whenever one looks, as arrays there do; a deep copy is a tuple of them."""

    def __init__(self, rows: npt.NDArray[np.int32]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: Any) -> Any:  # noqa: ANN401 (a number or a slice)
        if isinstance(index, slice):
            return tuple(self)[index]
        row = self._rows[index].astype("<i4")
        return row[1 : 1 + row[0]].tobytes().decode("utf-32-le", "surrogatepass")

    def __deepcopy__(self, memo: object) -> tuple[str, ...]:
        return tuple(self)


def _read(space: UnicodeText, memory: object, n: int = 1) -> Sequence[str]:
    return _SharedTexts(_rows(space, memory)[:n])


def _write(space: UnicodeText, index: int, value: str, memory: object) -> None:
    row = _rows(space, memory)[index]
    row[0] = len(value)
    row[1 : 1 + len(value)] = np.fromiter(map(ord, value), np.int32, len(value))


def _register() -> None:
    pairs: Any = (
        (vector_utils.concatenate, _concatenate),
        (vector_utils.create_empty_array, _empty),
        (vector_utils.create_shared_memory, _shared),  # pyright: ignore[reportUnknownMemberType]
        (vector_utils.read_from_shared_memory, _read),
        (vector_utils.write_to_shared_memory, _write),
    )
    for general, ours in pairs:
        general.register(UnicodeText, ours)


_register()
