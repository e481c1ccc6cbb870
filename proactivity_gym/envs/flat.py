"""Numbers that are set one by one and looked at all together.

They are kept in an `array`, not in a NumPy array: setting single numbers in it takes half the time. Whoever holds the buffer
goes on holding the same one when an environment is copied or pickled.
"""

from array import array
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

Number = TypeVar("Number", np.float32, np.int64)


class Flat(Generic[Number]):
    """A NumPy view of a buffer; a copy of it is a view of the copied buffer."""

    __slots__ = ("_buffer", "_kind", "view")

    def __init__(self, buffer: "array[float] | array[int]", kind: type[Number]) -> None:
        """Look at a buffer whose items are of a kind of NumPy's."""
        self._buffer = buffer
        self._kind = kind
        self.view: npt.NDArray[Number] = np.frombuffer(buffer, kind)

    def __reduce__(self) -> tuple[object, tuple["array[float] | array[int]", type[Number]]]:
        """Copy and pickle it as what it follows from."""
        return Flat, (self._buffer, self._kind)
