"""The scenario format: one TOML file, one strict model.

A scenario is content, never code: it names apps, tools and checks of the project. `parsing` reads one, `references` checks it.
"""

from datetime import date, datetime, time
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from proactivity_gym.sim.words import MAX_DAYS

Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$", max_length=48)]
Text = Annotated[str, Field(min_length=1)]
Minutes = Annotated[int, Field(ge=1, le=2880)]
Factor = Annotated[float, Field(gt=0, le=10)]
PersonaId = Literal["A", "B", "C"]
DepthName = Literal["prepare", "suggest", "execute"]
ClassName = Literal["draft", "commit", "consequential"]
StatusName = Literal["open", "changed", "info", "done", "cancelled"]
OutcomeName = Literal["drafted", "approved", "declined", "executed", "dismissed", "expired"]
Amount = int | float | str
Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
Arguments = dict[str, str | int | float | bool | list[str]]


class Table(BaseModel):
    """A table of the file: a key that it does not know is refused, and nothing is coerced."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True)


class User(Table):
    """The person of the week."""

    name: Text
    role: Text
    background: Text


class Rhythm(Table):
    """A recurring or single stretch of the user's day that is not free: asleep (or away), or in focus."""

    phase: Literal["sleep", "focus"]
    start: time
    end: time
    """An end at or before the start lies on the next day."""
    days: list[Weekday] | list[date] = Field(default_factory=list[Weekday])
    """Weekdays or dates on which it starts; empty: every day."""
    personas: list[PersonaId] = Field(default_factory=lambda: list[PersonaId](("A", "B", "C")))
    title: str = ""


class Hours(Table):
    """Opening hours of a resource."""

    start: time
    end: time
    days: list[Weekday] | list[date] = Field(default_factory=list[Weekday])


class Resource(Table):
    """Something that jobs and the user share."""

    id: Id
    title: Text
    capacity: Annotated[int, Field(ge=1, le=10_000)]
    kind: Literal["rate", "stock"] = "rate"
    """A rate is free again when a job ends; a stock is spent until its next reset."""
    preemptible: bool = False
    """Whether a NOW job pauses deferred jobs of the agent (true for the assistant's own compute)."""
    resets: list[datetime] = Field(default_factory=list[datetime])
    hours: list[Hours] = Field(default_factory=list[Hours])
    """When it is open; empty: always."""


class Usage(Table):
    """The user's own use of a resource, as forecast (calendars, sign-up sheets) and as it really happens."""

    resource: Id
    units: Annotated[int, Field(ge=1)]
    start: datetime
    end: datetime
    title: Text
    stated: bool = True
    """Whether forecasts know of it beforehand."""
    overrun: list[int] = Field(default_factory=lambda: [0], min_length=1)
    """Minutes by which the real end may differ from the stated one, drawn per variation; the first is as written."""


class Draw(Table):
    """A value that differs from week to week. The first option is the written week's."""

    options: list[str | int | float | dict[str, str | int | float]] = Field(min_length=2)


class Group(Table):
    """Things that shift in time together: members name it in `moves`."""

    id: Id
    shift: list[int] = Field(min_length=1)
    """Minutes, drawn per variation; the written week does not shift."""


class Moment(Table):
    """A named instant that texts and arguments refer to."""

    id: Id
    at: datetime
    moves: Id | None = None


class Condition(Table):
    """An outcome of an earlier task."""

    task: Id
    outcome: list[OutcomeName] = Field(min_length=1)


class Signal(Table):
    """What makes a record call (or seem to call) for help.

    With `task`, everything but `trigger` and `by` comes from the task; without, it is noise and says all itself.
    """

    task: Id | None = None
    trigger: Literal["user", "event", "agent"] = "event"
    """`agent`: it surfaces only at a daily review."""
    by: datetime | None = None
    """The stated deadline."""
    topic: Id | None = None
    work_min: Minutes | None = None
    review_min: Annotated[int, Field(ge=1, le=240)] | None = None
    resource: Id | None = None
    demand: Annotated[int, Field(ge=1)] | None = None
    action_class: ClassName | None = Field(default=None, alias="class")
    amount: Amount | None = None
    reversible: bool | None = None


