"""B15, B17, D23, B14: importing, making and closing leave nothing behind, and everything registers once."""

import gc
import json
import multiprocessing
from pathlib import Path

import gymnasium as gym
import pytest

from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.envs.registration import ids, register_all
from proactivity_gym.sim.episode import Episode
from tests.conformance.drivers import IDS, bare
from tests.conformance.processes import python, raw

HEAVY = [
    "torch",
    "stable_baselines3",
    "sb3_contrib",
    "openai",
    "pydantic",
    "matplotlib",
    "rich",
    "typer",
    "pandas",
    "proactivity_gym.sim.episode",
]

PROBE = """
import builtins, json, logging, os, random, socket, sys, warnings
import gymnasium, numpy as np
opened, connected = [], []
def hook(event, args):
    if event == "open" and (str(args[0]).endswith(".toml") or set(str(args[1])) & set("wax+")):
        opened.append(str(args[0]))
    if event.startswith("socket.") or event in ("subprocess.Popen", "os.system"):
        connected.append(event)
def state():
    root = logging.getLogger()
    return (dict(os.environ), os.getcwd(), random.getstate(), str(np.random.get_state()), len(root.handlers), root.level,
            logging.root.manager.disable, gymnasium.logger.min_level, list(warnings.filters), len(sys.path))
before = state()
sys.addaudithook(hook)
import proactivity_gym
assert state() == before, "importing changed the process"
loaded = [name for name in HEAVY if name in sys.modules]
print(json.dumps([opened, connected, loaded]))
"""

FAILURES = {
    "exception": "raise RuntimeError('as planned')",
    "interrupt": "import signal, os; os.kill(os.getpid(), signal.SIGINT); import time; time.sleep(30)",
    "failing reset": "envs.reset(options={'week': 'no number'})",
    "closed twice": "envs.close(); envs.close(); raise SystemExit(3)",
}


def test_importing_loads_opens_and_changes_nothing(tmp_path: Path) -> None:
    opened, connected, loaded = json.loads(python(f"HEAVY = {HEAVY}\n{PROBE}", tmp_path))
    assert (opened, connected, loaded) == ([], [], [])
    assert list(tmp_path.iterdir()) == []


def test_playing_writes_no_file_and_opens_no_connection(tmp_path: Path) -> None:
    code = f"""
import gymnasium, json, os, sys
import proactivity_gym
written, connected = [], []
def hook(event, args):
    if event == "open" and set(str(args[1])) & set("wax+"): written.append(str(args[0]))
    if event.startswith("socket.") or event == "subprocess.Popen": connected.append(event)
sys.addaudithook(hook)
environ, place = dict(os.environ), os.getcwd()
env = gymnasium.make({IDS[0]!r}, variation="train", text=True, render_mode="ansi")
env.reset(seed=1)
for action in [(1, 2, 0), (2, 3, 1), (0, 0, 0)] * 20: env.step(action), env.render()
env.close()
assert (environ, place) == (dict(os.environ), os.getcwd())
print(json.dumps([written, connected]))
"""
    assert json.loads(python(code, tmp_path)) == [[], []]
    assert list(tmp_path.iterdir()) == []


def test_every_id_is_registered_once_however_often_the_package_is_loaded(tmp_path: Path) -> None:
    code = """
import importlib, sys
import gymnasium, proactivity_gym
from proactivity_gym.envs.registration import ids
first = ids()
importlib.reload(proactivity_gym)
for name in [name for name in sys.modules if name.startswith("proactivity_gym")]: del sys.modules[name]
import proactivity_gym
from proactivity_gym.envs.registration import ids
assert ids() == first
print("\\n".join(first))
"""
    assert python(code, tmp_path).split() == IDS
    register_all()
    assert set(IDS) <= set(ids())


def test_a_spawned_worker_knows_the_ids() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(registered) == IDS


def registered() -> list[str]:
    """Return the ids that a process knows after importing the package."""
    import proactivity_gym
    from proactivity_gym.envs import registration

    assert proactivity_gym.__version__
    return registration.ids()


def test_making_and_closing_leaves_no_environment_behind() -> None:
    gc.collect()
    before = live()
    for number in range(100):
        env = gym.make(IDS[number % len(IDS)])
        env.reset(seed=number)
        env.step(env.action_space.sample())
        env.close()
        del env
    gc.collect()
    assert live() <= before


def live() -> int:
    """Count the environments and episodes that are in memory."""
    return sum(type(thing) in (ProactivityEnv, Episode) for thing in gc.get_objects())


def test_closing_twice_or_before_a_reset_does_no_harm() -> None:
    env = bare(IDS[0])
    env.close()
    env.close()
    env.reset(seed=0)
    env.close()


def test_what_needs_a_reset_says_so() -> None:
    env = bare(IDS[0])
    for use in (lambda: env.step((0, 0, 0)), env.action_masks, env.text, lambda: env.read("mail.search", {"query": ""})):
        with pytest.raises(gym.error.ResetNeeded):
            use()


@pytest.mark.parametrize("failure", FAILURES)
def test_a_process_whose_workers_play_ends_soon_however_it_fails(failure: str, tmp_path: Path) -> None:
    code = f"""
import multiprocessing
import gymnasium, proactivity_gym
if __name__ == "__main__":
    envs = gymnasium.make_vec({IDS[0]!r}, 2, "async", variation="train")
    envs.reset(seed=0)
    print([child.pid for child in multiprocessing.active_children()])
    {FAILURES[failure]}
"""
    ended = raw(code, tmp_path, timeout=60)
    assert ended.returncode != 0
    workers = json.loads(ended.stdout.splitlines()[0])
    assert len(workers) == 2
    assert not [pid for pid in workers if Path(f"/proc/{pid}/cmdline").exists() and _is_ours(pid)]


def _is_ours(pid: int) -> bool:
    try:
        return b"proactivity_gym" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


LOADING = """
import time
import proactivity_gym
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim import parsing, references
start = time.process_time()
for name in catalogue.names(): catalogue.load(name)
print(time.process_time() - start)
"""


def test_all_scenarios_load_in_half_a_second(tmp_path: Path) -> None:
    took_s = min(float(python(LOADING, tmp_path)) for _ in range(3))
    assert took_s < 0.5, "of the processor, but for importing what reads them"
