"""The plan of the small scenario, worked out by hand, and of weeks that differ from it in one thing."""

from copy import deepcopy
from datetime import date

import pytest

from proactivity_gym.sim.plan import applies, topic_rows
from proactivity_gym.sim.timeline import Spans
from proactivity_gym.sim.week import NO_TASK
from proactivity_gym.sim.words import ActionClass, Outcome, Phase, RecordStatus, Trigger
from proactivity_gym.sim.world import APPS
from tests.sim.edits import (
    CARD_TASK,
    FORM_TASK,
    NIGHT,
    PARCEL_TASK,
    SETTLED,
    SIGNAL,
    add,
    record,
)
from tests.sim.tiny import Edit, plan_of, tiny

HOURS, NOTE, DESK_MAIL, CARD_DONE, CARD_MAIL, OFFER = range(6)
FORM, PARCEL, CARD = range(3)
DAY = 1440


def test_phases_follow_from_rhythms() -> None:
    plan = plan_of()
    assert plan.horizon == 2 * DAY
    assert plan.asleep == ([0, 1380, 2820], [420, 1860, 2880])
    assert plan.focus == ([540, 1980], [720, 2160])
    assert plan.free == ([420, 720, 1860, 2160], [540, 1380, 1980, 2820])
    assert plan.phases[:4] == ((0, Phase.SLEEP), (420, Phase.FREE), (540, Phase.FOCUS), (720, Phase.FREE))
    assert [start for start, _ in plan.phases] == sorted([*plan.asleep[0], *plan.focus[0], *plan.free[0]])


NIGHTS: Spans = ([0, 1380, 2820], [420, 1860, 2880])
MORNINGS: Spans = ([540, 1980], [720, 2160])
RHYTHMS: list[tuple[Edit, Spans, Spans]] = [
    # sleep comes before focus
    (("end = 12:00:00", "end = 08:00:00"), NIGHTS, ([420, 540, 1860, 1980], [480, 1380, 1920, 2820])),
    # of another persona only
    (("start = 09:00:00", 'personas = ["B"]\nstart = 09:00:00'), NIGHTS, ([], [])),
    # on a weekday, on a date, over the day before the week
    (("start = 09:00:00", 'days = ["tue"]\nstart = 09:00:00'), NIGHTS, ([1980], [2160])),
    (("start = 23:00:00", "days = [2027-03-08]\nstart = 23:00:00"), ([1380], [1860]), MORNINGS),
    (("start = 23:00:00", "days = [2027-03-07]\nstart = 23:00:00"), ([0], [420]), MORNINGS),
]


@pytest.mark.parametrize(("edit", "asleep", "focus"), RHYTHMS)
def test_rhythms(edit: Edit, asleep: Spans, focus: Spans) -> None:
    plan = plan_of(edit)
    assert plan.asleep == asleep
    assert plan.focus == focus


def test_days() -> None:
    monday = date(2027, 3, 8)
    assert applies([], monday)
    assert applies(["sun", "mon"], monday)
    assert applies([monday], monday)
    assert not applies(["tue"], monday)
    assert not applies([date(2027, 3, 9)], monday)


def test_reviews_come_at_wake_up_at_the_longest_gap_and_before_the_night() -> None:
    assert plan_of().reviews == (420, 720, 1350, 1860, 2160)


def test_a_nap_has_no_reviews() -> None:
    nap = add("rhythm", f"{NIGHT}start = 14:00:00\nend = 15:00:00")
    assert plan_of(nap).reviews == (420, 900, 1350, 1860, 2340)


def test_a_day_without_a_gap_has_no_review_for_it() -> None:
    always = add("rhythm", 'phase = "focus"\nstart = 00:00:00\nend = 00:00:00')
    assert plan_of(always).reviews == (420, 1350, 1860)


def test_tasks_become_rows() -> None:
    form, parcel, card = plan_of().tasks
    assert (form.noop, form.request, form.value, form.topic) == (False, False, 3, 2)
    assert (form.action_class, form.amounts, form.constrained) == (ActionClass.CONSEQUENTIAL, ("@{fee}",), False)
    assert (form.evidence, form.resolved_by, form.requirements) == ((DESK_MAIL, HOURS), -1, ())
    assert (parcel.request, parcel.action_class, parcel.amounts, parcel.constrained) == (True, ActionClass.COMMIT, (), True)
    assert (card.noop, card.action_class, card.amounts) == (True, ActionClass.COMMIT, ())
    assert [task.signals for task in (form, parcel, card)] == [(1,), (0,), (2,)]


def test_a_noop_may_look_like_nothing_and_carry_an_amount() -> None:
    card = plan_of(('looks = "commit"\n', "amount = 12.5\n")).tasks[CARD]
    assert (card.action_class, card.amounts) == (ActionClass.DRAFT, (12.5,))


def test_a_task_may_be_settled_by_a_record() -> None:
    assert plan_of((PARCEL_TASK, SETTLED), record("")).tasks[PARCEL].resolved_by == 6


