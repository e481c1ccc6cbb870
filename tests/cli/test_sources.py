from pathlib import Path

import pytest

from proactivity_gym.cli.app import BadInputError
from proactivity_gym.cli.sources import ids_of, seeds_of, source_of
from proactivity_gym.envs import registration
from proactivity_gym.reports.runs import persona_ids
from tests.cli.pgym import TINY_ID
from tests.sim.tiny import PATH, edited

SEEDS = {"0:3": [0, 1, 2], "7": [7], "1,4,1": [1, 4], "2:3": [2], " 1 , 2": [1, 2]}


@pytest.mark.parametrize(("text", "seeds"), SEEDS.items())
def test_seeds(text: str, seeds: list[int]) -> None:
    assert seeds_of(text) == seeds


@pytest.mark.parametrize("text", ["", "x", "3:1", "0:0", "-1", "1.5", "0:1:2", "1,,2", ":"])
def test_strange_seeds_are_refused(text: str) -> None:
    with pytest.raises(BadInputError, match="--seeds"):
        seeds_of(text)


def test_all_ids_are_those_of_one_persona_each() -> None:
    assert ids_of("all") == persona_ids()
    assert ids_of(f"Travel,all,{registration.MIXED_ID}")[-1] == registration.MIXED_ID


def test_ids_scenarios_and_files_mix() -> None:
    one = registration.env_id("Education", "B")
    assert ids_of(f"{one}, {PATH},{one}") == [one, TINY_ID]
    assert ids_of("Education") == [registration.env_id("Education", persona) for persona in "ABC"]
    assert ids_of(registration.MIXED_ID) == [registration.MIXED_ID]


@pytest.mark.parametrize("short", ["Travel-PersonaA", "Travel-PersonaA-v0", "ProactivityGym/Travel-PersonaA"])
def test_ids_have_short_forms(short: str) -> None:
    whole = registration.env_id("Travel", "A")
    assert ids_of(short) == [whole]
    assert source_of(short) == ("Travel", "A")


@pytest.mark.parametrize(
    ("named", "meant"),
    [
        ("travel", "Travel"),
        ("Travl-PersonaA", "Travel-PersonaA"),
        ("ProactivityGym/Travl-PersonaA-v0", "ProactivityGym/Travel-PersonaA-v0"),
    ],
)
def test_an_unknown_name_gets_a_suggestion(named: str, meant: str) -> None:
    for look in (ids_of, source_of):
        with pytest.raises(BadInputError, match=f"did you mean '{meant}'"):
            look(named)


@pytest.mark.parametrize("text", ["", " , ", "Atlantis", "ProactivityGym/Travel-PersonaD-v0"])
def test_strange_ids_are_refused(text: str) -> None:
    with pytest.raises(BadInputError):
        ids_of(text)


@pytest.mark.parametrize("name", ["Education", "Mixed"])
def test_a_file_may_not_take_a_name_of_ours(tmp_path: Path, name: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(edited(('name = "Tiny"', f'name = "{name}"')), encoding="utf-8")
    with pytest.raises(BadInputError, match="taken by a built-in scenario: choose another"):
        ids_of(str(path))


def test_two_files_may_not_share_a_name(tmp_path: Path) -> None:
    path = tmp_path / "other.toml"
    path.write_text(edited(), encoding="utf-8")
    with pytest.raises(BadInputError, match=r"other\.toml: name: 'Tiny' is taken by"):
        ids_of(f"{PATH},{path}")


def test_an_id_has_a_persona_and_a_name_has_none() -> None:
    assert source_of(registration.env_id("Education", "C")) == ("Education", "C")
    assert source_of("Education") == ("Education", None)
    assert source_of(str(PATH)) == (str(PATH), None)


@pytest.mark.parametrize("text", ["0:1000001", "0:99999999999999999999999"])
def test_more_seeds_than_anybody_plays_are_refused(text: str) -> None:
    with pytest.raises(BadInputError, match="more than 1000000 seeds"):
        seeds_of(text)
