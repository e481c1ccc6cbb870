"""What a misspelt word may have been meant to be."""

from collections.abc import Iterable
from difflib import get_close_matches

_ALIKE = 0.6
"""How alike two words must be, 0 to 1, for one to be suggested in the other's place."""


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most like another, whatever their case; None: none is much like it."""
    by_lower = {each.lower(): each for each in known}
    found = get_close_matches(word.lower(), by_lower, 1, _ALIKE)
    return by_lower[found[0]] if found else None


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return ` (did you mean ...?)` with the known word that is most like another, or nothing."""
    found = closest(word, known)
    return f" (did you mean {found!r}?)" if found else ""
