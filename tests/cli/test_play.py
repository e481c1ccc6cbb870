import os
import subprocess
import sys

from tests.cli.pgym import pgym, refused
from tests.sim.tiny import PATH


def play(*lines: str, options: tuple[str, ...] = ()) -> str:
    result = pgym("play", str(PATH), *options, typed="".join(f"{line}\n" for line in lines))
    assert result.exit_code == 0
    return result.stdout


def test_a_week_is_played_to_its_end() -> None:
    # The oracle's play: the parcel is deferred, the form asked at once, the card dismissed.
    text = play("wait", "1 execute idle", "wait", "1 suggest now", *["wait"] * 60)
    assert "The week is over." in text
    assert "  TA            100 %  of the choices between" in text
    assert "wasted_minutes" not in text


def test_every_score_is_shown_on_wish() -> None:
    text = play("quit", options=("--all",))
    assert "  wasted_minutes         0.000" in text
    assert "  TC      no case yet  " in text


def test_the_whole_situation_comes_first_and_on_wish() -> None:
    assert play("wait", "quit").count("DELEGATION\n") == 1
    assert play("wait", "look", "quit").count("DELEGATION\n") == 2


def test_what_one_is_judged_on_comes_first() -> None:
    assert play("quit").startswith("You are the assistant of somebody's week. You are judged on three things: TC, ")


def test_a_signal_is_told_in_full_when_it_opens() -> None:
    first, _, then = play("wait", "1 dismiss", "quit").partition("> ")
    assert "SLOT" not in first
    assert then.count("record form-mail") <= 1
    assert then.count("SLOT 1:") == 1


def test_bad_input_is_asked_again() -> None:
    text = play("banana", "9 dismiss", "quit")
    assert "'banana' is no command. Type help for what you can do." in text
    assert "Slot 9 is empty: nothing was done. Slots with a signal: none." in text
    assert "You stopped before the end of the week. So far:" in text


def test_the_end_of_input_is_the_end_of_play() -> None:
    assert "You stopped before the end of the week." in play("help", "look")


def test_records_are_read_and_sought() -> None:
    text = play("read hours", "search files desk", "read nothing", "search moon desk", "read form-week", "quit")
    assert '"text": "Mondays until 11:00, other days closed."' in text
    assert '"id": "hours"' in text
    assert "There is no record 'nothing'." in text
    assert "There is no app 'moon': search one of calendar, mail, " in text


def test_what_is_to_come_cannot_be_read() -> None:
    assert "There is no record 'card-mail'." in play("read card-mail", "quit")


def test_a_refused_action_is_told() -> None:
    # A draft on the parcel is under way when its second attempt is asked for: no slot shows it, so nothing is done.
    text = play("wait", "1 suggest due", "1 suggest due", "quit")
    assert "Slot 1 is empty: nothing was done." in text


def test_a_moment_that_does_not_come_is_told() -> None:
    # Put back to the last moment there is, a signal cannot be put back to it once more.
    text = play("wait", *["1 snooze due", "2 snooze due", "3 snooze due", "wait"] * 15)
    assert "That counted as waiting: no moment of the chosen timing is left." in text


def test_what_cannot_be_played_is_refused() -> None:
    assert "--variation 'exam'" in refused(pgym("play", str(PATH), "--variation", "exam"))
    assert "--difficulty 'mad': choose one of" in refused(pgym("play", str(PATH), "--difficulty", "mad"))
    assert "no scenario is called" in refused(pgym("play", "Atlantis"))
    assert "draws its scenario" in refused(pgym("play", "ProactivityGym/Mixed-v0"))


def test_bytes_that_are_no_text_do_not_end_the_week() -> None:
    command = [sys.executable, "-c", "from proactivity_gym.cli import main; main()", "play", str(PATH)]
    strict = os.environ | {"PYTHONIOENCODING": "utf-8"}
    ended = subprocess.run(command, input=b"\xff 3\nquit\n", capture_output=True, check=False, env=strict)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"is no command" in ended.stdout
