import json

import numpy as np
import pytest

from proactivity_gym.baselines.policy import Action
from proactivity_gym.envs.decode import decode
from tests.conformance.malformed import legal, malformed

ACTIONS: list[Action] = [(0, 0, 0), (1, 0, 0), (16, 3, 3), (7, 2, 1)]
JUNK = malformed()


@pytest.mark.parametrize("action", ACTIONS)
def test_every_legal_form_is_taken(action: Action) -> None:
    assert {name: decode(form) for name, form in legal(action).items()} == dict.fromkeys(legal(action), action)


@pytest.mark.parametrize("name", JUNK)
def test_what_is_no_action_is_none(name: str) -> None:
    assert decode(JUNK[name]) is None


def test_the_parts_are_plain_numbers() -> None:
    for form in legal((3, 2, 1)).values():
        assert [type(part) for part in decode(form) or ()] == [int, int, int]


def test_every_action_of_the_space_is_taken_as_it_is() -> None:
    for target in range(17):
        for depth in range(4):
            for timing in range(4):
                assert decode(np.array([target, depth, timing])) == (target, depth, timing)
                assert decode((target, depth, timing)) == (target, depth, timing)


@pytest.mark.parametrize("bounds", [(17, 0, 0), (0, 4, 0), (0, 0, 4), (-1, 0, 0), (0, -1, 0), (0, 0, -1)])
def test_every_number_has_its_bounds(bounds: Action) -> None:
    for form in (bounds, list(bounds), np.array(bounds), json.dumps(bounds)):
        assert decode(form) is None


def test_words_stand_only_in_their_own_place() -> None:
    assert decode({"target": 1, "depth": "NOW", "timing": "NOW"}) is None
    assert decode({"target": "NOW", "depth": 1, "timing": 1}) is None
    assert decode((1, "SUGGEST", "IDLE")) == (1, 2, 1)


def test_a_long_text_is_not_even_read() -> None:
    assert decode(" " * 20_000 + "[1, 0, 0]") is None


def test_decoding_changes_nothing_it_is_given() -> None:
    given = {"target": 1, "depth": "suggest", "timing": 0}
    decode(given)
    assert given == {"target": 1, "depth": "suggest", "timing": 0}
