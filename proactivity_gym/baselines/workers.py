"""Workers beside the reference worker (which the simulation carries itself)."""

from contextlib import suppress

import numpy as np

from proactivity_gym.sim import solutions
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.jobs import Job
from proactivity_gym.sim.tools import Call, ToolError
from proactivity_gym.sim.work import Desk, Tools

DEFAULT_ERROR_RATE = 0.2


class ImperfectWorker:
    """Does the reference work, but gets a stated share of jobs wrong: one of their calls is missing.

    Chosen by `worker="imperfect"` or, with its error rate, `worker="imperfect:0.3"`.
    """

    def __init__(self, setting: str, generator: np.random.Generator) -> None:
        """Take the error rate in [0, 1] as text (empty: 0.2) and the source of errors.

        Raises:
            ValueError: the setting is no such number.
        """
        try:
            self.error_rate = float(setting) if setting else DEFAULT_ERROR_RATE
        except ValueError as error:
            raise ValueError(f"worker='imperfect:{setting}': the error rate must be a number in [0, 1]") from error
        if not 0 <= self.error_rate <= 1:
            raise ValueError(f"worker='imperfect:{setting}': the error rate must lie in [0, 1]")
        self._generator = generator

    def read(self, signal: OpenSignal, tools: Tools) -> None:
        """Read every record that the signal is linked with."""
        if isinstance(tools, Desk):
            tools.episode.note_read(tools.episode.week.links(signal.index))

    def work(self, job: Job, tools: Tools) -> None:
        """Make the reference calls, one fewer where the draw says so."""
        if not isinstance(tools, Desk) or job.row.task < 0:
            return
        episode = tools.episode
        episode.note_read(episode.week.links(job.signal))
        calls: list[Call] = list(solutions.calls(episode.week, job.row.task))
        if calls and self._generator.random() < self.error_rate:
            calls.pop(int(self._generator.integers(len(calls))))
        for call in calls:
            # Begun too early, work may be about a record that is not there yet: that part of it stays undone.
            with suppress(ToolError):
                tools.call(call.tool, call.arguments)
