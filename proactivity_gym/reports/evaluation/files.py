"""Files that survive being killed: rows are added whole or cut off, other files are replaced whole or not at all."""

import errno
import json
import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Self

from proactivity_gym.wrappers.log_file import naming


class Lines:
    """A file of JSON lines to add to. What an earlier writer left of a last line is dealt with first."""

    def __init__(self, path: Path) -> None:
        """Open it, or make it.

        Raises:
            OSError: it cannot be written.
        """
        self._lock = threading.Lock()
        self._path = path
        self._file = path.open("ab", buffering=0)
        self._mend(path)

    def _mend(self, path: Path) -> None:
        """End a last line that is whole; drop one that is not."""
        size = path.stat().st_size
        rest = _rest(path, size)
        if not rest:
            return
        if decoded(rest) is None:
            self._file.truncate(size - len(rest))
        else:
            self._file.write(b"\n")

    def add(self, record: Mapping[str, object]) -> None:
        """Add a record with one write; any number of threads may.

        Raises:
            OSError: it could not be written.
        """
        line = encoded(record)
        with self._lock, naming(self._path):
            taken = self._file.write(line)
            if taken != len(line):
                self._file.truncate(os.fstat(self._file.fileno()).st_size - (taken or 0))
                raise OSError(errno.ENOSPC, "the disk took half a line only")

    def sync(self) -> None:
        """Return when all is on the disk.

        Raises:
            OSError: it could not be written.
        """
        with naming(self._path):
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def encoded(record: Mapping[str, object]) -> bytes:
    """Return a record as a line of strict JSON in ASCII."""
    return json.dumps(record, allow_nan=False).encode("ascii") + b"\n"


def read_lines(path: Path) -> Iterator[dict[str, object] | None]:
    """Yield the records of a file, one for each line; None for a line that is damaged or cut off. No file: no lines."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for line in file:
            yield decoded(line)


def replace_file(path: Path, content: bytes) -> None:
    """Write a file beside, make it last, then let it take the place: what stood there stays until the new one is whole.

    Raises:
        OSError: it could not be written.
    """
    temporary = path.with_name(f".{path.name}.tmp")  # the lock's holder is the only writer
    try:
        with naming(path), temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: Path, value: Mapping[str, object]) -> None:
    """Replace a file by JSON that people can read.

    Raises:
        OSError: it could not be written.
    """
    replace_file(path, json.dumps(value, indent=2, allow_nan=False).encode("ascii") + b"\n")


def _rest(path: Path, size: int) -> bytes:
    """Return what stands after the last end of a line."""
    rest, step = b"", 65_536
    with path.open("rb") as file:
        while size > 0 and b"\n" not in rest:
            start = max(0, size - step)
            file.seek(start)
            rest, size = file.read(size - start) + rest, start
    return rest.rpartition(b"\n")[2]


def decoded(line: bytes) -> dict[str, object] | None:
    """Return the record in a line; None: it is damaged, or cut off."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None  # pyright: ignore[reportUnknownVariableType] - JSON's keys are texts
