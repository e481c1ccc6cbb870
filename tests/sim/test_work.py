"""Who produces a job's calls: the reference worker, or a live one at its desk."""

from collections.abc import Callable, Mapping

import pytest

from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.jobs import Job
from proactivity_gym.sim.tools import Call, ToolError
from proactivity_gym.sim.words import ActionClass, Depth
from proactivity_gym.sim.work import Content, Tools
from tests.sim.shop import DRAFT, EXECUTE, NOOP, PAY, PREPARE, SEND, SLEEP, SUGGEST, Scripted, Shop, matter, noise, nothing

READ = ("mail.read", {"id": "one-mail"})
SENT: tuple[str, Mapping[str, object]] = ("messages.send", {"to": "Rui", "body": "Yes"})
ERRAND = 'topic = "errands"'


class Doing:
    """A worker that does what a test says."""

    def __init__(self, work: Callable[[Tools], None]) -> None:
        self.does = work
        self.seen: list[str] = []

    def read(self, signal: OpenSignal, tools: Tools) -> None:
        """Note it."""
        self.seen.append("read")

    def work(self, job: Job, tools: Tools) -> None:
        """Note it, and do it."""
        self.seen.append("work")
        self.does(tools)


def rest(tools: Tools) -> None:
    """Do nothing."""


# Content


@pytest.mark.parametrize(
    ("outputs", "constraints", "facts_out", "tc", "wrong"),
    [
        (1.0, None, True, 1.0, False),
        (1.0, 1.0, True, 1.0, False),
        (0.5, None, True, 0.75, True),
        (1.0, 0.5, True, 2.5 / 3, True),
        (1.0, None, False, 0.5, True),
        (1.0, 1.0, False, 1 / 3, True),
    ],
)
def test_what_content_is_worth_with_all_evidence_read(
    outputs: float, constraints: float | None, facts_out: bool, tc: float, wrong: bool
) -> None:
    content = Content(None, outputs, constraints, facts_out)
    assert content.tc(1.0) == pytest.approx(tc)
    assert content.wrong is wrong


def test_the_reference_calls_are_the_solution() -> None:
    week = Shop(matter("one", "08T08:00", f"actions = [{PAY}, {SEND}]"), nothing("card")).episode.week
    reference, live = Content(None, 1, None, True), Content([Call(*SENT)], 0.5, None, True)
    assert [call.tool for call in reference.calls(week, 0)] == ["payments.pay", "messages.send"]
    assert [call.tool for call in live.calls(week, 0)] == ["messages.send"]
    assert (reference.reference, live.reference) == (True, False)
    assert reference.gravest(week, 0) == ActionClass.CONSEQUENTIAL
    assert live.gravest(week, 0) == ActionClass.COMMIT


def test_what_there_is_to_commit() -> None:
    week = Shop(matter("one"), matter("two", "08T08:00", f"actions = [{DRAFT}]"), nothing("card")).episode.week

    def commits(calls: list[Call] | None) -> list[bool]:
        return [Content(calls, 1, None, True).commits(week, task) for task in (0, 1, 2)]

    draft = Call("messages.draft", {"to": "Rui", "body": "Perhaps"})
    assert commits(None) == [True, True, False]
    assert commits([]) == [False, False, False]
    assert commits([draft]) == [False, True, False]
    assert commits([Call(*SENT)]) == [True, True, True]


# The reference worker


def test_the_reference_worker_reads_when_it_is_asked_to_decide_and_when_it_works() -> None:
    shop = Shop(matter("one", "08T09:30", 'evidence = ["one-mail", "two-mail"]'), matter("two", "08T12:00"))
    shop.take("one", PREPARE, SLEEP)
    shop.finish()
    assert [(shop.time(m), data["record"]) for m, what, data in shop.episode.trace if what == "read"] == [
        ("08T09:30", 0),
        ("08T23:00", 1),
    ]


# A live worker


def test_a_live_worker_reads_before_a_decision_and_works_when_its_slot_comes() -> None:
    for depth, seen in ((NOOP, ["read"]), (PREPARE, ["read", "work"]), (SUGGEST, ["read", "work"])):
        worker = Doing(rest)
        shop = Shop(matter("one", "08T08:00"), worker=worker)
        shop.take("one", depth)
        assert worker.seen == seen
    worker = Doing(rest)
    shop = Shop(matter("one"), worker=worker)
    shop.take("one", NOOP, SLEEP)
    shop.take("one", SUGGEST, SLEEP)
    shop.until("08T23:00")
    assert worker.seen == ["read", "read", "work"]


