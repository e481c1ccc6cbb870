"""What holds for all tests."""

import signal
from collections.abc import Generator

import pytest
from gymnasium.envs.registration import registry

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Shells start background jobs so, and programs that are to be interrupted would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="module", autouse=True)
def _ids_of_its_own() -> Generator[None]:  # pyright: ignore[reportUnusedFunction] (pytest's)
    """Let no module see the ids that another one registered, in whatever order they run."""
    before = dict(registry)
    yield
    registry.clear()
    registry.update(before)
