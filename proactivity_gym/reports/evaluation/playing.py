"""One episode of an evaluation, from its first question to its row."""

import shutil
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import gymnasium as gym

from proactivity_gym.baselines.llm import LLMPolicy
from proactivity_gym.baselines.llm_worker import LLMWorker
from proactivity_gym.baselines.policy import WAIT
from proactivity_gym.baselines.user_voice import UserSimError, UserVoice, VoicedUser
from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.llm.client import Client
from proactivity_gym.llm.errors import AuthError, BudgetExceeded, ContextTooLong, InfraError, LlmError, RequestError
from proactivity_gym.reports import runs
from proactivity_gym.reports.evaluation import jobs
from proactivity_gym.reports.evaluation.calls import CallLog
from proactivity_gym.reports.evaluation.config import Config, ModelTable
from proactivity_gym.reports.evaluation.jobs import Job, Row
from proactivity_gym.reports.evaluation.working import RecordingWorker
from proactivity_gym.reports.judging_agreement import JudgedEpisode, judge_episode
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.scoring import Terms, Weights, joint
from proactivity_gym.wrappers.episode_log import EpisodeLog
from proactivity_gym.wrappers.joint_reward import blended
from proactivity_gym.wrappers.judge_panel import Panel

TRACES = "traces"


class StoppedError(Exception):
    """The run is being stopped: the episode is given up and leaves no row."""


@dataclass(frozen=True)
class Table:
    """What the episodes of a run share.

    Attributes:
        clients: one for each table of the configuration, by its place in `Config.tables`.
        stop: set when the run is to end.
    """

    config: Config
    folder: Path
    clients: Mapping[int, Client]
    calls: CallLog
    stop: threading.Event = field(default_factory=threading.Event)

    def client(self, table: ModelTable) -> Client:
        """Return the client of a table."""
        return self.clients[id(table)]

    def panel(self) -> Panel | None:
        """Return the judges, if there are any."""
        judges = [self.client(each) for each in self.config.judge]
        return Panel(judges) if judges else None


@dataclass
class _Seat:
    """Who takes part in one episode."""

    base: ProactivityEnv
    env: gym.Env[Any, Any]
    policy: LLMPolicy
    worker: LLMWorker | None
    record: RecordingWorker | None
    steps: int = 0

    @property
    def worker_errors(self) -> int:
        return self.worker.agent_errors if self.worker else 0


def play(job: Job, table: Table) -> Row:
    """Play an episode and return its row.

    Raises:
        AuthError: a key is refused, so that nothing else can be played either.
        StoppedError: the run is being stopped.
        OSError: the folder cannot be written.
    """
    started = time.monotonic()
    with table.calls.of(job.index) as usage:
        row = _row(job, table)
    timing = {"seconds": round(time.monotonic() - started, 3), "attempts": usage.attempts}
    asked = {"calls": usage.calls, "prompt_tokens": usage.prompt_tokens, "completion_tokens": usage.completion_tokens}
    return replace(row, timing=timing, **(asked if row.scored else {}))


def _row(job: Job, table: Table) -> Row:
    folder = table.folder / TRACES / f"{job.index:05d}"
    if folder.exists():
        shutil.rmtree(folder)  # of an attempt that has no row, or a failed one
    seat = _seat(job, table, folder)
    try:
        _play(seat, job, table)
        row = _played(seat, job, table)
    except (UserSimError, InfraError, RequestError, ContextTooLong, BudgetExceeded) as error:
        return _failed(job, error)
    finally:
        seat.env.close()
    if seat.record is not None:
        seat.record.save(folder)
    return judged(row, seat.base.episode, table)


def _seat(job: Job, table: Table, folder: Path) -> _Seat:
    config, planned = table.config, job.planned
    model = next(each for each in config.model if each.label == planned.policy)
    key = {"id": planned.id, "seed": planned.seed, "repetition": job.repetition}
    base = runs.make(planned)
    env: gym.Env[Any, Any] = EpisodeLog(base, folder=folder)
    if config.user_voice is not None:
        env = VoicedUser(env, UserVoice(table.client(config.user_voice), key))
    policy = LLMPolicy(table.client(model), mode=model.mode)
    policy.key, policy.text = key, env.get_wrapper_attr("text")
    if not jobs.by_model(config):
        return _Seat(base, env, policy, None, None)
    works = config.worker_model or model
    worker = LLMWorker(table.client(works), mode=works.mode)
    worker.key = key
    base.settings["worker"] = f"llm:{works.label}"  # for the log: the reference worker does not do this work
    return _Seat(base, env, policy, worker, RecordingWorker(worker))


