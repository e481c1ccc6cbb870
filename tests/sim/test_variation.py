"""What a draw changes in the written week of the small scenario; that one has tests of its own."""

from dataclasses import fields

import pytest

from proactivity_gym.sim.delegation import BEFORE
from proactivity_gym.sim.schedule import Kind
from proactivity_gym.sim.solutions import calls
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.variation import vary, written
from proactivity_gym.sim.week import Plan, Week
from tests.sim.edits import CARD_TASK, FORM_TASK, PARCEL_TASK, SAID, SETTLED, SETTLING, record, usage
from tests.sim.tiny import Edit, plan_of, week_of

HOURS, NOTE, DESK_MAIL, CARD_DONE, CARD_MAIL, OFFER = range(6)
FORM, PARCEL, CARD = range(3)
DAY = 1440

EXTRA = 6


def drawn(week: Week) -> dict[str, object]:
    """Return everything that is drawn for a week."""
    kept = ("plan", "cache")
    return {item.name: getattr(week, item.name) for item in fields(week) if item.name not in kept}


class Fixed:
    """Stands in for the generator: each consumer gets the same number throughout, 0 where none is set."""

    def __init__(self, numbers: dict[str, float]) -> None:
        self.numbers = numbers

    def __call__(self, seed: tuple[int, int], **sizes: int) -> dict[str, list[float]]:
        return {name: [self.numbers.get(name, 0.0)] * size for name, size in sizes.items()}


def vary_with(patch: pytest.MonkeyPatch, base: Week, **numbers: float) -> Week:
    """Vary a week with fixed numbers."""
    patch.setattr("proactivity_gym.sim.variation._drawn", Fixed(numbers))
    return vary(base, "train", 0)


@pytest.fixture
def plan() -> Plan:
    return plan_of(*SETTLING, usage("2027-03-08T10:00:00", "2027-03-08T11:00:00"))


def test_the_written_week_is_always_the_same(plan: Plan) -> None:
    assert drawn(written(plan)) == drawn(written(plan))


def test_a_seed_gives_the_same_week_again(plan: Plan) -> None:
    base = written(plan)
    before = drawn(written(plan))
    for stream in ("train", "test"):
        assert drawn(vary(base, stream, 7)) == drawn(vary(base, stream, 7))
    assert drawn(base) == before


def test_seeds_and_streams_give_different_weeks(plan: Plan) -> None:
    base = written(plan)
    weeks = [str(drawn(vary(base, stream, seed))) for stream in ("train", "test") for seed in range(40)]
    assert len(set(weeks)) > 60
    train, test = weeks[:40], weeks[40:]
    assert sum(a == b for a, b in zip(train, test, strict=True)) < 5


def test_every_option_turns_up(plan: Plan) -> None:
    weeks = [vary(written(plan), "test", seed) for seed in range(100)]
    assert {week.values["fee"] for week in weeks} == {40, 55}
    assert {week.shifts["desk"] for week in weeks} == {0, 10}
    assert {week.signal_work[1] for week in weeks} == {20, 16, 18, 22, 24}
    assert 30 < sum(week.record_at[OFFER] == NEVER for week in weeks) < 70
    assert 10 < sum(week.task_noop[PARCEL] for week in weeks) < 30


def test_an_unknown_stream_is_refused(plan: Plan) -> None:
    with pytest.raises(KeyError):
        vary(written(plan), "valid", 0)


def test_a_shift_moves_all_of_a_group(monkeypatch: pytest.MonkeyPatch) -> None:
    base = week_of(
        ('title = "Your place in the course"', 'title = "Course"\ndue = 2027-03-10T18:00:00'),
        ("at = 2027-03-10T18:00:00", 'at = 2027-03-10T18:00:00\nmoves = "desk"'),
    )
    week = vary_with(monkeypatch, base, groups=0.99, resolved=0.99)
    assert week.shifts == {"desk": 10}
    assert week.record_at == [BEFORE, 580, 590, 450, 780, 840]
    assert week.record_due[DESK_MAIL] == 2 * DAY + 1090
    assert week.signal_by == [DAY + 730, 2 * DAY + 1090, DAY + 1080, NEVER, NEVER]
    assert week.task_deadline == [650, DAY + 730, DAY + 1080]
    assert week.task_ready == [590, 580, 780]
    assert (590, Kind.RECORD, 1) in week.events
    assert (650, Kind.DEADLINE, FORM) in week.events
    assert base.record_at[NOTE] == 570


def test_a_group_does_not_move_what_was_there_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    base = week_of(('title = "Opening hours', 'moves = "desk"\ntitle = "Opening hours'))
    assert vary_with(monkeypatch, base, groups=0.99).record_at[HOURS] == BEFORE


def test_draws_reach_amounts_limits_and_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    base = week_of(
        (SAID, f'{SAID}\nup_to = "@{{fee}}"'),
        ("[draw.fee]", '[draw.who]\noptions = [{ name = "Desk" }, { name = "Office" }]\n\n[draw.fee]'),
        ('payee = "Course desk"', 'payee = "@{who.name}"'),
    )
    week = vary_with(monkeypatch, base, draws=0.5)
    assert week.values == {"fee": 55, "who.name": "Office"}
    assert week.signal_amount[1] == 55.0
    assert week.statements[1].up_to == 55.0
    (call,) = calls(week, FORM)
    assert call.arguments == {"payee": "Office", "amount": 55, "reference": "CD-17"}