def test_work_that_was_interrupted_is_not_done_twice() -> None:
    worker = Doing(rest)
    shop = Shop(matter("one", "08T08:00", "work_min = 60"), matter("two", "08T08:20"), worker=worker)
    shop.take("one", PREPARE, SLEEP)
    shop.take("two", PREPARE, SLEEP)
    shop.until("08T23:30")
    shop.finish()
    assert worker.seen.count("work") == 2


def test_what_nobody_read_is_no_evidence() -> None:
    for reads, tc in (((), 50.0), (("one-mail",), 100.0)):
        shop = Shop(matter("one", "08T08:00", ERRAND), worker=Scripted(SENT, reads=reads))
        shop.take("one", EXECUTE)
        assert shop.finish()["TC"] == tc
    for reads, tc in (((), 0.0), (("card-mail",), 100.0)):
        shop = Shop(nothing("card"), worker=Scripted(reads=reads))
        shop.take("card", NOOP)
        assert shop.finish()["TC"] == tc


def test_reading_at_work_counts_as_evidence() -> None:
    shop = Shop(matter("one", "08T08:00", ERRAND), worker=Scripted(READ, SENT))
    shop.take("one", EXECUTE)
    assert shop.finish()["TC"] == 100


def test_calls_of_a_worker_are_checked() -> None:
    other: tuple[str, Mapping[str, object]] = ("messages.send", {"to": "Eva", "body": "Yes"})
    rules = 'free = ["body"], contains = { body = ["yes", "noon"] }'
    worded = f'{{ tool = "messages.send", args = {{ to = "Rui", body = "Yes" }}, {rules} }}'
    for actions, calls, tc in (
        (SEND, [SENT], 1.0),
        (SEND, [other], 0.5),
        (SEND, [SENT, other], 0.75),
        (f"{SEND}, {PAY}", [SENT], 0.75),
        (worded, [SENT], (1 + 1 + 0.5) / 3),
    ):
        shop = Shop(matter("one", "08T08:00", f"actions = [{actions}]"), worker=Scripted(READ, *calls))
        shop.take("one", PREPARE)
        shop.finish()
        assert shop.told("credit", "tc") == [(pytest.approx(tc),)]
        assert shop.told("done", "wrong") == [(tc < 1,)]


def test_a_worker_works_on_a_fork() -> None:
    found: list[object] = []

    def work(tools: Tools) -> None:
        assert tools.call("messages.send", {"to": "Rui", "body": "Yes"})["id"] == "messages-1"
        assert tools.call("messages.draft", {"to": "Rui", "body": "Yes"})["id"] == "messages-2"
        found.append(tools.call("messages.search", {"query": ""})["records"])  # reads see the world as it stands

    shop = Shop(matter("one"), worker=Doing(work))
    shop.take("one", SUGGEST)
    assert found == [[]]
    assert shop.found("messages", "title") == []


def test_refused_calls_are_the_workers_to_handle_and_no_part_of_its_work() -> None:
    refused: list[str] = []

    def work(tools: Tools) -> None:
        for tool, arguments in (("messages.shout", {}), ("messages.send", {"to": "Rui"}), ("reminders.clear", {"id": "none"})):
            with pytest.raises(ToolError) as error:
                tools.call(tool, arguments)
            refused.append(str(error.value).split(":")[0])
        tools.call(*SENT)

    shop = Shop(matter("one", "08T08:00", ERRAND), worker=Doing(work))
    shop.take("one", EXECUTE)
    shop.finish()
    assert refused == ["messages.shout", "messages.send", "reminders.clear"]
    assert shop.found("messages", "title") == ["Message to Rui"]
    assert shop.told("done", "wrong") == [(False,)]


@pytest.mark.parametrize("depth", [PREPARE, SUGGEST, EXECUTE])
def test_on_noise_a_worker_changes_nothing(depth: Depth) -> None:
    shop = Shop(noise("pizza"), matter("one", "09T08:00"), worker=Scripted(SENT))
    shop.take("pizza", depth)
    shop.finish()
    assert shop.found("messages", "title") == []
    assert shop.terms["wasted_minutes"] == 15
