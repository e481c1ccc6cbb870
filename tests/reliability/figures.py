"""The release figures of the reliability table, in one place."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figures:
    """How much of each kind a release is measured by."""

    learning_steps: int = 2_048
    fuzz_steps: int = 3_000_000
    """D2, over all ids: no fault in so many claims, at 95 %, a rate below one in a million."""
    junk: int = 200_000
    """D3: malformed objects drawn, over all ids."""
    junk_seconds: float = 0.05
    """D3: the longest that one of them may take."""
    replay_seeds: int = 10
    """D4."""
    weeks: int = 200
    """D18: weeks of the stream `test` for each id."""
    traces: int = 10_000
    """D18, monotony: traces, over all scenarios and personas."""
    made: int = 1_000
    """D13, B15: environments made and closed."""
    soak_steps: int = 5_000_000
    """D13: steps in one process."""
    soak_mib: float = 8.0
    """D13: growth of memory for each million steps, at most."""
    comparisons: int = 1_000
    """B35, D24: comparisons of 10 of those weeks for each scenario."""
    vector_steps: int = 200
    """B10."""


RELEASE = Figures()
