"""A policy that is a language model: it reads the situation in words, reads on with tools, and decides.

env = gym.make("ProactivityGym/Travel-PersonaB-v0", text=True)
policy = LLMPolicy(Client(ModelConfig("gpt-5-mini")))
total, info = play(policy, env, seed=0)
"""

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proactivity_gym.baselines.llm_dialogue import Dialogue, prompt_tokens
from proactivity_gym.baselines.llm_memory import Memory
from proactivity_gym.baselines.llm_prompt import MAX_READS, MODES, OPENING_TOKENS, Mode, PromptStyle, policy_opening
from proactivity_gym.baselines.llm_reply_reader import Decision, Turn, turn_of
from proactivity_gym.baselines.llm_schema import decide_tool, native_tools, reading_tools, turn_schema
from proactivity_gym.baselines.llm_view import View
from proactivity_gym.baselines.policy import WAIT, Action, Observation, Read
from proactivity_gym.llm.client import Client
from proactivity_gym.llm.errors import Refused, Unreadable
from proactivity_gym.sim.tools import Call, ToolError

READS_AT_ONCE = 12
"""Calls of one round that are answered; more are refused."""
TOO_MANY = f"not read: ask for at most {READS_AT_ONCE} at once"
LAST_ROUND = "That was the last round of reading in this turn: decide now."
CHANGED = "Your interventions were carried out. What has changed:"
UNCHANGED = "Your interventions changed nothing that you see."


@dataclass(frozen=True, slots=True)
class _Step:
    """A decision on its way to `step`, with the record that its slot showed when it was made."""

    decision: Decision
    record: str


