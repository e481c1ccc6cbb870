"""D4, D25, B01: the same id, seed and actions give the same bytes, in any process and for good."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from tests.conformance import golden
from tests.conformance.drivers import IDS, bare, digest, episode, played_by, random_actions
from tests.conformance.processes import ROOT, python

CHANGED = """the same seed and actions give another episode than before.
If that was not meant, mend it. If it was, scores stop being comparable: raise `version` in the scenario's file (where its
content changed) or the version of the ids (where a rule did), add a line to CHANGELOG.md that says which scores stop being
comparable, and run `python -m tests.conformance.golden`."""

ELSEWHERE = """
import json, locale, time
from contextlib import suppress
time.time = lambda: 4.1e9
time.time_ns = lambda: 4_100_000_000_000_000_000
with suppress(locale.Error):
    locale.setlocale(locale.LC_ALL, "")
from tests.conformance import golden
texts = [golden.bare(name, text=True).reset(seed=1)[1]["text"] for name in golden.IDS]
print(json.dumps([golden.hashes(), texts]))
"""
PLACES = [
    {"PYTHONHASHSEED": "1", "TZ": "Pacific/Chatham", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "77777", "TZ": "America/Los_Angeles", "LC_ALL": "tr_TR.UTF-8", "OMP_NUM_THREADS": "1"},
]


@pytest.mark.parametrize("env_id", IDS)
def test_episodes_are_those_that_are_checked_in(env_id: str) -> None:
    written = golden.checked_in()["hashes"]
    assert golden.hashes([env_id])[env_id] == written.get(env_id), f"{env_id}: {CHANGED}"


def test_the_checked_in_hashes_are_those_of_the_ids_and_versions_there_are() -> None:
    written = golden.checked_in()
    assert set(written["hashes"]) == set(IDS), "run `python -m tests.conformance.golden`"
    assert written["versions"] == golden.versions(), "run `python -m tests.conformance.golden`"


def test_the_changelog_tells_of_every_raised_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    raised = [f"{name} version {version}" for name, version in golden.versions().items() if version > 1]
    assert [line for line in raised if line not in changes] == []


def test_any_process_plays_the_same(tmp_path: Path) -> None:
    told = {python(ELSEWHERE, tmp_path, place) for place in PLACES}
    assert len(told) == 1
    hashes, texts = json.loads(told.pop())
    assert hashes == golden.hashes()
    assert texts == [bare(name, text=True).reset(seed=1)[1]["text"] for name in IDS]


@pytest.mark.parametrize("env_id", IDS)
def test_global_randomness_is_neither_used_nor_touched(env_id: str) -> None:
    played: set[str] = set()
    for seed in (1, 2):
        random.seed(seed)
        np.random.seed(seed)
        before = random.getstate(), str(np.random.get_state())
        env = bare(env_id, variation="train", user="stochastic", worker="imperfect:0.5")
        played.add(digest(played_by("random", env, 7)))
        assert (random.getstate(), str(np.random.get_state())) == before
    assert len(played) == 1


@pytest.mark.parametrize("env_id", IDS)
def test_seeds_differ_and_a_reset_without_one_goes_on(env_id: str) -> None:
    env = bare(env_id, variation="train")
    assert digest(episode(env, 1, random_actions(0))) != digest(episode(env, 2, random_actions(0)))
    first = [digest(episode(env, seed, random_actions(0))) for seed in (5, None, None)]
    again = [digest(episode(env, seed, random_actions(0))) for seed in (5, None, None)]
    assert first == again
    assert len(set(first)) == 3
