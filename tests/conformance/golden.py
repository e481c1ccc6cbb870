"""The hashes of whole episodes that are checked in beside this file: `python -m tests.conformance.golden` writes them anew."""

import json
from pathlib import Path

from proactivity_gym.scenarios import catalogue
from tests.conformance.drivers import IDS, bare, digest, played_by

PATH = Path(__file__).with_name("golden.json")
SETTINGS = (("written", "deterministic"), ("train", "stochastic"), ("test", "deterministic"))
"""Variation and user of the episodes; the seed is the place in this list."""


def hashes(env_ids: list[str] | None = None) -> dict[str, list[str]]:
    """Return the digests of the episodes that the policy `random` plays, by id."""
    return {
        env_id: [
            digest(played_by("random", bare(env_id, variation=variation, user=user), seed))
            for seed, (variation, user) in enumerate(SETTINGS)
        ]
        for env_id in env_ids or IDS
    }


def versions() -> dict[str, int]:
    """Return the version of every scenario."""
    return {name: catalogue.load(name).version for name in catalogue.names()}


def checked_in() -> dict[str, dict[str, object]]:
    """Return what the file says."""
    return json.loads(PATH.read_text(encoding="utf-8"))


def write() -> None:
    """Write the file anew."""
    content = {"versions": versions(), "hashes": hashes()}
    PATH.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
