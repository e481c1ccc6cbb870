import copy
import inspect
import pickle

import pytest

from proactivity_gym.baselines import oracle, policy, rules, scripted
from proactivity_gym.baselines.policy import WAIT
from proactivity_gym.sim.timeline import NEVER
from proactivity_gym.sim.words import Depth, Timing
from tests.conformance.drivers import SINGLE, bare
from tests.sim.tiny import PATH as TINY


def decisions(env_id: str, **settings: object) -> list[tuple[str, str, Depth, Timing | None]]:
    """Return record, kind, depth and timing of what the oracle does in a week."""
    env = bare(env_id, **settings)
    policy.play(policy.make("oracle", env), env, 0)
    plan = env.episode.week.plan
    return [
        (
            plan.records[plan.signals[int(data["signal"] or 0)].record].id,
            name,
            Depth(int(data.get("depth") or 0)),
            None if data.get("timing") is None else Timing(int(data["timing"] or 0)),
        )
        for _, name, data in env.episode.trace
        if name in ("attempt", "dismiss", "snooze") and data["task"] != -1
    ]


def test_what_it_does_in_the_two_days_of_errands() -> None:
    """The form's desk closes before the user is free again; the parcel can wait; the card has renewed itself."""
    made = decisions("ProactivityGym/Mixed-v0", scenario=str(TINY), persona="A")
    first: dict[str, tuple[str, Depth, Timing | None]] = {}
    for record, kind, depth, timing in made:
        first.setdefault(record, (kind, depth, timing))
    assert first["desk-mail"] == ("attempt", Depth.SUGGEST, Timing.NOW)
    assert first["parcel-note"][:2] == ("attempt", Depth.EXECUTE)
    assert first["parcel-note"][2] != Timing.NOW
    assert first["card-mail"][:2] == ("dismiss", Depth.NOOP)


@pytest.mark.parametrize("variation", ["written", "train", "test"])
def test_it_earns_everything_in_the_two_days_of_errands(variation: str) -> None:
    env = bare("ProactivityGym/Mixed-v0", scenario=str(TINY), persona="A", variation=variation)
    for seed in range(10):
        assert policy.play(policy.make("oracle", env), env, seed)[0] == pytest.approx(1.0)


@pytest.mark.parametrize("env_id", SINGLE)
def test_it_uses_now_where_it_must_and_every_depth(env_id: str) -> None:
    made = decisions(env_id)
    attempts = [(depth, timing) for _, kind, depth, timing in made if kind == "attempt"]
    assert {depth for depth, _ in attempts} == {Depth.PREPARE, Depth.SUGGEST, Depth.EXECUTE}
    assert any(timing == Timing.NOW for _, timing in attempts)
    assert sum(timing == Timing.NOW for _, timing in attempts) < len(attempts)


@pytest.mark.parametrize("env_id", SINGLE)
def test_it_never_acts_on_noise_nor_competes(env_id: str) -> None:
    env = bare(env_id, variation="test")
    for seed in range(3):
        _, info = policy.play(policy.make("oracle", env), env, seed)
        assert info["terms"]["false_alarms"] == 0
        counted = [data for _, name, data in env.episode.trace if name == "compete" and data["counts"]]
        assert counted == []


def test_it_waits_when_nothing_is_open_and_starts_nothing_that_has_no_slot() -> None:
    env = bare(SINGLE[0])
    env.reset(seed=0)
    while any(env.episode.board.slots):
        for slot, signal in enumerate(env.episode.board.slots):
            if signal is not None:
                assert env.episode.preview(signal, Timing.NOW) < NEVER
                env.episode.act(slot, Depth.NOOP, Timing.NOW)
    assert oracle.choose(env.episode) == WAIT


def test_a_copy_looks_at_the_copied_environment() -> None:
    """By deepcopy and by pickle: the original's next week is none of its business."""
    env = bare(SINGLE[0])
    player = policy.make("oracle", env)
    observation, info = env.reset(seed=0)
    player.reset(observation, info, 0, env.read)
    copies = [copy.deepcopy((env, player)), pickle.loads(pickle.dumps((env, player)))]
    env.reset(seed=1)
    for copied, looking in copies:
        seen, told, over = observation, info, False
        while not over:
            seen, _, over, _, told = copied.step(looking.act(seen, told))
        assert told["terms"]["J"] == 1


def test_no_other_policy_has_a_door_to_the_episode() -> None:
    for module in (rules, scripted):
        source = inspect.getsource(module)
        assert "episode" not in source.replace('"""Start an episode', "").replace("an episode", "")
        assert "unwrapped" not in source
