"""The reference solution of a task, with the values and instants of its week."""

from proactivity_gym.sim.checks import Expectation, outputs
from proactivity_gym.sim.solutions import calls, entry_of, expectations, filler
from proactivity_gym.sim.tools import Call
from proactivity_gym.sim.variation import vary
from tests.sim.edits import SEND
from tests.sim.tiny import week_of

HOURS, NOTE, DESK_MAIL, CARD_DONE, CARD_MAIL, OFFER = range(6)
FORM, PARCEL, CARD = range(3)
RICH = (
    SEND,
    'tool = "messages.send"\nargs = { to = "Rui", body = "@{fee} at noon" }\nfree = ["body"]\n'
    'contains = { body = ["noon", "@{fee}"] }\navoids = { body = ["@{parcel.deadline:day}"] }\n\n'
    '[[task.actions]]\ntool = "payments.claim"\nargs = { title = "x", amount = "@{fee}", receipts = ["desk-mail", "@{fee}"] }',
)


def test_calls_are_filled_with_what_was_drawn() -> None:
    week = week_of(RICH)
    assert calls(week, FORM) == (Call("payments.pay", {"payee": "Course desk", "amount": 40, "reference": "CD-17"}),)
    assert calls(week, PARCEL) == (
        Call("messages.send", {"to": "Rui", "body": "40 at noon"}),
        Call("payments.claim", {"title": "x", "amount": 40, "receipts": ["desk-mail", "40"]}),
    )
    assert calls(week, CARD) == ()


def test_expectations_have_rules_for_free_texts_only() -> None:
    message, claim = expectations(week_of(RICH), PARCEL)
    assert message == Expectation(
        "messages.send", {"to": "Rui"}, frozenset({"body"}), {"body": ("noon", "40")}, {"body": ("Tuesday",)}
    )
    assert claim == Expectation("payments.claim", {"title": "x", "amount": 40, "receipts": ["desk-mail", "40"]})


def test_the_calls_meet_the_expectations_in_every_week() -> None:
    base = week_of()
    for week in [base, *(vary(base, "test", seed) for seed in range(10))]:
        for task in (FORM, PARCEL, CARD):
            assert outputs(expectations(week, task), calls(week, task)) == 1


def test_texts_may_name_any_instant() -> None:
    fill = filler(week_of(('title = "Your place in the course"', 'title = "Course"\ndue = 2027-03-09T18:00:00'))).fill
    assert fill("@{form-week:iso} @{form.deadline:time} @{parcel-note.at:time} @{desk-mail.due:date}") == (
        "2027-03-10T18:00 10:40 09:30 Tuesday 9 March"
    )


def test_instants_move_with_their_group() -> None:
    base = week_of(("at = 2027-03-10T18:00:00", 'at = 2027-03-10T18:00:00\nmoves = "desk"'))
    moved = next(week for week in (vary(base, "test", seed) for seed in range(20)) if week.shifts["desk"])
    assert filler(moved).fill("@{form-week:time} @{form.deadline:time} @{parcel-note.at:time}") == "18:10 10:50 09:40"


def test_a_record_is_held_with_its_texts_filled() -> None:
    links = ('title = "Your place in the course"', 'title = "Pay @{fee}"\ndue = 2027-03-09T18:00:00\nlinks = ["hours"]')
    week = week_of(links, ('app = "mail"\ntitle = "Pay', 'fields = { sender = "desk@{fee}" }\napp = "mail"\ntitle = "Pay'))
    mail = entry_of(week, DESK_MAIL)
    assert (mail.id, mail.app, mail.title, mail.status) == ("desk-mail", "mail", "Pay 40", "open")
    assert mail.text == "Pay 40 to Course desk, reference CD-17, by Wednesday 10 March."
    assert (mail.at, mail.due) == (580, 1440 + 1080)
    assert (mail.fields, mail.links) == ({"sender": "desk40"}, ("hours",))


def test_a_record_without_times_has_none() -> None:
    hours = entry_of(week_of(), HOURS)
    assert (hours.at, hours.due, hours.fields, hours.links) == (None, None, {}, ())
