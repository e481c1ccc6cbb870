"""Values that apps and tools get once placeholders are filled in: fields of records and arguments of solutions."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import cast, get_args

from proactivity_gym.sim.apps.records import Records, checked_day
from proactivity_gym.sim.checks import says
from proactivity_gym.sim.clock import Clock
from proactivity_gym.sim.references import texts
from proactivity_gym.sim.references.outline import Outline
from proactivity_gym.sim.scenario import Action, Record, Scenario
from proactivity_gym.sim.texts import Filler, Scalar
from proactivity_gym.sim.tools import Day, RecordId, RefusalError, ToolError, When
from proactivity_gym.sim.words import ActionClass
from proactivity_gym.sim.world import APPS, TOOLS, field_problems

_RECORD_ID, _WHEN, _DAY = (get_args(annotation)[1].text for annotation in (RecordId, When, Day))


def problems(outline: Outline) -> list[str]:
    """Return what is wrong with filled-in values. Times and placeholders must be right."""
    weeks = _fillers(outline.scenario)
    found = list(_fields(outline, weeks))
    for path, action in outline.tables(Action):
        if action.tool in TOOLS:
            wrong = list(_arguments(outline.scenario, path, action, weeks))
            found += [*_effect(path, action), *_names(path, action), *(wrong or _own_text(path, action, weeks))]
    return list(dict.fromkeys(found))


def _fillers(scenario: Scenario) -> list[Filler]:
    """Return fillers that together show every option of every draw; times are as written."""
    clock = Clock(scenario.zone, scenario.start)
    instants = {name: clock.minute(wall) for name, wall in texts.instants(scenario).items()}
    values = texts.values(scenario)
    count = max(map(len, values.values()), default=1)
    weeks = [{name: options[i % len(options)] for name, options in values.items()} for i in range(count)]
    return [Filler(clock, week, instants) for week in weeks]


def _filled(week: Filler, arguments: Mapping[str, Scalar | list[str]]) -> dict[str, object]:
    return {
        name: [week.fill(item) for item in value] if isinstance(value, list) else week.value(value)
        for name, value in arguments.items()
    }


def _versions(weeks: Sequence[Filler], arguments: Mapping[str, Scalar | list[str]]) -> list[dict[str, object]]:
    """Return arguments as they are filled in from week to week: once, where no placeholder is among them."""
    texts_in = [item for value in arguments.values() for item in (value if isinstance(value, list) else [value])]
    varies = any(isinstance(item, str) and "@{" in item for item in texts_in)
    return [_filled(week, arguments) for week in (weeks if varies else weeks[:1])]


def _fields(outline: Outline, weeks: Sequence[Filler]) -> Iterator[str]:
    known = [(path, record) for path, record in outline.tables(Record) if record.app in APPS]
    for path, record in known:
        for fields in _versions(weeks, record.fields):
            for problem in field_problems(record.app, fields):
                yield f"{path}.fields.{problem}"


def _effect(path: str, action: Action) -> Iterator[str]:
    if TOOLS[action.tool].effect == ActionClass.READ:
        yield f"{path}.tool: {action.tool} only reads; name a tool that drafts or commits"


def _names(path: str, action: Action) -> Iterator[str]:
    """Check that what is said about arguments is about arguments that there are."""
    for key, names in (("free", action.free), ("contains", action.contains), ("avoids", action.avoids)):
        for name in names:
            if name not in action.args:
                yield f"{path}.{key}: the action has no argument {name!r}; use one of {', '.join(action.args)}"


def _arguments(scenario: Scenario, path: str, action: Action, weeks: Sequence[Filler]) -> Iterator[str]:
    tool, records = TOOLS[action.tool], Records(Clock(scenario.zone, scenario.start))
    known = {record.id for record in scenario.records}
    for arguments in _versions(weeks, action.args):
        try:
            tool.check(arguments)
            for name, value in arguments.items():
                _check(str(tool.parameters[name].kind.schema.get("description")), name, value, known, records)
        except (ToolError, RefusalError) as error:
            yield f"{path}.args.{error.parameter}: {error.remedy}"


def _check(meant: str, name: str, value: object, known: Collection[str], records: Records) -> None:
    """Refuse a text that is not what the parameter means by it.

    Raises:
        RefusalError: naming the argument.
    """
    if meant == _RECORD_ID and value not in known:
        raise RefusalError(name, f"there is no record {value!r}; name one of the scenario")
    if meant == _WHEN:
        records.minute(str(value), name)
    if meant == _DAY:
        checked_day(str(value), name)


def _own_text(path: str, action: Action, weeks: Sequence[Filler]) -> Iterator[str]:
    """Check that the right solution keeps the rules about its own texts."""
    for rules, due in ((action.contains, True), (action.avoids, False)):
        pairs = [(name, phrase) for name, phrases in rules.items() if name in action.args for phrase in phrases]
        told = (
            (name, _text(_filled(week, {name: action.args[name]})[name]), week.fill(phrase))
            for (name, phrase), week in product(pairs, weeks)
        )
        for name, text, wanted in dict.fromkeys(told):
            if says(text, wanted) is not due:
                yield f"{path}.args.{name}: it {'does not say' if due else 'says'} {wanted!r}; mend it, or the rule"


def _text(value: object) -> str:
    return "\n".join(cast("list[str]", value)) if isinstance(value, list) else str(value)