def _play(seat: _Seat, job: Job, table: Table) -> None:
    options = None if seat.record is None else {"worker": seat.record}  # a client with a ledger has no name to be made by
    observation, info = seat.env.reset(seed=job.planned.seed, options=options)
    seat.policy.reset(observation, info, job.planned.seed, seat.env.get_wrapper_attr("read"))
    over = False
    while not over:
        if table.stop.is_set():
            raise StoppedError
        action = seat.policy.act(observation, info) if seat.steps < table.config.max_steps else WAIT
        observation, _, terminated, truncated, info = seat.env.step(action)
        seat.steps += 1
        over = terminated or truncated


def _played(seat: _Seat, job: Job, table: Table) -> Row:
    planned, week = job.planned, seat.base.episode.week.plan
    path = cast("EpisodeLog", seat.env if isinstance(seat.env, EpisodeLog) else seat.env.get_wrapper_attr("env")).log_path
    row = Row(
        planned.policy,
        planned.id,
        planned.seed,
        job.repetition,
        runs.COMPLETED,
        week.scenario.name,
        week.persona.id,
        seat.base.episode.tally.terms(),
        seat.policy.agent_errors,
        seat.worker_errors,
        seat.steps,
        trace=path and path.relative_to(table.folder.absolute()).as_posix(),
    )
    return replace(row, status=jobs.status_of(row, table.config))


def _failed(job: Job, error: LlmError) -> Row:
    planned, status = job.planned, runs.INFRA_ERROR
    if isinstance(error, UserSimError):
        status = jobs.USER_SIM_ERROR
    if isinstance(error, BudgetExceeded):
        status = jobs.BUDGET_EXCEEDED
    who = planned.policy, planned.id, planned.seed, job.repetition
    return Row(*who, status, planned.source, planned.persona, None, reason=_why(error))


def _why(error: LlmError) -> str:
    return f"{type(error).__name__}: {error}"


def judged(row: Row, episode: Episode, table: Table) -> Row:
    """Return a row with what judges say, if there are any.

    Raises:
        AuthError: a judge's key is refused.
    """
    panel, config = table.panel(), table.config
    if panel is None or row.terms is None:
        return row
    keyed = panel.keyed(id=row.id, seed=row.seed, repetition=row.repetition)
    hide = [name for each in config.model for name in (each.label, each.config.model)]
    try:
        report = judge_episode(episode, keyed, config.judging, hide=hide)
    except AuthError:
        raise
    except BudgetExceeded as error:
        return replace(row, status=jobs.BUDGET_EXCEEDED, terms=None, reason=_why(error))
    except LlmError as error:
        return replace(row, status=jobs.JUDGE_UNSCORED, reason=_why(error))
    return with_report(row, report, Weights(*config.weights), config.trust)


def with_report(row: Row, report: JudgedEpisode, weights: Weights, trust: str) -> Row:
    """Return a scored row with a judges' report, and with J of given weights."""
    terms: Terms = {**(row.terms or {}), "TR_J": report.trust.tr_j if report.trust else None}
    count = report.count
    changes: dict[str, Any] = {"terms": weighted(terms, weights, trust), "judged": report.record(), "reason": None}
    if not count.complete:
        changes["status"] = jobs.JUDGE_UNSCORED
        changes["reason"] = f"{count.unscored} of {count.asked} verdicts are missing"
    return replace(row, **changes)


def weighted(terms: Terms, weights: Weights, trust: str) -> Terms:
    """Return terms with J of given weights; trust "judge" counts judged trust as half of S_TR."""
    shown = blended(terms["S_TR"], terms["TR_J"]) if trust == "judge" else terms["S_TR"]
    return {**terms, "J": joint((terms["S_TC"], terms["S_TA"], shown), weights)}
