"""Keeping secrets out of what is shown and kept: a server may repeat a key in its error message, and even in a reply."""

from collections.abc import Iterable, Mapping
from typing import cast

from proactivity_gym.sim.safe_text import printable

_SHORTEST = 6
"""Characters of a text that can be a secret; blotting shorter ones would only make messages unreadable."""
_SHOWN = 400


class Blotter:
    """Replaces given secrets in texts. Its own representation does not show them."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = sorted({text for text in secrets if len(text) >= _SHORTEST}, key=len, reverse=True)

    def clean(self, text: str) -> str:
        """Return a text without the secrets."""
        for secret in self._secrets:
            text = text.replace(secret, "<secret>")
        return text

    def blot(self, text: str) -> str:
        """Return the beginning of a text as one printable line without the secrets."""
        return printable(self.clean(text)).replace("\n", " ")[:_SHOWN]


def texts_in(value: object) -> list[str]:
    """Return all strings in nested objects and lists, keys excluded."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for item in cast(Mapping[str, object], value).values() for text in texts_in(item)]
    if isinstance(value, list | tuple):
        return [text for item in cast(list[object], value) for text in texts_in(item)]
    return []
