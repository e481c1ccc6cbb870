import pytest

from proactivity_gym.reports import census
from proactivity_gym.reports.census import Share
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.words import Depth
from tests.sim.tiny import PATH

TINY = str(PATH)


def told(shares: list[Share], what: str, of: str = "all") -> dict[str, int]:
    return {share.sort: share.count for share in shares if (share.what, share.of) == (what, of)}


def test_a_small_scenario_is_counted() -> None:
    found = census.census([TINY])
    assert told(found, "tasks by kind") == {"request": 1, "latent": 1, "noop": 1}
    assert told(found, "tasks by horizon") == {"immediate": 1, "within-interaction": 1, "out-of-interaction": 1}
    assert told(found, "signals of tasks by trigger") == {"user": 1, "event": 2, "agent": 0}
    assert told(found, "signals of noise by trigger") == {"user": 0, "event": 1, "agent": 0}
    assert told(found, "windows by what is scarce") == {"compute": 0, "attention": 0, "hours": 1, "money": 0, "deadline": 0}
    assert told(found, "cases by expected depth", "persona A") == {"NOOP": 1, "PREPARE": 0, "SUGGEST": 1, "EXECUTE": 1}
    assert told(found, "oracle's attempts by timing") == {"NOW": 1, "IDLE": 1, "SLEEP": 0, "DUE": 0}


def test_shares_of_a_group_make_a_whole() -> None:
    whole: dict[tuple[str, str], float] = {}
    for share in census.census([TINY]):
        whole[share.what, share.of] = whole.get((share.what, share.of), 0.0) + share.share
    assert list(whole.values()) == pytest.approx([1.0] * len(whole))


def test_rows_and_lines_say_the_same() -> None:
    shares = [Share("tasks by kind", "all", "request", 1, 3), Share("tasks by kind", "all", "noop", 2, 3)]
    assert shares[0].record() == {"what": "tasks by kind", "of": "all", "sort": "request", "count": 1, "share": 0.3333}
    assert census.lines(shares) == [("tasks by kind", "all", "request 33% (1), noop 67% (2)")]


def test_of_nothing_there_is_no_share() -> None:
    assert Share("tasks by kind", "all", "request", 0, 0).share == 0.0


def test_no_depth_is_expected_in_more_than_half_of_all_cases() -> None:
    personas = [(name, persona.id) for name in catalogue.names() for persona in catalogue.load(name).personas]
    written = [catalogue.written_week(name, persona) for name, persona in personas]
    varied = [catalogue.week(name, persona, "test", seed) for name, persona in personas for seed in range(3)]
    for weeks in (written, varied):
        shares = census.of_depths(weeks)
        assert len(shares) == 4 * len(Depth), "all, and three personas"
        assert [share for share in shares if not 0 < share.share <= census.MOST_OF_A_DEPTH] == []


def test_every_sort_occurs_over_all_scenarios() -> None:
    found = census.census(catalogue.names())
    assert [share for share in found if share.of == "all" and share.count == 0] == []
    assert told(found, "tasks by kind") == {
        kind: sum(task.kind == kind for name in catalogue.names() for task in catalogue.load(name).tasks)
        for kind in ("request", "latent", "noop")
    }
