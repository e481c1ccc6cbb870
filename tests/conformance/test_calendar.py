"""B44, D22: two days of errands moved over changes of summer time, leap days and turns of the year, in several zones."""

import re
from datetime import date, timedelta
from pathlib import Path

import pytest

from proactivity_gym.baselines import policy
from proactivity_gym.envs.env import ProactivityEnv
from tests.conformance.test_dates import WRITTEN, wrong_days
from tests.sim.tiny import TEXT

FIRST = date(2027, 3, 8)
DAYS = [
    ("Europe/Lisbon", date(2027, 3, 27)),
    ("Europe/Lisbon", date(2027, 3, 28)),
    ("Europe/Lisbon", date(2027, 10, 30)),
    ("America/New_York", date(2027, 3, 13)),
    ("America/New_York", date(2027, 11, 7)),
    ("Australia/Sydney", date(2027, 4, 3)),
    ("Australia/Sydney", date(2027, 10, 2)),
    ("Pacific/Chatham", date(2027, 9, 25)),
    ("Asia/Kathmandu", date(2028, 2, 28)),
    ("UTC", date(2028, 2, 29)),
    ("Europe/Berlin", date(2026, 12, 31)),
    ("Europe/Berlin", date(2032, 12, 31)),
]


def moved(zone: str, start: date) -> str:
    """Return the scenario with another zone and all of its dates moved."""

    def shift(match: re.Match[str]) -> str:
        return (date.fromisoformat(match[0]) + (start - FIRST)).isoformat()

    return re.sub(r"\d{4}-\d\d-\d\d", shift, TEXT).replace("Europe/Lisbon", zone)


@pytest.mark.parametrize(("zone", "start"), DAYS)
@pytest.mark.parametrize("variation", ["written", "test"])
def test_the_week_plays_as_anywhere_else(zone: str, start: date, variation: str, tmp_path: Path) -> None:
    path = tmp_path / "moved.toml"
    path.write_text(moved(zone, start), encoding="utf-8")
    env = ProactivityEnv(str(path), "A", variation=variation, text=True, render_mode="ansi")
    for seed in range(3):
        paid, info = policy.play(policy.make("oracle", env), env, seed)
        assert paid == pytest.approx(1.0)
        clock, week = env.episode.week.plan.clock, env.episode.week
        assert clock.local(0).date() == start
        assert clock.local(week.plan.horizon).date() == start + timedelta(days=2)
        assert clock.local(week.plan.horizon).hour == 0
        shown = clock.local(week.task_deadline[0]) - timedelta(minutes=week.shifts["desk"])
        assert f"{shown:%H:%M}" == "10:40"
        assert wrong_days(info["text"], start) == []
        assert WRITTEN.search(info["text"])


@pytest.mark.parametrize(("zone", "start"), DAYS)
def test_a_day_has_the_minutes_that_the_zone_gives_it(zone: str, start: date, tmp_path: Path) -> None:
    path = tmp_path / "moved.toml"
    path.write_text(moved(zone, start), encoding="utf-8")
    env = ProactivityEnv(str(path), "A")
    env.reset(seed=0)
    clock = env.episode.week.plan.clock
    local = [clock.local(0), clock.local(env.episode.week.plan.horizon)]
    offsets = [moment.utcoffset() or timedelta() for moment in local]
    assert env.episode.week.plan.horizon == 2 * 1440 + (offsets[0] - offsets[1]) // timedelta(minutes=1)
