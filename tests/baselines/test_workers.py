import re

import numpy as np
import pytest

from proactivity_gym.baselines.workers import DEFAULT_ERROR_RATE, ImperfectWorker
from proactivity_gym.envs.env import make_worker
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.trace import Entry
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import Depth, Timing
from proactivity_gym.sim.work import Worker
from tests.sim.post import FACT, LATE, NOISE, Play, matter
from tests.sim.tiny import week_of

LETTERS = Play(matter("one", "08T08:00", "errands", LATE), matter("two"), NOISE, FACT).episode.week
WEEKS = {"tiny": week_of(), "letters": LETTERS}
SEEDS = range(25)


def imperfect(setting: str, seed: int = 0) -> ImperfectWorker:
    return ImperfectWorker(setting, np.random.default_rng(seed))


def play(week: Week, seed: int, worker: Worker | None) -> Episode:
    """Play a week at random."""
    draws = np.random.default_rng(seed)
    episode = Episode(week, worker=worker)
    episode.start()
    while not episode.over:
        slots = [slot for slot, signal in enumerate(episode.board.slots) if signal]
        depth, timing = draws.integers(4, size=2)
        if not slots or draws.random() < 0.3 or episode.act(int(draws.choice(slots)), Depth(depth), Timing(timing)):
            episode.wait()
    return episode


def trace(week: Week, seed: int, worker: Worker | None) -> list[Entry]:
    return play(week, seed, worker).trace.entries


def verdicts(week: Week, entries: list[Entry]) -> list[bool]:
    """Return, for each finished job in a matter that needs something done, whether its content was wrong."""
    done = [data for _, name, data in entries if name == "done"]
    return [bool(row["wrong"]) for row in done if (task := int(row["task"] or 0)) >= 0 and not week.task_noop[task]]


@pytest.mark.parametrize("name", WEEKS)
@pytest.mark.parametrize("seed", SEEDS)
def test_without_errors_it_is_the_reference_worker(name: str, seed: int) -> None:
    reference, live = (play(WEEKS[name], seed, worker) for worker in (None, imperfect("0")))
    assert live.trace.entries == reference.trace.entries
    assert live.tally.terms() == reference.tally.terms()


@pytest.mark.parametrize("name", WEEKS)
def test_with_nothing_but_errors_all_work_is_wrong(name: str) -> None:
    found = [wrong for seed in SEEDS for wrong in verdicts(WEEKS[name], trace(WEEKS[name], seed, imperfect("1")))]
    assert len(found) > len(SEEDS)
    assert all(found)


def test_the_stated_share_is_wrong() -> None:
    week, found = WEEKS["tiny"], list[bool]()
    for seed in range(400):
        found += verdicts(week, trace(week, seed, imperfect("0.3", seed)))
    assert np.mean(found) == pytest.approx(0.3, abs=0.06)


def test_the_same_seed_errs_alike() -> None:
    week = WEEKS["tiny"]
    one, again, other = ([trace(week, k, imperfect("0.5", seed)) for k in SEEDS] for seed in (7, 7, 8))
    assert one == again
    assert one != other


def test_of_several_calls_one_is_missing() -> None:
    both = 'actions = [{ tool = "messages.send", args = { to = "Eva", body = "Yes" } }, '
    play = Play(matter("one").replace("actions = [", both))
    play.episode = Episode(play.episode.week, worker=imperfect("1"))
    play.episode.start()
    play.take("one", Depth.SUGGEST, Timing.NOW)
    play.until("08T08:15")
    content = play.episode.jobs.all[0].content
    assert content is not None
    assert len(content.calls(play.episode.week, 0)) == 1
    assert content.outputs == 0.5
    assert content.wrong


def test_work_on_a_record_that_is_not_there_yet_stays_undone() -> None:
    reply = (
        matter("one", "08T08:00", "letters", LATE).replace("messages.send", "mail.reply").replace('to = "Rui"', 'id = "fact"')
    )
    play = Play(reply, FACT)
    play.episode = Episode(play.episode.week, worker=imperfect("0"))
    play.episode.start()
    play.take("one", Depth.SUGGEST, Timing.NOW)
    play.until("08T08:15")
    assert [wrong for _, wrong in play.heard("done", "wrong")] == [True]


@pytest.mark.parametrize(("setting", "rate"), [("", DEFAULT_ERROR_RATE), ("0", 0), ("1", 1), ("0.35", 0.35), ("1e-1", 0.1)])
def test_a_setting_is_an_error_rate(setting: str, rate: float) -> None:
    assert imperfect(setting).error_rate == rate


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ("often", "must be a number in [0, 1]"),
        ("0,5", "must be a number in [0, 1]"),
        ("1.01", "must lie in [0, 1]"),
        ("-0.1", "must lie in [0, 1]"),
        ("nan", "must lie in [0, 1]"),
        ("inf", "must lie in [0, 1]"),
    ],
)
def test_a_bad_setting_is_told_what_would_do(setting: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"worker='imperfect:{setting}': the error rate {complaint}")):
        imperfect(setting)


def test_it_is_found_by_its_name() -> None:
    generator = np.random.default_rng(0)
    worker = make_worker("imperfect:0.4", generator)
    assert isinstance(worker, ImperfectWorker)
    assert worker.error_rate == 0.4
    with pytest.raises(ValueError, match="imperfect:x"):
        make_worker("imperfect:x", generator)
