"""A scripted model that answers as the oracle would, through text, JSON and tools alone.

Hidden truth tells it what to do. What it then sends (ids, amounts, times, names, phrases) must have stood in a text or a tool's
result that it was shown before; what did not is in `lacking`.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from proactivity_gym.baselines.llm_schema import DECIDE, wire_name
from proactivity_gym.baselines.llm_view import marked
from proactivity_gym.baselines.oracle import choose
from proactivity_gym.llm.scripted import Scripted
from proactivity_gym.sim import solutions
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.texts import MONTHS
from proactivity_gym.sim.tools import Call
from proactivity_gym.sim.words import Depth, Timing

_WALL = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T([0-9]{2}):([0-9]{2}))?")
_HOURS = ("twelve", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
_RECORD = re.compile(r"record (\S+) \(")


class OracleModel:
    """A script for `MockServer`, playing one episode."""

    def __init__(self, door: Callable[[], Episode], native: bool = False) -> None:
        self._door = door
        self._native = native
        self.shown = ""
        """All texts and results so far, prompts of the system excepted."""
        self.prompts: list[list[Mapping[str, Any]]] = []
        """The messages of every request."""
        self.lacking: list[str] = []
        """Arguments that it had not been shown."""
        self.sent = 0
        """Arguments that it sent."""
        self.witness: Callable[[Mapping[str, object]], None] = lambda _: None
        """Called with every request."""

    def __call__(self, asked: Mapping[str, object]) -> Scripted:
        """Answer a request."""
        messages: Any = asked["messages"]
        self.prompts.append(messages)
        self.witness(asked)
        for message in messages:
            content = str(message["content"])
            if message["role"] in ("user", "tool") and content not in self.shown:
                self.shown += f"\n{content}"
        if self._is_worker(asked):
            return self._work(messages)
        return self._decide(messages)

    def _is_worker(self, asked: Mapping[str, Any]) -> bool:
        if self._native:
            return all(tool["function"]["name"] != DECIDE for tool in asked["tools"])
        return asked["response_format"]["json_schema"]["name"] == "worker"

    # Policy

    def _decide(self, messages: list[Mapping[str, Any]]) -> Scripted:
        episode = self._door()
        target, depth, timing = choose(episode)
        if not target:
            return self._decision([])
        signal = episode.board.slots[target - 1]
        assert signal is not None
        unread = self._unread(episode, signal.index)
        if unread:
            return self._reads(unread)
        self._check(f"SLOT {target}:", "slot")
        return self._decision([{"slot": target, "depth": Depth(depth).name, "timing": Timing(timing).name}])

    def _decision(self, interventions: list[dict[str, object]]) -> Scripted:
        notes = {"stated": [], "inferred": [f"decided {len(self.prompts)}"]}
        said = {"interventions": interventions, "notes": notes, "look_again": bool(interventions)}
        if self._native:
            return Scripted(tool_calls=((DECIDE, json.dumps(said)),))
        return Scripted(json.dumps({"thought": "", "reads": [], **said}))

    def _reads(self, calls: list[Call]) -> Scripted:
        if self._native:
            return self._natively(calls)
        return Scripted(json.dumps({"thought": "", "reads": _plain(calls), "interventions": [], "look_again": False}))

    # Worker

    def _work(self, messages: list[Mapping[str, Any]]) -> Scripted:
        episode = self._door()
        opening = str(messages[1]["content"])
        ours = (line for line, foreign in marked(opening.split("\n")) if not foreign)
        record = next(found[1] for line in ours if (found := _RECORD.match(line)))
        rows = episode.week.plan.signals
        signal = next(i for i, row in enumerate(rows) if episode.week.plan.records[row.record].id == record)
        unread = self._unread(episode, signal)
        if unread:
            return self._calls(unread, done=False)
        if "Do the work" not in opening or messages[-1]["role"] == "tool" or len(messages) > 4:
            return self._calls([], done=True)
        task = rows[signal].task
        calls = list(solutions.calls(episode.week, task)) if task >= 0 and not episode.week.task_noop[task] else []
        if self._native and any(message["role"] == "assistant" for message in messages[:-1]) and self._made(messages, calls):
            return self._calls([], done=True)
        for expected, call in zip(solutions.expectations(episode.week, task), calls, strict=True):
            for name, value in call.arguments.items():
                for phrase in expected.contains.get(name, ()):
                    self._check(phrase, f"{call.tool} {name}")
                if name not in expected.free:
                    self._check(value, f"{call.tool} {name}")
        return self._calls(calls, done=True)

    def _made(self, messages: list[Mapping[str, Any]], calls: list[Call]) -> bool:
        return bool(calls) and wire_name(calls[-1].tool) in json.dumps(messages)

    def _calls(self, calls: list[Call], done: bool) -> Scripted:
        for call in calls:
            if call.tool.endswith(".read"):
                self._check(call.arguments["id"], call.tool)
        if self._native:
            return self._natively(calls) if calls else Scripted("DONE")
        return Scripted(json.dumps({"thought": "", "calls": _plain(calls), "done": done}))

    def _natively(self, calls: list[Call]) -> Scripted:
        return Scripted(tool_calls=tuple((wire_name(call.tool), json.dumps(dict(call.arguments))) for call in calls))

    # What was shown

    def _unread(self, episode: Episode, signal: int) -> list[Call]:
        """Return reads of what a signal is linked with and was never shown as a tool's result."""
        world, calls = episode.reading.world(episode.now), list[Call]()
        for record in episode.week.links(signal):
            if episode.reading.there(record, episode.now):
                entry = world.get(episode.week.plan.records[record].id)
                if f'{{"id": "{entry.id}", "app"' not in self.shown:
                    calls.append(Call(f"{entry.app}.read", {"id": entry.id}))
        return calls

    def _check(self, value: object, where: str) -> None:
        for item in cast("list[object]", value) if isinstance(value, list) else [value]:
            self.sent += 1
            if not occurs(item, self.shown):
                self.lacking.append(f"{where}: {item!r}")


def occurs(value: object, text: str) -> bool:
    """Tell whether a value stands in a text, as it is or in words that a reader takes for it."""
    if isinstance(value, int | float):
        return re.search(rf"(?<![\w.]){re.escape(f'{value:g}')}(?:\.00?)?(?!\d|\.\d)", text) is not None
    written = str(value)
    if written.casefold() in text.casefold():
        return True
    if wall := _WALL.fullmatch(written):
        return any(form in text for form in dates(wall)) and (not wall[4] or any(form in text for form in times(wall)))
    words = written.split()
    return len(words) > 1 and all(re.search(rf"(?<!\w){re.escape(_stem(word))}", text) for word in words)


def _stem(word: str) -> str:
    return "h" if word == "hours" else word


def dates(wall: re.Match[str]) -> Iterator[str]:
    """Yield ways to write a date."""
    year, month, day = wall[1], MONTHS[int(wall[2]) - 1], int(wall[3])
    yield f"{year}-{wall[2]}-{wall[3]}"
    for name in (month, month[:3]):
        yield f"{day} {name}"


def times(wall: re.Match[str]) -> Iterator[str]:
    """Yield ways to write a time of day."""
    yield f"{wall[4]}:{wall[5]}"
    if wall[5] == "00":
        yield f" at {_HOURS[int(wall[4]) % 12]}"


def _plain(calls: list[Call]) -> list[dict[str, object]]:
    return [{"tool": call.tool, "arguments": dict(call.arguments)} for call in calls]
