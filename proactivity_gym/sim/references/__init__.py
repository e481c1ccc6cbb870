"""What the parts of a scenario say about each other, checked without playing it.

Each complaint reads `key path (id): what is wrong; remedy`.
"""

from proactivity_gym.sim.references import ids, tasks, texts, times, values
from proactivity_gym.sim.references.outline import Outline
from proactivity_gym.sim.scenario import Scenario


def problems(scenario: Scenario) -> list[str]:
    """Return what is wrong with a parsed scenario; nothing, if it can be played."""
    outline = Outline(scenario)
    unreadable = [*times.problems(outline), *texts.problems(outline)]
    found = [*ids.problems(outline), *unreadable, *tasks.problems(outline)]
    # Values are looked at as the week fills them in, for which times and placeholders must be right.
    return found if unreadable else [*found, *values.problems(outline)]
