"""Render modes: text, a printed picture of the terminal, or an image."""

from typing import Any

from proactivity_gym.sim.episode import Episode

MODES = ("ansi", "human", "rgb_array")


def render(episode: Episode, mode: str) -> Any:
    """Return what a mode shows of an episode: text, nothing (it is printed), or an image (height, width, 3), uint8.

    Raises:
        gymnasium.error.DependencyNotInstalled: `rgb_array` without the extra `plot`.
    """
    if mode == "rgb_array":
        from proactivity_gym.envs import timeline  # noqa: PLC0415 (matplotlib loads for who draws)

        return timeline.to_rgb(timeline.draw(episode.week, episode.trace.entries))
    from proactivity_gym.envs.ansi import render_text  # noqa: PLC0415 (only who looks pays for it)

    text = render_text(episode)
    if mode == "ansi":
        return text
    from rich.console import Console  # noqa: PLC0415 (only the terminal needs it)

    Console(highlight=False, markup=False).print(text)
    return None
