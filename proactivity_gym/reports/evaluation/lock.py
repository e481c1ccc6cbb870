"""One writer for a folder. The system lets go of the lock when its owner dies, so a dead run's folder can be taken over."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from proactivity_gym.wrappers.log_file import naming


class RunError(ValueError):
    """A folder that cannot be used as it was asked for; the message says why and what to do."""


@contextmanager
def locked(folder: Path) -> Generator[None]:
    """Hold the lock of a folder.

    Raises:
        RunError: somebody else does.
    """
    path = folder / "lock"
    with path.open("a+b") as file:
        if not _take(file):
            file.seek(0)
            owner = file.read(32).decode("ascii", "replace").strip() or "unknown"
            raise RunError(f"{folder}: another run (process {owner}) writes there: wait for it, or give another folder")
        with naming(path):
            file.truncate(0)
            file.write(f"{os.getpid()}\n".encode("ascii"))
            file.flush()
        yield


if sys.platform == "win32":  # pragma: no cover (other systems have no msvcrt)
    import msvcrt

    def _take(file: BinaryIO) -> bool:
        file.seek(1 << 20)  # beyond the text, which others may read
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take(file: BinaryIO) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
