import copy
import json
import pickle
from typing import Any, cast

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array, iterate
from gymnasium.vector.utils import create_shared_memory as share  # pyright: ignore[reportUnknownVariableType]
from gymnasium.vector.utils import read_from_shared_memory as take
from gymnasium.vector.utils import write_to_shared_memory as put

from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.wrappers import TextView, UnicodeText
from tests.wrappers.worlds import EDUCATION, WAIT, tiny

TEXTS = ["", "plain.", "a\nb\r\tc", "时间到了", "👩🏽‍🚀 é", "\x00\x1b[2J\x00", "\ud835", "\u2028\u202e\ufeff", "\ufeffstart"]


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_is_in_the_space(text: str) -> None:
    assert UnicodeText(20).contains(text)
    assert text in UnicodeText(len(text))


def test_what_is_longer_or_no_text_is_not() -> None:
    space = UnicodeText(3)
    assert "abcd" not in space
    assert not any(value in space for value in (None, 3, b"abc", ["abc"], np.array("abc")))


def test_samples_are_of_the_space_and_follow_the_seed() -> None:
    space, twin = UnicodeText(50, seed=4), UnicodeText(50, seed=4)
    samples = [space.sample() for _ in range(300)]
    assert samples == [twin.sample() for _ in range(300)]
    assert all(text in space for text in samples)
    assert {len(text) for text in samples} == set(range(51))
    assert all(text.encode("utf-8").decode("utf-8") == text for text in samples)
    assert UnicodeText(0).sample() == ""


def test_masks_have_no_meaning() -> None:
    with pytest.raises(ValueError, match="without mask"):
        UnicodeText(5).sample(mask=np.ones(5))  # type: ignore[arg-type]


@pytest.mark.parametrize("length", [-1, 2.5, True, None, "9"])
def test_a_length_that_is_none_is_refused(length: object) -> None:
    with pytest.raises(ValueError, match="whole number of characters"):
        UnicodeText(length)  # type: ignore[arg-type]


def test_spaces_are_values() -> None:
    space = UnicodeText(9)
    assert space == UnicodeText(9)
    assert space != UnicodeText(10)
    assert space != gym.spaces.Text(9)
    assert repr(space) == "UnicodeText(9)"
    assert not space.is_np_flattenable
    copies = [copy.deepcopy(space), pickle.loads(pickle.dumps(space))]
    assert all(other == space and space.contains(other.sample()) for other in copies)


def test_texts_go_through_json() -> None:
    space = UnicodeText(30)
    assert space.from_jsonable(json.loads(json.dumps(space.to_jsonable(TEXTS)))) == TEXTS


def test_batches_are_tuples() -> None:
    space = UnicodeText(30, seed=1)
    batch = batch_space(space, 3)
    assert batch == gym.spaces.Tuple([space] * 3)
    assert len(set(batch.sample())) == 3
    assert concatenate(space, ["a", "b"], create_empty_array(space, 2)) == ("a", "b")
    assert create_empty_array(space, 2) == ("", "")
    assert list(iterate(batch, ("a", "b", "c"))) == ["a", "b", "c"]


def test_shared_memory_keeps_every_character() -> None:
    space = UnicodeText(20)
    memory = cast("Any", share)(space, len(TEXTS))
    view: Any = take(space, memory, len(TEXTS))
    assert copy.deepcopy(view) == ("",) * len(TEXTS)
    for _ in range(2):
        for index, text in enumerate(TEXTS):
            put(space, index, "x" * 20, memory)
            put(space, index, text, memory)
    assert copy.deepcopy(view) == view[:] == tuple(TEXTS)
    assert view[1] == TEXTS[1]
    assert len(view) == len(TEXTS)


def test_the_observation_is_the_text_of_the_situation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProactivityEnv, "text", lambda env: f"minute {env.episode.now} \ud835")  # type: ignore[misc]
    env = TextView(tiny())
    assert env.reset(seed=0)[0] == "minute 420 \ud835"  # wake-up on Monday at 07:00
    assert env.step(WAIT)[0] == "minute 570 \ud835"  # the note of 09:30
    assert env.observation_space == UnicodeText(100_000)


def test_a_longer_text_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProactivityEnv, "text", long_text)
    env = TextView(tiny(), max_length=60)
    text = env.reset(seed=0)[0]
    assert text == "é" * 13 + "\n[cut here: the text is longer than max_length]"
    assert text in env.observation_space
    assert TextView(tiny(), max_length=61).reset(seed=0)[0] == "é" * 61


def long_text(_: object) -> str:
    return "é" * 61


def test_arguments_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 47"):
        TextView(tiny(), max_length=46)
    with pytest.raises(ValueError, match=r"method text\(\)"):
        TextView(gym.make("CartPole-v1"))


@pytest.mark.parametrize("kind", [SyncVectorEnv, AsyncVectorEnv])
def test_vector_environments_bring_tuples_of_texts(kind: type[SyncVectorEnv] | type[AsyncVectorEnv]) -> None:
    single = TextView(gym.make(EDUCATION))
    first = single.reset(seed=0)[0]
    second = single.step(WAIT)[0]
    many = kind([lambda: TextView(gym.make(EDUCATION))] * 2)
    try:
        assert many.reset(seed=0)[0] == (first, first)
        assert many.step(np.zeros((2, 3), np.int64))[0] == (second, second)
    finally:
        many.close()
