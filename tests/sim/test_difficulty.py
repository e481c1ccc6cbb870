from collections.abc import Callable, Iterator

import pytest

from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.difficulty import DEFAULT, LEVELS, drawn, least, most
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.reading import Reading
from proactivity_gym.sim.situation import describe, describe_signal
from proactivity_gym.sim.tables import tables_of
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.week import Week
from tests.conformance.drivers import ROTATED, SCENARIOS

STREAMS = ("written", "train", "test")


def weeks(source: str, persona: str, level: str) -> list[Week]:
    """Return the written week and some of either stream."""
    return [catalogue.week(source, persona, stream, seed, level) for stream in STREAMS for seed in range(4)]


def all_levels(source: str, persona: str, told: Callable[[Week], list[int]]) -> Iterator[tuple[list[int], ...]]:
    """Return what is told of the same weeks at easy, standard and hard."""
    return zip(*([told(week) for week in weeks(source, persona, level)] for level in LEVELS), strict=True)


def test_a_pick_is_drawn_or_the_end_of_the_range() -> None:
    assert [pick([0, -10, 20], 0.7) for pick in (least, drawn, most)] == [-10, 20, 20]


@pytest.mark.parametrize(("source", "persona"), ROTATED)
def test_noise_comes_more_often_the_harder_it_is(source: str, persona: str) -> None:
    def noise(week: Week) -> list[int]:
        return [index for index, _ in tables_of(week.plan).chances if week.record_at[index] < NEVER]

    counts = [0, 0, 0]
    for found in all_levels(source, persona, noise):
        easy, standard, hard = map(set, found)
        assert easy <= standard <= hard
        counts = [count + len(each) for count, each in zip(counts, (easy, standard, hard), strict=True)]
    assert counts[0] < counts[1] < counts[2]
    assert 0.4 <= counts[0] / counts[1] <= 0.6
    plan = catalogue.written_week(source, persona).plan
    assert counts[2] == 4 * len(STREAMS) * len(tables_of(plan).chances)


@pytest.mark.parametrize(("source", "persona"), ROTATED)
def test_work_and_the_users_own_use_last_longer_the_harder_it_is(source: str, persona: str) -> None:
    for found in all_levels(source, persona, lambda week: [*week.signal_work, *(usage.end for usage in week.usages)]):
        assert all(easy <= standard <= hard for easy, standard, hard in zip(*found, strict=True))
        assert found[0] != found[2]


@pytest.mark.parametrize(("source", "persona"), ROTATED)
def test_deadlines_and_what_is_expected_stay(source: str, persona: str) -> None:
    def fixed(week: Week) -> list[int]:
        return [*week.task_deadline, *week.signal_by, *week.task_noop, *week.task_ready, *sorted(week.reference_tasks)]

    for easy, standard, hard in all_levels(source, persona, fixed):
        assert easy == standard == hard


@pytest.mark.parametrize("source", SCENARIOS)
def test_the_default_is_the_week_as_it_is(source: str) -> None:
    assert catalogue.week(source, "A", "written", 0) is catalogue.week(source, "A", "written", 0, DEFAULT)
    one, other = catalogue.week(source, "A", "test", 5), catalogue.week(source, "A", "test", 5, DEFAULT)
    assert (one.events, one.signal_work, one.usages) == (other.events, other.signal_work, other.usages)


def begun(source: str, level: str) -> Episode:
    """Return an episode at the first activation that has a signal linked with others that are there."""
    episode = Episode(catalogue.week(source, "A", "written", 0, level))
    episode.start()
    while not any(signal and len(there(episode, signal.index)) > 1 for signal in episode.board.slots):
        episode.wait()
    return episode


def there(episode: Episode, signal: int) -> list[int]:
    """Return the linked records that have appeared."""
    return [record for record in episode.week.links(signal) if episode.reading.there(record, episode.now)]


@pytest.mark.parametrize("source", SCENARIOS)
def test_links_come_read_at_easy_and_are_told_or_not_at_the_others(source: str) -> None:
    for level in LEVELS:
        episode = begun(source, level)
        signal = next(each for each in episode.board.slots if each and len(there(episode, each.index)) > 1)
        linked = there(episode, signal.index)
        records, own = episode.week.plan.scenario.records, episode.week.plan.signals[signal.index].record
        block = describe_signal(episode, signal)
        others = [records[index].id for index in linked if index != own]
        if level == "easy":
            assert episode.reading.read.issuperset(record for record in linked if episode.reading.there(record, signal.since))
            then = [records[index].id for index in linked if index != own and episode.reading.there(index, signal.since)]
            assert all(f"record {name} (" in block for name in then)
        elif level == "standard":
            assert not episode.reading.read
            assert all(f"    - {name}, " in block for name in others)
        else:
            assert not episode.reading.read
            assert not any(f"- {name}, " in block for name in others)
            assert "linked records that were read: none" in block
            assert_found(episode, others)
            episode.note_read(linked)
            assert all(f"    - {name}, " in describe_signal(episode, signal) for name in others)


def assert_found(episode: Episode, names: list[str]) -> None:
    """Assert that records that are not told as linked stand in the index, or in the lists of their apps."""
    index = describe(episode).partition("OTHER RECORDS")[2]
    entries = {entry.id: entry for entry in episode.reading.world(episode.now).everything()}
    assert any(f"- {name}, " in index for name in names) or all(name in entries for name in names)
    for name in names:
        episode.read(f"{entries[name].app}.read", {"id": name})
    assert isinstance(episode.reading, Reading)
