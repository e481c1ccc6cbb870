"""Writes the pages that follow from the code: environment.md, scenarios.md, scenarios/, and the pictures in them."""

import inspect
import shutil
from collections.abc import Iterable
from pathlib import Path

from proactivity_gym.baselines import policy
from proactivity_gym.envs import layout, timeline
from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.envs.registration import env_id
from proactivity_gym.reports import census, runs, scenario_pages
from proactivity_gym.reports.plays import play
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.interventions import ERRORS
from proactivity_gym.sim.scoring import TERMS

DOCS = Path(__file__).parent
PICTURED = "B"
"""The persona of the pictures."""
BASELINES = ("noop", "dismiss", "suggest", "execute", "rules", "oracle")
TEST_WEEKS = 4
"""Held-out weeks of each id behind the table of scores."""


def watch(name: str) -> Episode:
    """Play the written week with the policy `rules`, which sees what any agent may see."""
    planned = runs.Planned("rules", env_id(name, PICTURED), name, PICTURED, 0, runs.Settings(variation="written"))
    env = runs.make(planned)
    policy.play(policy.make(planned.policy, env), env, planned.seed)
    return env.episode


def scores(name: str) -> dict[str, dict[str, float | None]]:
    """Return the means of baselines over the written week and some held-out ones, with all personas."""
    ids = [env_id(name, persona.id) for persona in catalogue.load(name).personas]
    planned = runs.plan(BASELINES, ids, [0], runs.Settings(variation="written"))
    rows = list(runs.run([*planned, *runs.plan(BASELINES, ids, range(TEST_WEEKS), runs.Settings(variation="test"))]))
    return {
        each: {term: mean(row.terms[term] for row in rows if row.policy == each) for term in scenario_pages.TERMS}
        for each in BASELINES
    }


def mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that there are."""
    told = [value for value in values if value is not None]
    return sum(told) / len(told) if told else None


def scenario(name: str) -> dict[str, str]:
    """Return the two pages of a scenario by their place, having drawn their pictures."""
    weeks = {persona.id: catalogue.written_week(name, persona.id) for persona in catalogue.load(name).personas}
    lower = name.lower()
    told = f"the written week and {TEST_WEEKS} held-out ones with each persona"
    seen = _draw(watch(name), f"{lower}.svg", author=False)
    true = _draw(play(weeks[PICTURED]), f"{lower}-author.svg", author=True)
    return {
        f"scenarios/{lower}.md": scenario_pages.page(weeks[PICTURED], seen, scores(name), told),
        f"scenarios/{lower}-author.md": scenario_pages.author_page(weeks, true),
    }


def index() -> str:
    """Return the page of all scenarios."""
    names = catalogue.names()
    return scenario_pages.index([catalogue.load(name) for name in names], census.lines(census.census(names)))


def _draw(episode: Episode, file: str, author: bool) -> str:
    """Draw an episode and return where the picture is, as seen from a scenario's page."""
    timeline.save(timeline.draw(episode.week, episode.trace.entries, author), DOCS / "images" / file)
    return f"../images/{file}"


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
    episode = play(catalogue.written_week("Travel", PICTURED))
    timeline.save(timeline.draw(episode.week, episode.trace.entries), DOCS / "images" / "week.png")


def main() -> None:
    """Write all pages; those of scenarios that are no more go."""
    cover()
    (DOCS / "environment.md").write_text(environment(), encoding="utf-8")
    shutil.rmtree(DOCS / "scenarios", ignore_errors=True)
    (DOCS / "scenarios").mkdir()
    (DOCS / "scenarios.md").write_text(index(), encoding="utf-8")
    for name in catalogue.names():
        for place, text in scenario(name).items():
            (DOCS / place).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
