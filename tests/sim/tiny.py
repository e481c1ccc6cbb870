"""The scenario of `tests/data/tiny.toml`, as it is or with edits made in memory."""

from pathlib import Path

from proactivity_gym.sim.parsing import parse
from proactivity_gym.sim.plan import build
from proactivity_gym.sim.scenario import Scenario
from proactivity_gym.sim.variation import written
from proactivity_gym.sim.week import Plan, Week

PATH = Path(__file__).resolve().parent.parent / "data" / "tiny.toml"
TEXT = PATH.read_text(encoding="utf-8")

Edit = tuple[str, str]
"""A piece of the file, and what replaces its first occurrence; an empty piece adds at the end."""


def edited(*edits: Edit) -> str:
    """Return the text of the file with edits."""
    text = TEXT
    for old, new in edits:
        assert old in text, f"the file has no {old!r}"
        text = text.replace(old, new, 1) if old else f"{text}\n{new}\n"
    return text


def tiny(*edits: Edit) -> Scenario:
    """Return the scenario with edits."""
    return parse(edited(*edits), "tiny.toml")


def plan_of(*edits: Edit) -> Plan:
    """Return the plan of its only persona."""
    scenario = tiny(*edits)
    return build(scenario, scenario.personas[0])


def week_of(*edits: Edit) -> Week:
    """Return the written week of its only persona."""
    return written(plan_of(*edits))
