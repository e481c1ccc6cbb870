from collections.abc import Iterator

import pytest

from tests.cli.pgym import no_trace


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    with no_trace():
        yield
