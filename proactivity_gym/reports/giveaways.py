"""Lint: nothing that an agent reads marks the answer."""

import re
from collections.abc import Iterator

from proactivity_gym.reports.findings import Report, Study
from proactivity_gym.sim.scenario import Record

TELLING = re.compile(r"\b(noise|noop|decoy|distractor|latent|repair|resolved)\b")
"""Words of the format for what is hidden, as they may stand in ids, which agents see."""
NEVER_SAID = re.compile(r"\b(noop|prepare|suggest|execute)[ ,]+(now|idle|sleep|due)\b", re.IGNORECASE)
"""An action in the words of the interface, as no person would write it."""


def check(study: Study, report: Report) -> None:
    """Report ids and texts of records that tell what is behind them."""
    for record in study.scenario.records:
        for message in _telling(record):
            report(f"record {record.id}", message)


def _telling(record: Record) -> Iterator[str]:
    word = TELLING.search(record.id)
    if word:
        yield f"id: agents see it, and {word.group()!r} tells what the record is: name it after what it says"
    for key, text in (("title", record.title), ("text", record.text)):
        action = NEVER_SAID.search(text)
        if action:
            yield f"{key}: {action.group()!r} names an action: say it in a person's words"
