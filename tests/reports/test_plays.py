from proactivity_gym.reports.plays import fates, play
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.words import Depth, Outcome, Timing
from tests.sim.tiny import week_of

FORM, PARCEL, CARD = range(3)


def test_the_oracle_takes_everything_in_time() -> None:
    found = fates(play(week_of()))
    form, parcel, card = (found[task] for task in (FORM, PARCEL, CARD))
    assert (form.chosen, form.expected, form.timing, form.decided_at) == (Depth.SUGGEST, Depth.SUGGEST, Timing.NOW, 580)
    assert (parcel.chosen, parcel.timing, parcel.start) == (Depth.EXECUTE, Timing.IDLE, 720)
    assert (card.chosen, card.timing, card.start) == (Depth.NOOP, None, None)
    assert [fate.tc for fate in (form, parcel, card)] == [1, 1, 1]
    assert not any(fate.late or fate.competed for fate in found.values())


def closed(episode: Episode) -> object:
    """Return the outcome with which the form's task closed."""
    return next(data["outcome"] for _, name, data in episode.trace if name == "close" and data["task"] == FORM)


def test_a_task_left_undone_expires() -> None:
    episode = play(week_of(), left={FORM})
    assert closed(episode) == Outcome.EXPIRED
    assert fates(episode)[FORM].chosen is None


def test_a_task_may_be_dismissed() -> None:
    episode = play(week_of(), dismissed={FORM})
    assert closed(episode) == Outcome.DISMISSED
    assert fates(episode)[FORM].chosen == Depth.NOOP


def test_late_and_competing_work_is_noted() -> None:
    edits = [("deadline = 2027-03-09T12:00:00", "deadline = 2027-03-08T09:35:00"), ('later = "parcel"', 'later = "card"')]
    late = fates(play(week_of(*edits)))[PARCEL]
    assert (late.tc, late.late) == (None, True)


def test_only_what_counts_is_competing() -> None:
    episode = Episode(week_of())
    for counts in (False, True):
        episode.log((episode.now, "active", CARD))
        episode.log((episode.now, "compete", 0, CARD, 3, "focus", counts))
        assert fates(episode)[CARD].competed == counts