def test_work_stretches_and_is_never_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    base = week_of((FORM_TASK, f"{FORM_TASK}stretch = [1, 0.01]\n"))
    week = vary_with(monkeypatch, base, work=0.5)
    assert week.signal_work == [14, 1, 9, 15, 15]  # round(15 x 0.9), at least one, round(10 x 0.9); noise as it says


@pytest.mark.parametrize(("number", "there"), [(0.49, True), (0.5, False)])
def test_noise_is_there_by_its_chance(monkeypatch: pytest.MonkeyPatch, number: float, there: bool) -> None:
    week = vary_with(monkeypatch, week_of(), noise=number)
    assert (week.record_at[OFFER] < NEVER) is there
    assert ((840, Kind.RECORD, 3) in week.events) is there
    assert week.record_at[:OFFER] == [BEFORE, 570, 580, 450, 780]


@pytest.mark.parametrize(("number", "there"), [(0.49, True), (0.5, False)])
def test_a_task_comes_up_by_its_chance(monkeypatch: pytest.MonkeyPatch, number: float, there: bool) -> None:
    base = week_of((CARD_TASK, f"{CARD_TASK}chance = 0.5\n"))
    week = vary_with(monkeypatch, base, tasks=number)
    assert CARD in base.reference_tasks
    assert (CARD in week.reference_tasks) is there
    assert (week.record_at[CARD_MAIL] < NEVER) is there
    assert week.record_at[CARD_DONE] < NEVER
    assert week.reference_tasks - {CARD} == base.reference_tasks - {CARD}


def test_what_settles_a_task_is_missing_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    settled = [(old, new.replace("resolved_chance", "chance = 0.5\nresolved_chance")) for old, new in SETTLING]
    without_window = week_of(*settled, ('later = "parcel"', 'later = "card"'))
    week = vary_with(monkeypatch, without_window, tasks=0.9)
    assert week.record_at[EXTRA] == NEVER
    assert PARCEL not in week.reference_tasks


def test_silent_noise_that_is_gone_is_no_candidate(monkeypatch: pytest.MonkeyPatch) -> None:
    week = vary_with(monkeypatch, week_of(record("at = 2027-03-08T09:00:00\nchance = 0.5")), noise=0.5)
    assert week.candidates == [4]


def test_noise_lives_as_long_as_one_of_the_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    week = vary_with(monkeypatch, week_of(), expiry=0.99)
    assert week.signal_expires[3] == 840 + DAY + 1080 - 780


@pytest.mark.parametrize(
    ("number", "overrun", "end"),
    [(0.0, "[0, 25]", 660), (0.5, "[0, 25]", 685), (0.0, "[-30]", 630), (0.0, "[-90]", 601)],
)
def test_usage_overruns_what_is_stated(monkeypatch: pytest.MonkeyPatch, number: float, overrun: str, end: int) -> None:
    own = usage("2027-03-08T10:00:00", "2027-03-08T11:00:00")
    base = week_of((own[0], f"{own[1]}\noverrun = {overrun}\nstated = false"))
    (used,) = vary_with(monkeypatch, base, usage=number).usages
    assert (used.start, used.end, used.stated_end, used.stated, used.units) == (600, end, 660, False, 1)


@pytest.mark.parametrize(("number", "settled"), [(0.19, True), (0.2, False)])
def test_a_settled_task_is_a_noop_with_the_record_as_evidence(
    monkeypatch: pytest.MonkeyPatch, number: float, settled: bool
) -> None:
    week = vary_with(monkeypatch, week_of(*SETTLING), resolved=number, groups=0.99)
    assert week.task_noop == [False, settled, True]
    assert week.record_at[EXTRA] == (570 if settled else NEVER)  # 09:20, moved with its group
    assert week.task_evidence[PARCEL] == ((NOTE, EXTRA) if settled else (NOTE,))
    assert week.task_ready[PARCEL] == 580
    assert week.reference_tasks == {FORM, PARCEL, CARD}
    assert week.reference_windows == (set() if settled else {0})
    assert week.reference_attempts == (1 if settled else 2)


@pytest.mark.parametrize(
    ("edit", "at"),
    [
        ("at = 2027-03-08T10:00:00", 600),  # after the note: then the facts are out later
        ("", BEFORE),
    ],
)
def test_the_facts_of_a_settled_task_are_out_with_its_record(monkeypatch: pytest.MonkeyPatch, edit: str, at: int) -> None:
    base = week_of((PARCEL_TASK, SETTLED), record(edit))
    week = vary_with(monkeypatch, base, resolved=0.0)
    assert week.record_at[EXTRA] == at
    assert week.task_ready[PARCEL] == max(570, at)


def test_settling_a_task_closes_the_branch_that_needs_it_done(monkeypatch: pytest.MonkeyPatch) -> None:
    follow_up: Edit = (CARD_TASK, f'{CARD_TASK}requires = [{{ task = "parcel", outcome = ["executed"] }}]\n')
    week = vary_with(monkeypatch, week_of(*SETTLING, follow_up), resolved=0.0)
    assert week.reference_tasks == {FORM, PARCEL}
