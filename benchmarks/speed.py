"""How fast the environment is, as ratios to others measured in the same run (`make bench`).

Whole episodes with their resets, through `gym.make` with its default wrappers, the reference worker, and random actions drawn
beforehand. Every contender is measured in turn, several times over; told are medians. Time is processor time of this process,
so that other work on the machine disturbs the figures less, though it does disturb them.
"""

import gc
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Any

import gymnasium as gym

import proactivity_gym  # noqa: F401  # pyright: ignore[reportUnusedImport] (it registers the ids)
from proactivity_gym.scenarios import catalogue

CART_POLE = "CartPole-v1"
MINI_GRID = "MiniGrid-Empty-8x8-v0"
VARIATIONS = ("written", "train")
PERSONA = "B"

Env = gym.Env[Any, Any]


@dataclass(frozen=True)
class Setting:
    """How much is measured."""

    runs: int = 7
    steps: int = 6000
    resets: int = 200
    imports: int = 9
    instances: int = 16


@dataclass(frozen=True)
class Figure:
    """A figure beside its target, if it has one."""

    what: str
    value: float
    target: float | None = None
    unit: str = ""
    most: bool = False
    """Whether the target is the most it may be; else it is the least."""

    @property
    def met(self) -> bool:
        """Whether it meets its target."""
        return self.target is None or (self.value <= self.target if self.most else self.value >= self.target)

    def __str__(self) -> str:
        """Return a line of the table."""
        told = f"{self.what:58} {self.value:8.3f}{self.unit:4}"
        if self.target is None:
            return told.rstrip()
        target = f"{'at most' if self.most else 'at least'} {self.target:g}{self.unit}"
        return f"{told} {target:18} {'ok' if self.met else 'MISSED'}"


def main() -> None:
    """Print every figure with its target and verdict."""
    for figure in figures(Setting()):
        print(figure, flush=True)


def figures(setting: Setting) -> Iterator[Figure]:
    """Measure everything, figure by figure."""
    yield from speed_figures(catalogue.names(), setting)
    yield Figure("import proactivity_gym / import gymnasium", import_ratio(setting.imports), 1.15, most=True)
    loaded = loaded_by_import()
    yield Figure(f"loaded by the import: {', '.join(loaded) or 'nothing heavy'}", len(loaded), 0, most=True)
    for name in catalogue.names():
        kilobytes = memory_kb(env_id(name), setting.instances)
        yield Figure(f"{name}: memory of an instance that begins an episode", kilobytes, 64, " KB", most=True)


# Speed


def speed_figures(scenarios: Sequence[str], setting: Setting) -> Iterator[Figure]:
    """Compare steps and resets of each scenario, written and varied, with CartPole and, where it is installed, MiniGrid."""
    contenders: dict[str, Callable[[], Env]] = {CART_POLE: lambda: gym.make(CART_POLE)}
    if has_mini_grid():
        contenders[MINI_GRID] = lambda: gym.make(MINI_GRID)
    for name in scenarios:
        for variation in VARIATIONS:
            contenders[f"{name}, {variation}"] = _maker(name, variation)
    steps, resets = measure({label: make() for label, make in contenders.items()}, setting)
    for name in scenarios:
        written, train = f"{name}, written", f"{name}, train"
        yield Figure(f"{written}: steps/s as share of CartPole's", _ratio(steps[CART_POLE], steps[written]), 0.25)
        if MINI_GRID in steps:
            yield Figure(f"{written}: steps/s as multiple of MiniGrid's", _ratio(steps[MINI_GRID], steps[written]), 4)
        yield Figure(f"{train}: steps/s as share of CartPole's", _ratio(steps[CART_POLE], steps[train]), 0.15)
        yield Figure(f"{written}: reset as multiple of CartPole's", _ratio(resets[written], resets[CART_POLE]), 20, most=True)
        yield Figure(f"{train}: reset", 1000 * median(resets[train]), 5, " ms", most=True)


def _maker(name: str, variation: str) -> Callable[[], Env]:
    return lambda: gym.make(env_id(name), variation=variation)


def env_id(scenario: str) -> str:
    """Return the id that is measured of a scenario."""
    return f"ProactivityGym/{scenario}-Persona{PERSONA}-v0"


def has_mini_grid() -> bool:
    """Register MiniGrid's ids, and tell whether it is installed."""
    try:
        import minigrid  # noqa: F401, PLC0415  # pyright: ignore[reportUnusedImport]
    except ImportError:
        return False
    return True


def measure(envs: Mapping[str, Env], setting: Setting) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Return seconds per step and seconds per reset of each environment, once per run."""
    steps: dict[str, list[float]] = {label: [] for label in envs}
    resets: dict[str, list[float]] = {label: [] for label in envs}
    actions = {label: draw_actions(env, setting.steps) for label, env in envs.items()}
    for _ in range(setting.runs):
        for label, env in envs.items():
            steps[label].append(seconds_per_step(env, actions[label]))
            resets[label].append(seconds_per_reset(env, setting.resets))
    return steps, resets


def draw_actions(env: Env, count: int) -> list[Any]:
    """Draw actions from the action space."""
    env.action_space.seed(0)
    return [env.action_space.sample() for _ in range(count)]


def seconds_per_step(env: Env, actions: Sequence[Any]) -> float:
    """Play actions, starting a new episode whenever one ends."""
    env.reset(seed=0)
    start = process_time()
    for action in actions:
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            env.reset()
    return (process_time() - start) / len(actions)


def seconds_per_reset(env: Env, count: int) -> float:
    """Reset with one seed after the other."""
    start = process_time()
    for seed in range(count):
        env.reset(seed=seed)
    return (process_time() - start) / count


def _ratio(over: Sequence[float], under: Sequence[float]) -> float:
    """Return the median of the ratios of each run."""
    return median(a / b for a, b in zip(over, under, strict=True))


# Import

_TIMED = "import time; start = time.process_time(); import {}; print(time.process_time() - start)"
_HEAVY = ("torch", "stable_baselines3", "openai", "pydantic")
_LISTED = f"""
import sys, proactivity_gym
from proactivity_gym.scenarios import catalogue
print(*(name for name in {_HEAVY!r} if name in sys.modules))
if catalogue.load.cache_info().currsize:
    print("a scenario")
"""


def import_ratio(count: int) -> float:
    """Return how much longer it takes a fresh process to import the package than to import Gymnasium, at the best of each."""
    names = ("proactivity_gym", "gymnasium")
    seconds = [[float(run(_TIMED.format(name))) for name in names] for _ in range(count)]
    return min(ours for ours, _ in seconds) / min(theirs for _, theirs in seconds)


def loaded_by_import() -> list[str]:
    """Return what the import loads though it should not."""
    return run(_LISTED).split()


def run(code: str) -> str:
    """Run code in a fresh process and return what it prints."""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout  # noqa: S603 (ours)


# Memory


def memory_kb(made_id: str, count: int) -> float:
    """Return the KB that one more environment takes, what all share being there already.

    An episode adds its trace, about a third of a KB for each entry, until the next reset.
    """
    kept = [_begun(made_id)]
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept += [_begun(made_id) for _ in range(count)]
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) / count / 1024


def _begun(made_id: str) -> Env:
    env = gym.make(made_id)
    env.reset(seed=0)
    env.step(env.action_space.sample())
    return env


if __name__ == "__main__":
    main()
