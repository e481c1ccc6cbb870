"""B35 at its release figure: intervals for a policy that really is random, over weeks that really were played."""

import numpy as np
import pytest

from proactivity_gym.reports.runs import Settings, persona_ids, plan, run
from proactivity_gym.reports.statistics import estimate
from proactivity_gym.reports.summary import SEED, grouping
from tests.reliability.figures import RELEASE

pytestmark = pytest.mark.reliability


def test_intervals_of_the_random_policy_cover_its_mean() -> None:
    pool = range(RELEASE.weeks)
    rows = list(run(plan(["random"], persona_ids(), pool, Settings())))
    by_week = {(row.id, row.seed): row for row in rows}
    known = float(np.mean([row.terms["J"] or 0.0 for row in rows]))
    scenarios = {row.scenario: {each.id for each in rows if each.scenario == row.scenario} for row in rows}
    generator = np.random.default_rng(35)
    covered = 0
    for _ in range(RELEASE.comparisons):
        drawn = [
            by_week[name, int(seed)]
            for ids in scenarios.values()
            for seed in generator.choice(pool, 10, replace=False)
            for name in ids
        ]
        found = estimate([row.terms["J"] for row in drawn], grouping(drawn, SEED), (0.0, 1.0))
        assert found.low is not None and found.high is not None
        covered += found.low <= known <= found.high
    assert 0.93 <= covered / RELEASE.comparisons <= 0.97
