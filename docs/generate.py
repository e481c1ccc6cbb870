"""Writes the pages that follow from the catalogue: docs/scenarios.md, with a timeline of each written week."""

from pathlib import Path

from proactivity_gym.baselines.oracle import choose
from proactivity_gym.envs import timeline
from proactivity_gym.envs.registration import env_id
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.episode import Episode
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


def cover() -> None:
    """Draw the picture of the README."""
    episode = play("Travel", "B")
    timeline.save(timeline.draw(episode.week, episode.trace.entries), DOCS / "images" / "week.png")


if __name__ == "__main__":
    cover()
    (DOCS / "scenarios.md").write_text(page(), encoding="utf-8")
