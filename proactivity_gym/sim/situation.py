"""The situation in words, for a language model or a person: what the numbers of the observation say, and no more.

Hidden truth never gets here: no task, expected depth, true deadline, trust or record to come; noise reads like the rest. Whatever
others wrote stands between quotes or marks that it cannot forge (`safe_text`).
"""

from proactivity_gym.sim.board import OpenSignal
from proactivity_gym.sim.episode import Episode
from proactivity_gym.sim.happenings import (
    happened,
    local_time,
    reaction_words,
    record_shown,
    said_of_delegation,
    under_way,
)
from proactivity_gym.sim.delegation import Statement
from proactivity_gym.sim.reading import SETTLED
