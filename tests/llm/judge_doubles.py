"""Judges on the mock server: they read the prompt as a model would, and answer as a test wants."""

import json
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import gymnasium as gym

from proactivity_gym.baselines import policy
from proactivity_gym.llm.client import Client, Reply, Request
from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.llm.scripted import Script, Scripted
from proactivity_gym.sim.episode import Episode
from proactivity_gym.wrappers.judge_panel import Panel
from proactivity_gym.wrappers.trust_judge_rating import CONSTRUCTS
from tests.llm.asking import config_of

EDUCATION = "ProactivityGym/Education-PersonaA-v0"

_CODE = re.compile(r"The code of this case is ([0-9a-f]{8})")
_BLOCK = re.compile(r"<<<([0-9a-f]+)\n(.*?)\n\1>>>", re.DOTALL)

Asked = Mapping[str, object]
Verdict = dict[str, object]


def prompt_of(asked: Asked) -> tuple[str, str]:
    """Return the rules and the data of a request (its first two messages)."""
    first, second, *_ = messages_of(asked)
    return first["content"], second["content"]


def messages_of(asked: Asked) -> list[dict[str, str]]:
    return cast("list[dict[str, str]]", asked["messages"])


def code_of(asked: Asked) -> str:
    found = _CODE.findall(prompt_of(asked)[1])
    return found[-1]


def blocks_of(text: str) -> list[str]:
    """Return what stands between the marks of a prompt."""
    return [match[2] for match in _BLOCK.finditer(text)]


def outside(text: str) -> str:
    """Return a prompt without its data, its marks and its code."""
    shown = _CODE.sub("CODE", _BLOCK.sub("DATA", text))
    return re.sub(r"marks [0-9a-f]{12} ", "MARKS ", shown)


def quote_of(asked: Asked) -> str:
    """Return a passage of the last line of the last block."""
    return blocks_of(prompt_of(asked)[1])[-1].splitlines()[-1][:60]


def trust(asked: Asked, *scores: object) -> Verdict:
    """Return a verdict on trust: one score for all constructs, or five."""
    each = scores * len(CONSTRUCTS) if len(scores) == 1 else scores
    rating = {"quote": quote_of(asked), "reason": "It says so."}
    return {"code": code_of(asked), **{name: {**rating, "score": s} for name, s in zip(CONSTRUCTS, each, strict=True)}}


def work(asked: Asked, *grades: object) -> Verdict:
    """Return a verdict on work: correctness, grounding, completeness, artifact quality."""
    names = ("correctness", "grounding", "completeness", "artifact_quality")
    calls = [1] if "\n[1] " in blocks_of(prompt_of(asked)[1])[-1] else []
    head = {"code": code_of(asked), "quotes": [quote_of(asked)], "calls": calls, "reason": "It fits."}
    return head | dict(zip(names, grades, strict=True))


def window(asked: Asked, now: object, later: object) -> Verdict:
    """Return labels of a window."""
    head = {"code": code_of(asked), "quotes": [quote_of(asked)], "entries": [1], "reason": "As the log says."}
    return head | {"now": now, "later": later, "continuation": 0.5}


def answering(verdict: Callable[[Asked], Verdict]) -> Script:
    """Return the script of a judge that gives a verdict."""
    return lambda asked: Scripted(json.dumps(verdict(asked)))


def everything(asked: Asked) -> Verdict:
    """Answer whatever is asked."""
    rules = prompt_of(asked)[0]
    if '"now"' in rules:
        return window(asked, True, False)
    return work(asked, 1, 0.5, 0.5, 0) if '"grounding"' in rules else trust(asked, 5, 4, 3, 2, 1)


@dataclass
class Noting:
    """A judge without a server, for looking at prompts: it never has a verdict."""

    requests: list[Request] = field(default_factory=list[Request])

    def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        return Reply("{}", (), 1, 1, "stop")

    def prompts(self) -> list[str]:
        """Return the data of all first requests."""
        return [str(request.messages[1]["content"]) for request in self.requests if len(request.messages) == 2]


@contextmanager
def serving(*scripts: Script) -> Generator[tuple[list[MockServer], Panel]]:
    """Serve each script on a server of its own, and give the panel of their clients."""
    servers = [MockServer(script).start() for script in scripts]
    clients = [Client(config_of(server.url), sleep=lambda _: None) for server in servers]
    try:
        yield servers, Panel(clients)
    finally:
        for client, server in zip(clients, servers, strict=True):
            client.close()
            server.stop()


def played(name: str, env: gym.Env[Any, Any], seed: int = 0) -> Episode:
    """Let a policy play an episode."""
    policy.play(policy.make(name, env), env, seed)
    return cast("Any", env.unwrapped).episode
