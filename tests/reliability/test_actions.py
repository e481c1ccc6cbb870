"""D2 and D3 at their release figures."""

import json
import time
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from proactivity_gym.envs.decode import decode
from proactivity_gym.sim.interventions import MALFORMED
from tests.conformance.drivers import IDS, bare
from tests.conformance.fuzzing import fuzz
from tests.conformance.malformed import malformed
from tests.reliability.figures import RELEASE

pytestmark = pytest.mark.reliability

SEEDS = 100
STEPS = RELEASE.fuzz_steps // (SEEDS * len(IDS)) + 1


@pytest.mark.parametrize(("number", "env_id"), list(enumerate(IDS)))
def test_no_drawn_action_breaks_anything(number: int, env_id: str) -> None:
    for share, variation in enumerate(("test", "train", "written")):
        user = ("deterministic", "stochastic")[(number + share) % 2]
        worker = ("reference", "imperfect:0.4")[(number + share) % 3 == 0]
        fuzz(env_id, SEEDS, STEPS // 3 + 1, variation=variation, user=user, worker=worker)


def drawn_junk(seed: int) -> Iterator[object]:
    """Yield objects built of the malformed ones: nested, repeated, cut, written as JSON."""
    generator = np.random.default_rng(seed)
    known = list(malformed().values())
    while True:
        parts = [known[i] for i in generator.integers(len(known), size=int(generator.integers(5)))]
        kind = int(generator.integers(5))
        text = bytes(generator.integers(256, size=int(generator.integers(60))).astype(np.uint8))
        made = (parts, tuple(parts), dict(enumerate(parts)), text.decode("latin-1"), json.dumps(text.hex()))[kind]
        if decode(made) is None:
            yield made


@pytest.mark.parametrize("env_id", IDS)
def test_no_junk_does_more_than_wait_nor_takes_long(env_id: str) -> None:
    env = bare(env_id, variation="train")
    env.reset(seed=0)
    for junk in islice(drawn_junk(len(env_id)), RELEASE.junk // len(IDS)):
        before = time.perf_counter()
        _, _, over, _, info = env.step(junk)
        assert time.perf_counter() - before < RELEASE.junk_seconds
        assert info["action_error"] == MALFORMED
        if over:
            env.reset()
