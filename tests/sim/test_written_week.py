"""The written week of the small scenario, worked out by hand."""

import pytest

from proactivity_gym.sim.delegation import BEFORE
from proactivity_gym.sim.schedule import FIRST, Kind
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.variation import met
from proactivity_gym.sim.words import ActionClass, Depth, Outcome
from tests.sim.edits import CARD_TASK, SAID, SETTLING, add, usage
from tests.sim.tiny import week_of

HOURS, NOTE, DESK_MAIL, CARD_DONE, CARD_MAIL, OFFER = range(6)
FORM, PARCEL, CARD = range(3)
EXTRA = 6
DAY = 1440


def test_the_written_week_is_as_written() -> None:
    week = week_of()
    assert week.values == {"fee": 40}
    assert week.shifts == {"desk": 0}
    assert week.record_at == [BEFORE, 570, 580, 450, 780, 840]
    assert week.record_due == [NEVER] * 6
    assert week.signal_by == [DAY + 720, 2 * DAY + 1080, DAY + 1080, NEVER, NEVER]
    assert week.signal_work == [15, 20, 10, 15, 15]
    assert week.signal_amount == [0.0, 40.0, 0.0, 0.0, 0.0]
    assert week.task_deadline == [640, DAY + 720, DAY + 1080]
    assert week.task_noop == [False, False, True]


def test_facts_are_out_with_the_last_of_the_evidence() -> None:
    week = week_of(('evidence = ["parcel-note"]', 'evidence = ["hours"]'))
    assert week.task_evidence == [(DESK_MAIL, HOURS), (HOURS,), (CARD_MAIL, CARD_DONE)]
    assert week.task_ready == [580, 0, 780]


def test_signals_of_tasks_expire_at_the_deadline_and_noise_as_tasks_do() -> None:
    # The tasks live 60, 1590 and 1740 minutes; of these the offer and the reminder get the shortest.
    assert week_of().signal_expires == [DAY + 720, 640, DAY + 1080, 840 + 60, 450 + 60]


def test_noise_with_a_stated_deadline_expires_at_it() -> None:
    assert week_of(("[record.signal]", "[record.signal]\nby = 2027-03-08T20:00:00")).signal_expires[3] == 1200


def test_noise_from_before_the_week_lives_from_its_start() -> None:
    assert week_of(("at = 2027-03-08T14:00:00\n", "")).signal_expires[3] == 60


def test_statements_are_in_the_order_in_which_they_are_made() -> None:
    week = week_of(
        ('said = "Ask me before you do anything."', 'said = "Ask me."\nuntil = 2027-03-09T12:00:00'),
        (SAID, f'{SAID}\nat = 2027-03-08T10:00:00\nup_to = "@{{fee}}"'),
        add("persona.delegation", 'topic = "forms"\ndepth = "prepare"\nsaid = "x"'),
    )
    first, second, third = week.statements
    assert (first.topic, first.depth, first.at, first.until, first.up_to) == (0, Depth.SUGGEST, BEFORE, DAY + 720, None)
    assert (second.topic, second.depth, second.at) == (2, Depth.PREPARE, BEFORE)
    assert (third.topic, third.depth, third.at, third.until) == (1, Depth.EXECUTE, 600, NEVER)
    assert (third.classes, third.up_to) == ({ActionClass.DRAFT, ActionClass.COMMIT}, 40.0)
    assert (600, Kind.STATEMENT, 2) in week.events
    assert (DAY + 720, Kind.LAPSE, 0) in week.events


def test_events_are_all_that_happens_of_itself() -> None:
    week = week_of(
        usage("2027-03-08T10:00:00", "2027-03-08T11:00:00"),
        ("capacity = 1", "capacity = 1\nresets = [2027-03-08T12:00:00]"),
    )
    assert week.events == sorted(week.events)
    kinds = {kind: [(m, i) for m, k, i in week.events if k == kind] for kind in Kind}
    assert week.plan.phase_starts == (0, 420, 540, 720, 1380, 1860, 1980, 2160, 2820)
    assert kinds[Kind.PHASE] == [(0, FIRST), (1860, FIRST)]  # the others are heard of while something waits
    assert (kinds[Kind.USE_START], kinds[Kind.USE_END]) == ([(600, 0)], [(660, 0)])
    assert kinds[Kind.RESOURCE] == [(0, 0), (720, 0)]  # it opens, and is reset; its end is the week's
    assert kinds[Kind.DEADLINE] == [(640, FORM), (DAY + 720, PARCEL), (DAY + 1080, CARD)]
    assert kinds[Kind.RECORD] == [(570, 0), (580, 1), (780, 2), (840, 3)]  # the reminder is left to reviews
    assert [m for m, _ in kinds[Kind.REVIEW]] == [420, 720, 1350, 1860, 2160]
    assert kinds[Kind.STATEMENT] == kinds[Kind.LAPSE] == []
    assert week.candidates == [4]


def test_a_signal_from_before_the_week_comes_with_its_start() -> None:
    assert (0, Kind.RECORD, 3) in week_of(("at = 2027-03-08T14:00:00\n", "")).events


def test_the_reference_path_does_each_task_at_its_expected_depth() -> None:
    week = week_of()
    assert week.reference_tasks == {FORM, PARCEL, CARD}
    assert week.reference_windows == {0}
    assert week.reference_attempts == 2


@pytest.mark.parametrize(
    ("outcome", "on_path"),
    [
        ("executed", True),  # the parcel is EXECUTE, by the statement on parcels
        ("approved", False),
        ("expired", False),
    ],
)
def test_a_follow_up_is_on_the_reference_path_if_the_oracle_gets_there(outcome: str, on_path: bool) -> None:
    week = week_of((CARD_TASK, f'{CARD_TASK}requires = [{{ task = "parcel", outcome = ["{outcome}"] }}]\n'))
    assert (CARD in week.reference_tasks) is on_path
    assert week.reference_attempts == 2


def test_a_settled_task_has_no_record_of_it_in_the_written_week() -> None:
    week = week_of(*SETTLING)
    assert week.record_at[EXTRA] == NEVER
    assert not week.task_noop[PARCEL]
    assert week.reference_windows == {0}


def test_a_task_whose_signals_never_come_is_off_the_path() -> None:
    week = week_of(
        (CARD_TASK, f'{CARD_TASK}resolved_by = "card-mail"\nresolved_chance = 0.2\n'),
    )
    assert week.reference_tasks == {FORM, PARCEL}
    assert week.record_at[CARD_MAIL] == NEVER


def test_conditions_are_met() -> None:
    wants, bars = (FORM, frozenset({Outcome.EXECUTED}), True), (FORM, frozenset({Outcome.EXECUTED}), False)
    assert met([], {})
    assert met([wants], {FORM: Outcome.EXECUTED})
    assert not met([wants], {FORM: Outcome.EXPIRED})
    assert not met([wants], {})
    assert met([bars], {})
    assert not met([bars], {FORM: Outcome.EXECUTED})
    assert not met([wants, bars], {FORM: Outcome.EXECUTED})
