"""A worker that is a language model: it reads, then calls the world's typed tools.

Chosen by `worker="llm:MODEL.toml"` or `worker="llm:model@http://host/v1"`.
"""

import json
from collections.abc import Mapping, Sequence

import numpy as np

from proactivity_gym.baselines.llm_dialogue import Dialogue, prompt_tokens
from proactivity_gym.baselines.llm_models import chosen_model
from proactivity_gym.baselines.llm_prompt import Mode, worker_opening
from proactivity_gym.baselines.llm_reply_reader import Work, work_of
from proactivity_gym.baselines.llm_schema import native_tools, tools_of, work_schema
from proactivity_gym.llm.client import Client
from proactivity_gym.llm.errors import Refused, Unreadable
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.jobs import Job
from proactivity_gym.sim.situation import describe_matter
from proactivity_gym.sim.tools import Call, Tool, ToolError
from proactivity_gym.sim.words import ActionClass
from proactivity_gym.sim.work import Desk, Tools
from proactivity_gym.sim.world import TOOLS

MAX_CALLS = 24
"""Tool calls of one job, reads included; a reply without any counts as one."""
MAX_READS = 12
"""The same, for reading before a decision."""

READ_ORDER = (
    "A decision about this matter is due. Read what it hangs on, the linked records above all. "
    "Only read; the work itself comes later, if at all. If you need nothing more, make no call."
)
NO_CALL = "You made no call, and did not say that you are done."
LIMIT = "not made: the limit of calls is reached"


class LLMWorker:
    """Does jobs with a language model.

    Its own record is opened before each decision; the model is asked only where linked records are still unread. A reply that
    cannot be used is sent back once, with the reason; after the next one the work stays as it is, and `agent_errors` counts it.

    Attributes:
        agent_errors: jobs and readings that ended with an unusable reply or a refusal.
        key: what parts its requests from equal ones in a cache.
    """

    def __init__(
        self,
        setting: str | Client,
        generator: np.random.Generator | None = None,
        *,
        mode: Mode = "json",
        max_calls: int = MAX_CALLS,
        context_tokens: int | None = None,
    ) -> None:
        """Set up a worker.

        Args:
            setting: a client, a model file, or model@base_url.
            generator: tells repetitions apart in a cache.
            mode: "json" or "tools", unless a model file says it.
            max_calls: of one job.
            context_tokens: how long a conversation may get; None: as the model allows.

        Raises:
            ValueError: the setting names no model.
            LlmError: there is no key for it.
        """
        if isinstance(setting, str):
            chosen = chosen_model(setting)
            self._client, mode = Client(chosen.config), chosen.mode
        else:
            self._client = setting
        self._mode: Mode = mode
        self._max_calls = max_calls
        self._limit = prompt_tokens(self._client, context_tokens)
        self.agent_errors = 0
        self.key: Mapping[str, object] = {} if generator is None else {"draw": int(generator.integers(2**31))}
        self._done: dict[int, list[Call]] = {}
        """The calls of earlier jobs, by signal."""

    def read(self, signal: OpenSignal, tools: Tools) -> None:
        """Read what a decision about a signal needs.

        Raises:
            LlmError: the model does not answer.
        """
        desk = _desk(tools)
        episode = desk.episode
        linked = [record for record in episode.week.links(signal.index) if episode.reading.there(record, episode.now)]
        episode.note_read([record for record in linked if record == episode.week.plan.signals[signal.index].record])
        if any(record not in episode.reading.read for record in linked):
            opening = describe_matter(episode, signal.index), READ_ORDER
            scenario = episode.week.plan.scenario
            reads = [tool for tool in tools_of(scenario) if tool.effect == ActionClass.READ]
            self._loop(opening, desk, reads, MAX_READS)

    def work(self, job: Job, tools: Tools) -> None:
        """Do a job's work.

        Raises:
            LlmError: the model does not answer.
        """
        desk = _desk(tools)
        earlier, scenario = self._done.get(job.signal, []), desk.episode.week.plan.scenario
        self._loop(
            (describe_matter(desk.episode, job.signal), order_of(job, earlier)), desk, tools_of(scenario), self._max_calls
        )
        self._done[job.signal] = list(desk.calls) or earlier

    def _loop(self, opening: tuple[str, str], desk: Desk, tools: Sequence[Tool], limit: int) -> None:
        """Let the model call tools until it is done, or the limit is reached."""
        said = worker_opening(*opening, self._mode, tools)
        dialogue = Dialogue(self._client, "worker", said, limit=self._limit, key=self.key)
        allowed = {tool.name for tool in tools}
        left, repairs = limit, 1
        while left > 0:
            work = self._ask(dialogue, tools)
            if isinstance(work, Work):
                answers = [_made(desk, call, allowed) if place < left else LIMIT for place, call in enumerate(work.calls)]
                if work.done and not any(answer.startswith("refused") for answer in answers):
                    return
                left -= max(1, len(work.calls))
                if work.calls:
                    dialogue.answer([(call.tool, answer) for call, answer in zip(work.calls, answers, strict=True)])
                else:
                    dialogue.tell(NO_CALL)
            elif work is None or not repairs:
                self.agent_errors += 1
                return
            else:
                repairs -= 1
                dialogue.refuse(work)

    def _ask(self, dialogue: Dialogue, tools: Sequence[Tool]) -> Work | Unreadable | None:
        """Return what the model wants, or why its reply cannot be used; None: it refuses."""
        native = self._mode == "tools"
        try:
            reply = dialogue.ask(None if native else work_schema(tools), native_tools(tools) if native else ())
            return work_of(reply, native=native)
        except Unreadable as error:
            return error
        except Refused:
            return None


def _desk(tools: Tools) -> Desk:
    if not isinstance(tools, Desk):
        raise TypeError("LLMWorker works at a Desk, which knows the episode")
    return tools


def _made(desk: Desk, call: Call, allowed: set[str]) -> str:
    """Make a call and return its result as JSON, or why it was refused."""
    if call.tool in TOOLS and call.tool not in allowed:
        return f"refused: {call.tool} is none of the tools listed"
    try:
        return json.dumps(desk.call(call.tool, call.arguments), ensure_ascii=False)
    except ToolError as error:
        return f"refused: {error}"


def order_of(job: Job, earlier: Sequence[Call]) -> str:
    """Return what a worker is told to do."""
    lines = [f"Do the work on this matter now. Depth: {job.depth.name}."]
    if earlier:
        lines.append("What you did on it before, still as it was left; what is right of it is to be done again in full:")
        lines += [f"- {call.tool} {json.dumps(dict(call.arguments), ensure_ascii=False)}" for call in earlier]
    return "\n".join(lines)
