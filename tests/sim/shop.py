"""Days like those of `post`, with any resource, deadline or call; played by name, and looked at through the trace."""

from collections.abc import Mapping
from typing import cast

import numpy as np

from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.jobs import Job
from proactivity_gym.sim.parsing import parse
from proactivity_gym.sim.plan import build
from proactivity_gym.sim.scoring import Terms, Weights
from proactivity_gym.sim.trace import Value
from proactivity_gym.sim.variation import written
from proactivity_gym.sim.words import Depth, Timing
from proactivity_gym.sim.work import Tools, Worker
from tests.sim.post import HEAD

NOOP, PREPARE, SUGGEST, EXECUTE = Depth
NOW, IDLE, SLEEP, DUE = Timing

DESK = '{ id = "desk", title = "A desk", capacity = 1 }'
"""A resource on which nothing gives way to a NOW job."""

SEND = '{ tool = "messages.send", args = { to = "Rui", body = "Yes" } }'
DRAFT = '{ tool = "messages.draft", args = { to = "Rui", body = "Perhaps" } }'
PAY = '{ tool = "payments.pay", args = { payee = "Rui", amount = 40, reference = "R-1" } }'
CLAIM = '{ tool = "payments.claim", args = { title = "Post", amount = 40, receipts = ["bill"] } }'

USUAL_TASK = """
title = "Answer"
kind = "latent"
topic = "letters"
session = "post"
scope = "out-of-task"
horizon = "immediate"
deadline = 2027-03-10T18:00:00
work_min = 15
why = "It is asked."
"""
USUAL_RECORD = """
app = "mail"
title = "A mail"
text = "A question."
status = "open"
"""
FOR_A_LETTER = 'topic = "letters"\nwork_min = 15\nreview_min = 5\nresource = "assistant"\nclass = "commit"\n'


def table(key: str, usual: str, *lines: str) -> str:
    """Return a table; of its usual lines those stay whose key is not among the given ones."""
    given = {line.partition(" =")[0] for line in lines}
    kept = [line for line in usual.splitlines() if line.partition(" =")[0] not in given]
    return "\n".join(["", f"[[{key}]]", *kept, *lines, ""])


def at(time: str) -> str:
    """Write `08T09:30` as TOML has it."""
    return f"2027-03-{time}:00"


def record(name: str, time: str, *lines: str) -> str:
    """Return a record."""
    return table("record", USUAL_RECORD, f'id = "{name}"', f"at = {at(time)}", *lines)


def matter(name: str, time: str = "08T08:00", *lines: str, signal: str = "") -> str:
    """Return a task and the mail that is its signal; `lines` are of the task, `signal` is more of the signal (`, by = ...`)."""
    usual = USUAL_TASK + f'evidence = ["{name}-mail"]\nactions = [{SEND}]\n'
    task = table("task", usual, f'id = "{name}"', *lines)
    return task + record(f"{name}-mail", time, f'signal = {{ task = "{name}"{signal} }}')


def nothing(name: str, time: str = "08T08:00", *lines: str) -> str:
    """Return a NOOP case and the mail that is its signal."""
    return matter(name, time, 'kind = "noop"', "actions = []", 'looks = "commit"', *lines)


def noise(name: str, time: str = "08T08:00", *lines: str) -> str:
    """Return a mail with nothing behind it."""
    return f"{record(name, time)}[record.signal]\n{FOR_A_LETTER}" + "".join(f"{line}\n" for line in lines)


def use(start: str, end: str, *lines: str) -> str:
    """Return the user's own use of the desk."""
    usual = 'resource = "desk"\nunits = 1\ntitle = "Own work"\n'
    return table("usage", usual, f"start = {at(start)}", f"end = {at(end)}", *lines)


def window(urgent: str, later: str, *lines: str) -> str:
    """Return a decision window."""
    usual = 'scarce = "compute"\nwhy = "The counter closes."\n'
    return table("window", usual, f'id = "{urgent}-first"', f'urgent = "{urgent}"', f'later = "{later}"', *lines)


