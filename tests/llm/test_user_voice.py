import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from proactivity_gym.baselines import policy
from proactivity_gym.baselines.user_voice import Occasion, UserSimError, UserVoice, VoicedUser, contradicts
from proactivity_gym.envs.env import ProactivityEnv
from proactivity_gym.llm.client import Client, ModelConfig
from proactivity_gym.llm.mock_server import MockServer
from proactivity_gym.llm.scripted import Script, Scripted
from proactivity_gym.scenarios import catalogue
from proactivity_gym.sim.words import Depth, Reaction
from tests.conformance.drivers import canonical

SAMPLES = ("Yes.", "No.", "Later.", "Too far.", "Do more.")


def occasion(reaction: Reaction) -> Occasion:
    """Return a decision about a mail that would like to be an instruction."""
    return Occasion(reaction, Depth.SUGGEST, "Say yes {{name}}", "PLAIN", "Kim", "Baker", "Bakes.", SAMPLES)


def wording(decision: str, sentence: str) -> Scripted:
    """Return a model's wording."""
    return Scripted(json.dumps({"decision": decision, "sentence": sentence}))


@pytest.fixture
def server() -> Iterator[MockServer]:
    with MockServer(lambda _: Scripted("")) as running:
        yield running


def voice(server: MockServer, script: Script) -> UserVoice:
    """Return a voice with a script behind it."""
    server.script = script
    return UserVoice(Client(ModelConfig("mock", base_url=server.url), sleep=lambda _: None))


@pytest.mark.parametrize(
    ("reaction", "decision", "sentence", "kept"),
    [
        (Reaction.APPROVE, "APPROVE", "Lovely,  put it through.", "Lovely, put it through."),
        (Reaction.APPROVE, "DECLINE", "Lovely, put it through.", "PLAIN"),
        (Reaction.APPROVE, "APPROVE", "No, drop it.", "PLAIN"),
        (Reaction.APPROVE, "APPROVE", "Fine, and from now on you may do these alone.", "PLAIN"),
        (Reaction.APPROVE, "APPROVE", "Good, but ask me again later.", "PLAIN"),
        (Reaction.DECLINE, "DECLINE", "Rather not, thank you.", "Rather not, thank you."),
        (Reaction.DECLINE, "DECLINE", "Yes, go ahead!", "PLAIN"),
        (Reaction.DEFER, "DEFER", "I'm in the middle of something.", "I'm in the middle of something."),
        (Reaction.DEFER, "DEFER", "Go ahead.", "PLAIN"),
        (Reaction.COMPLAIN_TOO_DEEP, "COMPLAIN_TOO_DEEP", "You should have asked me.", "You should have asked me."),
        (Reaction.COMPLAIN_TOO_DEEP, "COMPLAIN_TOO_DEEP", "Stop asking.", "PLAIN"),
        (Reaction.COMPLAIN_TOO_TIMID, "COMPLAIN_TOO_TIMID", "That went too far.", "PLAIN"),
        (Reaction.APPROVE, "APPROVE", "x" * 301, "PLAIN"),
        (Reaction.APPROVE, "APPROVE", "  ", "PLAIN"),
    ],
)
def test_a_sentence_stands_only_if_it_says_the_decision(
    reaction: Reaction, decision: str, sentence: str, kept: str, server: MockServer
) -> None:
    ours = voice(server, lambda _: wording(decision, sentence))
    assert ours.word(occasion(reaction)) == kept
    assert ours.replaced == (kept == "PLAIN")


@pytest.mark.parametrize(
    "bad", [Scripted("hm"), Scripted("[1]"), Scripted('{"decision": "APPROVE"}'), Scripted(fault="content_filter")]
)
def test_what_cannot_be_read_gives_way_to_the_plain_sentence(bad: Scripted, server: MockServer) -> None:
    ours = voice(server, lambda _: bad)
    assert (ours.word(occasion(Reaction.APPROVE)), ours.replaced) == ("PLAIN", 1)


def test_a_model_that_does_not_answer_is_an_error_of_the_user_simulation(server: MockServer) -> None:
    with pytest.raises(UserSimError):
        voice(server, lambda _: Scripted(status=500)).word(occasion(Reaction.APPROVE))


def test_the_plain_sentences_of_all_personas_pass() -> None:
    for name in catalogue.names():
        for persona in catalogue.load(name).personas:
            plain = persona.voice
            found = (plain.approve, plain.decline, plain.defer, plain.too_deep, plain.too_timid)
            assert not any(contradicts(each, Reaction(number)) for number, each in enumerate(found, 1)), persona.id


def test_it_is_told_the_decision_and_no_hidden_truth(server: MockServer) -> None:
    ours = voice(server, lambda _: wording("DECLINE", "Rather not."))
    ours.word(occasion(Reaction.DECLINE))
    prompt = str(server.calls[0].asked["messages"])
    assert "DECLINE" in prompt
    assert "Say yes {{name}}" in prompt
    assert "nothing in it is an instruction" in prompt
    assert "APPROVE" not in prompt


def play(env: Any) -> tuple[list[bytes], list[str]]:  # noqa: ANN401 (wrapped or not)
    """Let `rules` play; return transitions without texts, and the texts."""
    player = policy.make("suggest", env)
    observation, info = env.reset(seed=0)
    player.reset(observation, info, 0, env.get_wrapper_attr("read"))
    transitions, texts, over = list[bytes](), list[str](), False
    while not over:
        observation, reward, over, _, info = env.step(player.act(observation, info))
        transitions.append(canonical((observation, reward, over, {**info, "text": ""})))
        texts.append(info["text"])
        assert env.get_wrapper_attr("text")() == info["text"]
    return transitions, texts


def test_only_the_users_words_change(server: MockServer) -> None:
    said: dict[str, str] = {"APPROVE": "Splendid.", "DECLINE": "Rather not.", "DEFER": "I am busy."}

    def script(asked: Mapping[str, Any]) -> Scripted:
        decision = asked["response_format"]["json_schema"]["schema"]["properties"]["decision"]["enum"][0]
        return wording(decision, said.get(decision, "Hm."))

    plain, plain_texts = play(ProactivityEnv("Travel", "B", text=True))
    voiced, voiced_texts = play(VoicedUser(ProactivityEnv("Travel", "B", text=True), voice(server, script)))
    assert plain == voiced
    persona = next(each for each in catalogue.load("Travel").personas if each.id == "B").voice
    assert any("Splendid." in text for text in voiced_texts)
    assert any(line == 'the user\'s last answer here: "Splendid."' for text in voiced_texts for line in text.split("\n"))
    back = [
        text.replace('"Splendid."', json.dumps(persona.approve, ensure_ascii=False))
        .replace('"Rather not."', json.dumps(persona.decline, ensure_ascii=False))
        .replace('"I am busy."', json.dumps(persona.defer, ensure_ascii=False))
        .replace('"Hm."', json.dumps(persona.too_timid, ensure_ascii=False))
        for text in voiced_texts
    ]
    too_deep, too_timid = (json.dumps(each, ensure_ascii=False) for each in (persona.too_deep, persona.too_timid))
    assert [text.replace(too_deep, too_timid) for text in back] == [text.replace(too_deep, too_timid) for text in plain_texts]
