"""Questions, scripts and clients as the tests of the model layer use them."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from proactivity_gym.llm.client import Client, ModelConfig, Request
from proactivity_gym.llm.scripted import Script, Scripted

NOW = 1_700_000_000.0
"""What clients of tests take for the time."""
GOOD = Scripted('{"wait": true}', prompt_tokens=100, completion_tokens=10)
QUESTION = Request("policy", ({"role": "user", "content": "What now?"},))


def question(number: int, purpose: str = "policy") -> Request:
    """Return one of many different questions."""
    return Request(purpose, ({"role": "user", "content": f"Question {number}"},))


def in_turn(*answers: Scripted) -> Script:
    """Return a script that gives answers in turn, the last one for ever."""
    lock = threading.Lock()
    left = list(answers)

    def script(_: Mapping[str, object]) -> Scripted:
        with lock:
            return left.pop(0) if len(left) > 1 else left[0]

    return script


@dataclass
class Sleeper:
    """Sleeps that take no time and are remembered."""

    naps: list[float] = field(default_factory=list[float])

    def __call__(self, seconds: float) -> None:
        self.naps.append(seconds)


def config_of(url: str) -> ModelConfig:
    """Return a model on a mock server."""
    return ModelConfig("mock", base_url=url, timeout_s=5.0)


def patient(url: str, sleep: Callable[[float], None]) -> Client:
    """Return a client whose waiting takes no time."""
    return Client(config_of(url), sleep=sleep, now=lambda: NOW)
