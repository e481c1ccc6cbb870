"""D22, B44: every date that a text names is recomputed, in every scenario and several of its variations."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice

import pytest

from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim import solutions
from proactivity_gym.sim.texts import DAYS, MONTHS
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.week import Week
from tests.conformance.drivers import CASES, ROTATED, likely_actions

SEEDS = 4
_DAY = "|".join(f"{day}|{day[:3]}|{day[:4]}" for day in DAYS)
_MONTH = "|".join(f"{month}|{month[:3]}" for month in MONTHS)
SPOKEN = re.compile(
    rf"\b(?P<day>{_DAY})\.?,? (?:the )?(?P<number>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b"
    r"(?:,? (?P<year>\d{4})\b)?"
)
WRITTEN = re.compile(rf"\b(?P<day>{_DAY})\.?,? (?P<iso>\d{{4}}-\d\d-\d\d)\b")
ISO = re.compile(r"\b(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)\b")


def texts(week: Week) -> Iterator[str]:
    """Yield every text of a week, filled in."""
    fill = solutions.filler(week).fill
    for number, at in enumerate(week.record_at):
        if at < NEVER:
            entry = solutions.entry_of(week, number)
            yield from (entry.title, entry.text, *map(str, entry.fields.values()))
    persona = week.plan.persona
    yield from (fill(statement.said) for statement in persona.delegations)
    yield from (fill(prior.text) for prior in persona.priors)
    for task in range(len(week.plan.tasks)):
        yield fill(week.plan.scenario.tasks[task].title)
        for call in solutions.calls(week, task):
            yield from map(str, call.arguments.values())


def wrong_days(text: str, near: date) -> list[str]:
    """Return the dates of a text whose weekday is not theirs; without a year they lie within half a year of `near`."""
    found: list[str] = []
    for match in SPOKEN.finditer(text):
        month = next(i for i, name in enumerate(MONTHS, 1) if name.startswith(match["month"]))
        years = [int(match["year"])] if match["year"] else [near.year - 1, near.year, near.year + 1]
        days = [date(year, month, int(match["number"])) for year in years if _exists(year, month, int(match["number"]))]
        close = [day for day in days if match["year"] or abs(day - near) < timedelta(days=183)]
        if not any(DAYS[day.weekday()].startswith(match["day"]) for day in close):
            found.append(match[0])
    for match in WRITTEN.finditer(text):
        if not DAYS[date.fromisoformat(match["iso"]).weekday()].startswith(match["day"]):
            found.append(match[0])
    return found


def _exists(year: int, month: int, day: int) -> bool:
    following = date(year + month // 12, month % 12 + 1, 1)
    return 1 <= day <= (following - timedelta(days=1)).day


def weeks(scenario: str, persona: str) -> Iterator[Week]:
    """Yield the written week and some varied ones."""
    yield catalogue.written_week(scenario, persona)
    for stream in ("train", "test"):
        for seed in range(SEEDS):
            yield catalogue.week(scenario, persona, stream, seed)


@pytest.mark.parametrize(("scenario", "persona"), CASES)
def test_every_weekday_of_a_date_is_right(scenario: str, persona: str) -> None:
    seen = 0
    for week in weeks(scenario, persona):
        for text in texts(week):
            assert wrong_days(text, week.plan.clock.start) == [], text
            seen += bool(SPOKEN.search(text))
    assert seen > 20, "hardly a date was found: nothing was tried"


@pytest.mark.parametrize(("scenario", "persona"), CASES)
def test_every_date_time_of_a_call_exists_in_the_zone(scenario: str, persona: str) -> None:
    for week in weeks(scenario, persona):
        clock = week.plan.clock
        for text in texts(week):
            for match in ISO.finditer(text):
                day = date.fromisoformat(match[1])
                minute = clock.at(
                    (day - clock.start).days, clock.local(0).time().replace(hour=int(match[2]), minute=int(match[3]))
                )
                local = clock.local(minute)
                assert f"{local:%Y-%m-%dT%H:%M}" == match[0]
                assert str(local.tzinfo) == week.plan.scenario.zone


@pytest.mark.parametrize(("scenario", "persona"), ROTATED)
def test_the_situation_in_words_names_right_days(scenario: str, persona: str) -> None:
    env = ProactivityEnv(scenario, persona, variation="test", text=True, render_mode="ansi")
    env.reset(seed=3)
    seen = 0
    for action in islice(likely_actions(3), 40):
        *_, over, _, info = env.step(action)
        for view in (info["text"], str(env.render())):
            assert wrong_days(view, env.episode.week.plan.clock.start) == []
            seen += len(WRITTEN.findall(view)) + len(SPOKEN.findall(view))
        if over:
            break
    assert seen > 40


@pytest.mark.parametrize(
    "text", ["Wed 11 Mar", "Wednesday 11 March", "Tuesday, 11th March 2027", "Sun 2027-03-08 09:30", "Monday the 31st of April"]
)
def test_a_wrong_day_is_seen(text: str) -> None:
    assert wrong_days(text, date(2027, 3, 8))


@pytest.mark.parametrize(
    "text",
    ["Thu 11 Mar", "Thursday 11 March", "Thursday, 11th March 2027", "Mon 2027-03-08 09:30", "on 11 March", "Friday at 3"],
)
def test_a_right_day_passes(text: str) -> None:
    assert wrong_days(text, date(2027, 3, 8)) == []
