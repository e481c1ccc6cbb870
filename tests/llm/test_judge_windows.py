"""TA with judges: the window's log, and labels beside our rule."""

from typing import Any

import gymnasium as gym
import pytest

from proactivity_gym.reports.judging_windows import judge_window
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.words import Depth, Timing
from proactivity_gym.wrappers.judge_panel import Panel
from tests.llm.judge_doubles import EDUCATION, Noting, answering, blocks_of, played, serving, window
from tests.wrappers.worlds import tiny


def test_labels_stand_beside_the_rule() -> None:
    episode = played("oracle", gym.make(EDUCATION))
    scripts = [answering(lambda asked: window(asked, True, True)), answering(lambda asked: window(asked, True, False))]
    with serving(*scripts) as (_, panel):
        found = judge_window(episode, panel)
    assert found is not None
    assert found.rule == {"now": 1, "later": 1, "both": 1}
    assert found.answer.by_judge("now") == (1, 1)
    assert found.answer.by_judge("both") == (1, 0)
    assert found.ta == 50
    assert found.record()["judges"] == {"now": [1, 1], "later": [1, 0], "both": [1, 0], "continuation": [0.5, 0.5]}


def test_judges_are_shown_the_pair_the_records_and_the_log() -> None:
    noting = Noting()
    episode = played("oracle", gym.make(EDUCATION))
    judge_window(episode, Panel([noting, noting]), hide=["kestrel learning"])
    matters, records, log = blocks_of(noting.prompts()[0])
    assert matters.startswith("The matter that cannot wait: ")
    assert "\nThe other matter, which can: " in matters
    assert len(records.splitlines()) == len(set(records.splitlines()))
    assert "work to begin at once" in log
    assert "work to begin later, Mon 2027-03-01 16:00" in log
    assert "the assistant worked on" in log
    assert 'payee "the assistant"' in log
    end = matters.rsplit("begun by ", 1)[1][:20]
    assert max(line.split("] ")[1][:20] for line in log.splitlines()) <= end


def test_the_log_tells_what_else_can_be_done() -> None:
    env = tiny()
    env.reset(seed=0)
    base: Any = env.unwrapped
    episode: Episode = base.episode
    while episode.now < 9 * 60 + 40:
        episode.wait()
    form, parcel = (next(s for s in episode.board.open() if s.task == task) for task in (0, 1))
    assert episode.act(parcel.slot, Depth.NOOP, Timing.IDLE) is None
    assert episode.act(form.slot, Depth.NOOP, Timing.NOW) is None
    while not episode.over:
        episode.wait()
    noting = Noting()
    judge_window(episode, Panel([noting, noting]))
    log = blocks_of(noting.prompts()[0])[-1]
    assert 'set messages "Parcel" aside, to return Mon 2027-03-08 12:00' in log
    assert 'dismissed mail "Your place in the course" for good' in log
    assert "the user wrote" not in log  # a message that came up stands there as such, once
    assert 'messages "Parcel" came up' in log


def test_without_a_settled_window_nobody_is_asked() -> None:
    env = tiny()
    env.reset(seed=0)
    noting = Noting()
    base: Any = env.unwrapped
    assert judge_window(base.episode, Panel([noting, noting])) is None
    assert not noting.requests


@pytest.mark.parametrize(
    "change",
    [
        {"now": 1},
        {"later": "true"},
        {"continuation": 0.25},
        {"continuation": 2},
        {"entries": []},
        {"entries": [0]},
        {"quotes": ["The matter that cannot wait"]},
        {"code": None},
    ],
)
def test_what_is_no_label_is_unscored(change: dict[str, object]) -> None:
    episode = played("oracle", gym.make(EDUCATION))
    with serving(*[answering(lambda asked: window(asked, True, True) | change)] * 2) as (servers, panel):
        found = judge_window(episode, panel)
    assert found is not None
    assert found.ta is None
    assert found.answer.verdicts == (None, None)
    assert [len(server.calls) for server in servers] == [3, 3]
