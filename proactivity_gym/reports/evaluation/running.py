"""A run: its folder, what is missing in it, and the threads that play it."""

import platform
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

from proactivity_gym.llm.cache import Cache
from proactivity_gym.llm.client import Client
from proactivity_gym.llm.ledger import Ledger
from proactivity_gym.reports.evaluation import calls, files
from proactivity_gym.reports.evaluation.config import Config, changed
from proactivity_gym.reports.evaluation.jobs import FAILED, Job, Row, row_of
from proactivity_gym.reports.evaluation.lock import RunError, locked
from proactivity_gym.reports.evaluation.playing import StoppedError, Table, play
from proactivity_gym.reports.runs import Key
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.difficulty import DEFAULT
from proactivity_gym.wrappers.episode_log import fingerprint

CONFIG, VERSIONS, EPISODES, CALLS, SPENT = "config.json", "versions.json", "episodes.jsonl", "calls.jsonl", "spent.json"
_PACKAGES = ("proactivity-gym", "gymnasium", "numpy", "openai")
_BINDING = ("proactivity-gym", "scenarios")
"""What of the versions rows depend on."""
_TICK_S = 0.2


@dataclass
class Run:
    """A run under way.

    Attributes:
        rows: those that there are, by key.
        notes: what was found damaged in the folder.
    """

    table: Table
    jobs: Sequence[Job]
    ledger: Ledger
    rows: dict[Key, Row]
    notes: list[str]

    @property
    def missing(self) -> list[Job]:
        """What is still to be played, in the order of the plan."""
        return [job for job in self.jobs if job.key not in self.rows]

    def ordered(self) -> list[Row]:
        """Return the rows in the order of the plan."""
        return [self.rows[job.key] for job in self.jobs if job.key in self.rows]

    def forget_failed(self) -> None:
        """Take failed episodes for missing; their rows stay in the file until there are others."""
        self.rows = {key: row for key, row in self.rows.items() if row.status not in FAILED}


@contextmanager
def opened(config: Config, jobs: Sequence[Job], folder: Path, sleep: Callable[[float], None] = time.sleep) -> Generator[Run]:
    """Open the folder of a run, a new one or one to go on with, and hold its lock.

    Raises:
        RunError: another run holds it, or it was made by another configuration or version.
        LlmError: a model has no key, or no price though money is capped.
        OSError: it cannot be written.
    """
    ledger = Ledger(config.prices(), config.cap_usd, config.cap_tokens)
    for each in config.tables():
        ledger.admit(each.config.model)
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        _claim(folder / CONFIG, config.record(), _config_changed)
        _claim(folder / VERSIONS, _versions(jobs), _versions_changed)
        ledger.restore(calls.spent_before(folder / CALLS))
        log = calls.CallLog(folder / CALLS)
        clients: dict[int, Client] = {}
        try:
            cache = Cache(folder / "cache") if config.cache else None
            for each in config.tables():
                clients[id(each)] = Client(each.config, ledger=ledger, cache=cache, log=log.note, sleep=sleep)
            rows, notes = read_rows(folder / EPISODES)
            yield Run(Table(config, folder, clients, log), jobs, ledger, {row.key: row for row in rows}, notes)
        finally:
            for client in clients.values():
                client.close()
            log.close()


def read_rows(path: Path) -> tuple[list[Row], list[str]]:
    """Return the rows of a file, and what is wrong with its lines: a line that is damaged or cut off counts as absent.

    Of an episode that was played again by a run that did not come to its end, the last row counts.
    """
    rows: dict[Key, Row] = {}
    notes: list[str] = []
    for number, record in enumerate(files.read_lines(path), 1):
        row = row_of(record)
        if row is None:
            notes.append(f"{path}, line {number}: damaged or cut off: its episode counts as not played")
        else:
            rows[row.key] = row
    return list(rows.values()), notes


