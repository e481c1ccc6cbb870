"""Text that others wrote, made safe to show: nothing in it moves a cursor, hides, or passes for ours.

Scenario texts, tool results and an agent's own letters are data. Whatever shows them uses one of these three forms.
"""

import json
import re
from functools import lru_cache

_UNSEEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f"  # controls; a line feed is left alone
    "\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # directions, invisible marks
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"  # half characters and none
    "\U000e0000-\U000e0fff]"  # tags and variants that only machines read
)
"""Written out, not asked of the Unicode database, which differs between versions of Python."""


@lru_cache(maxsize=4096)
def printable(text: str) -> str:
    """Return a text with whatever does not show as itself written out, as in `<U+001B>`; line feeds stay."""
    return _UNSEEN.sub(_named, text.replace("\r\n", "\n"))


@lru_cache(maxsize=4096)
def quoted(text: str) -> str:
    """Return a text as one line between double quotes, which it cannot end: its own are escaped, as are line feeds."""
    return json.dumps(printable(text), ensure_ascii=False)


@lru_cache(maxsize=4096)
def fenced(text: str) -> str:
    """Return a text on lines of its own between two marks, numbered so that neither occurs in it."""
    shown = printable(text)
    number = 1
    while f"<<<{number}" in shown or f">>>{number}" in shown:
        number += 1
    return f"<<<{number}\n{shown}\n>>>{number}"


def _named(match: re.Match[str]) -> str:
    return f"<U+{ord(match.group()):04X}>"
