import pytest

from proactivity_gym.cli.play import MisunderstoodError, understood
from tests.cli.pgym import pgym, refused
from tests.sim.tiny import PATH


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("3 suggest idle", (3, 2, 1)),
        ("16 EXECUTE now", (16, 3, 0)),
        (" 1  prepare   due ", (1, 1, 3)),
        ("2 dismiss", (2, 0, 0)),
        ("2 snooze sleep", (2, 0, 2)),
        ("wait", (0, 0, 0)),
    ],
)
def test_words_become_actions(typed: str, action: tuple[int, int, int]) -> None:
    command = understood(typed)
    assert (command.verb, command.action) == ("act", action)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "Say what to do."),
        ("banana", "'banana' is no command."),
        ("0 dismiss", "There is no slot 0"),
        ("17 dismiss", "There is no slot 17"),
        ("3", "does not say how"),
        ("3 suggest", "does not say how"),
        ("3 snooze now", "does not say how"),
        ("3 noop now", "does not say how"),
        ("wait 3", "is no command"),
        ("search mail", "is no command"),
        ("²", "is no command"),
    ],
)
def test_what_is_no_command_is_explained(typed: str, said: str) -> None:
    with pytest.raises(MisunderstoodError, match=said):
        understood(typed)


def play(*lines: str) -> str:
    result = pgym("play", str(PATH), typed="".join(f"{line}\n" for line in lines))
    assert result.exit_code == 0
    return result.stdout


def test_a_week_is_played_to_its_end() -> None:
    # The oracle's play: the parcel is deferred, the form asked at once, the card dismissed.
    text = play("wait", "1 execute idle", "wait", "1 suggest now", *["wait"] * 60)
    assert "The week is over." in text
    assert "  TA                   100.000" in text


def test_bad_input_is_asked_again() -> None:
    text = play("banana", "9 dismiss", "quit")
    assert "'banana' is no command. Type help for what you can do." in text
    assert "Slot 9 holds no signal. Nothing was done" in text
    assert "You stopped before the end of the week. So far:" in text


def test_the_end_of_input_is_the_end_of_play() -> None:
    assert "You stopped before the end of the week." in play("help", "look")


def test_records_are_read_and_sought() -> None:
    text = play("read hours", "search files desk", "read nothing", "search moon desk", "read form-week", "quit")
    assert '"text": "Mondays until 11:00, other days closed."' in text
    assert '"id": "hours"' in text
    assert "There is no record 'nothing'." in text
    assert "moon.search" in text


def test_what_is_to_come_cannot_be_read() -> None:
    assert "There is no record 'card-mail'." in play("read card-mail", "quit")


def test_a_refused_action_is_told() -> None:
    # A draft on the parcel is under way when its second attempt is asked for: no slot shows it, so nothing is done.
    text = play("wait", "1 suggest due", "1 suggest due", "quit")
    assert "Slot 1 holds no signal." in text


def test_a_moment_that_does_not_come_is_told() -> None:
    # Put back to the last moment there is, a signal cannot be put back to it once more.
    text = play("wait", *["1 snooze due", "2 snooze due", "3 snooze due", "wait"] * 15)
    assert "That counted as waiting: no moment of the chosen timing is left." in text


def test_what_cannot_be_played_is_refused() -> None:
    assert "--variation 'exam'" in refused(pgym("play", str(PATH), "--variation", "exam"))
    assert "no scenario is called" in refused(pgym("play", "Atlantis"))
    assert "draws its scenario" in refused(pgym("play", "ProactivityGym/Mixed-v0"))
