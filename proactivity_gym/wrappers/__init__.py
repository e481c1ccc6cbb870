"""Wrappers: each changes one thing about an environment, in one file, and is rebuilt by `gym.make(env.spec)`.

Importing them loads no scenario, no pydantic and no learning library.
"""

from proactivity_gym.wrappers.episode_log import EpisodeLog
from proactivity_gym.wrappers.flat_actions import FlatActions
from proactivity_gym.wrappers.joint_reward import JointReward
from proactivity_gym.wrappers.log_format import Log, LogError, load
from proactivity_gym.wrappers.masked_row import MaskedRow
from proactivity_gym.wrappers.replay import ReplayError, replay, rescore
from proactivity_gym.wrappers.text_view import TextView, UnicodeText
from proactivity_gym.wrappers.trust_judge import TrustJudge

__all__ = [
    "EpisodeLog",
    "FlatActions",
    "JointReward",
    "Log",
    "LogError",
    "MaskedRow",
    "ReplayError",
    "TextView",
    "TrustJudge",
    "UnicodeText",
    "load",
    "replay",
    "rescore",
]