def test_conditions_become_requirements_which_a_signal_has_from_its_task() -> None:
    plan = plan_of(
        (CARD_TASK, f'{CARD_TASK}requires = [{{ task = "form", outcome = ["approved", "executed"] }}]\n'),
        ("at = 2027-03-08T13:00:00", 'at = 2027-03-08T13:00:00\nexcludes = [{ task = "parcel", outcome = ["expired"] }]'),
    )
    of_task = (FORM, frozenset({Outcome.APPROVED, Outcome.EXECUTED}), True)
    assert plan.tasks[CARD].requirements == (of_task,)
    assert plan.records[CARD_MAIL].requirements == ((PARCEL, frozenset({Outcome.EXPIRED}), False), of_task)
    assert plan.records[OFFER].requirements == ()
    assert plan.records[CARD_DONE].status == RecordStatus.DONE


def test_a_signal_has_the_features_of_its_task() -> None:
    note, mail, *_ = plan_of().signals
    assert (note.record, note.task, note.app, note.trigger) == (NOTE, PARCEL, APPS.index("messages"), Trigger.USER)
    assert (mail.record, mail.task, mail.trigger, mail.surfaces) == (DESK_MAIL, FORM, Trigger.EVENT, True)
    assert (mail.topic, mail.work_min, mail.review_min, mail.resource, mail.demand) == (2, 20, 5, 0, 1)
    assert (mail.action_class, mail.amounts, mail.reversible) == (ActionClass.CONSEQUENTIAL, ("@{fee}",), True)
    assert mail.links == (DESK_MAIL, HOURS)


def test_noise_says_itself_how_it_looks() -> None:
    offer = plan_of(("[record.signal]", "[record.signal]\ndemand = 1\namount = 9\nreversible = false")).signals[3]
    assert (offer.record, offer.task, offer.topic, offer.trigger) == (OFFER, NO_TASK, 1, Trigger.EVENT)
    assert (offer.work_min, offer.review_min, offer.resource, offer.demand) == (15, 5, 0, 1)
    assert (offer.action_class, offer.amounts, offer.reversible) == (ActionClass.COMMIT, (9,), False)
    assert offer.links == (OFFER,)


def test_a_silent_record_takes_the_features_of_another() -> None:
    *_, done = plan_of().signals
    assert (done.record, done.task, done.app) == (CARD_DONE, NO_TASK, APPS.index("reminders"))
    assert (done.trigger, done.surfaces, done.links) == (Trigger.AGENT, False, (CARD_DONE,))
    assert (done.topic, done.work_min, done.action_class) == (1, 15, ActionClass.COMMIT)  # as the parcel's


def test_a_silent_record_takes_the_features_of_a_linked_one_rather() -> None:
    bill = plan_of(record('at = 2027-03-08T10:00:00\nlinks = ["hours", "desk-mail", "offer"]')).signals[-1]
    assert (bill.topic, bill.work_min, bill.amounts) == (2, 20, ("@{fee}",))  # the desk's
    assert bill.links == (6, HOURS, DESK_MAIL, OFFER)
    pizza = plan_of(record('due = 2027-03-08T10:00:00\nlinks = ["offer"]')).signals[-1]
    assert (pizza.topic, pizza.work_min, pizza.surfaces) == (1, 15, False)


def test_a_silent_record_has_its_own_topic_where_it_says_one() -> None:
    bill = plan_of(record('at = 2027-03-08T10:00:00\ntopic = "forms"\nlinks = ["offer"]')).signals[-1]
    assert (bill.topic, bill.work_min, bill.task) == (2, 15, NO_TASK)


def test_a_record_without_a_time_is_never_shown() -> None:
    assert HOURS not in [signal.record for signal in plan_of().signals]


def test_a_quiet_signal_does_not_surface() -> None:
    quiet = plan_of(record("", f'{SIGNAL}trigger = "agent"\n')).signals[4]
    assert (quiet.trigger, quiet.surfaces) == (Trigger.AGENT, False)


def test_resources_become_rows() -> None:
    (assistant,) = plan_of().resources
    assert (assistant.capacity, assistant.stock, assistant.preemptible, assistant.resets) == (1, False, True, ())
    assert assistant.open == ([0], [2 * DAY])
    desk = plan_of(
        add(
            "resource",
            'id = "purse"\ntitle = "x"\ncapacity = 50\nkind = "stock"\n'
            "resets = [2027-03-09T12:00:00, 2027-03-08T12:00:00]\n"
            'hours = [{ start = 09:00:00, end = 10:00:00 }, { start = 22:00:00, end = 02:00:00, days = ["mon"] }]',
        )
    ).resources[1]
    assert (desk.capacity, desk.stock, desk.preemptible, desk.resets) == (50, True, False, (720, DAY + 720))
    assert desk.open == ([540, 1320, DAY + 540], [600, DAY + 120, DAY + 600])


def test_windows_and_prior_interactions() -> None:
    plan = plan_of()
    (window,) = plan.windows
    assert (window.urgent, window.later, window.primary) == (FORM, PARCEL, True)
    assert topic_rows(tiny()) == {"any": 0, "parcel": 1, "forms": 2}
    assert plan.counts[2] == (1, 0, 0, 0)
    assert sum(map(sum, plan.counts)) == 1
    assert plan_of(('reaction = "approve"', 'reaction = "too-timid"')).counts[2] == (0, 0, 0, 1)


def test_a_plan_is_shared_not_copied() -> None:
    plan = plan_of((FORM_TASK, f"{FORM_TASK}reversible = false\n"))
    assert deepcopy(plan) is plan
    assert not plan.signals[1].reversible
