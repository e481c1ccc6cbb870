"""Refuses, on import, to go on without the packages that training needs; scripts import it before them."""

import sys
from importlib.util import find_spec

_NEEDED = ("tyro", "torch", "stable_baselines3", "sb3_contrib")

_missing = [name for name in _NEEDED if find_spec(name) is None]
if _missing:
    print(f"training needs {', '.join(_missing)}: pip install 'proactivity-gym[train]'", file=sys.stderr)
    sys.exit(2)
