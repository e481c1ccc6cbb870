import numpy as np
from gymnasium import spaces

from proactivity_gym.envs import layout
from proactivity_gym.sim.world import APPS


def test_the_parts_have_the_lengths_of_the_documentation() -> None:
    assert layout.SHAPES == {"clock": 8, "user": 8, "resources": 24, "delegation": 108, "signals": 16 * layout.WIDTH}


def test_the_parts_follow_each_other_without_a_gap() -> None:
    ends = [0]
    for name, bounds in layout.BOUNDS.items():
        assert bounds.start == ends[-1]
        assert bounds.stop - bounds.start == layout.SHAPES[name]
        ends.append(bounds.stop)
    assert ends[-1] == layout.TOTAL


def test_names_are_unique() -> None:
    for names in (layout.CLOCK, layout.USER, layout.RESOURCE, layout.DELEGATION, layout.SIGNAL):
        assert len(set(names)) == len(names)
    assert [layout.SIGNAL[column] for column in layout.COLUMN.values()] == list(layout.COLUMN)


def test_the_row_of_delegation_stands_at_the_end_of_a_signal_s() -> None:
    assert tuple(name.removeprefix("delegation: ") for name in layout.SIGNAL[-9:]) == layout.DELEGATION


def test_there_is_room_for_every_app() -> None:
    assert len(APPS) <= layout.MAX_APPS


def test_the_documentation_names_the_width_of_a_signal_s_row() -> None:
    from proactivity_gym.envs.env import ProactivityEnv

    page = ProactivityEnv.__doc__ or ""
    assert f"`signals` | ({layout.SHAPES['signals']},)".replace("`", "") in page.replace("`", "")
    assert f"rows of {layout.WIDTH}" in page


def test_the_spaces() -> None:
    space = layout.observation_space()
    assert {name: part.shape for name, part in space.sample().items()} == {name: (n,) for name, n in layout.SHAPES.items()}
    assert {part.dtype for part in space.sample().values()} == {np.dtype(np.float32)}
    assert layout.action_space() == spaces.MultiDiscrete([17, 4, 4])
