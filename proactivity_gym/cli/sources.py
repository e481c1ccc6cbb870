"""What a person names on the command line: ids, scenarios, files and folders of them, seeds, weights."""

from collections.abc import Sequence
from pathlib import Path

from proactivity_gym.cli.app import BadInputError

MODEL = "model.zip"
"""What a training script calls its model, in the folder of the run."""
_MOST_SEEDS = 1_000_000


def source_of(named: str) -> tuple[str, str | None]:
    """Return scenario (name or path) and persona of an id, a scenario's name or a file; an id alone sets a persona.

    Raises:
        BadInputError: nothing is called so, or it is an id that draws its scenario.
    """
    import gymnasium as gym

    from proactivity_gym.envs import registration
    from proactivity_gym.scenarios import catalogue

    if catalogue.is_path(named) or named in (*catalogue.names(), *catalogue.added()):
        return named, None
    whole = _whole_id(named)
    if whole is None:
        raise BadInputError(_unknown(named))
    if whole == registration.MIXED_ID:
        raise BadInputError(f"{named} draws its scenario at reset: name one of the others.")
    kwargs = gym.spec(whole).kwargs
    return kwargs["scenario"], kwargs["persona"]


def sources_of(named: str) -> list[str]:
    """Return the scenarios that an id, a scenario's name, a file or a folder of files stands for.

    Raises:
        BadInputError: nothing is called so, or a folder holds no scenario file.
    """
    from proactivity_gym.scenarios import catalogue

    if not Path(named).is_dir():
        return [source_of(named)[0]]
    files = catalogue.files_in(Path(named))
    if not files:
        raise BadInputError(f"{named}: no scenario file is in this folder: their names end in .toml.")
    return list(map(str, files))


def _whole_id(named: str) -> str | None:
    """Return the id that is meant: whole, or without namespace, version or both, as in `Travel-PersonaA`."""
    from proactivity_gym.envs import registration

    there = registration.ids()
    forms = [
        f"{start}{named}{end}" for start in ("", f"{registration.NAMESPACE}/") for end in ("", f"-v{registration.VERSION}")
    ]
    return next((form for form in forms if form in there), None)


def _unknown(named: str) -> str:
    """Say that nothing is called so, and what may have been meant."""
    from proactivity_gym.envs import registration
    from proactivity_gym.scenarios import catalogue
    from proactivity_gym.sim.spelling import suggestion

    names, ids = [*catalogue.names(), *catalogue.added()], registration.ids()
    if named.startswith(f"{registration.NAMESPACE}/"):
        return f"no id is called {named!r}{suggestion(named, ids)}. `pgym list` shows those there are."
    short = [each.removeprefix(f"{registration.NAMESPACE}/").removesuffix(f"-v{registration.VERSION}") for each in ids]
    return (
        f"no scenario is called {named!r}{suggestion(named, [*names, *short])}, and no id. There are {', '.join(names)}; "
        "`pgym list` shows the ids; the path of a file ends in .toml."
    )


def check_policy(name: str) -> None:
    """Refuse a policy that there is not, a language model that cannot be asked, or a learned policy that cannot act.

    Raises:
        BadInputError: it is none.
        OSError: its model file cannot be read.
    """
    from proactivity_gym.baselines import learned, policy
    from proactivity_gym.sim.spelling import suggestion

    if name.startswith(policy.LLM):
        _check_model(name)
    elif name.startswith(policy.FROZEN):
        _check_frozen(name)
    elif name.startswith(policy.ZOO):
        _check_zoo(name)
    elif learned.is_learned(name):
        _check_learned(name)
    elif name not in policy.names():
        known = ", ".join(
            [*policy.names(), f"{policy.LLM}MODEL.toml", f"MODEL{learned.ENDING}", f"{policy.ZOO}NAME (see pgym list --zoo)"]
        )
        model = Path(name) / MODEL
        meant = f" (did you mean '{model}'?)" if model.is_file() else suggestion(name, policy.names())
        raise BadInputError(f"--policy {name!r}: no policy is called so{meant}: choose from {known}.")


def _check_model(name: str) -> None:
    from proactivity_gym.baselines import llm_models, policy
    from proactivity_gym.llm.client import Client
    from proactivity_gym.llm.errors import LlmError

    try:
        Client(llm_models.chosen_model(name.removeprefix(policy.LLM)).config).close()
    except (ValueError, LlmError) as error:
        raise BadInputError(f"--policy {name!r}: {error}") from error


def _check_frozen(name: str) -> None:
    from proactivity_gym.baselines import frozen, policy

    try:
        choice, inner = frozen.parts(name)
    except ValueError as error:
        raise BadInputError(f"--policy {error}.") from error
    check_policy(inner)
    if choice == frozen.TARGETS and not inner.startswith(policy.ZOO):
        raise BadInputError(f"--policy {name}: only a model of the zoo ({policy.ZOO}NAME) ranks its actions, as this needs.")


def _check_zoo(name: str) -> None:
    from proactivity_gym.baselines import learned, zoo

    try:
        zoo.load(name)
    except learned.LearnedError as error:
        raise BadInputError(f"--policy {name}: {error}.") from error


def _check_learned(name: str) -> None:
    from proactivity_gym.baselines import learned

    try:
        learned.load(name)
    except learned.LearnedError as error:
        raise BadInputError(f"--policy {name}: {error}.") from error


def ids_of(named: str) -> list[str]:
    """Return the ids that `all`, or a list of ids, scenario names, files and folders (which it registers), stands for.

    Raises:
        BadInputError: nothing is called so.
        ScenarioError: a file cannot be used.
    """
    from proactivity_gym.reports.runs import persona_ids

    found: list[str] = []
    for part in filter(None, (part.strip() for part in named.split(","))):
        found += persona_ids() if part == "all" else _ids_of_one(part)
    if not found:
        raise BadInputError(f"--ids {named!r}: give `all`, ids, scenario names or .toml files, separated by commas.")
    return list(dict.fromkeys(found))


def _ids_of_one(part: str) -> list[str]:
    import gymnasium as gym

    from proactivity_gym.envs import registration
    from proactivity_gym.scenarios import catalogue

    if part in (*catalogue.names(), *catalogue.added()):
        return [name for name in registration.ids() if gym.spec(name).kwargs["scenario"] == part]
    if catalogue.is_path(part) or Path(part).is_dir():
        return _registered(part)
    whole = _whole_id(part)
    if whole is None:
        raise BadInputError(_unknown(part))
    return [whole]


def _registered(path: str) -> list[str]:
    from proactivity_gym.envs import registration
    from proactivity_gym.sim.parsing import ScenarioError

    try:
        return registration.register(path)
    except ScenarioError:
        raise
    except ValueError as error:
        raise BadInputError(f"{error}.") from error


def seeds_of(text: str) -> list[int]:
    """Return the seeds of `0:3` (0, 1, 2), `7` or `1,4,7`.

    Raises:
        BadInputError: it is none of these.
    """
    try:
        if ":" in text:
            first, end = (int(part) for part in text.split(":"))
            seeds: Sequence[int] = range(first, end)
        else:
            seeds = list(dict.fromkeys(int(part) for part in text.split(",")))
    except ValueError:
        seeds = []
    if seeds[_MOST_SEEDS:]:  # the length of a range may be too large for len
        raise BadInputError(f"--seeds {text!r}: more than {_MOST_SEEDS} seeds: give fewer, and the others in another run.")
    if not seeds or min(seeds) < 0:
        raise BadInputError(f"--seeds {text!r}: give a range as in 0:3 (0, 1, 2), or whole numbers as in 1,4,7, none below 0.")
    return list(seeds)
