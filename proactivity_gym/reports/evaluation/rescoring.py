"""Runs scored anew, with other weights or other judges, from what was kept of them: nothing is played with a model again."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.llm.client import Client
from proactivity_gym.llm.errors import AuthError, LlmError
from proactivity_gym.llm.ledger import Ledger
from proactivity_gym.llm.model_tables import PRICES, prices_of
from proactivity_gym.reports.evaluation.config import Config, ConfigError, ModelTable, complaints
from proactivity_gym.reports.evaluation.jobs import JUDGE_UNSCORED, Row, status_of
from proactivity_gym.reports.evaluation.playing import weighted, with_report
from proactivity_gym.reports.evaluation.running import CONFIG, read_json
from proactivity_gym.reports.evaluation.working import RecordedWorker
from proactivity_gym.reports.judging_agreement import judge_episode
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.scoring import Weights
from proactivity_gym.sim.tools import ToolError
from proactivity_gym.wrappers.episode_log import fingerprint
from proactivity_gym.wrappers.judge_panel import Panel
from proactivity_gym.wrappers.judge_panel_file import read_models
from proactivity_gym.wrappers.log_format import Log, Read, digest, load
from proactivity_gym.wrappers.replay import REPEATABLE, ReplayError


@dataclass(frozen=True, slots=True)
class Rescoring:
    """How a run is scored anew.

    Attributes:
        folder: of the run, which stays as it is.
        weights: of J.
        trust: what S_TR in J is, "depth" or "judge".
        panel: None: what the run's own judges said stays.
    """

    folder: Path
    config: Config
    weights: Weights
    trust: str
    panel: Panel | None = None

    def rows(self, rows: Sequence[Row]) -> Iterator[Row]:
        """Yield rows with new scores, in their order; failed ones stay as they are.

        Raises:
            ReplayError: an episode does not come out as it was played.
            LogError: its log is damaged.
            AuthError: a judge's key is refused.
            OSError: its log cannot be read.
        """
        if self.panel is None:
            yield from map(self._weighted, rows)
            return
        judge: Callable[[Row], Row] = self._judged
        with ThreadPoolExecutor(self.config.concurrency) as pool:
            yield from pool.map(judge, rows)

    def _weighted(self, row: Row) -> Row:
        return row if row.terms is None else replace(row, terms=weighted(row.terms, self.weights, self.trust))

    def _judged(self, row: Row) -> Row:
        if row.terms is None or row.trace is None or self.panel is None:
            return row
        bare = replace(row, status=status_of(row, self.config), judged=None, terms={**row.terms, "TR_J": None}, reason=None)
        panel = self.panel.keyed(id=row.id, seed=row.seed, repetition=row.repetition)
        hide = [name for each in self.config.model for name in (each.label, each.config.model)]
        path = self.folder / row.trace
        episode = replayed(load(path), path.parent)
        try:
            report = judge_episode(episode, panel, self.config.judging, hide=hide)
        except AuthError:
            raise
        except LlmError as error:
            return replace(self._weighted(bare), status=JUDGE_UNSCORED, reason=f"{type(error).__name__}: {error}")
        return with_report(bare, report, self.weights, self.trust)


def panel_of(path: Path, cap_usd: float | None) -> tuple[Panel, Ledger]:
    """Return the judges of a file, and the ledger that counts every attempt of theirs.

    Raises:
        ValueError: the file cannot be used.
        UnpricedModel: money is capped and a model has no price.
        LlmError: a model has no key.
    """
    models = read_models(path)
    ledger = Ledger(prices_of(models), cap_usd)
    return Panel([Client(model.config, ledger=ledger) for model in models]), ledger


def config_record(again: Rescoring, judges: Path | None) -> dict[str, Any]:
    """Return the configuration under which rows like the new ones would have been played, as JSON can carry it.

    Args:
        again: how the run was scored anew.
        judges: the file of other judges, if there were any.

    Raises:
        RunError, ValueError, OSError: the run's configuration or the file of judges is damaged or gone.
    """
    weights = [again.weights.tc, again.weights.ta, again.weights.tr]
    record = read_json(again.folder / CONFIG) | {"weights": weights, "trust": again.trust}
    if judges is None:
        return record
    tables: list[ModelTable] = []
    for model in read_models(judges):
        usd = (model.price.prompt, model.price.completion) if model.price else (None, None)
        tables.append(ModelTable.model_validate({**asdict(model.config), **dict(zip(PRICES, usd, strict=True))}))
    return record | {"judge": again.config.model_copy(update={"judge": tables}).record()["judge"]}


def config_of(folder: Path) -> Config:
    """Return the configuration of a run, its hashed texts left as they are.

    Raises:
        ConfigError: there is none that can be used.
        RunError: it is damaged.
        OSError: it cannot be read.
    """
    record = read_json(folder / CONFIG)
    try:
        return Config.model_validate(record)
    except ValidationError as error:
        path = folder / CONFIG
        remedy = "no configuration of this version: take it from a backup, or evaluate anew"
        raise ConfigError(f"{complaints(path, error)}\n{path}: {remedy}") from None


def replayed(log: Log, folder: Path) -> Episode:
    """Return the episode of a log, played again with the work that was kept in a folder.

    Raises:
        ReplayError: it does not come out as it was.
    """
    header = log.header
    if fingerprint(header.source) != header.sha256:
        raise ReplayError(f"{folder}: scenario {header.source} is not the one that was played: take its version of then")
    kept = header.worker.partition(":")[0] not in REPEATABLE
    env = ProactivityEnv(
        header.source,
        header.persona,
        variation=header.variation,
        difficulty=header.difficulty,
        weights=tuple(header.weights),
        user=header.user,
        worker="reference" if kept else header.worker,
    )
    env.reset(options={"week": header.week, "draws": header.draws, "worker": RecordedWorker(folder) if kept else None})
    for event in log.events:
        try:
            _again(env, event.tool, event.arguments) if isinstance(event, Read) else env.step(event.action)
        except ToolError as error:
            raise ReplayError(f"{folder}: line {event.line}: a call that was made is refused now ({error})") from error
    if log.final is None or digest(env.episode.trace.entries) != log.final.trace:
        raise ReplayError(f"{folder}: the episode does not come out as it was: use proactivity_gym {header.package}")
    return env.episode


def _again(env: ProactivityEnv, tool: str, arguments: dict[str, object]) -> None:
    env.read(tool, arguments)