class Scripted:
    """A live worker that makes the same calls for every job."""

    def __init__(self, *calls: tuple[str, Mapping[str, object]], reads: tuple[str, ...] = ()) -> None:
        self.calls = calls
        self.reads = reads

    def read(self, signal: OpenSignal, tools: Tools) -> None:
        """Read mails."""
        for name in self.reads:
            tools.call("mail.read", {"id": name})

    def work(self, job: Job, tools: Tools) -> None:
        """Make the calls."""
        for tool, arguments in self.calls:
            tools.call(tool, arguments)


class Shop:
    """An episode played by name."""

    def __init__(
        self,
        *pieces: str,
        more: str = "",
        said: str = "",
        worker: Worker | None = None,
        weights: Weights | None = None,
        draws: np.random.Generator | None = None,
    ) -> None:
        """Open at the first activation (08T07:00 if nothing comes before).

        `more` are further resources, `said` further statements.
        """
        head = HEAD.replace("preemptible = true }]", f"preemptible = true }}, {more}]")
        head = head.replace('said = "Errands: go ahead." },', f'said = "Errands: go ahead." }}, {said}')
        scenario = parse(head + "".join(pieces), "shop.toml")
        week = written(build(scenario, scenario.personas[0]))
        self.episode = Episode(week, weights=weights, stochastic_user=draws, worker=worker)
        self.episode.start()

    @property
    def terms(self) -> Terms:
        """The terms so far."""
        return dict(self.episode.tally.terms())

    @property
    def now(self) -> str:
        """The time."""
        return self.time(self.episode.now)

    def time(self, minute: int) -> str:
        """Write a minute as `08T09:30`."""
        return f"{self.episode.week.plan.clock.local(minute):%dT%H:%M}"

    def name(self, signal: int) -> str:
        """Return the name of a row's matter."""
        plan = self.episode.week.plan
        return plan.records[plan.signals[signal].record].id.removesuffix("-mail")

    def open(self) -> list[str]:
        """Return what stands in the slots, in their order."""
        return [self.name(signal.index) for signal in self.episode.board.slots if signal]

    def signal(self, name: str) -> OpenSignal:
        """Return an open signal."""
        return next(s for s in self.episode.board.slots if s and self.name(s.index) == name)

    def act(self, name: str, depth: Depth, timing: Timing = NOW) -> str | None:
        """Wait for a signal and act on it."""
        while name not in self.open():
            assert not self.episode.over, f"{name} never came"
            self.episode.wait()
        return self.episode.act(self.signal(name).slot, depth, timing)

    def take(self, name: str, depth: Depth, timing: Timing = NOW) -> None:
        """Wait for a signal and act on it, with success."""
        assert self.act(name, depth, timing) is None

    def until(self, time: str) -> None:
        """Wait for the first activation at or after a time."""
        while not self.episode.over and self.now < time:
            self.episode.wait()

    def finish(self) -> Terms:
        """Wait for the end, and return the terms."""
        while not self.episode.over:
            self.episode.wait()
        return self.terms

    def found(self, app: str, key: str = "id") -> list[object]:
        """Return what an app holds: of each record its id or title, newest first."""
        lines = cast("list[dict[str, object]]", self.episode.read(f"{app}.search", {"query": ""})["records"])
        return [line[key] for line in lines]

    def seen(self, *names: str) -> list[tuple[str, str]]:
        """Return when which of some things happened, and to what: `("08T09:30", "start one")`."""
        return [
            (self.time(minute), f"{name} {self._about(data)}".strip())
            for minute, name, data in self.episode.trace
            if name in names
        ]

    def told(self, name: str, *keys: str) -> list[tuple[Value, ...]]:
        """Return the particulars of whatever happened under a name."""
        return [tuple(data[key] for key in keys) for _, what, data in self.episode.trace if what == name]

    def _about(self, data: Mapping[str, Value]) -> str:
        if "job" in data:
            signals = [int(signal or 0) for _, signal in self.told("attempt", "job", "signal")]
            return self.name(signals[int(data["job"] or 0)])
        if "signal" in data:
            return self.name(int(data["signal"] or 0))
        return self.episode.week.plan.tasks[int(data["task"] or 0)].id if "task" in data else ""
