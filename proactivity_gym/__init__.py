"""Proactivity-Gym: a Gymnasium environment for proactive agents.

Importing this package registers its ids (`ProactivityGym/<Scenario>-Persona<A|B|C>-v0` and `ProactivityGym/Mixed-v0`) and
loads nothing else.
"""

from proactivity_gym.envs.registration import register, register_all

__all__ = ["__version__", "register"]

__version__ = "0.1.0"

register_all()
