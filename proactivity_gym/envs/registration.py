"""Registration of ids; loads no environment and no scenario."""

from pathlib import Path

from gymnasium.envs.registration import register as register_spec  # pyright: ignore[reportUnknownVariableType] (loose there)
from gymnasium.envs.registration import registry

from proactivity_gym.scenarios import catalogue

NAMESPACE = "ProactivityGym"
ENTRY_POINT = "proactivity_gym.envs.env:ProactivityEnv"
VERSION = 0


def env_id(scenario: str, persona: str) -> str:
    """Return the id of a scenario with one persona."""
    return f"{NAMESPACE}/{scenario}-Persona{persona}-v{VERSION}"


MIXED_ID = f"{NAMESPACE}/Mixed-v{VERSION}"


def register_all() -> None:
    """Register the ids of the built-in scenarios, once."""
    for name in catalogue.names():
        _register(name, name)
    if MIXED_ID not in registry:
        register_spec(MIXED_ID, ENTRY_POINT, kwargs={"scenario": "Mixed"})


def register(path: str) -> list[str]:
    """Register the ids of a scenario file of your own and return them.

    Raises:
        ScenarioError: the file cannot be used; the message names file, key and remedy.
        ValueError: its name is taken, or its path holds a comma.
    """
    if "," in path:
        raise ValueError(f"{path}: a comma would part it into two scenarios: rename the file")
    path = str(Path(path).resolve())
    name = catalogue.load(path).name
    if name in catalogue.names() or name == "Mixed":
        raise ValueError(f"{path}: name: {name!r} is taken by a built-in scenario: choose another `name`")
    personas = [p.id for p in catalogue.load(path).personas]
    taken = registry[env_id(name, personas[0])].kwargs["scenario"] if env_id(name, personas[0]) in registry else path
    if taken != path:
        raise ValueError(f"{path}: name: {name!r} is taken by {taken}: choose another `name`")
    _register(name, path, personas)
    return [env_id(name, persona) for persona in personas]


def _register(name: str, source: str, personas: list[str] | tuple[str, ...] = catalogue.PERSONAS) -> None:
    for persona in personas:
        if env_id(name, persona) not in registry:
            register_spec(env_id(name, persona), ENTRY_POINT, kwargs={"scenario": source, "persona": persona})


def ids() -> list[str]:
    """Return every registered id of this namespace, sorted."""
    return sorted(name for name in registry if name.startswith(f"{NAMESPACE}/"))
