import pytest

from proactivity_gym.sim.references import problems
from tests.sim.edits import CARD_TASK, FEE, SAID
from tests.sim.tiny import Edit, tiny

CASES: dict[str, tuple[Edit, ...]] = {
    "record.2 (desk-mail).text: @{free} names no draw, moment, task or record; mend the placeholder": (
        ("Pay @{fee}", "Pay @{free}"),
    ),
    "record.2 (desk-mail).text: @{form-week:week}: unknown format; use one of time, day, date, iso": (
        ("@{form-week:date}", "@{form-week:week}"),
    ),
    "record.2 (desk-mail).text: @{fee:day}: a drawn value takes no format; mend the placeholder": (
        ("Pay @{fee}", "Pay @{fee:day}"),
    ),
    "record.2 (desk-mail).text: a placeholder is not well formed; write @{name} or @{name:format}": (
        ("Pay @{fee}", "Pay @{ fee }"),
    ),
    "record.0 (hours).title: @{hours.at} names no draw, moment, task or record; mend the placeholder": (
        ("Opening hours", "@{hours.at} Opening hours"),
    ),
    "persona.0 (A).delegation.1.said: @{free} names no draw, moment, task or record; mend the placeholder": (
        (SAID, 'said = "Up to @{free}"'),
    ),
    "task.1 (parcel).actions.0.contains.body.0: @{noon} names no draw, moment, task or record; mend the placeholder": (
        ('["parcel", "noon"]', '["@{noon}", "noon"]'),
    ),
    "draw.fee.options: they differ in their keys; give every option the same ones": ((FEE, "options = [40, { eur = 55 }]"),),
    "draw.form-week: a moment, task or record has this name too; rename one of them": (
        ("[draw.fee]", "[draw.form-week]\noptions = [1, 2]\n\n[draw.fee]"),
    ),
    "draw.card.deadline: a moment, task or record has this name too; rename one of them": (
        ("[draw.fee]", "[draw.card]\noptions = [{ deadline = 1 }, { deadline = 2 }]\n\n[draw.fee]"),
    ),
    "draw.Fee two: no placeholder can name it; begin with a small letter, without spaces": (
        ("[draw.fee]", '[draw."Fee two"]\noptions = [1, 2]\n\n[draw.fee]'),
    ),
    "task.0 (form).actions.0.args.amount: '@{fee}' is no amount; write a number, or just one placeholder of numbers": (
        (FEE, 'options = [40, "55"]'),
    ),
    "task.2 (card).amount: 'EUR 5' is no amount; write a number, or just one placeholder of numbers": (
        (CARD_TASK, f'{CARD_TASK}amount = "EUR 5"\n'),
    ),
    "record.5 (offer).signal.amount: '@{fee} each' is no amount; write a number, or just one placeholder of numbers": (
        ("[record.signal]", '[record.signal]\namount = "@{fee} each"'),
    ),
    "persona.0 (A).delegation.1.up_to: nan is no amount; write a number, or just one placeholder of numbers": (
        (SAID, f"{SAID}\nup_to = nan"),
    ),
    "task.2 (card).amount: '@{form-week}' is no amount; write a number, or just one placeholder of numbers": (
        (CARD_TASK, f'{CARD_TASK}amount = "@{{form-week}}"\n'),
    ),
}


@pytest.mark.parametrize(("complaints", "edits"), CASES.items())
def test_what_is_wrong_is_told(complaints: str, edits: tuple[Edit, ...]) -> None:
    assert "\n".join(problems(tiny(*edits))) == complaints
