"""D7, D8, D12, D14, D20 and the throughput of evaluations, at their full figures, against the mock server."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmarks.llm_speed import Setting, throughput
from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.reports.evaluation.files import Lines, read_lines
from tests.cli.killing import kill_again_and_again
from tests.cli.pgym import no_trace, pgym
from tests.llm.evaluate_doubles import acting, evaluated, lasting, unreliable, write_config

pytestmark = pytest.mark.reliability

KILLS = 300
WRITERS = 64


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    with no_trace():
        yield


@pytest.fixture
def server() -> Iterator[MockServer]:
    with MockServer(acting) as running_server:
        yield running_server


def test_killed_three_hundred_times(server: MockServer, tmp_path: Path) -> None:
    """D7: 300 episodes, 8 at a time."""
    config = write_config(tmp_path, server.url, "seeds = [0, 1, 2, 3, 4, 5]\nrepetitions = 50")
    assert pgym("evaluate", str(config), "--out", str(tmp_path / "calm")).exit_code == 0
    calm = len(server.calls)
    run = tmp_path / "rough"
    killed = kill_again_and_again(config, run, server, KILLS, max(2, 2 * calm // KILLS))
    assert pgym("evaluate", str(config), "--out", str(run)).exit_code == 0
    assert lasting(run / "episodes.jsonl") == lasting(tmp_path / "calm" / "episodes.jsonl")
    assert (run / "summary.json").read_bytes() == (tmp_path / "calm" / "summary.json").read_bytes()
    assert len(server.calls) - calm <= calm + 8 * killed


def test_three_hundred_episodes_with_three_failures_in_ten_calls(server: MockServer, tmp_path: Path) -> None:
    """D12."""
    config = write_config(tmp_path, server.url, "seeds = [0, 1, 2, 3, 4, 5]\nrepetitions = 50")
    evaluated(config, tmp_path / "calm")
    server.script = unreliable()
    done = evaluated(config, tmp_path / "rough")
    assert len(done.statuses) == 300
    assert lasting(tmp_path / "calm" / "episodes.jsonl") == lasting(tmp_path / "rough" / "episodes.jsonl")
    assert done.tokens <= sum(server.tokens)


def test_sixty_four_writers(tmp_path: Path) -> None:
    """D14: threads of one run write to one file; every line parses, and none is missing."""
    path = tmp_path / "rows.jsonl"
    with Lines(path) as lines, ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(lines.add, ({"number": number, "text": "x" * (number % 5000)} for number in range(WRITERS * 1000))))
    found = [row["number"] for row in read_lines(path) if row is not None]
    assert sorted(map(int, map(str, found))) == list(range(WRITERS * 1000))


def test_throughput_at_sixty_four_in_flight() -> None:
    """Episodes ask at 0.8 of the rate that a bare loop of the same package reaches with the same prompts."""
    found = {figure.what: figure for figure in throughput(Setting())}
    assert found["the server alone, as share of what in flight allow"].met
    assert found["episodes: the same by processor time"].met, "\n".join(map(str, found.values()))
