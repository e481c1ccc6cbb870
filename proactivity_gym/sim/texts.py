"""Placeholders of scenario texts: `@{draw}`, `@{draw.key}`, `@{instant}`, each instant with an optional format."""

import re
from collections.abc import Callable, Mapping

from proactivity_gym.sim.clock import Clock

PLACEHOLDER = re.compile(r"@\{([a-z][A-Za-z0-9_.-]*)(?::([a-z]+))?\}")

Scalar = str | int | float | bool

FORMATS = ("time", "day", "date", "iso")


def show(clock: Clock, minute: int, form: str | None) -> str:
    """Write an instant: `Thu 11 Mar, 07:10`, or one of `time` (07:10), `day`, `date` (Thursday 11 March), `iso`."""
    local = clock.local(minute)
    if form == "iso":
        return f"{local:%Y-%m-%dT%H:%M}"
    if form == "time":
        return f"{local:%H:%M}"
    if form == "day":
        return DAYS[local.weekday()]
    month = MONTHS[local.month - 1]
    if form == "date":
        return f"{DAYS[local.weekday()]} {local.day} {month}"
    return f"{DAYS[local.weekday()][:3]} {local.day} {month[:3]}, {local:%H:%M}"


DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
"""English names, not the locale's: the same bytes anywhere."""


class Filler:
    """Fills placeholders with the values of one week."""

    __slots__ = ("_clock", "_instants", "_values")

    def __init__(self, clock: Clock, values: Mapping[str, Scalar], instants: Mapping[str, int]) -> None:
        """Take drawn values (`fare`, `flight.no`) and instants (`check-in`, `rebook.deadline`, `mail-1.at`) in minutes."""
        self._clock = clock
        self._values = values
        self._instants = instants

    def fill(self, text: str) -> str:
        """Return a text with its placeholders filled.

        Raises:
            KeyError: a placeholder names nothing.
        """
        return PLACEHOLDER.sub(self._replace, text) if "@{" in text else text

    def value(self, value: Scalar) -> Scalar:
        """Return a value; a text that is one placeholder becomes what was drawn, of its own type."""
        if not isinstance(value, str):
            return value
        whole = PLACEHOLDER.fullmatch(value)
        if whole and whole.group(1) in self._values:
            return self._values[whole.group(1)]
        return self.fill(value)

    def _replace(self, match: re.Match[str]) -> str:
        name, form = match.group(1), match.group(2)
        if name in self._instants:
            return show(self._clock, self._instants[name], form)
        value = self._values[name]
        return f"{value:g}" if isinstance(value, float) else str(value)


def problems(text: str, known_value: Callable[[str], bool], known_instant: Callable[[str], bool]) -> list[str]:
    """Return what is wrong with the placeholders of a text."""
    found: list[str] = []
    for name, form in PLACEHOLDER.findall(text):
        if known_instant(name):
            if form and form not in FORMATS:
                found.append(f"@{{{name}:{form}}}: unknown format; use one of {', '.join(FORMATS)}")
        elif not known_value(name):
            found.append(f"@{{{name}}} names no draw, moment, task or record")
        elif form:
            found.append(f"@{{{name}:{form}}}: a drawn value takes no format")
    return found
