"""Logs played again: from what was drawn, the actions and the reads alone."""

from typing import TYPE_CHECKING

from proactivity_gym.sim.scoring import Terms, Weights, joint
from proactivity_gym.sim.tools import ToolError
from proactivity_gym.wrappers.episode_log import fingerprint
from proactivity_gym.wrappers.log_format import DIGITS, Header, Log, Read, Step, digest

if TYPE_CHECKING:
    from proactivity_gym.envs.env import ProactivityEnv
    from proactivity_gym.sim.episode import Episode
    from proactivity_gym.sim.trace import Trace

REPEATABLE = ("reference", "imperfect")
"""Workers that do the same work again when they draw the same numbers."""


class ReplayError(ValueError):
    """A log that cannot be played again here, or that comes out differently; the message says where and what to do."""


def replay(log: Log, scenario: str | None = None) -> "Trace":
    """Play a log again and return the trace.

    Args:
        log: as `load` returned it; one that was cut off is played as far as it goes.
        scenario: path of the scenario's file, should it have moved.

    Raises:
        ReplayError: something differs; the message names the first difference.
        ScenarioError: the scenario cannot be found.
    """
    return _play(log, scenario).trace


def rescore(log: Log, weights: Weights | tuple[float, float, float]) -> Terms:
    """Return the terms of a log with other weights; of one that was cut off, after a replay, as far as it goes.

    Raises:
        ValueError: the weights are none, or a replay was needed and failed.
    """
    weights = weights if isinstance(weights, Weights) else Weights(*weights)
    terms = _play(log, None).tally.terms() if log.final is None else log.final.terms
    return {**terms, "J": joint((terms["S_TC"], terms["S_TA"], terms["S_TR"]), weights)}


def _play(log: Log, scenario: str | None) -> "Episode":
    env = _env(log.header, scenario)
    told = 0
    for event in log.events:
        if isinstance(event, Read):
            _read(env, event)
        else:
            _step(env, event, told)
            told = len(env.episode.trace)
    entries = env.episode.trace.entries
    if log.final is not None and digest(entries) != log.final.trace:
        raise ReplayError(f"the trace differs after the last step ({len(entries)} entries): {_remedy(log.header)}")
    return env.episode


def _env(header: Header, scenario: str | None) -> "ProactivityEnv":
    """Return an environment that has just begun the same week."""
    from proactivity_gym.envs.env import ProactivityEnv  # noqa: PLC0415 (pydantic loads with it)

    if header.worker.partition(":")[0] not in REPEATABLE:
        raise ReplayError(f"the worker {header.worker!r} may not do the same again: only {REPEATABLE} are played again")
    source = scenario or header.source
    if fingerprint(source) != header.sha256:
        version = f"it was version {header.scenario_version}, SHA-256 {header.sha256}"
        raise ReplayError(f"scenario {source}: its file is not the one that was played: {version}. {_remedy(header)}")
    env = ProactivityEnv(
        source,
        header.persona,
        variation=header.variation,
        difficulty=header.difficulty,
        weights=tuple(header.weights),
        user=header.user,
        worker=header.worker,
    )
    env.reset(options={"week": header.week, "draws": header.draws})
    if env.week_seed != header.week:
        raise ReplayError(f"week {header.week} was asked for and {env.week_seed} came: {_remedy(header)}")
    return env


def _read(env: "ProactivityEnv", event: Read) -> None:
    try:
        env.read(event.tool, event.arguments)
    except ToolError as error:
        raise ReplayError(f"line {event.line}: a read that succeeded is refused now ({error})") from error


def _step(env: "ProactivityEnv", event: Step, told: int) -> None:
    if env.episode.over:
        raise ReplayError(f"line {event.line}: the episode was still going on, and is over now")
    info = env.step(event.action)[-1]
    new = env.episode.trace.entries[told:]
    then = (event.entries, event.digest, event.error)
    now = (len(new), digest(new)[:DIGITS], info["action_error"])
    if then != now:
        was = f"action {event.action} brought {then} (entries, digest, error), now it brings {now}"
        raise ReplayError(f"line {event.line}: {was}; the trace now goes on {new}")


def _remedy(header: Header) -> str:
    return f"play it again with proactivity_gym {header.package} and the scenarios that came with it"
