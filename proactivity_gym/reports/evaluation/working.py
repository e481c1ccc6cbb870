"""What a model's work came to, kept so that an episode can be played again without the model."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from proactivity_gym.reports.evaluation.files import encoded, read_lines, replace_file
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.jobs import Job
from proactivity_gym.sim.work import Desk, Tools, Worker
from proactivity_gym.wrappers.replay import ReplayError

WORK = "work.jsonl"


class RecordingWorker:
    """Lets another worker work, and keeps what it read and called."""

    def __init__(self, worker: Worker) -> None:
        """Take the worker."""
        self._worker = worker
        self._done: list[dict[str, object]] = []

    def read(self, signal: OpenSignal, tools: Tools) -> None:
        """Let it read."""
        desk = _desk(tools)
        before = len(desk.episode.trace.entries)
        self._worker.read(signal, tools)
        self._done.append({"signal": signal.index, "reads": _reads(desk.episode, before)})

    def work(self, job: Job, tools: Tools) -> None:
        """Let it work."""
        desk = _desk(tools)
        before = len(desk.episode.trace.entries)
        self._worker.work(job, tools)
        calls = [[call.tool, dict(call.arguments)] for call in desk.calls]
        self._done.append({"job": job.id, "reads": _reads(desk.episode, before), "calls": calls})

    def save(self, folder: Path) -> None:
        """Write what was kept, whole or not at all."""
        replace_file(folder / WORK, b"".join(map(encoded, self._done)))


class RecordedWorker:
    """Does again what another worker did, in the same order."""

    def __init__(self, folder: Path) -> None:
        """Take what was kept in a folder."""
        self._path = folder / WORK
        self._coming = iter(list(read_lines(self._path)))

    def read(self, signal: OpenSignal, tools: Tools) -> None:
        """Read what it read."""
        done = self._next("signal", signal.index)
        _desk(tools).episode.note_read(cast("Sequence[int]", done["reads"]))

    def work(self, job: Job, tools: Tools) -> None:
        """Call what it called."""
        done = self._next("job", job.id)
        _desk(tools).episode.note_read(cast("Sequence[int]", done["reads"]))
        for tool, arguments in cast("list[tuple[str, dict[str, Any]]]", done["calls"]):
            tools.call(tool, arguments)

    def _next(self, kind: str, number: int) -> dict[str, object]:
        done = next(self._coming, None)
        if done is None or done.get(kind) != number:
            raise ReplayError(f"{self._path}: {kind} {number} does not come next: the episode now goes another way")
        return done


def _desk(tools: Tools) -> Desk:
    if not isinstance(tools, Desk):
        raise TypeError("a worker's doings are kept at a Desk, which knows the episode")
    return tools


def _reads(episode: Episode, before: int) -> list[int]:
    return [cast("int", data["record"]) for _, name, data in episode.trace.entries[before:] if name == "read"]
