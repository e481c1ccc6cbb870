"""Keywords and options of odd types are refused in words."""

import numpy as np
import pytest

from proactivity_gym.envs.arguments import make_worker, number_in, weights_of


@pytest.mark.parametrize("name", [None, 1, b"x", []])
def test_a_worker_whose_name_is_no_text_is_refused(name: object) -> None:
    with pytest.raises(ValueError, match="choose one of reference"):
        make_worker(name, np.random.default_rng(0))  # pyright: ignore[reportArgumentType] - as people give them


def test_weights_beyond_floats_are_refused() -> None:
    with pytest.raises(ValueError, match="give three numbers"):
        weights_of((10**400, 1, 1))


@pytest.mark.parametrize("options", [1, "week", ["week"]])
def test_options_that_are_no_mapping_are_refused(options: object) -> None:
    with pytest.raises(ValueError, match="give a mapping"):
        number_in(options, "week")  # pyright: ignore[reportArgumentType] - as people give them
