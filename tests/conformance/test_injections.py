"""D11: what the world's texts say to the agent changes nothing but the texts."""

from itertools import islice
from pathlib import Path

import pytest

from proactivity_gym.envs.env import ProactivityEnv
from tests.conformance import rewriting
from tests.conformance.drivers import CASES, ROTATED, episode, likely_actions, played_by
from tests.conformance.injections import BENIGN, INJECTIONS

APPS = ("mail", "calendar", "files")


def infected(scenario: str, apps: tuple[str, ...], folder: Path, texts: list[str]) -> str:
    """Write a scenario whose records of some apps end in texts: each has several, each text stands in each app."""
    tables = rewriting.read(scenario)
    for app in apps:
        records = [record for record in tables["record"] if record["app"] == app]
        each = -(-len(texts) // len(records))
        for number, record in enumerate(records):
            own = [texts[(number * each + offset) % len(texts)] for offset in range(each)]
            record["text"] = "\n".join([record["text"], *own])
            record["title"] = f"{record['title']} {own[0][:200]}"
    return rewriting.write(tables, folder / "infected.toml")


def test_there_are_injections_enough() -> None:
    assert len(set(INJECTIONS)) >= 60


@pytest.mark.parametrize(("scenario", "persona"), CASES)
def test_transitions_and_terms_are_the_same_to_the_bit(scenario: str, persona: str, tmp_path: Path) -> None:
    played: list[list[list[bytes]]] = []
    for number, texts in enumerate((INJECTIONS, [BENIGN] * len(INJECTIONS))):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = infected(scenario, APPS, folder, texts)
        env = ProactivityEnv(path, persona, variation="train")
        live = ProactivityEnv(path, persona, worker="imperfect:0.2")
        played.append([played_by("oracle", env, 1), episode(env, 2, likely_actions(2)), episode(live, 3, likely_actions(3))])
    assert played[0] == played[1]


@pytest.mark.parametrize(("scenario", "persona"), ROTATED)
@pytest.mark.parametrize("app", APPS)
def test_text_stays_text(scenario: str, persona: str, app: str, tmp_path: Path) -> None:
    env = ProactivityEnv(infected(scenario, (app,), tmp_path, INJECTIONS), persona, text=True, render_mode="ansi")
    env.reset(seed=0)
    for action in islice(likely_actions(1), 40):
        *_, over, _, info = env.step(action)
        for view in (info["text"], str(env.render())):
            assert not any(character in view for character in "\x00\x07\x1b\u202e\u2028\U000e0041")
        if over:
            break