def go_on(run: Run) -> Iterator[Row | None]:
    """Play what is missing; yield each row once it is on the disk, and None now and then meanwhile.

    Raises:
        AuthError: a key is refused or its quota used up.
        OSError: the folder cannot be written.
    """
    coming: queue.SimpleQueue[Job] = queue.SimpleQueue()
    missing = run.missing
    for job in missing:
        coming.put(job)
    done: queue.SimpleQueue[Row | BaseException] = queue.SimpleQueue()
    team = min(run.table.config.concurrency, len(missing))
    threads = [threading.Thread(target=_work, args=(run.table, coming, done), daemon=True) for _ in range(team)]
    for thread in threads:
        thread.start()
    try:
        yield from _kept(run, done, len(missing))
    finally:
        run.table.stop.set()
        for thread in threads:
            thread.join(timeout=run.table.config.tables()[0].config.timeout_s if not run.missing else _TICK_S)
    _finish(run)


def _work(table: Table, coming: "queue.SimpleQueue[Job]", done: "queue.SimpleQueue[Row | BaseException]") -> None:
    while not table.stop.is_set():
        try:
            done.put(play(coming.get_nowait(), table))
        except (queue.Empty, StoppedError):
            return
        except BaseException as error:  # noqa: BLE001 - handed to the main thread, which raises it
            done.put(error)
            return


def _kept(run: Run, done: "queue.SimpleQueue[Row | BaseException]", count: int) -> Iterator[Row | None]:
    with files.Lines(run.table.folder / EPISODES) as lines:
        while count:
            try:
                found = done.get(timeout=_TICK_S)
            except queue.Empty:
                yield None
                continue
            if isinstance(found, BaseException):
                raise found
            run.table.calls.sync()
            lines.add(found.record())
            lines.sync()
            run.rows[found.key] = found
            count -= 1
            yield found


def _finish(run: Run) -> None:
    """Put the rows in order, each once."""
    folder = run.table.folder
    files.replace_file(folder / EPISODES, b"".join(files.encoded(row.record()) for row in run.ordered()))
    write_spent(folder, run.ledger)


def write_spent(folder: Path, ledger: Ledger) -> None:
    """Write what a ledger holds into a folder.

    Raises:
        OSError: it could not be written.
    """
    accounts = [asdict(account) for account in ledger.totals()]
    files.write_json(folder / SPENT, {"usd": ledger.usd, "tokens": ledger.tokens, "accounts": accounts})


def _claim(path: Path, now: Mapping[str, Any], differs: Callable[[Mapping[str, Any], Mapping[str, Any]], list[str]]) -> None:
    """Write a record that a folder stands for, or compare it with the one that is there."""
    if path.exists():
        record = read_json(path)
        if keys := differs(record, now):
            raise RunError(
                f"{path.parent}: it was begun with other values of {', '.join(keys)}: "
                "rows of both would not compare. Give another --out, or the values of then"
            )
    files.write_json(path, now)


def read_json(path: Path) -> dict[str, Any]:
    """Return the record in a file.

    Raises:
        RunError: it is damaged.
        OSError: it cannot be read.
    """
    content = path.read_bytes()
    record = files.decoded(content)
    if record is None:
        raise RunError(f"{path}: it is damaged: take it from a backup, or give another --out")
    return cast("dict[str, Any]", record)


def _versions(jobs: Sequence[Job]) -> dict[str, Any]:
    sources = sorted({job.planned.source for job in jobs})
    listed = [name for source in sources for name in (catalogue.names() if source == catalogue.MIXED else [source])]
    found = {name: version(name) for name in _PACKAGES}
    return {**found, "python": platform.python_version(), "scenarios": {name: fingerprint(name) for name in listed}}


def _config_changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Compare configurations; one that was written before there were levels of difficulty is of the default one."""
    return changed({"difficulty": DEFAULT, **before}, now)


def _versions_changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    return changed({name: before.get(name) for name in _BINDING}, {name: now[name] for name in _BINDING})
