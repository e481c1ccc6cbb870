"""Ages and times left at every minute, against their definition."""

import copy
import pickle

import numpy as np
import pytest

from proactivity_gym.envs import ages
from proactivity_gym.envs.layout import BOUNDS, COLUMN, DELEGATION, TOTAL, USER, WIDTH
from proactivity_gym.sim.delegation import BEFORE
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.words import MAX_DAYS

LAST = MAX_DAYS * 1440 + 60
"""The last minute of the longest week, an hour of summer time included."""
MINUTES = [0, 1, 719, 1440, 2879, 2880, 2881, 5000, 11519, 11520, 11521, LAST - 1, LAST]
SIGNALS, TOLD_AGE = BOUNDS["signals"].start, WIDTH - len(DELEGATION) + DELEGATION.index("days since it was stated / 8")


def written(kept: ages.Ages, now: int) -> list[float]:
    """Return a whole observation of nothing but ages."""
    flat = np.zeros(TOTAL, np.float32)
    kept.write(flat, now)
    return flat.tolist()


def near(number: float) -> object:
    """Expect a number as single precision has it."""
    return pytest.approx(max(-1.0, min(1.0, number)), abs=1e-6)


@pytest.mark.parametrize("now", MINUTES)
def test_nothing_has_no_age(now: int) -> None:
    kept = ages.Ages()
    assert not any(written(kept, now))
    kept.open_slot(15, 0, ages.due(NEVER), ages.stated(0))
    kept.empty_slot(15)
    assert not any(written(kept, now))


@pytest.mark.parametrize("now", MINUTES)
@pytest.mark.parametrize("by", [-LAST, 0, 600, 4000, LAST, 2 * LAST, NEVER])
@pytest.mark.parametrize("slot", [0, 15])
def test_a_slot_tells_how_old_its_signal_is_and_what_is_left(now: int, by: int, slot: int) -> None:
    kept, start = ages.Ages(), SIGNALS + slot * WIDTH
    for since in (minute for minute in MINUTES if minute <= now):
        kept.open_slot(slot, since, ages.due(by), ages.stated(since))
        flat = written(kept, now)
        assert flat[start + COLUMN["age, in two days"]] == near((now - since) / 2880)
        assert flat[start + COLUMN["stated deadline, in two days"]] == near((by - now) / 2880)
        assert flat[start + TOLD_AGE] == near((now - since) / 11520)
        kept.told_slot(slot, ages.stated(None))
        assert written(kept, now)[start + TOLD_AGE] == 0


@pytest.mark.parametrize("now", MINUTES)
def test_what_was_said_before_the_week_is_as_old_as_can_be(now: int) -> None:
    kept, place = ages.Ages(), BOUNDS["delegation"].start + 11 * len(DELEGATION) + 4
    kept.told_topic(11, ages.stated(BEFORE))
    assert written(kept, now)[place] == 1
    kept.told_topic(11, ages.stated(0))
    assert written(kept, now)[place] == near(now / 11520)


@pytest.mark.parametrize("now", MINUTES)
def test_the_last_reaction(now: int) -> None:
    kept, place = ages.Ages(), BOUNDS["user"].start + USER.index("days since the last reaction")
    kept.reacted(None)
    assert written(kept, now)[place] == 1
    kept.reacted(0)
    assert written(kept, now)[place] == near(now / 1440)


def test_copies_are_their_own() -> None:
    kept = ages.Ages()
    twins = [copy.deepcopy(kept), pickle.loads(pickle.dumps(kept))]
    kept.reacted(0)
    assert [written(twin, 100) for twin in twins] == [written(ages.Ages(), 100)] * 2
