from collections.abc import Iterator
from pathlib import Path

import gymnasium as gym
import pytest

from proactivity_gym.baselines import policy
from proactivity_gym.envs import registration
from proactivity_gym.reports.runs import COSTS, INFRA_ERROR, SCORES, Planned, Row, Settings, make, persona_ids, plan, play, run
from proactivity_gym.sim.parsing import ScenarioError
from proactivity_gym.wrappers.log_format import load
from tests.sim.tiny import PATH

TINY = registration.env_id("Tiny", "A")


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    registration.register(str(PATH))
    yield
    gym.registry.pop(TINY, None)


def tiny(name: str, settings: Settings | None = None, seed: int = 0) -> Planned:
    return Planned(name, TINY, str(PATH), "A", seed, settings or Settings(variation="written"))


def test_the_plan_goes_policy_by_policy() -> None:
    planned = plan(["noop", "rules"], [TINY], [3, 5], Settings())
    order = [(p.policy, p.seed) for p in planned]
    assert order == [("noop", 3), ("noop", 5), ("rules", 3), ("rules", 5)]
    assert {p.persona for p in planned} == {"A"}


def test_the_drawing_id_is_planned_by_its_name_alone() -> None:
    assert registration.MIXED_ID not in persona_ids()
    (only,) = plan(["noop"], [registration.MIXED_ID], [0], Settings())
    assert only.source == "Mixed"


def test_a_row_says_which_week_an_id_drew() -> None:
    (only,) = plan(["noop"], [registration.MIXED_ID], [0], Settings())
    row = play(only)
    assert registration.env_id(row.scenario, row.persona) in persona_ids()


def test_the_oracle_earns_everything() -> None:
    row = play(tiny("oracle"))
    assert (row.terms["TC"], row.terms["TA"], row.terms["TR_D"], row.terms["J"]) == (100, 100, 100, 1)
    assert row.status == "completed"


def test_a_record_has_the_scores_in_order() -> None:
    record = play(tiny("noop")).record()
    assert list(record)[:13] == ["policy", "id", "seed", "variation", *SCORES, "status"]
    tail = ["scenario", "persona", "reason", "repetition", "user", "worker", "weights", "difficulty"]
    assert list(record)[13:] == [*COSTS, *tail]
    assert (record["TC"], record["TR_H"], record["reason"]) == (0, None, None)


def test_an_unregistered_file_is_registered_where_it_is_played() -> None:
    gym.registry.pop(TINY)
    assert make(tiny("noop")).spec is not None


def test_processes_give_the_same_rows_in_the_same_order() -> None:
    planned = plan(["random", "oracle"], [TINY], [0, 1], Settings())
    assert list(run(planned, jobs=2)) == list(run(planned))


def test_a_trace_is_kept_for_each_policy_and_seed(tmp_path: Path) -> None:
    planned = tiny("oracle", Settings(variation="test", log=tmp_path), seed=4)
    row = play(planned)
    log = load(tmp_path / "oracle" / "seed-4" / "Tiny-PersonaA-v0-000001.jsonl")
    assert log.final is not None
    assert log.final.terms["J"] == row.terms["J"]


def test_the_world_outside_fails_an_episode_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise TimeoutError("no answer")

    monkeypatch.setattr(policy, "play", broken)
    row: Row = play(tiny("noop"))
    assert (row.status, row.reason) == (INFRA_ERROR, "TimeoutError: no answer")
    assert set(row.terms.values()) == {None}


def test_a_bug_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(policy, "play", broken)
    with pytest.raises(ZeroDivisionError):
        play(tiny("noop"))


def test_a_plan_reads_its_scenarios(tmp_path: Path) -> None:
    path = tmp_path / "gone.toml"
    path.write_text(PATH.read_text(encoding="utf-8").replace('name = "Tiny"', 'name = "Gone"'), encoding="utf-8")
    (name,) = registration.register(str(path))
    gym.spec(name).kwargs["scenario"] = str(tmp_path / "elsewhere.toml")
    with pytest.raises(ScenarioError, match="no such file"):
        plan(["noop"], [name], [0], Settings())
    gym.registry.pop(name)
