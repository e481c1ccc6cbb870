"""Files that many processes may write beside each other, each its own, line by line."""

import errno
import os
import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_UNSAFE = re.compile(r"[^A-Za-z0-9-]+")
_LONGEST_STEM = 80
_ADDING = os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0)


def stem_of(name: str) -> str:
    """Return a file name's beginning for any name whatever: it leads nowhere else and no system minds it."""
    return _UNSAFE.sub("_", name.rpartition("/")[2])[:_LONGEST_STEM].strip("_-") or "episode"


@contextmanager
def naming(path: Path) -> Generator[None]:
    """Name a file in what the system says about writing to it: of a full disk, it does not say which file.

    Raises:
        OSError: with the file's name.
    """
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename is None:
            error.filename = str(path)
        raise


class LogFile:
    """A file that grows by whole lines.

    It comes into being with the first line that is saved, under the next free number. Lines are also kept in memory,
    for two reasons: after a failed write the next one mends the file; and a copy (deepcopy, pickle, fork) goes on in a
    file of its own, which holds what came before too.
    """

    def __init__(self, folder: Path, stem: str) -> None:
        """Take the folder, made when needed, and the beginning of its files' names."""
        self._folder = folder
        self._stem = stem
        self._number = 0
        self._lines: list[bytes] = []
        self._forget()

    def _forget(self) -> None:
        self.path: Path | None = None
        self._saved = 0
        self._size = 0
        self._torn = False
        self._owner = os.getpid()

    def __getstate__(self) -> dict[str, Any]:
        """Leave the file itself out of a copy."""
        return {"_folder": self._folder, "_stem": self._stem, "_lines": list(self._lines)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Go on in a file of its own."""
        self.__init__(state["_folder"], state["_stem"])
        self._lines = state["_lines"]

    def begin(self, line: bytes) -> None:
        """Start on a new file with a line that is saved together with the next one."""
        self._lines = [line]
        self._forget()

    def append(self, line: bytes, last: bool = False) -> None:
        """Add a line and save it; after the last one the file is on the disk, whatever happens to the machine.

        Raises:
            OSError: it could not be saved. The next call tries again.
        """
        self._lines.append(line)
        self.save(last)

    def save(self, last: bool = False) -> None:
        """Save the lines that are not saved yet.

        Raises:
            OSError: they could not be saved.
        """
        if self._owner != os.getpid():
            self._forget()
        if self.path is None:
            self.path = self._create()
        data = b"".join(self._lines[self._saved :])
        with naming(self.path):
            self._write(self.path, data, last)
        self._size += len(data)
        self._saved = len(self._lines)

    def _write(self, path: Path, data: bytes, last: bool) -> None:
        """Add to the file, with as few calls of the system as can be: around each, other threads wait for each other."""
        file = os.open(path, _ADDING)
        try:
            if self._torn:  # a write that failed may have left a part of itself
                os.ftruncate(file, self._size)
            self._torn = True
            if os.write(file, data) != len(data):
                raise OSError(errno.ENOSPC, "the disk took a part only")
            if last:
                os.fsync(file)
            self._torn = False
        finally:
            os.close(file)

    def _create(self) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        number = (self._number or self._highest()) + 1
        while True:
            path = self._folder / f"{self._stem}-{number:06d}.jsonl"
            try:
                path.open("xb").close()
            except FileExistsError:
                number += 1
            else:
                self._number = number
                return path

    def _highest(self) -> int:
        """Return the highest number taken so far."""
        form = re.compile(re.escape(self._stem) + r"-(\d{6,})\.jsonl")
        found = (form.fullmatch(path.name) for path in self._folder.iterdir())
        return max((int(match.group(1)) for match in found if match), default=0)
