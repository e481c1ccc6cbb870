from datetime import date

import pytest

from proactivity_gym.sim.clock import Clock
from proactivity_gym.sim.texts import Filler, Scalar, problems, show

CLOCK = Clock("Europe/Lisbon", date(2027, 3, 8))
THURSDAY = 3 * 1440 + 7 * 60 + 10

VALUES: dict[str, Scalar] = {"fare": 120, "rate": 0.5, "whole": 40.0, "flight.no": "TP 441", "flex": True}
FILLER = Filler(CLOCK, VALUES, {"check-in": THURSDAY, "rebook.deadline": 0, "mail-1.at": 1439})


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        (None, "Thu 11 Mar, 07:10"),
        ("time", "07:10"),
        ("day", "Thursday"),
        ("date", "Thursday 11 March"),
        ("iso", "2027-03-11T07:10"),
    ],
)
def test_an_instant_is_shown_in_five_forms(form: str | None, shown: str) -> None:
    assert show(CLOCK, THURSDAY, form) == shown


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("nothing to fill, {braces} and @ stay", "nothing to fill, {braces} and @ stay"),
        ("@{fare} by @{check-in}", "120 by Thu 11 Mar, 07:10"),
        ("@{flight.no} on @{check-in:day} at @{check-in:time}", "TP 441 on Thursday at 07:10"),
        ("@{rebook.deadline:date}, @{mail-1.at:iso}", "Monday 8 March, 2027-03-08T23:59"),
        ("@{rate} and @{whole}", "0.5 and 40"),
    ],
)
def test_placeholders_are_filled_in(text: str, filled: str) -> None:
    assert FILLER.fill(text) == filled


def test_a_placeholder_that_names_nothing_is_an_error() -> None:
    with pytest.raises(KeyError, match="fair"):
        FILLER.fill("@{fair}")


@pytest.mark.parametrize(
    ("value", "filled"),
    [
        ("@{fare}", 120),
        ("@{whole}", 40.0),
        ("@{flex}", True),
        ("EUR @{fare}", "EUR 120"),
        ("@{check-in:iso}", "2027-03-11T07:10"),
        ("plain", "plain"),
        (7, 7),
        (False, False),
    ],
)
def test_a_value_that_is_one_placeholder_keeps_the_type_of_what_was_drawn(value: Scalar, filled: Scalar) -> None:
    result = FILLER.value(value)
    assert result == filled
    assert type(result) is type(filled)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("@{fare} @{check-in} @{check-in:day}", []),
        ("@{fair}", ["@{fair} names no draw, moment, task or record"]),
        ("@{check-in:week}", ["@{check-in:week}: unknown format; use one of time, day, date, iso"]),
        ("@{fare:day}", ["@{fare:day}: a drawn value takes no format"]),
        ("@{a}@{b}", ["@{a} names no draw, moment, task or record", "@{b} names no draw, moment, task or record"]),
    ],
)
def test_problems_of_placeholders(text: str, found: list[str]) -> None:
    assert problems(text, lambda name: name == "fare", lambda name: name == "check-in") == found
