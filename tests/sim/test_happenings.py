import re

import pytest

from proactivity_gym.sim.situation import STATUS_WORDS, describe
from proactivity_gym.sim.words import Depth, SignalStatus, Timing
from tests.sim.situations import SCRIPT, Script, begin, final, scenario

NOW, IDLE, SLEEP, DUE = Timing
NOOP, PREPARE, SUGGEST, EXECUTE = Depth
FRESH = SignalStatus.FRESH


def test_jobs_are_told_from_choice_to_the_user() -> None:
    text = final(scenario(), SCRIPT)
    for said in (
        'messages "Parcel": EXECUTE, IDLE; planned for Mon 2027-03-08 12:00, 15 min',
        'mail "Your place in the course": SUGGEST, NOW; running until Mon 2027-03-08 10:00',
        'you put mail "Three pizzas for two" back until Mon 2027-03-08 23:00',
        'you dismissed mail "Your library card runs out"',
        'the offer for mail "Your place in the course" reached the user, interrupting the user\'s focus',
        "SLOT 1: mail, event, topic forms; offer approved since Mon 2027-03-08 10:05\nthe user's last answer here: ",
        'on mail "Your place in the course" the user approved: "Yes, do it."',
        "(the week is over)",
    ):
        assert said in text


def test_what_was_put_back_comes_back() -> None:
    text = final(scenario(), {("parcel-note", FRESH): (NOOP, IDLE)})
    assert 'you put messages "Parcel" back until Mon 2027-03-08 12:00' in text
    assert 'Mon 2027-03-08 12:00 messages "Parcel" came back' in text
    assert "SLOT 1: messages, user, topic parcel; returned since Mon 2027-03-08 12:00" in text


def test_what_a_job_waits_for_is_told() -> None:
    two = {("parcel-note", FRESH): (SUGGEST, NOW), ("desk-mail", FRESH): (PREPARE, NOW)}
    slow = scenario({"work_min = 15\nevidence": "work_min = 90\nevidence"})
    assert "PREPARE, NOW; waits for room, 20 min" in final(slow, two)
    first_idle = {("parcel-note", FRESH): (PREPARE, SLEEP), ("desk-mail", FRESH): (PREPARE, NOW)}
    assert "PREPARE, NOW; done; the draft waits for the user" in final(scenario(), first_idle)
    late_choice = {("desk-mail", FRESH): (SUGGEST, IDLE), ("card-mail", FRESH): (SUGGEST, NOW)}
    long = scenario({"work_min = 20": "work_min = 100", "2027-03-08T10:40:00": "2027-03-09T10:40:00"})
    told = final(long, late_choice)
    assert "SUGGEST, IDLE; paused, 40 min left" in told
    assert "SUGGEST, NOW; done; the user looks at the offer" in told or "reached the user" in told


TRUSTED = {("parcel-note", FRESH): (EXECUTE, NOW), ("desk-mail", FRESH): (SUGGEST, NOW)}
DEFERRABLE = {"2027-03-08T10:40:00": "2027-03-09T18:00:00"}


@pytest.mark.parametrize(
    ("changes", "script", "words", "status"),
    [
        ({}, {("desk-mail", FRESH): (SUGGEST, NOW)}, "Yes, do it.", SignalStatus.APPROVED),
        ({}, {("card-mail", FRESH): (SUGGEST, NOW)}, "No, leave that.", SignalStatus.DECLINED),
        (DEFERRABLE, {("desk-mail", FRESH): (SUGGEST, NOW)}, "Not now, ask me later.", SignalStatus.DEFERRED),
        ({}, TRUSTED | {("card-mail", FRESH): (EXECUTE, NOW)}, "You should have asked", SignalStatus.COMPLAINED),
        ({}, {("desk-mail", FRESH): (EXECUTE, NOW)}, "You should have asked me first.", SignalStatus.NOTICE),
        ({}, {("parcel-note", FRESH): (PREPARE, NOW)}, "You could have gone ahead", SignalStatus.COMPLAINED),
    ],
    ids=["approve", "decline", "defer", "too-deep", "too-deep-and-withdrawn", "too-timid"],
)
def test_reactions_are_told_in_the_users_words(
    changes: dict[str, str], script: Script, words: str, status: SignalStatus
) -> None:
    text = final(scenario(changes), script)
    assert re.search(f"; {STATUS_WORDS[status]} since .*\n(delegation .*\n)?the user's last answer here: \"{words}", text)
    assert re.search(f'the user .*: "{words}', text.split("LAST EVENTS")[-1])


def test_an_offer_put_off_is_told_as_waiting() -> None:
    text = final(scenario(DEFERRABLE), {("desk-mail", FRESH): (SUGGEST, NOW)})
    assert "the offer waits for the user's next free moment" in text


def test_delegation_taken_and_given_back_is_told_in_the_users_words() -> None:
    script = {
        ("desk-mail", FRESH): (EXECUTE, NOW),
        ("desk-mail", SignalStatus.NOTICE): (SUGGEST, IDLE),
        ("parcel-note", FRESH): (EXECUTE, DUE),
    }
    text = final(scenario(DEFERRABLE), script)
    assert 'delegation withdrawn for forms: "From now on ask me before you do anything of that kind."' in text
    assert 'delegation restored for forms: "All right, you may do that on your own again."' in text
    standing = text.rpartition("PRIOR INTERACTIONS")[0].rpartition("DELEGATION\n")[2]
    assert re.findall(r"^- delegation (\w+) for forms \(\w{3} 2027-.*\): ", standing, re.MULTILINE) == ["restored"]
    notice = re.search(r"; notice since .*\n(.*)\n(.*)", text)
    assert notice
    assert notice[1].startswith("delegation ")


def test_refused_actions_are_told_by_their_code() -> None:
    episode = begin(scenario())
    episode.trace.cells.extend((episode.now, "wait", "empty-slot"))
    episode.trace.cells.extend((episode.now, "wait", None))
    assert "your action counted as waiting: the target slot holds no signal" in describe(episode)
    assert describe(episode).count("counted as waiting") == 1
