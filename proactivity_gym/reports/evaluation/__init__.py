"""Evaluations: models x ids x seeds x repetitions, played side by side into a folder that a later call can go on with."""