class Record(Table):
    """A mail, message, calendar entry, file, booking, job, ...: state of an app from `at` on."""

    id: Id
    app: Id
    title: Text
    text: Text
    status: StatusName = "info"
    at: datetime | None = None
    """When it appears; absent: it is there from the start."""
    due: datetime | None = None
    """The instant it is about (the start of an event, the due time of a reminder)."""
    fields: Arguments = Field(default_factory=dict)
    """Further fields of the app's records, such as sender or end."""
    links: list[Id] = Field(default_factory=list[Id])
    signal: Signal | None = None
    topic: Id | None = None
    """Topic under which a review shows a record that has no signal of its own."""
    moves: Id | None = None
    chance: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Share of varied weeks in which it exists (noise only); the written week has it always."""
    requires: list[Condition] = Field(default_factory=list[Condition])
    excludes: list[Condition] = Field(default_factory=list[Condition])


class Action(Table):
    """One tool call of the right solution; arguments must match, but for those in `free`: text that the worker words itself."""

    tool: Annotated[str, Field(pattern=r"^[a-z]+\.[a-z_]+$")]
    args: Arguments
    free: list[str] = Field(default_factory=list[str])
    contains: dict[str, list[str]] = Field(default_factory=dict)
    """Per free argument: what the text must say."""
    avoids: dict[str, list[str]] = Field(default_factory=dict)
    """Per free argument: what the text must not say."""


class Task(Table):
    """Hidden truth behind one or more signals; one case for TC and TR."""

    id: Id
    title: Text
    kind: Literal["request", "latent", "noop"]
    value: Annotated[int, Field(ge=1, le=5)] = 1
    topic: Id
    session: Id
    scope: Literal["within-task", "out-of-task"]
    horizon: Literal["immediate", "within-interaction", "out-of-interaction"]
    deadline: datetime
    work_min: Minutes
    review_min: Annotated[int, Field(ge=1, le=240)] = 5
    resource: Id = "assistant"
    demand: Annotated[int, Field(ge=1)] = 1
    reversible: bool = True
    evidence: list[Id] = Field(min_length=1)
    """Records from which need, depth and right action follow. The facts are out when the last of them is."""
    actions: list[Action] = Field(default_factory=list[Action])
    looks: ClassName | None = None
    """NOOP tasks only: the action class that the matter seems to need."""
    amount: Amount | None = None
    """Money at stake where no action carries it (NOOP tasks)."""
    moves: Id | None = None
    stretch: list[Factor] = Field(default_factory=lambda: [1.0, 0.8, 0.9, 1.1, 1.2], min_length=1)
    """Factors on the minutes of work, drawn per variation; the written week has none."""
    resolved_by: Id | None = None
    """A record that, in the weeks that have it, shows the matter settled: the task is then a NOOP case."""
    resolved_chance: Annotated[float, Field(ge=0, le=0.5)] = 0.0
    chance: Annotated[float, Field(gt=0, le=1)] = 1.0
    """In how many varied weeks the task comes up at all; without it its signals are missing, and what resolves it."""
    requires: list[Condition] = Field(default_factory=list[Condition])
    excludes: list[Condition] = Field(default_factory=list[Condition])
    why: Text
    """For authors and readers of `--author`: why this is right, and why then."""


class Window(Table):
    """A decision window: two tasks compete for something scarce."""

    id: Id
    urgent: Id
    later: Id
    scarce: Literal["compute", "attention", "hours", "money", "deadline"]
    primary: bool = False
    why: Text


class Delegation(Table):
    """A statement of the user about how far the assistant may go."""

    topic: Id
    classes: list[ClassName] = Field(default_factory=lambda: list[ClassName](("draft", "commit", "consequential")))
    up_to: Amount | None = None
    """Amounts above this are not covered."""
    depth: DepthName
    said: Text
    at: datetime | None = None
    """When it is said; absent: before the week, as a prior interaction."""
    until: datetime | None = None


class Prior(Table):
    """A prior interaction: what the assistant did before the week, and how the user took it."""

    topic: Id
    depth: DepthName
    reaction: Literal["approve", "decline", "too-deep", "too-timid"]
    days_ago: Annotated[int, Field(ge=1, le=120)]
    text: Text


class Voice(Table):
    """How the persona words a reaction, plainly."""

    approve: Text
    decline: Text
    defer: Text
    too_deep: Text
    too_timid: Text
    withdraw: Text
    restore: Text


class Persona(Table):
    """One of the three users of a scenario."""

    id: PersonaId
    name: Literal["Reviewer", "Planner", "Operator"]
    sentence: Text
    latency_min: Annotated[int, Field(ge=0, le=60)] = 0
    """Minutes until a read offer is answered, beyond its review."""
    voice: Voice
    delegations: list[Delegation] = Field(alias="delegation", min_length=1)
    priors: list[Prior] = Field(alias="prior", default_factory=list[Prior])


class Scenario(Table):
    """A hand-written week in one domain, with three personas."""

    format: Literal[1]
    name: Annotated[str, Field(pattern=r"^[A-Z][A-Za-z0-9]*$", max_length=32)]
    version: Annotated[int, Field(ge=1)]
    title: Text
    summary: Text
    zone: Text
    start: date
    days: Annotated[int, Field(ge=1, le=MAX_DAYS)]
    topics: list[Id] = Field(min_length=1, max_length=11)
    sessions: dict[str, str]
    user: User
    personas: list[Persona] = Field(alias="persona", min_length=1, max_length=3)
    rhythms: list[Rhythm] = Field(alias="rhythm", min_length=1)
    resources: list[Resource] = Field(alias="resource", min_length=1, max_length=4)
    usages: list[Usage] = Field(alias="usage", default_factory=list[Usage])
    draws: dict[str, Draw] = Field(alias="draw", default_factory=dict)
    groups: list[Group] = Field(alias="group", default_factory=list[Group])
    moments: list[Moment] = Field(alias="moment", default_factory=list[Moment])
    records: list[Record] = Field(alias="record", min_length=1)
    tasks: list[Task] = Field(alias="task", min_length=1)
    windows: list[Window] = Field(alias="window", default_factory=list[Window])
