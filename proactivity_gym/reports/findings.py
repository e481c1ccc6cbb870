"""What the lint of a scenario looks at, and what it finds."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass

from proactivity_gym.sim.scenario import Scenario
from proactivity_gym.sim.week import Week

ERROR = "error"
WARNING = "warning"


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One complaint."""

    source: str
    """Name of the scenario's file."""
    level: str
    rule: str
    where: str
    """Kind and id of the table of the file that it is about."""
    message: str

    def record(self) -> dict[str, str]:
        """Return the finding as a row."""
        return asdict(self)


Report = Callable[[str, str], None]
"""Takes where, and a message."""


@dataclass(frozen=True, slots=True)
class Study:
    """A scenario with all the weeks that it is checked in."""

    scenario: Scenario
    weeks: Mapping[str, Mapping[str, Week]]
    """Per persona: weeks by label (`written`, `test 1`, ...), the written one first."""

    def each(self) -> Iterable[tuple[str, str, Week]]:
        """Yield persona, label and week."""
        for persona, weeks in self.weeks.items():
            for label, week in weeks.items():
                yield persona, label, week

    def written(self, persona: str) -> Week:
        """Return a persona's written week."""
        return self.weeks[persona]["written"]


class Places:
    """The same complaint in several personas' weeks is one finding that names them."""

    def __init__(self) -> None:
        """Start with no complaint."""
        self._found: dict[tuple[str, str], dict[str, list[str]]] = {}

    def add(self, complaint: tuple[str, str], persona: str, label: str) -> None:
        """Note a complaint (where, message) in one week."""
        labels = self._found.setdefault(complaint, {}).setdefault(persona, [])
        if label not in labels:
            labels.append(label)

    def report(self, report: Report) -> None:
        """Report every complaint once."""
        for (where, message), personas in self._found.items():
            seen = "; ".join(f"persona {persona}: {_some(labels)}" for persona, labels in personas.items())
            report(where, f"{message} ({seen})")


def _some(labels: list[str], most: int = 3) -> str:
    shown = ", ".join(labels[:most])
    return shown if len(labels) <= most else f"{shown} and {len(labels) - most} more weeks"
