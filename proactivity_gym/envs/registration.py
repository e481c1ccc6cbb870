"""Registration of ids; loads no environment and no scenario."""

from gymnasium.envs.registration import register as register_spec  # pyright: ignore[reportUnknownVariableType] (loose there)
from gymnasium.envs.registration import registry

from proactivity_gym.scenarios import catalogue

NAMESPACE = "ProactivityGym"
ENTRY_POINT = "proactivity_gym.envs.env:ProactivityEnv"
VERSION = 0


def env_id(scenario: str, persona: str) -> str:
    """Return the id of a scenario with one persona."""
    return f"{NAMESPACE}/{scenario}-Persona{persona}-v{VERSION}"


MIXED_ID = f"{NAMESPACE}/{catalogue.MIXED}-v{VERSION}"


def register_all() -> None:
    """Register the ids of the built-in scenarios, and of those in folders and packages that add some, once."""
    for name in (*catalogue.names(), *catalogue.added()):
        _register(name, name)
    if MIXED_ID not in registry:
        register_spec(MIXED_ID, ENTRY_POINT, kwargs={"scenario": catalogue.MIXED})


def register(path: str) -> list[str]:
    """Register the ids of a scenario file of your own, or of all those in a folder, and return them.

    Raises:
        ScenarioError: a file cannot be used; the message names file, key and remedy.
        ValueError: a name is taken, a path holds a comma, or a folder holds no scenario file.
    """
    from pathlib import Path  # noqa: PLC0415 (importing the package goes without)

    if not Path(path).is_dir():
        return _register_file(path)
    files = catalogue.files_in(Path(path))
    if not files:
        raise ValueError(f"{path}: no scenario file is in this folder: their names end in .toml")
    return [made for file in files for made in _register_file(str(file))]


def _register_file(path: str) -> list[str]:
    if "," in path:
        raise ValueError(f"{path}: a comma would part it into two scenarios: rename the file")
    from pathlib import Path  # noqa: PLC0415 (as above)

    path = str(Path(path).resolve())
    name = catalogue.load(path).name
    if name in (*catalogue.names(), catalogue.MIXED):
        raise ValueError(f"{path}: name: {name!r} is taken by a built-in scenario: choose another `name`")
    personas = [p.id for p in catalogue.load(path).personas]
    source = name if catalogue.added().get(name) == Path(path) else path
    taken = registry[env_id(name, personas[0])].kwargs["scenario"] if env_id(name, personas[0]) in registry else source
    if taken != source:
        raise ValueError(f"{path}: name: {name!r} is taken by {taken}: choose another `name`")
    _register(name, source, personas)
    return [env_id(name, persona) for persona in personas]


def _register(name: str, source: str, personas: list[str] | tuple[str, ...] = catalogue.PERSONAS) -> None:
    for persona in personas:
        if env_id(name, persona) not in registry:
            register_spec(env_id(name, persona), ENTRY_POINT, kwargs={"scenario": source, "persona": persona})


def ids() -> list[str]:
    """Return every registered id of this namespace, sorted."""
    return sorted(name for name in registry if name.startswith(f"{NAMESPACE}/"))
