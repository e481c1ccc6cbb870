import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import gymnasium as gym
import pytest
from gymnasium.envs.registration import registry

import proactivity_gym
from proactivity_gym.envs.registration import MIXED_ID, env_id, ids, register, register_all
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.parsing import ScenarioError
from tests.conformance.drivers import IDS
from tests.sim.tiny import PATH as TINY


@pytest.fixture
def clean_registry() -> Iterator[None]:
    before = dict(registry)
    yield
    for name in set(registry) - set(before):
        del registry[name]


def test_there_are_three_ids_for_each_scenario_and_one_for_all() -> None:
    assert sorted(IDS) == sorted([*(env_id(s, p) for s in catalogue.names() for p in "ABC"), MIXED_ID])


def test_registering_again_changes_nothing() -> None:
    before = dict(registry)
    register_all()
    assert dict(registry) == before


@pytest.mark.usefixtures("clean_registry")
def test_a_scenario_of_one_s_own_gets_ids_and_plays() -> None:
    assert proactivity_gym.register(str(TINY)) == ["ProactivityGym/Tiny-PersonaA-v0"]
    assert register(str(TINY)) == ["ProactivityGym/Tiny-PersonaA-v0"], "doing it twice does no harm"
    assert "ProactivityGym/Tiny-PersonaA-v0" in ids()
    env = gym.make("ProactivityGym/Tiny-PersonaA-v0")
    env.reset(seed=0)
    assert env.step((0, 0, 0))[2] in (True, False)


def test_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    for name in (catalogue.names()[0], "Mixed"):
        path.write_text(TINY.read_text(encoding="utf-8").replace('name = "Tiny"', f'name = "{name}"'), encoding="utf-8")
        catalogue.load.cache_clear()
        with pytest.raises(ValueError, match="choose another"):
            register(str(path))


def test_a_file_that_is_missing_is_named() -> None:
    with pytest.raises(ScenarioError, match=r"nowhere\.toml"):
        register("nowhere.toml")


@pytest.mark.parametrize("name", IDS)
def test_an_id_s_settings_are_plain_and_survive_printing(name: str) -> None:
    spec = gym.spec(name)
    assert all(isinstance(value, str) for value in spec.kwargs.values())
    assert spec == type(spec).from_json(spec.to_json())
    assert spec.reward_threshold is None
    assert spec.nondeterministic is False


def test_a_version_that_is_not_there_is_refused_by_gymnasium() -> None:
    with pytest.raises(gym.error.Error):
        gym.make(IDS[0].replace("-v0", "-v99"))


def test_keywords_of_make_come_before_those_of_the_id() -> None:
    env = gym.make(MIXED_ID, scenario=str(TINY), persona="A")
    assert env.get_wrapper_attr("settings")["scenario"] == str(TINY)
    assert env.spec is not None
    again = gym.make(env.spec)
    assert again.get_wrapper_attr("settings") == env.get_wrapper_attr("settings")


def test_a_comma_in_a_path_is_refused() -> None:
    with pytest.raises(ValueError, match=r"a comma would part it"):
        register("my,week.toml")


def test_a_second_file_with_the_same_name_is_refused(tmp_path: Path) -> None:
    register(str(TINY))
    other = tmp_path / "other.toml"
    other.write_text(TINY.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(ValueError, match=r"other\.toml: name: 'Tiny' is taken by .*tiny\.toml: choose another"):
        register(str(other))
    assert register(str(TINY)) == ["ProactivityGym/Tiny-PersonaA-v0"]


@pytest.mark.usefixtures("clean_registry")
def test_a_folder_of_files_is_registered_whole(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no scenario file is in this folder"):
        register(str(tmp_path))
    for name in ("Ones", "Twos"):
        text = TINY.read_text(encoding="utf-8").replace('name = "Tiny"', f'name = "{name}"')
        (tmp_path / f"{name.lower()}.toml").write_text(text, encoding="utf-8")
    assert register(str(tmp_path)) == ["ProactivityGym/Ones-PersonaA-v0", "ProactivityGym/Twos-PersonaA-v0"]


def test_a_folder_in_the_environment_adds_ids_in_any_process(tmp_path: Path) -> None:
    (tmp_path / "tiny.toml").write_text(TINY.read_text(encoding="utf-8"), encoding="utf-8")
    code = f"""
import gymnasium as gym, proactivity_gym
from proactivity_gym.envs.registration import ids
name, spawned = "ProactivityGym/Tiny-PersonaA-v0", {{"context": "spawn"}}
envs = gym.make_vec(name, num_envs=2, vectorization_mode="async", vector_kwargs=spawned)
envs.reset(seed=1)
envs.close()
again = proactivity_gym.register({str(tmp_path / "tiny.toml")!r})
print(len(ids()), again)
"""
    environment = os.environ | {catalogue.FOLDERS: str(tmp_path)}
    script = tmp_path / "script.py"
    script.write_text("if __name__ == '__main__':" + code.replace("\n", "\n    "), encoding="utf-8")
    done = subprocess.run([sys.executable, "-W", "error", script], env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == f"{len(IDS) + 3} ['ProactivityGym/Tiny-PersonaA-v0']\n"
