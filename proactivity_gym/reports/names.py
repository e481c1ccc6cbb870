"""Names of files made from names of runs, policies, scenarios and personas: they never leave their folder."""

import hashlib
import re

MOST = 100
"""Characters of a file name, its suffix left out: every file system takes that many."""

_STRANGE = re.compile(r"[^A-Za-z0-9._-]+")


def file_name(*parts: str, suffix: str = "") -> str:
    """Return a file name made of some parts.

    Plain parts are joined as they are. Where a part had to be changed or cut, a hash of all parts keeps names apart.
    """
    plain = "_".join(parts)
    name = _STRANGE.sub("-", plain).lstrip(".-")[:MOST] or "unnamed"
    if name != plain:
        name += f"-{hashlib.sha256(repr(parts).encode('utf-8', 'backslashreplace')).hexdigest()[:8]}"
    return name + suffix
