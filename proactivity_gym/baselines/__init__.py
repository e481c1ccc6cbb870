"""Policies that decide and workers that do the work."""
