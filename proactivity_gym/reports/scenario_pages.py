"""The documentation page of a scenario, in Markdown: one that gives nothing away, and one for its author."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from proactivity_gym.envs.registration import env_id
from proactivity_gym.reports.balance import depths
from proactivity_gym.reports.portrait import day_name, when
from proactivity_gym.sim.safe_text import printable
from proactivity_gym.sim.scenario import Persona, Record, Resource, Scenario, Task
from proactivity_gym.sim.solutions import filler
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.tools import Tool
from proactivity_gym.sim.week import Week, last_start, work_of
from proactivity_gym.sim.words import ActionClass
from proactivity_gym.sim.world import TOOLS

Scores = Mapping[str, Mapping[str, float | None]]
"""Per policy, the mean of each term."""

TERMS = {"J": "J", "TC": "TC", "TA": "TA", "TR_D": "TR-D"}
"""Terms of the table of scores, with their headings."""

_MARKUP = re.compile(r"[\[\]{}`*\\]")
_KINDS = {"request": "requests", "latent": "needs that nobody states", "noop": "matters that need nothing"}
_EFFECTS = (ActionClass.READ, ActionClass.DRAFT, ActionClass.COMMIT, ActionClass.CONSEQUENTIAL)


def page(week: Week, picture: str, scores: Scores, weeks_told: str) -> str:
    """Return the page of a scenario, which holds no hidden truth but for counts.

    Args:
        week: its written week with any persona.
        picture: where the picture is, as seen from the page.
        scores: of the policies in the table.
        weeks_told: which weeks those are means over.
    """
    scenario = week.plan.scenario
    parts = [
        f"# {scenario.name}: {_text(scenario.title)}",
        _text(scenario.summary),
        f"**{_text(scenario.user.name)}**, {_text(scenario.user.role)}. {_text(scenario.user.background)}",
        "## Ids",
        *_personas(scenario),
        "## The week",
        f"![The week as a timeline]({picture})",
        "*Persona B's week as `rules` plays it, a heuristic that sees only what any agent may see.*",
        _size(week),
        "## What it holds",
        _table(("tasks", ""), _tasks(scenario)),
        _windows(scenario),
        "## Resources",
        _table(("resource", "kind", "open", "back on"), (_resource(week, each) for each in scenario.resources)),
        "## Apps and tools",
        _table(("app", "records", *(effect.name.lower() for effect in _EFFECTS)), _apps(scenario)),
        "## How baselines fare",
        _table(("policy", *TERMS.values()), _scored(scores)),
        f"Means over {weeks_told}.",
        f"[The author's view]({scenario.name.lower()}-author.md) tells the tasks, the windows and what is expected: "
        f"**it spoils the week.** `pgym show {scenario.name}` prints every record.",
    ]
    return "\n\n".join(parts) + "\n"


def author_page(weeks: Mapping[str, Week], picture: str) -> str:
    """Return the page of a scenario for its author, with the hidden truth.

    Args:
        weeks: its written week with each persona.
        picture: where the picture is, as seen from the page.
    """
    week = next(iter(weeks.values()))
    scenario = week.plan.scenario
    expected = {persona: depths(each) for persona, each in weeks.items()}
    heads = ("task", "value", *expected, "deadline", "why")
    parts = [
        "---\nsearch:\n  exclude: true\n---",  # nobody should come upon it by searching
        f"# {scenario.name}: the author's view",
        '!!! danger "This page spoils the week"\n    Who means to play it, or to show its text to a model, should not read on.',
        f"![The week as its author sees it]({picture})",
        "*Persona B's week as the oracle plays it.* Expected depths below are those of the written week; a dash means off the "
        "path that the oracle takes.",
    ]
    for kind, words in _KINDS.items():
        rows = [_truth(week, i, task, expected) for i, task in enumerate(scenario.tasks) if task.kind == kind]
        parts += [f"## Tasks: {words}", _table(heads, rows)]
    parts += ["## Windows", _table(("window", "now", "later", "scarce", "until", "why"), _contests(week))]
    parts += [f"`pgym show {scenario.name} --author` prints signals, evidence, solutions, branches and noise as well."]
    return "\n\n".join(parts) + "\n"


def index(scenarios: Sequence[Scenario], balance: Iterable[tuple[str, str, str]]) -> str:
    """Return the page of all scenarios.

    Args:
        scenarios: of the catalogue.
        balance: lines of the census over them.
    """
    rows = [_of_index(scenario) for scenario in scenarios]
    ids = sum(len(scenario.personas) for scenario in scenarios)
    tasks = sum(len(scenario.tasks) for scenario in scenarios)
    parts = [
        "# Scenarios",
        f"{len(scenarios)} weeks, {ids} ids, {tasks} tasks. Ids read `{env_id('NAME', 'A')}`, with A (Reviewer), B (Planner) "
        "or C (Operator); `ProactivityGym/Mixed-v0` draws scenario and persona at every reset.",
        _table(("name", "whose week", "days", "tasks", "windows", "records"), rows),
        "## Balance over all of them",
        "Shares in the written weeks, counts in parentheses (`pgym list --balance` prints them).",
        _table(("what", "of", "shares"), ((what, of, told) for what, of, told in balance)),
    ]
    return "\n\n".join(parts) + "\n"


def _of_index(scenario: Scenario) -> tuple[object, ...]:
    link = f"[{scenario.name}](scenarios/{scenario.name.lower()}.md)"
    whose = f"**{_text(scenario.title)}.** {_text(scenario.user.name)}, {_text(scenario.user.role)}"
    return link, whose, scenario.days, len(scenario.tasks), len(scenario.windows), len(scenario.records)


def _personas(scenario: Scenario) -> list[str]:
    def told(persona: Persona) -> str:
        return (
            f"**{persona.id}, {persona.name}.** {_text(persona.sentence)}\n\n```text\n{env_id(scenario.name, persona.id)}\n```"
        )

    return [told(persona) for persona in scenario.personas]


def _size(week: Week) -> str:
    scenario = week.plan.scenario
    first, last = day_name(week, 0), day_name(week, scenario.days - 1)
    signals = sum(record.signal is not None for record in scenario.records)
    return (
        f"{scenario.days} days, {first} to {last}, {scenario.zone}. {len(scenario.records)} records, "
        f"{signals} of them signals. Topics: {', '.join(scenario.topics)}. Version {scenario.version}."
    )


def _tasks(scenario: Scenario) -> list[tuple[object, ...]]:
    counts = Counter(task.kind for task in scenario.tasks)
    return [(words, counts[kind]) for kind, words in _KINDS.items()]


def _windows(scenario: Scenario) -> str:
    scarce = Counter(window.scarce for window in scenario.windows)
    told = ", ".join(f"{what} ({count})" if count > 1 else what for what, count in sorted(scarce.items()))
    return f"{len(scenario.windows)} decision windows. Scarce in them: {told or 'nothing'}."


def _resource(week: Week, resource: Resource) -> tuple[object, ...]:
    hours = ", ".join(f"{h.start:%H:%M} to {h.end:%H:%M} {_days(h.days)}".rstrip() for h in resource.hours)
    resets = "; ".join(when(week, week.plan.clock.minute(reset)) for reset in resource.resets)
    kind = f"{resource.kind} of {resource.capacity}" + (", gives way to NOW" if resource.preemptible else "")
    return f"**{resource.id}**: {_text(resource.title)}", kind, hours or "always", resets


def _days(days: Sequence[object]) -> str:
    return " ".join(map(str, days))


def _apps(scenario: Scenario) -> list[tuple[object, ...]]:
    """Return, per app that the scenario uses, its records and all of its tools: which of them are right is not told."""
    counts = Counter(record.app for record in scenario.records)
    counts.update({action.tool.partition(".")[0]: 0 for task in scenario.tasks for action in task.actions})
    by_app = {app: list(tools) for app, tools in groupby(TOOLS.values(), lambda tool: tool.app)}
    return [(app, counts[app], *(_named(by_app[app], effect) for effect in _EFFECTS)) for app in by_app if app in counts]


def _named(tools: Iterable[Tool], effect: ActionClass) -> str:
    return ", ".join(tool.name.partition(".")[2] for tool in tools if tool.effect == effect)


def _scored(scores: Scores) -> list[tuple[object, ...]]:
    return [(f"`{policy}`", *(_score(name, terms[name]) for name in TERMS)) for policy, terms in scores.items()]


def _score(name: str, value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}" if name == "J" else f"{value:.0f}"


def _truth(week: Week, index: int, task: Task, expected: Mapping[str, Mapping[int, object]]) -> tuple[object, ...]:
    deep = [getattr(found.get(index), "name", "-") for found in expected.values()]
    fill = filler(week)
    why = _text(fill.fill(task.why)) + "".join(f" Only {told}." for told in _conditions(task))
    if task.resolved_by:
        why += f" Settled by `{task.resolved_by}` in {task.resolved_chance:.0%} of varied weeks."
    deadline = when(week, week.task_deadline[index])
    return f"**{_text(fill.fill(task.title))}** `{task.id}`", task.value, *deep, deadline, why


def _conditions(entry: Task | Record) -> list[str]:
    told = [f"if `{c.task}` was {' or '.join(c.outcome)}" for c in entry.requires]
    return told + [f"unless `{c.task}` was {' or '.join(c.outcome)}" for c in entry.excludes]


def _contests(week: Week) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for row, window in zip(week.plan.windows, week.plan.scenario.windows, strict=True):
        urgent = week.plan.tasks[row.urgent]
        end = last_start(week.plan, week.task_deadline[row.urgent], urgent, work_of(week, row.urgent))
        until = when(week, end) if 0 <= end < NEVER else "never"
        name = f"`{window.id}`" + (" (primary)" if window.primary else "")
        rows.append((name, window.urgent, window.later, window.scarce, until, _text(filler(week).fill(window.why))))
    return rows


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _text(text: str) -> str:
    """Return what a scenario says, on one line: nothing in it hides, or is a tag, a link, an attribute or code to Markdown."""
    shown = printable(" ".join(text.split()))
    return _MARKUP.sub(lambda match: f"&#{ord(match.group())};", shown).replace("<", "&lt;")


def _cell(value: object) -> str:
    return " ".join(str(value).split()).replace("|", "\\|").replace("<", "&lt;")
