"""How much of the time of a language model's episode is ours (`make bench`).

Two things are measured:

- the environment's share of a step: `step`, the text of the situation and the log, in weeks that the oracle plays;
- how fast `pgym evaluate` asks: many episodes in flight in one process, against a server in another that answers after 50 ms.

The rate is told as three shares:

- of what in flight / delay allows (1,280 calls a second for 64), by the clock: a machine with slow cores misses it, since it is
  more than one process of Python can ask through the `openai` package there, whatever asks;
- of what a bare loop of that package reaches in the same round, with the same prompts against the same server, by the clock;
  the faster of its two clients counts, threads or asyncio;
- the same by processor time, as in `speed`, which other work on the machine disturbs less.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any
from urllib.parse import urlsplit

import gymnasium as gym
import openai

from benchmarks.speed import Figure
from proactivity_gym.baselines import policy
from proactivity_gym.baselines.llm_schema import turn_schema
from proactivity_gym.reports.evaluation import jobs, running
from proactivity_gym.reports.evaluation.config import read_config
from proactivity_gym.scenarios import catalogue
from proactivity_gym.wrappers.episode_log import EpisodeLog

PERSONAS = "ABC"
PLAYED = "ProactivityGym/Education-PersonaA-v0"
_SERVER = Path(__file__).with_name("answering.py")


@dataclass(frozen=True)
class Setting:
    """How much is measured."""

    in_flight: int = 64
    delay_s: float = 0.05
    episodes: int = 64
    runs: int = 3


@dataclass(frozen=True)
class Pace:
    """How fast something asked."""

    calls: int
    processor_s: float
    clock_s: float

    @property
    def allowed(self) -> float:
        """Calls a second that one processor allows."""
        return self.calls / self.processor_s

    @property
    def rate(self) -> float:
        """Calls a second by the clock."""
        return self.calls / self.clock_s


def main() -> None:
    """Print every figure with its target and verdict."""
    for figure in figures(Setting()):
        print(figure, flush=True)


def figures(setting: Setting) -> Iterator[Figure]:
    """Measure everything, figure by figure."""
    for name in catalogue.names():
        times = [time for persona in PERSONAS for time in step_times(f"ProactivityGym/{name}-Persona{persona}-v0")]
        yield Figure(f"{name}: step, text and log, mean", fmean(times), 1.5, " ms", most=True)
        yield Figure(f"{name}: the same, 95 of 100 steps", sorted(times)[int(0.95 * len(times))], 2, " ms", most=True)
    yield from throughput(setting)


# The environment's share


def step_times(made_id: str) -> list[float]:
    """Return the milliseconds of each step of a week that the oracle plays, with text and log."""
    with TemporaryDirectory() as folder:
        env: gym.Env[Any, Any] = EpisodeLog(gym.make(made_id, variation="test"), folder=folder)
        oracle = policy.make("oracle", env)
        observation, info = env.reset(seed=0)
        oracle.reset(observation, info, 0, env.get_wrapper_attr("read"))
        text: Callable[[], str] = env.get_wrapper_attr("text")
        times: list[float] = []
        over = False
        while not over:
            action = oracle.act(observation, info)
            start = process_time()
            observation, _, over, _, info = env.step(action)
            text()
            times.append(1000 * (process_time() - start))
        env.close()
    return times


# Throughput


def throughput(setting: Setting) -> Iterator[Figure]:
    """Compare episodes with bare clients, several times over in turn; told are medians."""
    with answering(setting.delay_s) as url, TemporaryDirectory() as folder:
        rounds = [one_round(setting, url, Path(folder, str(number))) for number in range(setting.runs)]
    allowed = setting.in_flight / setting.delay_s
    processor = [min(allowed, a.ours.allowed) / min(allowed, max(b.allowed for b in a.bare)) for a in rounds]
    clock = [a.ours.rate / max(b.rate for b in a.bare) for a in rounds]
    rate = median(a.ours.rate for a in rounds)
    yield Figure("the server alone, as share of what in flight allow", median(a.alone.rate for a in rounds) / allowed, 0.8)
    yield Figure("episodes: calls/s", rate)
    yield Figure("bare client: calls/s", median(max(b.rate for b in a.bare) for a in rounds))
    yield Figure(f"episodes: share of the {allowed:.0f} calls/s that in flight allow", rate / allowed, 0.8)
    yield Figure("episodes: share of the bare client's calls/s, by clock", median(clock), 0.8)
    yield Figure("episodes: the same by processor time", median(processor), 0.8)


@dataclass(frozen=True)
class Round:
    """The paces of episodes, of the bare clients with the same prompts, and of bare connections."""

    ours: Pace
    bare: Sequence[Pace]
    alone: Pace


def one_round(setting: Setting, url: str, folder: Path) -> Round:
    """Measure each in turn."""
    folder.mkdir()
    ours = paced(lambda: evaluate(setting, url, folder))
    with (folder / "run" / running.CALLS).open(encoding="utf-8") as file:
        prompts = [json.loads(line)["messages"] for line in file]
    clients = [paced(lambda: ask_in_threads(setting, url, prompts)), paced(lambda: asyncio.run(ask(setting, url, prompts)))]
    alone = paced(lambda: asyncio.run(connect(setting, url, len(prompts))))
    return Round(ours, clients, alone)


def paced(work: Callable[[], int]) -> Pace:
    """Measure work that returns how many calls it made."""
    clock, processor = perf_counter(), process_time()
    calls = work()
    return Pace(calls, process_time() - processor, perf_counter() - clock)


@contextmanager
def answering(delay_s: float) -> Generator[str]:
    """Start the server in a process of its own and yield its address."""
    command = [sys.executable, str(_SERVER), str(delay_s)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 (ours)
        try:
            yield json.loads(process.stdout.readline() if process.stdout else "")["base_url"]
        finally:
            process.kill()


def evaluate(setting: Setting, url: str, folder: Path) -> int:
    """Play episodes, as `pgym evaluate` does."""
    file = folder / "evaluation.toml"
    file.write_text(
        f'ids = ["{PLAYED}"]\nvariation = "written"\nrepetitions = {setting.episodes}\nconcurrency = {setting.in_flight}\n'
        f'cache = false\n[[model]]\nmodel = "mock"\nbase_url = "{url}"\n',
        encoding="utf-8",
    )
    config = read_config(file)
    with running.opened(config, jobs.plan(config, config.ids), folder / "run") as run:
        return sum(row.calls for row in running.go_on(run) if row is not None)


def ask_in_threads(setting: Setting, url: str, prompts: Sequence[list[Any]]) -> int:
    """Ask with the package's client, from threads."""
    with (
        openai.OpenAI(api_key="none", base_url=url, max_retries=0) as client,
        ThreadPoolExecutor(setting.in_flight) as pool,
    ):
        create: Callable[..., object] = client.chat.completions.create
        return len([pool.submit(create, **_body(prompt)) for prompt in prompts])  # leaving the pool waits for all


async def ask(setting: Setting, url: str, prompts: Iterable[list[Any]]) -> int:
    """Ask with the package's other client, from one thread."""
    left, asked = iter(prompts), 0
    async with openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0) as client:

        async def go_on() -> None:
            nonlocal asked
            for prompt in left:
                await client.chat.completions.create(**_body(prompt))
                asked += 1

        await asyncio.gather(*(go_on() for _ in range(setting.in_flight)))
    return asked


def _body(prompt: list[Any]) -> dict[str, Any]:
    schema = {"name": "policy", "strict": True, "schema": turn_schema()}
    return {"model": "mock", "messages": prompt, "response_format": {"type": "json_schema", "json_schema": schema}}


async def connect(setting: Setting, url: str, count: int) -> int:
    """Ask over bare connections with next to no work, for what the server itself can do."""
    where, left = urlsplit(url), iter(range(count))
    question = b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"

    async def go_on() -> None:
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        for _ in left:
            writer.write(question)
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(head.lower().partition(b"content-length:")[2]))
        writer.close()

    await asyncio.gather(*(go_on() for _ in range(setting.in_flight)))
    return count


if __name__ == "__main__":
    main()
