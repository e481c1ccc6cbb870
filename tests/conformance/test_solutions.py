"""B20: what is expected can be done with the tools there are, and compiled effects are those of live calls."""

import pytest

from proactivity_gym.baselines import policy
from proactivity_gym.baselines.oracle import choose
from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim import checks, solutions
from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.jobs import Job
from proactivity_gym.sim.week import Week
from proactivity_gym.sim.words import ActionClass, Depth, Timing
from proactivity_gym.sim.work import Desk, Tools, Worker
from proactivity_gym.sim.world import TOOLS
from tests.conformance.drivers import CASES

WEEKS = [("written", 0), *(("test", seed) for seed in range(4))]


class LiveWorker:
    """Does the reference work by really calling the tools, and fails where one refuses."""

    def __init__(self) -> None:
        self.changed: dict[int, list[bool]] = {}
        """For each task, whether each of its calls changed the world."""

    def read(self, signal: OpenSignal, tools: Tools) -> None:
        """Read every record that the signal is linked with."""
        assert isinstance(tools, Desk)
        tools.episode.note_read(tools.episode.week.links(signal.index))

    def work(self, job: Job, tools: Tools) -> None:
        """Make the reference calls."""
        assert isinstance(tools, Desk)
        episode, task = tools.episode, job.row.task
        episode.note_read(episode.week.links(job.signal))
        calls = solutions.calls(episode.week, task)
        fork = episode.reading.world(episode.now).fork()
        changed: list[bool] = []
        for call in calls:
            before = fork.snapshot()
            fork.call(call.tool, call.arguments)
            changed.append(fork.snapshot() != before)
            tools.call(call.tool, call.arguments)
        self.changed[task] = changed
        expected = solutions.expectations(episode.week, task)
        assert checks.outputs(expected, calls) == 1.0
        assert checks.constraints(expected, calls) in (None, 1.0)


def oracle_episode(week: Week, worker: Worker | None, neglected: frozenset[int]) -> Episode:
    """Let the oracle play a week after someone dismissed some tasks."""
    playing = Episode(week, worker=worker)
    playing.start()
    while not playing.over:
        for slot, signal in enumerate(playing.board.slots):
            if signal is not None and signal.task in neglected and not playing.outcomes.matters[signal.task].decided:
                playing.act(slot, Depth.NOOP, Timing.NOW)
        target, depth, timing = choose(playing)
        if not target or playing.act(target - 1, Depth(depth), Timing(timing)) is not None:
            playing.wait()
    return playing


def neglects(week: Week) -> list[frozenset[int]]:
    """Return what to neglect so that every branch is played: nothing, or all that others depend on."""
    return [frozenset(), frozenset(needed for row in week.plan.tasks for needed, _, _ in row.requirements)]


@pytest.mark.parametrize(("scenario", "persona"), CASES)
def test_the_effects_of_the_reference_worker_are_those_of_live_calls(scenario: str, persona: str) -> None:
    solved: set[int] = set()
    weeks = [catalogue.week(scenario, persona, stream, seed) for stream, seed in WEEKS]
    for week, neglected in [(one, neglected) for one in weeks for neglected in neglects(one)]:
        worker = LiveWorker()
        live, compiled = oracle_episode(week, worker, neglected), oracle_episode(week, None, neglected)
        assert live.trace.entries == compiled.trace.entries
        assert live.reading.world(live.now).snapshot() == compiled.reading.world(compiled.now).snapshot()
        for task, changed in worker.changed.items():
            assert changed, f"{week.plan.tasks[task].id}: nothing is done"
            assert all(changed), f"{week.plan.tasks[task].id}: a call changes nothing: {changed}"
        solved |= worker.changed.keys()
    rows = catalogue.written_week(scenario, persona).plan.tasks
    assert {row.id for i, row in enumerate(rows) if i not in solved and not row.noop} == set()


@pytest.mark.parametrize(("scenario", "persona"), CASES)
def test_a_missing_call_or_a_surplus_one_is_content_gone_wrong(scenario: str, persona: str) -> None:
    week = catalogue.written_week(scenario, persona)
    for task, row in enumerate(week.plan.tasks):
        calls, expected = solutions.calls(week, task), solutions.expectations(week, task)
        if row.noop:
            assert calls == ()
            continue
        for gone in range(len(calls)):
            assert checks.outputs(expected, [*calls[:gone], *calls[gone + 1 :]]) < 1
        surplus = next(call for call in calls if TOOLS[call.tool].effect >= ActionClass.DRAFT)
        assert checks.outputs(expected, [*calls, surplus]) < 1


@pytest.mark.parametrize(("scenario", "persona"), CASES)
def test_every_rule_about_a_text_can_fail(scenario: str, persona: str) -> None:
    week = catalogue.written_week(scenario, persona)
    for task in range(len(week.plan.tasks)):
        expected = solutions.expectations(week, task)
        for place, call in enumerate(solutions.calls(week, task)):
            free = expected[place].free & {*expected[place].contains}
            silent = {name: "..." if name in free else value for name, value in call.arguments.items()}
            others = [*solutions.calls(week, task)]
            others[place] = type(call)(call.tool, silent)
            if free:
                assert (checks.constraints(expected, others) or 0.0) < 1


@pytest.mark.parametrize(("scenario", "persona"), CASES)
def test_the_oracle_reaches_everything_there_is(scenario: str, persona: str) -> None:
    """Every task that is on the reference path of some week is decided right there, and every one is on some path."""
    reached: set[int] = set()
    rows = catalogue.written_week(scenario, persona).plan.tasks
    for seed in range(20):
        env = ProactivityEnv(scenario, persona, variation="test")
        policy.play(policy.make("oracle", env), env, seed)
        week, cases = env.episode.week, env.episode.tally.cases()
        assert {task for task, case in cases.items() if case == ("aligned", 1.0)} >= set(week.reference_tasks)
        reached |= week.reference_tasks
    assert [row.id for i, row in enumerate(rows) if i not in reached and not row.requirements] == []


@pytest.mark.parametrize(("scenario", "persona"), CASES)
def test_where_nothing_is_needed_there_is_nothing_to_gain(scenario: str, persona: str) -> None:
    env = ProactivityEnv(scenario, persona, variation="test")
    for name in ("suggest", "execute", "prepare"):
        policy.play(policy.make(name, env), env, 1)
        week, cases = env.episode.week, env.episode.tally.cases()
        for task, (verdict, earned) in cases.items():
            if week.task_noop[task]:
                assert earned == 0
                assert verdict in ("over", "unattempted")
