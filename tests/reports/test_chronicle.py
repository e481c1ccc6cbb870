from proactivity_gym.reports.chronicle import chronicle, terms_lines
from proactivity_gym.reports.plays import play
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.trace import NAMES, Entry, Value
from proactivity_gym.sim.words import Depth, Timing
from tests.sim.tiny import week_of


def over() -> Episode:
    """Play a week in which the agent goes too far, puts things back and does nonsense."""
    episode = Episode(week_of())
    episode.start()
    while not episode.over:
        for slot, signal in enumerate(episode.board.slots):
            if signal is None:
                continue
            if signal.task == 0:
                episode.act(slot, Depth.EXECUTE, Timing.NOW)
            elif signal.task == 1:
                episode.act(slot, Depth.PREPARE, Timing.NOW)
            elif signal.task == 2:
                episode.act(slot, Depth.NOOP, Timing.SLEEP)
            break
        else:
            episode.trace.cells.extend((episode.now, "wait", "empty-slot"))
        episode.wait()
    return episode


def test_a_week_is_told_day_by_day() -> None:
    episode = play(week_of())
    assert chronicle(episode.week, episode.trace)[:9] == [
        "",
        "Monday 8 March",
        '  09:30  messages "Parcel": fresh',
        '  09:30  AGENT EXECUTE IDLE: messages "Parcel", work from Mon 8 Mar, 12:00',
        '  09:40  mail "Your place in the course": fresh',
        '  09:40  AGENT SUGGEST NOW: mail "Your place in the course", work from Mon 8 Mar, 09:40',
        '  10:00  work done: mail "Your place in the course"',
        '  10:00  offer delivered into focus: mail "Your place in the course"',
        '  10:05  USER approve: mail "Your place in the course"',
    ]


def test_hidden_truth_is_told_to_authors_alone() -> None:
    episode = over()
    seen, hidden = (chronicle(episode.week, episode.trace, author) for author in (False, True))
    assert set(seen) < set(hidden)
    for word in ("task ", "trust", "credited", "permission"):
        assert not any(word in line for line in seen)
        assert any(word in line for line in hidden)


def test_whatever_may_happen_has_words() -> None:
    week = week_of()
    attempt: dict[str, Value] = {"job": 0, "signal": 0, "task": 0, "depth": 2, "timing": 0, "start": 5}
    names = ("slot", "status", "until", "topic", "reaction", "statement", "minutes", "outcome", "level", "tc", "late")
    every: dict[str, Value] = dict.fromkeys(names, 0)
    data: dict[str, Value] = {**attempt, **every, "error": "empty-slot", "focus": True, "cause": "focus"}
    entries: list[Entry] = [(600, name, data) for name in ("attempt", *NAMES)]
    lines = chronicle(week, entries, author=True)
    assert len(lines) > 20
    assert '  10:00  USER says: "Ask me before you do anything."' in lines
    assert "  10:00  USER takes delegation back: any" in lines
    assert "  10:00  the agent's action counted as waiting: empty-slot" in lines


def test_terms_stand_one_a_line() -> None:
    assert terms_lines({"TC": 50.0, "TR_J": None}) == ["  TC                    50.000", "  TR_J                    none"]
