"""The prompts of policy and worker, filled in and cut to size."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from proactivity_gym.baselines.llm_dialogue import tokens
from proactivity_gym.baselines.llm_memory import Memory
from proactivity_gym.baselines.llm_schema import reading_words, tools_in_words
from proactivity_gym.baselines.llm_view import View
from proactivity_gym.llm.templates import render
from proactivity_gym.sim.tools import Tool

Mode = Literal["json", "tools"]
MODES: tuple[Mode, ...] = ("json", "tools")

OPENING_TOKENS = 6000
"""What a policy's prompt stays under at the start of a turn; what is read then comes on top, up to the model's context."""
MAX_READS = 8

_GIVEN = "with the tools that you are given."


@dataclass(frozen=True, slots=True)
class PromptStyle:
    """How a policy's prompts are made.

    Attributes:
        mode: whether the model answers in JSON or by native tool calls.
        max_reads: rounds of reading in a turn.
        system: a user's own template for the system prompt; None: `policy_system.md`.
        limit: tokens that the opening stays under.
    """

    mode: Mode = "json"
    max_reads: int = MAX_READS
    system: Path | None = None
    limit: int = OPENING_TOKENS


def policy_opening(text: str, memory: Memory | None, style: PromptStyle | None = None) -> tuple[str, str]:
    """Return system prompt and first message of a turn, cut to size as `View.shorten` says; then the oldest notes go."""
    style = style or PromptStyle()
    values = {
        "rounds": str(style.max_reads),
        "tools": reading_words() if style.mode == "json" else _GIVEN,
        "reply": render(f"policy_reply_{style.mode}", {}),
    }
    system = render(style.system or "policy_system", values)
    notes = memory.lines() if memory else ["none"]
    shown = text.rstrip("\n")
    if _over(system, shown, notes, style) > 0:
        view = View(text)
        while (over := _over(system, view.text(), notes, style)) > 0 and view.shorten(over * 3):
            pass
        shown = view.text()
    while len(notes) > 1 and _over(system, shown, notes, style) > 0:
        del notes[1]
    return system, _turn(shown, notes)


def worker_opening(text: str, order: str, mode: Mode, tools: Iterable[Tool]) -> tuple[str, str]:
    """Return system prompt and first message of a worker's conversation."""
    listed = tools_in_words(tools) if mode == "json" else "You call them directly."
    system = render("worker_system", {"tools": listed, "reply": render(f"worker_reply_{mode}", {})})
    return system, render("worker_turn", {"situation": text.rstrip("\n"), "order": order})


def _turn(shown: str, notes: list[str]) -> str:
    return render("policy_turn", {"situation": shown, "notes": "\n".join(notes)})


def _over(system: str, shown: str, notes: list[str], style: PromptStyle) -> int:
    """Return by how many tokens an opening is too long: it has to stay under the limit."""
    return tokens(system) + tokens(_turn(shown, notes)) + 1 - style.limit
