"""Let a language model play a week: any OpenAI-compatible server, hosted or local.

python examples/llm.py MODEL.toml      # model = "gpt-5-mini"; for a server of your own also base_url
python examples/llm.py model@http://127.0.0.1:8000/v1
"""

import sys

import gymnasium as gym

import proactivity_gym  # noqa: F401 (registers the ids)
from proactivity_gym.baselines import policy


def main(setting: str) -> None:
    """Let the model decide and do the work."""
    env = gym.make("ProactivityGym/Travel-PersonaB-v0", worker=f"llm:{setting}")
    player = policy.make(f"llm:{setting}", env)
    total, info = policy.play(player, env, seed=0)
    print(f"J {total:.3f}")
    print({name: info["terms"][name] for name in ("TC", "TA", "TR_D")})


if __name__ == "__main__":
    main(sys.argv[1])
