"""A model without a memory that acts, works and judges on the mock server; configurations; runs in this process."""

import json
import re
import threading
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from proactivity_gym.envs import registration
from proactivity_gym.llm.scripted import Script, Scripted
from proactivity_gym.reports.evaluation import jobs, outcome, running
from proactivity_gym.reports.evaluation.config import read_config
from proactivity_gym.reports.evaluation.jobs import Row
from tests.cli.pgym import TINY_ID
from tests.llm.judge_doubles import everything
from tests.sim.tiny import PATH

NOTE = {"tool": "files.note", "arguments": {"title": "Done", "body": "It is done."}}
PRICE = "prompt_usd = 1.0\ncompletion_usd = 2.0\n"
SLOT = re.compile(r"^SLOT (\d+):", re.MULTILINE)


def purpose_of(asked: Mapping[str, object]) -> str:
    """Return who asks."""
    return cast("Any", asked)["response_format"]["json_schema"]["name"]


def acting(asked: Mapping[str, object]) -> Scripted:
    """Take up all that is open; note something down wherever there is work; agree as the user; give all verdicts."""
    messages = cast("list[dict[str, str]]", asked["messages"])
    purpose, opening = purpose_of(asked), messages[1]["content"] if len(messages) > 1 else ""
    if purpose == "judge":
        return Scripted(json.dumps(everything(asked)))
    if purpose == "user":
        return Scripted(json.dumps({"decision": "APPROVE", "sentence": "Splendid, thank you."}))
    if purpose == "worker":
        calls = [] if "Only read" in opening else [NOTE]
        return Scripted(json.dumps({"calls": calls, "done": True}))
    slots = sorted(set(map(int, SLOT.findall(opening))))
    chosen = [{"slot": slot, "depth": ("EXECUTE", "SUGGEST")[slot % 2], "timing": "NOW"} for slot in slots]
    return Scripted(json.dumps({"interventions": chosen}))


def always(answer: Scripted) -> Script:
    """Return a script that has one answer."""

    def script(_: Mapping[str, object]) -> Scripted:
        return answer

    return script


FAULTS = (
    Scripted(status=429, headers={"Retry-After": "2"}),
    Scripted(status=429, headers={"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}),
    Scripted(status=429),
    Scripted(status=500),
    Scripted(status=503),
    Scripted(fault="reset"),
    Scripted(fault="empty_choices"),
)


def unreliable() -> Script:
    """Return the acting model behind a server of which every third call with the same content fails, in every way in turn.

    A content filter strikes at the first call alone: three times in a row it would be a refusal.
    """
    seen: Counter[str] = Counter()
    lock = threading.Lock()

    def script(asked: Mapping[str, object]) -> Scripted:
        text = json.dumps(asked["messages"])
        with lock:
            seen[text] += 1
            count = seen[text]
        drawn = zlib.crc32(text.encode())
        if (count + drawn) % 3:
            return acting(asked)
        return Scripted(fault="content_filter") if count == 1 and drawn % 8 < 2 else FAULTS[(drawn + count) % len(FAULTS)]

    return script


def failing(script: Script, kinds: Mapping[str, Scripted], purpose: str) -> Script:
    """Return a script that gives one answer to whoever has a purpose."""
    return lambda asked: kinds[purpose] if purpose_of(asked) == purpose else script(asked)


def write_config(folder: Path, url: str, head: str = "", model: str = PRICE, tail: str = "") -> Path:
    """Write a configuration of the tiny scenario."""
    path = folder / "evaluation.toml"
    source = json.dumps(str(PATH))
    address = f'model = "mock"\nbase_url = "{url}"\n'
    judged = tail.replace("JUDGE", f"[[judge]]\n{address}{PRICE}")
    path.write_text(f"ids = [{source}]\n{head}\n[[model]]\n{address}{model}\n{judged}".replace("ADDRESS", address), "utf-8")
    return path


@dataclass
class Done:
    """A run that came to its end."""

    rows: list[Row]
    record: dict[str, Any]
    usd: float
    tokens: int
    notes: list[str] = field(default_factory=list[str])

    @property
    def statuses(self) -> list[str]:
        """The statuses of its episodes."""
        return [row.status for row in self.rows]


def evaluated(config: Path, folder: Path, *, retry: bool = False, ids: tuple[str, ...] = (TINY_ID,)) -> Done:
    """Play what is missing, with waits that take no time."""
    chosen = read_config(config)
    registration.register(str(PATH))
    planned = jobs.plan(chosen, list(ids))
    with running.opened(chosen, planned, folder, sleep=lambda _: None) as run:
        if retry:
            run.forget_failed()
        list(running.go_on(run))
        found = outcome.outcomes(planned, run.ordered())
        record = outcome.record(found, run.ordered())
        return Done(run.ordered(), record, run.ledger.usd, run.ledger.tokens, run.notes)


def lasting(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file without what depends on time, in the order of the file."""
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    return [{name: value for name, value in row.items() if name != "timing"} for row in rows]
