"""Episodes with a mock model: who decides, who works, and what came of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from proactivity_gym.baselines import policy
from proactivity_gym.baselines.llm import LLMPolicy
from proactivity_gym.baselines.llm_prompt import Mode
from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.llm.client import Client, ModelConfig
from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.llm.scripted import Script, Scripted
from tests.conformance.drivers import canonical
from tests.llm.oracle_model import OracleModel

PERFECT = {"TC": 100.0, "TA": 100.0, "TR_D": 100.0, "J": 1.0}


@dataclass
class Played:
    """An episode that is over."""

    env: ProactivityEnv
    terms: Mapping[str, float | None]
    transitions: list[bytes]
    policy_errors: int
    worker_errors: int

    @property
    def scores(self) -> dict[str, float | None]:
        """What a perfect week is told by."""
        return {name: self.terms[name] for name in PERFECT}


@dataclass
class Game:
    """How an episode is played. `decides` and `works` say whether a model does; else the oracle and the reference worker do."""

    scenario: str
    persona: str
    folder: Path
    mode: Mode = "json"
    decides: bool = True
    works: bool = True
    variation: str = "written"

    def play(self, script_of: Callable[[ProactivityEnv], Script]) -> Played:
        """Play with a script, which is made once the environment stands."""
        scripts: list[Script] = []

        def script(asked: Mapping[str, object]) -> Scripted:
            return scripts[0](asked)

        with MockServer(script) as server:
            file = self.folder / "model.toml"
            file.write_text(f'model = "mock"\nbase_url = "{server.url}"\nmode = "{self.mode}"\n', encoding="utf-8")
            worker = f"llm:{file}" if self.works else "reference"
            env = ProactivityEnv(self.scenario, self.persona, text=True, worker=worker, variation=self.variation)
            scripts.append(script_of(env))
            player = LLMPolicy(Client(ModelConfig("mock", base_url=server.url)), mode=self.mode)
            return _played(env, player if self.decides else policy.make("oracle", env))

    def by_oracle(
        self, witness: Callable[[ProactivityEnv, Mapping[str, object]], None] | None = None
    ) -> tuple[Played, OracleModel]:
        """Play with a model that answers as the oracle would."""
        models: list[OracleModel] = []

        def script_of(env: ProactivityEnv) -> Script:
            model = OracleModel(lambda: env.episode, self.mode == "tools")
            models.append(model)
            if witness is not None:
                model.witness = partial(witness, env)
            return model

        return self.play(script_of), models[0]


def _played(env: ProactivityEnv, player: policy.Policy) -> Played:
    observation, info = env.reset(seed=0)
    player.reset(observation, info, 0, env.read)
    transitions: list[bytes] = []
    over = False
    while not over:
        observation, reward, over, _, info = env.step(player.act(observation, info))
        transitions.append(canonical((observation, reward, over, {**info, "text": ""})))
    worker: Any = env.episode.outcomes._worker  # pyright: ignore[reportPrivateUsage]
    errors = getattr(player, "agent_errors", 0), getattr(worker, "agent_errors", 0)
    return Played(env, info["terms"], transitions, *errors)


def always(text: str) -> Callable[[ProactivityEnv], Script]:
    """Return a script that answers one thing."""
    return lambda _: lambda _: Scripted(text)
