"""The environment's share of a language model's step is small; the rest of the benchmark runs and tells sensible figures."""

from statistics import fmean

import pytest

from benchmarks import llm_speed
from proactivity_gym.scenarios import catalogue

SHORT = llm_speed.Setting(in_flight=4, delay_s=0.005, episodes=4, runs=1)


@pytest.mark.parametrize("name", catalogue.names())
def test_step_text_and_log_take_under_two_milliseconds(name: str) -> None:
    times = llm_speed.step_times(f"ProactivityGym/{name}-PersonaA-v0")
    assert len(times) > 50
    assert fmean(times) < 2


def test_episodes_and_bare_clients_are_compared() -> None:
    found = {figure.what: figure for figure in llm_speed.throughput(SHORT)}
    assert len(found) == 6
    assert all(figure.value > 0 for figure in found.values())
    assert found["episodes: share of the 800 calls/s that in flight allow"].value <= 1
    targets = [figure.target for figure in found.values()]
    assert targets == [0.8, None, None, 0.8, 0.8, 0.8]
