import json
from math import sqrt

import pytest

from proactivity_gym.reports.runs import INFRA_ERROR, TERMS, Planned, Row, Settings, persona_ids, plan, run
from proactivity_gym.reports.summary import Summary, cluster_unit, summaries


def row(policy: str = "p", seed: int = 0, scenario: str = "S", status: str = "completed", **terms: float | None) -> Row:
    blank = None if status != "completed" else 0.0
    filled = dict.fromkeys(TERMS, blank) | terms
    return Row(policy, f"id-{scenario}", seed, "test", status, scenario, "A", filled)


def planned(policy: str, n: int) -> list[Planned]:
    return [Planned(policy, "id-S", "S", "A", seed, Settings()) for seed in range(n)]


def one(rows: list[Row], n: int) -> Summary:
    (found,) = summaries(planned("p", n), rows)
    return found


def test_counts_add_up_by_status() -> None:
    rows = [row(seed=0, J=0.6), row(seed=1, status=INFRA_ERROR)]
    found = one(rows, 4)
    assert found.statuses == {"completed": 1, "infra_error": 1, "interrupted": 2}
    assert (found.planned, found.scored, found.incomplete) == (4, 1, True)


def test_both_conventions_for_failed_episodes() -> None:
    rows = [row(seed=0, J=0.6), row(seed=1, J=0.2), row(seed=2, status=INFRA_ERROR)]
    found = one(rows, 3)
    assert found.terms["J"].mean == pytest.approx(0.4)
    assert found.failed_as_zero["J"] == pytest.approx(0.8 / 3)


def test_what_is_missing_is_not_zero() -> None:
    found = one([row(seed=0, TA=None, J=1.0), row(seed=1, TA=50.0)], 2)
    assert (found.terms["TA"].mean, found.terms["TA"].n) == (50.0, 1)
    assert found.failed_as_zero["TA"] == 50.0


def test_a_run_of_nothing_has_no_means() -> None:
    found = one([], 2)
    assert found.terms["J"].mean is None
    assert found.failed_as_zero["J"] is None
    assert found.statuses == {"interrupted": 2}


def test_one_missing_in_a_hundred_is_tolerated() -> None:
    assert not one([row(seed=n) for n in range(99)], 100).incomplete
    assert one([row(seed=n) for n in range(98)], 100).incomplete


def test_clusters_are_scenarios_where_there_are_several() -> None:
    assert cluster_unit([row(scenario="S"), row(scenario="T")]) == "scenario"
    assert cluster_unit([row(seed=0), row(seed=1)]) == "seed"


def test_an_independent_recomputation_finds_the_same() -> None:
    """Read the rows as the file has them, and compute every aggregate anew."""
    ids = [*(name for name in persona_ids() if "Education" in name)]
    episodes = plan(["random", "suggest"], ids, [0, 1], Settings())
    rows = list(run(episodes))
    lines = [json.loads(json.dumps(each.record())) for each in rows]
    for found in summaries(episodes, rows):
        own = [line for line in lines if line["policy"] == found.policy]
        assert len(own) == found.planned == found.scored == len(ids) * 2
        for term in TERMS:
            values = [line[term] for line in own if line[term] is not None]
            mean = sum(values) / len(values) if values else None
            assert found.terms[term].mean == (None if mean is None else pytest.approx(mean, rel=1e-12, abs=1e-12))
        squares = 0.0
        for name in ids:
            a, b = (line["J"] for line in own if line["id"] == name)
            squares += (a - b) ** 2 / 2
        assert found.spread == pytest.approx(sqrt(squares / len(ids)), rel=1e-12, abs=1e-12)
