"""D3, B03: what is no action counts as waiting, and an action counts the same in every form."""

import copy
import math
from itertools import cycle, islice

import pytest

from proactivity_gym.baselines.policy import WAIT
from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.sim.interventions import ERRORS, MALFORMED
from tests.conformance.drivers import IDS, bare, canonical, episode, likely_actions, steps
from tests.conformance.malformed import legal, malformed

JUNK = malformed()


def state(env: ProactivityEnv) -> object:
    """Return all that an episode holds and that a later step could show."""
    playing = env.episode
    board = [None if s is None else (s.id, s.index, s.status, s.since, s.expires) for s in playing.board.slots]
    jobs = [(job.id, job.left, job.start, job.running, job.worked) for job in playing.jobs.all]
    matters = [(m.active, m.attempts, m.outcome, m.closed, m.decided) for m in playing.outcomes.matters]
    user = (playing.inbox.trust, playing.inbox.last_reaction, playing.phase, sorted(playing.reading.read))
    return (
        playing.now,
        board,
        jobs,
        matters,
        user,
        [entry for entry in playing.trace if entry[1] != "wait"],
        env.np_random.bit_generator.state,
    )


def test_there_is_junk_enough() -> None:
    assert len(JUNK) >= 150


@pytest.mark.parametrize("env_id", IDS)
def test_junk_moves_the_clock_as_waiting_does_and_nothing_else(env_id: str) -> None:
    junk_env, wait_env = bare(env_id, variation="test"), bare(env_id, variation="test")
    pending = list(JUNK.items())
    for seed in range(len(pending)):
        if not pending:
            break
        observed = [env.reset(seed=seed)[0] for env in (junk_env, wait_env)]
        assert canonical((observed[0],)) == canonical((observed[1],))
        over = False
        while pending and not over:
            name, junk = pending.pop()
            *seen, info = junk_env.step(junk)
            *wanted, told = wait_env.step(WAIT)
            assert info == {**told, "action_error": MALFORMED}, name
            assert canonical(seen) == canonical(wanted), name
            over = bool(seen[2])
            assert state(junk_env) == state(wait_env), name


@pytest.mark.parametrize("env_id", IDS)
def test_an_agent_that_sends_only_junk_gets_to_the_end_of_the_week(env_id: str) -> None:
    env = bare(env_id)
    env.reset(seed=0)
    played = list(steps(env, islice(cycle(JUNK.values()), 2000)))
    assert played[-1][2]
    assert not any(transition[3] for transition in played)
    assert env.episode.now == env.episode.week.plan.horizon
    assert played[-1][4]["terms"]["J"] == 0


@pytest.mark.parametrize("env_id", IDS)
def test_an_action_counts_the_same_in_every_form(env_id: str) -> None:
    env = bare(env_id, variation="train")
    env.reset(seed=5)
    rest = list(islice(likely_actions(2), 5))
    for action in islice(likely_actions(1), 15):
        results: set[bytes] = set()
        for form in legal(action).values():
            twin = copy.deepcopy(env)
            results.add(b"".join(canonical(twin.step(step)) for step in (form, *rest)))
        assert len(results) == 1
        env.step(action)


def test_what_cannot_be_done_counts_as_waiting_too() -> None:
    env = bare(IDS[0])
    env.reset(seed=0)
    codes: set[str] = set()
    for action in islice(likely_actions(3), 120):
        twin = copy.deepcopy(env)
        *seen, info = env.step(action)
        if info["action_error"] is not None:
            codes.add(info["action_error"])
            *wanted, _ = twin.step(WAIT)
            assert canonical(seen) == canonical(wanted)
        if seen[2]:
            env.reset()
    assert codes <= set(ERRORS)
    assert codes, "no action was refused: nothing was tried"


def test_the_same_target_over_and_over_earns_little() -> None:
    for env_id in IDS:
        env = bare(env_id)
        played = episode(env, 0, cycle([(1, 3, 0)] * 100 + [WAIT] * 2))
        assert len(played) > 1
        paid = env.episode.tally.joint()
        assert math.isfinite(paid)
        assert paid <= 0.35
