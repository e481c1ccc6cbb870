"""What the agent has read, and the world it reads: built only when somebody looks.

The world of an episode follows from the week, the minute and the actions applied so far; learned policies never need it, so
it is materialised on the first call of a tool and brought up to date on each later one.
"""

from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from typing import Protocol

from proactivity_gym.sim.solutions import entry_of
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.tools import Call, ToolError
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import ActionClass, RecordStatus
from proactivity_gym.sim.world import TOOLS, World

SETTLED = frozenset((RecordStatus.DONE, RecordStatus.CANCELLED))


class Work(Protocol):
    """Content that knows its calls."""

    def calls(self, week: Week, task: int) -> Sequence[Call]:
        """Return the calls."""
        ...


_Applied = tuple[int, Work, int, Set[ActionClass]]


class Reading:
    """Records read so far, and actions applied to the world."""

    __slots__ = ("_applied", "_hidden", "_present", "_used", "_week", "_world", "fresh", "read")

    def __init__(self, week: Week, present: set[int]) -> None:
        """Start with nothing read; `present` is the set (kept by the episode) of conditional records that appeared."""
        self._week = week
        self._present = present
        self.read: set[int] = set()
        self.fresh: set[int] = set()
        """Records read since an observer last looked."""
        self._applied: list[_Applied] = []
        self._world: World | None = None
        self._hidden: list[int] = []
        """Records that the world does not hold yet, in the order of their appearing."""
        self._used = 0

    def there(self, record: int, now: int) -> bool:
        """Tell whether a record has appeared."""
        week = self._week
        return week.record_at[record] <= now and (record in self._present or not week.plan.records[record].requirements)

    def note(self, records: Sequence[int], now: int) -> list[int]:
        """Mark those records read that have appeared, and return the newly read ones."""
        if self.read.issuperset(records):
            return []
        fresh = [r for r in records if r not in self.read and self.there(r, now)]
        if fresh:
            self.read.update(fresh)
            self.fresh.update(fresh)
        return fresh

    def evidence(self, task: int) -> float:
        """Return the share of a task's evidence that has been read."""
        needed = self._week.task_evidence[task]
        return sum(r in self.read for r in needed) / len(needed)

    def settled_seen(self, records: Sequence[int]) -> bool:
        """Tell whether a record read among these says that the matter is settled."""
        rows = self._week.plan.records
        return any(r in self.read and rows[r].status in SETTLED for r in records)

    # The world

    def apply(self, work: Work, task: int, effects: Set[ActionClass], now: int) -> None:
        """Let the calls of a task's work that have one of these effects change the world."""
        self._applied.append((now, work, task, effects))

    def world(self, now: int) -> World:
        """Return the world as it stands."""
        week = self._week
        if self._world is None:
            self._world = World(week.plan.clock, ())
            exists = [i for i in range(len(week.record_at)) if week.record_at[i] < NEVER]
            self._hidden = sorted(exists, key=lambda i: (week.record_at[i], i))
        world = self._world
        while self._used < len(self._applied):
            minute, work, task, effects = self._applied[self._used]
            self._show(world, minute)
            world.now = minute
            for call in work.calls(week, task):
                if TOOLS[call.tool].effect not in effects:
                    continue
                # What was possible when it was worked out may no longer be: then it changes nothing.
                with suppress(ToolError):
                    world.call(call.tool, call.arguments)
            self._used += 1
        self._show(world, now)
        world.now = now
        return world

    def _show(self, world: World, minute: int) -> None:
        """Add the records that appeared; a conditional one waits until its conditions have been looked at."""
        hidden, at = self._hidden, self._week.record_at
        if not hidden or at[hidden[0]] > minute:
            return
        due = [record for record in hidden if at[record] <= minute]
        for record in due:
            if self.there(record, minute):
                world.add(entry_of(self._week, record))
                self._hidden.remove(record)

    def look(self, tool: str, arguments: Mapping[str, object], now: int) -> tuple[dict[str, object], list[int]]:
        """Call a `read` tool on the world; return its result and the records it read for the first time.

        Raises:
            ToolError: there is no such tool, its arguments are wrong, or it does more than read.
        """
        known = TOOLS.get(tool)
        if known is not None and known.effect != ActionClass.READ:
            raise ToolError(tool, None, "only `read` tools can be called here; work is done by an intervention")
        result = self.world(now).call(tool, arguments)
        if not tool.endswith(".read"):
            return result, []
        names = {row.id: i for i, row in enumerate(self._week.plan.records)}
        record = names.get(str(arguments["id"]))
        return result, self.note([] if record is None else [record], now)
