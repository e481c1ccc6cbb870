"""D10: a canary in every hidden field of a scenario, and no trace of any of them in what an agent can see."""

import base64
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proactivity_gym.baselines import policy
from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.sim.tools import ToolError, schema
from proactivity_gym.sim.world import APPS, TOOLS
from tests.conformance import rewriting
from tests.conformance.drivers import CASES

STEPS = 50
TEXT_EVERY = 5


def canary(number: int) -> str:
    """Return a word that stands nowhere else."""
    return f"zq{number:04d}kwvx"


class Planted:
    """A scenario's file with canaries, and when each may come to light."""

    def __init__(self, scenario: str, persona: str, folder: Path) -> None:
        self.hidden: list[str] = []
        """Words that never may."""
        self.later: dict[str, int] = {}
        """Words that may with the record of this number, or not before it."""
        self.said: dict[str, int] = {}
        """Words that may with the statement of this number."""
        self._count = 0
        tables = rewriting.read(scenario)
        for section in ("task", "window", "group"):
            rewriting.renamed(tables, section, lambda _: self._never())
        for task in tables["task"]:
            task["title"] = f"{self._never()} {task['title']}"
        for entry in (*tables["task"], *tables["window"]):
            entry["why"] = f"{entry['why']} {self._never()}"
        for number, record in enumerate(tables["record"]):
            record["text"] = f"{record['text']} {self._word(self.later, number)}"
        for person in tables["persona"]:
            person["sentence"] = f"{self._never()} {person['sentence']}"
            for number, statement in enumerate(person["delegation"]):
                words = self.said if person["id"] == persona else dict[str, int]()
                statement["said"] = f"{statement['said']} {self._word(words, number)}"
        self.path = rewriting.write(tables, folder / "planted.toml")

    def _never(self) -> str:
        self._count += 1
        self.hidden.append(canary(self._count))
        return canary(self._count)

    def _word(self, words: dict[str, int], number: int) -> str:
        self._count += 1
        words[canary(self._count)] = number
        return canary(self._count)

    def must_not_show(self, env: ProactivityEnv) -> list[str]:
        """Return the words that nobody may know at this minute."""
        playing = env.episode
        future = [word for word, record in self.later.items() if not playing.reading.there(record, playing.now)]
        told = {statement.said for statement in playing.week.statements if statement.at <= playing.now}
        unsaid = [word for word in self.said if not any(word in said for said in told)]
        return self.hidden + future + unsaid


def disguises(word: str) -> Iterator[str]:
    """Yield a word in every form it could hide in."""
    yield word
    yield word[::-1]
    yield word.encode().hex()
    for offset in range(3):
        code = base64.b64encode(b"\0" * offset + word.encode()).decode()
        yield code[4 * (offset > 0) : -4]


def shown(env: ProactivityEnv, action_seen: object, number: int) -> str:
    """Return all that an agent can see of an environment at this moment."""
    parts = [repr(env), repr(env.spec), str(env.metadata), repr(action_seen), repr(env.action_masks().tolist())]
    if number % TEXT_EVERY == 0:
        parts += [env.text(), str(env.render())]
        parts += [json.dumps(_tool(env, f"{app}.search", {"query": query})) for app in APPS for query in ("", "e", "zq")]
    return "\n".join(parts)


def _tool(env: ProactivityEnv, tool: str, arguments: dict[str, object]) -> object:
    try:
        return env.read(tool, arguments)
    except ToolError as error:
        return str(error)


def errors(env: ProactivityEnv, planted: Planted) -> str:
    """Return what refusals say: of records that are not there yet, of tools that are none, of arguments of every kind."""
    row = env.episode.week.plan.records
    coming = [i for i in range(len(row)) if not env.episode.reading.there(i, env.episode.now)]
    said = [_tool(env, f"{app}.read", {"id": row[i].id}) for app in APPS for i in coming[:3]]
    said += [_tool(env, tool, {"id": 1, "x": 2}) for tool in TOOLS]
    with contextlib.suppress(ValueError):
        said.append(str(env.reset(options={"week": -1})))
    right: dict[str, Any] = {"scenario": planted.path, "persona": "A"}
    for wrong in ({"persona": "Z"}, {"user": "x"}, {"worker": "x"}, {"weights": (1, 2, 3)}):
        settings: dict[str, Any] = {**right, **wrong}
        with pytest.raises(ValueError, match=r"\w") as caught:
            ProactivityEnv(**settings).reset()
        said.append(str(caught.value))
    return json.dumps(said)


@pytest.mark.parametrize(("scenario", "persona"), CASES)
def test_no_hidden_word_shows(scenario: str, persona: str, tmp_path: Path) -> None:
    planted = Planted(scenario, persona, tmp_path)
    env = ProactivityEnv(planted.path, persona, render_mode="ansi")
    player = policy.make(("random", "oracle", "suggest")["ABC".index(persona)], env)
    observation, info = env.reset(seed=1)
    player.reset(observation, info, 1, env.read)
    for number in range(STEPS):
        view = shown(env, (observation, info), number)
        found = [word for word in planted.must_not_show(env) for form in disguises(word) if form in view]
        assert found == [], f"at step {number}"
        observation, _, over, _, info = env.step(player.act(observation, info))
        if over:
            observation, info = env.reset()
    hidden = planted.must_not_show(env)
    refusals = errors(env, planted)
    assert [word for word in hidden for form in disguises(word) if form in refusals] == []


def test_tools_describe_themselves_without_any_scenario() -> None:
    described = json.dumps([schema(tool) for tool in TOOLS.values()])
    assert not any(word in described for word in ("expected depth", "noop", "latent", "persona"))


def test_a_canary_that_shows_is_found(tmp_path: Path) -> None:
    planted = Planted(*CASES[0], tmp_path)
    word = planted.hidden[0]
    for view in (word, word[::-1], word.encode().hex(), base64.b64encode(f"a{word}b".encode()).decode()):
        assert any(form in view for form in disguises(word))
