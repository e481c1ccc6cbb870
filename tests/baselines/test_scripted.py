from collections.abc import Iterator, Mapping
from itertools import islice

import numpy as np
import pytest

from proactivity_gym.baselines import rows, scripted
from proactivity_gym.baselines.policy import WAIT, Action, Observation
from proactivity_gym.envs.layout import COLUMN, SHAPES, WIDTH
from proactivity_gym.sim.words import Depth, SignalStatus, Timing
from tests.conformance.drivers import IDS, bare, likely_actions

WANTED = {
    "dismiss": (Depth.NOOP, Timing.NOW),
    "prepare": (Depth.PREPARE, Timing.NOW),
    "suggest": (Depth.SUGGEST, Timing.NOW),
    "execute": (Depth.EXECUTE, Timing.NOW),
    "defer": (Depth.SUGGEST, Timing.DUE),
}


def observation(*statuses: SignalStatus | None) -> Observation:
    """Return an observation whose slots hold signals in these statuses."""
    made = {name: np.zeros(length, np.float32) for name, length in SHAPES.items()}
    table = made["signals"].reshape(16, WIDTH)
    for slot, status in enumerate(statuses):
        if status is not None:
            table[slot, COLUMN["present"]] = table[slot, COLUMN[f"status is {status.name.lower()}"]] = 1.0
    return made


@pytest.mark.parametrize("name", WANTED)
def test_a_constant_policy_takes_what_is_fresh_in_order_and_leaves_continuations(name: str) -> None:
    player = scripted.POLICIES[name]()
    seen = observation(None, SignalStatus.APPROVED, SignalStatus.RETURNED, SignalStatus.FRESH)
    assert player.act(seen, {}) == (3, *WANTED[name])
    assert player.act(observation(SignalStatus.DRAFTED, SignalStatus.NOTICE), {}) == WAIT
    assert player.act(observation(), {}) == WAIT


def test_spam_takes_continuations_too() -> None:
    player = scripted.POLICIES["spam"]()
    for status in SignalStatus:
        assert player.act(observation(None, status), {}) == (2, Depth.EXECUTE, Timing.NOW)


def test_noop_always_waits() -> None:
    player = scripted.POLICIES["noop"]()
    assert player.act(observation(*[SignalStatus.FRESH] * 16), {}) == WAIT


def no_reading(tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
    raise AssertionError(f"{tool} {arguments}: a scripted policy reads nothing")


def draws(seed: int, seen: Observation) -> Iterator[Action]:
    player = scripted.POLICIES["random"]()
    player.reset(seen, {}, seed, no_reading)
    while True:
        yield player.act(seen, {})


def test_random_draws_evenly_from_what_is_open() -> None:
    seen = observation(SignalStatus.FRESH, None, SignalStatus.APPROVED)
    drawn = list(islice(draws(0, seen), 6000))
    assert {action[0] for action in drawn} == {0, 1, 3}
    for column, choices in enumerate((3, 4, 4)):
        counts = np.unique([action[column] for action in drawn], return_counts=True)[1]
        assert (abs(counts * choices / len(drawn) - 1) < 0.1).all()


def test_random_is_the_same_for_a_seed_and_differs_between_seeds() -> None:
    seen = observation(*[SignalStatus.FRESH] * 4)
    first, again, other = (list(islice(draws(seed, seen), 50)) for seed in (1, 1, 2))
    assert first == again != other


def test_rows_are_named_by_their_targets() -> None:
    env = bare(IDS[0])
    seen, _ = env.reset(seed=0)
    for action in islice(likely_actions(3), 25):
        targets = [target for target, _ in rows.signals(seen)]
        assert targets == [slot + 1 for slot, signal in enumerate(env.episode.board.slots) if signal]
        fresh = [
            slot + 1 for slot, signal in enumerate(env.episode.board.slots) if signal and signal.status <= SignalStatus.RETURNED
        ]
        assert [target for target, _ in rows.fresh(seen)] == fresh
        seen, _, over, _, _ = env.step(action)
        if over:
            break