class LLMPolicy:
    """Plays with a language model. Needs `info["text"]` (`text=True` in `gym.make`) or a function that returns the text.

    At each activation the model is asked for read calls or interventions. Reads are answered and it is asked again;
    interventions go to `step` one by one; then the policy waits, unless the model wants to see first what they changed. A reply
    that cannot be used is sent back once in a turn, with the reason; after the next one the turn just waits, and
    `agent_errors` counts it.

    Attributes:
        memory: the model's notes of this episode; None if it keeps none.
        agent_errors: turns of this episode that ended with an unusable reply or a refusal.
    """

    def __init__(
        self,
        client: Client,
        *,
        mode: Mode = "json",
        max_reads: int = MAX_READS,
        memory: bool = True,
        system_template: Path | None = None,
        context_tokens: int | None = None,
    ) -> None:
        """Set up a policy.

        Args:
            client: the model.
            mode: "json" holds replies to a JSON schema; "tools" uses native tool calls.
            max_reads: rounds of reading in a turn.
            memory: whether the model's notes are kept from turn to turn.
            system_template: a file to take the place of `llm/prompts/policy_system.md`.
            context_tokens: how long a conversation may get, reply included; None: as the client's model allows. A turn's
                opening takes 6,000 tokens of it at the most, or half of it if that is less.

        Raises:
            ValueError: there is no such mode, or max_reads is negative.
        """
        if mode not in MODES or max_reads < 0:
            raise ValueError(f"mode={mode!r}, max_reads={max_reads!r}: mode is one of {', '.join(MODES)}, max_reads at least 0")
        self._client = client
        self._limit = prompt_tokens(client, context_tokens)
        self._style = PromptStyle(mode, max_reads, system_template, min(OPENING_TOKENS, self._limit // 2))
        self._keeps_notes = memory
        self.memory: Memory | None = None
        self.agent_errors = 0
        self.text: Callable[[], str] | None = None
        """Where the text comes from if `info` has none."""
        self.key: Mapping[str, object] = {}
        """What parts this policy's requests from equal ones in a cache, such as the repetition."""
        self._native = (*native_tools(reading_tools()), decide_tool()) if mode == "tools" else ()
        self._begin_episode()

    def reset(self, observation: Observation, info: Mapping[str, Any], seed: int, read: Read) -> None:
        """Start an episode with empty memory."""
        self._read: Read = read
        self._begin_episode()
        self._key = {"seed": seed} | dict(self.key)

    def _begin_episode(self) -> None:
        self.memory = Memory() if self._keeps_notes else None
        self.agent_errors = 0
        self._key: Mapping[str, object] = {}
        self._waiting = True
        self._view: View | None = None
        self._dialogue: Dialogue | None = None
        self._plan: deque[_Step] = deque()
        self._look_again = False
        self._repaired = False

    def act(self, observation: Observation, info: Mapping[str, Any]) -> Action:
        """Return the next action of the turn.

        Raises:
            LlmError: the model does not answer.
            ValueError: there is no text.
        """
        text = self._text_of(info)
        view = View(text)
        if self._waiting or self._view is None or view.now != self._view.now or info.get("action_error") is not None:
            self._begin_turn(text, view)
        while True:
            action = self._next(view)
            if action is not None:
                return action
            if not self._look_again:
                self._waiting = True
                return WAIT
            self._go_on(view)

    def _text_of(self, info: Mapping[str, Any]) -> str:
        text = info.get("text")
        if isinstance(text, str):
            return text
        if self.text is None:
            raise ValueError('LLMPolicy needs the situation in words: make the environment with text=True, for info["text"]')
        return self.text()

    def _next(self, view: View) -> Action | None:
        """Return the next planned action whose slot still shows what was decided about."""
        while self._plan:
            step = self._plan.popleft()
            decision = step.decision
            if view.slots.get(decision.slot) == step.record:
                return decision.slot, int(decision.depth), int(decision.timing)
        return None

    def _begin_turn(self, text: str, view: View) -> None:
        self._waiting = self._repaired = False
        opening = policy_opening(text, self.memory, self._style)
        self._dialogue = Dialogue(self._client, "policy", opening, limit=self._limit, key=self._key)
        self._think(self._dialogue, view)

    def _go_on(self, view: View) -> None:
        if self._dialogue is None or self._view is None:
            raise AssertionError("unreachable: a turn has begun")
        changed = view.changed(self._view)
        self._dialogue.tell(f"{CHANGED}\n\n{changed}" if changed else UNCHANGED)
        self._think(self._dialogue, view)

    def _think(self, dialogue: Dialogue, view: View) -> None:
        """Ask until the model decides, and plan what it decided."""
        self._view, self._look_again = view, False
        self._plan.clear()
        turn, rounds = self._ask(dialogue, view), self._style.max_reads
        while turn is not None and turn.reads and rounds:
            rounds -= 1
            dialogue.answer(self._answers(turn.reads), "" if rounds else LAST_ROUND)
            turn = self._ask(dialogue, view)
        if turn is None:
            self.agent_errors += 1
            return
        if self.memory is not None:
            self.memory.take(turn.stated, turn.inferred, view.said() if turn.stated else "")
        self._plan.extend(_Step(decision, view.slots[decision.slot]) for decision in turn.decisions)
        self._look_again = turn.look_again and bool(self._plan)

    def _ask(self, dialogue: Dialogue, view: View) -> Turn | None:
        """Ask, with one repair in a turn; None: there is no usable reply."""
        while True:
            try:
                return turn_of(dialogue.ask(None if self._native else turn_schema(), self._native), view.slots)
            except Refused:
                return None
            except Unreadable as error:
                if self._repaired:
                    return None
                self._repaired = True
                dialogue.refuse(error)

    def _answers(self, reads: Sequence[Call]) -> list[tuple[str, str]]:
        """Return what was called and what came back."""
        kept = [(call.tool, _answer(self._read, call)) for call in reads[:READS_AT_ONCE]]
        return kept + [(call.tool, TOO_MANY) for call in reads[READS_AT_ONCE:]]


def _answer(read: Read, call: Call) -> str:
    try:
        return json.dumps(read(call.tool, call.arguments), ensure_ascii=False)
    except ToolError as error:
        return f"refused: {error}"
