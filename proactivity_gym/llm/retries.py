"""How long to wait before another attempt, and when to give up."""

import hashlib
from dataclasses import dataclass

from proactivity_gym.llm.errors import InfraError, LlmError, Refused
from proactivity_gym.llm.failures import Failure

RETRIES = 6
"""Further attempts after the first one, per request."""
LONGEST_WAIT_S = 600.0
"""Seconds per request that may pass in failed attempts and in waiting."""
_FILTER_RETRIES = 3
"""Of these, attempts after a content filter struck: it does so by chance at times, but mostly for good."""
_FIRST_S = 1.0
_CAP_S = 60.0


@dataclass
class Patience:
    """What is left of the patience with one request.

    Attributes:
        key: of the request; waiting times are spread by its hash, so that workers do not come back all at once and a run can be
            repeated to the second.
        attempts: made so far.
        spent_s: seconds in failed attempts and waiting so far.
    """

    key: str
    attempts: int = 0
    spent_s: float = 0.0

    def after(self, failure: Failure, took_s: float) -> float | LlmError:
        """Return the seconds to wait before the next attempt, or the error that ends it."""
        self.attempts += 1
        self.spent_s += took_s
        if failure.fatal is not None:
            return failure.fatal(failure.message)
        wait_s = self._wait(failure.retry_after)
        filtered = failure.kind == "content_filter"
        if self.attempts > (_FILTER_RETRIES if filtered else RETRIES):
            return (Refused if filtered else InfraError)(f"{failure.message} (after {self.attempts} attempts)")
        if self.spent_s + wait_s > LONGEST_WAIT_S:
            return InfraError(
                f"{failure.message} (after {self.attempts} attempts: the next would come {wait_s:.0f} s later, "
                f"past the limit of {LONGEST_WAIT_S:.0f} s)"
            )
        self.spent_s += wait_s
        return wait_s

    def _wait(self, asked_s: float | None) -> float:
        """Return what the server asks for and up to a second more; else 1, 2, 4 ... 60 seconds, of which up to half is cut."""
        share = hashlib.sha256(f"{self.key} {self.attempts}".encode()).digest()[0] / 255
        if asked_s is not None:
            return asked_s + share
        return min(_CAP_S, _FIRST_S * 2 ** (self.attempts - 1)) * (1 - share / 2)
