"""A scenario as a person would tell it: who, the days, what was said about delegation, and what arrives when."""

from collections.abc import Iterator
from datetime import time

from proactivity_gym.sim.delegation import BEFORE
from proactivity_gym.sim.solutions import filler
from proactivity_gym.sim.texts import DAYS, MONTHS, show
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import ANY_TOPIC, ActionClass, Phase

PHASES = {Phase.FREE: "free", Phase.FOCUS: "in focus", Phase.SLEEP: "asleep or away"}

_COVERS = {
    ActionClass.DRAFT: "drafts",
    ActionClass.COMMIT: "what can be undone",
    ActionClass.CONSEQUENTIAL: "what is binding",
}


def portrait(week: Week) -> list[str]:
    """Return the view of a written week, line by line; nothing in it is hidden truth."""
    scenario, persona = week.plan.scenario, week.plan.persona
    others = [f"  {'*' if p is persona else ' '} {p.id} {p.name}: {p.sentence}" for p in scenario.personas]
    return [
        f"{scenario.name}: {scenario.title} (version {scenario.version})",
        scenario.summary,
        "",
        f"{scenario.user.name}, {scenario.user.role}. {scenario.user.background}",
        *_section("PERSONAS (* is shown)", others),
        *_section(f"THE DAYS ({scenario.zone})", _days(week)),
        *_section("RESOURCES", _resources(week)),
        *_section("SAID ABOUT DELEGATION", _statements(week)),
        *_section("BEFORE THE WEEK", _priors(week)),
        *_section("WHAT ARRIVES", _arrivals(week)),
    ]


def _section(title: str, lines: list[str]) -> list[str]:
    return ["", title, *(lines or ["  nothing"])]


def day_name(week: Week, day: int) -> str:
    """Return the name of a day, as in `Monday 8 March`."""
    date = week.plan.clock.date(day)
    return f"{DAYS[date.weekday()]} {date.day} {MONTHS[date.month - 1]}"


def when(week: Week, minute: int) -> str:
    """Return a minute in words; outside time `never` or `before the week`."""
    if abs(minute) >= NEVER:
        return "never" if minute > 0 else "before the week"
    return show(week.plan.clock, minute, None)


def _days(week: Week) -> list[str]:
    lines: list[str] = []
    for day in range(week.plan.scenario.days):
        dawn, dusk = week.plan.clock.at(day, time()), week.plan.clock.at(day + 1, time())
        spans = [(max(start, dawn), min(end, dusk), phase) for start, end, phase in _phases(week)]
        told = [f"{_clock(week, s)}-{_end_clock(week, e)} {PHASES[phase]}" for s, e, phase in spans if s < e]
        lines.append(f"  {day_name(week, day)}: {', '.join(told)}")
    return lines


def _phases(week: Week) -> Iterator[tuple[int, int, Phase]]:
    phases = week.plan.phases
    ends = [start for start, _ in phases[1:]] + [week.plan.horizon]
    for (start, phase), end in zip(phases, ends, strict=True):
        yield start, end, phase


def _clock(week: Week, minute: int) -> str:
    return show(week.plan.clock, minute, "time")


def _end_clock(week: Week, minute: int) -> str:
    shown = _clock(week, minute)
    return "24:00" if shown == "00:00" else shown


def _resources(week: Week) -> list[str]:
    lines: list[str] = []
    for index, resource in enumerate(week.plan.scenario.resources):
        hours = ", ".join(f"{h.start:%H:%M}-{h.end:%H:%M} {_on(h.days)}".rstrip() for h in resource.hours)
        resets = ", ".join(when(week, week.plan.clock.minute(reset)) for reset in resource.resets)
        line = f"  {resource.id}: {resource.title}; {resource.kind}, {resource.capacity} in all"
        lines.append(line + (f"; open {hours}" if hours else "") + (f"; back on {resets}" if resets else ""))
        for row, usage in zip(week.usages, week.plan.scenario.usages, strict=True):
            if row.resource == index and row.stated:
                lines.append(f"      {when(week, row.start)} to {when(week, row.stated_end)}: {usage.title} ({row.units})")
    return lines


def _on(days: object) -> str:
    return " ".join(map(str, days)) if isinstance(days, list) else ""  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _statements(week: Week) -> list[str]:
    fill, topics = filler(week), (ANY_TOPIC, *week.plan.scenario.topics)
    lines: list[str] = []
    for said in week.statements:
        covers = (
            "everything"
            if len(said.classes) == len(_COVERS)
            else " and ".join(_COVERS[c] for c in sorted(said.classes) if c in _COVERS)
        )
        limit = "" if said.up_to is None else f" up to {said.up_to:g}"
        until = "" if said.until >= NEVER else f", until {when(week, said.until)}"
        time_said = "before the week" if said.at == BEFORE else when(week, said.at)
        head = f"  {topics[said.topic]}: {said.depth.name} for {covers}{limit}; {time_said}{until}"
        lines += [head, f'      "{fill.fill(said.said)}"']
    return lines


def _priors(week: Week) -> list[str]:
    priors = sorted(week.plan.persona.priors, key=lambda prior: -prior.days_ago)
    return [f"  {p.days_ago} days before, {p.topic}, {p.depth.upper()}, {p.reaction}: {p.text}" for p in priors]


def _arrivals(week: Week) -> list[str]:
    """Return the records that appear whatever the agent does, day by day."""
    fill, scenario = filler(week), week.plan.scenario
    rows = [i for i, row in enumerate(week.plan.records) if not row.requirements and week.record_at[i] < NEVER]
    lines: list[str] = []
    for day in range(-1, scenario.days):
        dawn = week.plan.clock.at(day, time()) if day >= 0 else -NEVER
        own = sorted((week.record_at[i], i) for i in rows if dawn <= week.record_at[i] < week.plan.clock.at(day + 1, time()))
        if own:
            lines.append(f"  {day_name(week, day) if day >= 0 else 'There from the start'}")
        for minute, index in own:
            record = scenario.records[index]
            at = _clock(week, minute) if minute >= 0 else "     "
            lines.append(f"    {at}  {record.app}: {fill.fill(record.title)}{_due(week, index)} [{record.id}]")
    return lines


def _due(week: Week, record: int) -> str:
    due = week.record_due[record]
    return f" ({when(week, due)})" if due < NEVER else ""
