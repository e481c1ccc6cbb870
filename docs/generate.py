"""Writes the pages that follow from the code: docs/scenarios.md, docs/environment.md and the pictures in them."""

import inspect
from pathlib import Path

from proactivity_gym.baselines.oracle import choose
from proactivity_gym.envs import layout, timeline
from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.envs.registration import env_id
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.interventions import ERRORS
from proactivity_gym.sim.scoring import TERMS
from proactivity_gym.sim.words import Depth, Timing

DOCS = Path(__file__).parent


def play(source: str, persona: str) -> Episode:
    """Play the written week with the oracle."""
    episode = Episode(catalogue.written_week(source, persona))
    episode.start()
    while not episode.over:
        target, depth, timing = choose(episode)
        if not target or episode.act(target - 1, Depth(depth), Timing(timing)):
            episode.wait()
    return episode


def page() -> str:
    """Return the page of all scenarios."""
    parts = ["# Scenarios", ""]
    for name in catalogue.names():
        scenario = catalogue.load(name)
        parts += [f"## {name}: {scenario.title}", "", scenario.summary.strip(), ""]
        parts += [f"{scenario.user.name}, {scenario.user.role}. {scenario.user.background.strip()}", ""]
        parts += [f"![The week]({_picture(name)})", ""]
        parts += ["| id | persona | |", "| --- | --- | --- |"]
        parts += [f"| `{env_id(name, p.id)}` | {p.name} | {p.sentence.strip()} |" for p in scenario.personas]
        resources = ", ".join(resource.title for resource in scenario.resources)
        size = f"{scenario.days} days, {len(scenario.tasks)} tasks, {len(scenario.records)} records."
        parts += ["", f"{size} Scarce: {resources}.", ""]
    return "\n".join(parts)


def _picture(name: str) -> str:
    episode = play(name, "B")
    target = DOCS / "images" / f"{name.lower()}.svg"
    target.parent.mkdir(exist_ok=True)
    timeline.save(timeline.draw(episode.week, episode.trace.entries), target)
    return f"images/{target.name}"


TABLES = {
    "clock": (layout.CLOCK, "one row"),
    "user": (layout.USER, "one row"),
    "resources": (layout.RESOURCE, "four rows of these, one per resource"),
    "delegation": (layout.DELEGATION, "twelve rows of these: `any`, then the scenario's topics in order"),
    "signals": (layout.SIGNAL, "sixteen rows of these, one per slot"),
}


def environment() -> str:
    """Return the page of the environment: its docstring, and every number of the observation."""
    parts = ["# The environment", "", inspect.cleandoc(ProactivityEnv.__doc__ or ""), ""]
    parts += ["## Every number of the observation", ""]
    for key, (columns, rows) in TABLES.items():
        parts += [f"### {key}", "", f"{rows[0].upper()}{rows[1:]}.", "", "| column | meaning |", "| --- | --- |"]
        parts += [f"| {number} | {name} |" for number, name in enumerate(columns)] + [""]
    parts += ["## Scores in `info`", "", "| term | meaning |", "| --- | --- |"]
    parts += [f"| `{name}` | {meaning} |" for name, meaning in TERMS.items()]
    parts += ["", "## Codes of `action_error`", "", "| code | meaning |", "| --- | --- |"]
    parts += [f"| `{code}` | {meaning} |" for code, meaning in ERRORS.items()]
    return "\n".join(parts) + "\n"


def cover() -> None:
    """Draw the picture of the README."""
    episode = play("Travel", "B")
    timeline.save(timeline.draw(episode.week, episode.trace.entries), DOCS / "images" / "week.png")


if __name__ == "__main__":
    cover()
    (DOCS / "scenarios.md").write_text(page(), encoding="utf-8")
    (DOCS / "environment.md").write_text(environment(), encoding="utf-8")
