import re

from proactivity_gym.envs.ansi import render_text
from proactivity_gym.sim.words import Depth, SignalStatus, Timing
from tests.sim.situations import SCRIPT, begin, play, scenario, watch

FRESH = SignalStatus.FRESH
PICTURE = """\
Mon 2027-03-08 09:40  day 1 of 2  user focus  offers waiting 0
     0     3     6     9     12    15    18    21
     zzzzzzzzzzzzzz....######......................zz   z asleep  # focus  . free
                        ^
slot app       from   topic        status         stated deadline       work  title
   1 mail      event  forms        fresh          Wed 2027-03-10 18:00    20  "Your place in the course"
jobs
     messages "Parcel": EXECUTE, IDLE; planned for Mon 2027-03-08 12:00, 15 min
last
     Mon 2027-03-08 09:30 messages "Parcel" came up
     Mon 2027-03-08 09:30 you took up messages "Parcel": EXECUTE, IDLE
     Mon 2027-03-08 09:40 mail "Your place in the course" came up
"""


def test_the_picture_is_drawn_to_the_letter() -> None:
    script = {("parcel-note", FRESH): (Depth.EXECUTE, Timing.IDLE)}
    assert [text for minute, text in watch(scenario(), script, render_text) if minute == 580] == [PICTURE] * 2


def test_nothing_to_show_is_said() -> None:
    text = render_text(begin(scenario()))
    assert "     no signal is open\njobs\n     none under way\nlast\n     nothing yet\n" in text


def test_the_end_is_said_and_stays_on_the_last_day() -> None:
    minute, text = watch(scenario(), SCRIPT, render_text)[-1]
    assert minute == 2880
    assert text.startswith("Wed 2027-03-10 00:00  day 2 of 2")
    assert "the week is over" in text


def test_days_of_summer_time_have_their_own_length() -> None:
    dates = {"2027-03-08": "2027-03-27", "2027-03-09": "2027-03-28", "2027-03-10": "2027-03-29"}
    bars = {len(text.split("\n")[2].split()[0]) for _, text in watch(scenario(dates), {}, render_text)}
    assert bars == {48, 46}


def test_lines_are_short_and_plain() -> None:
    long = {"Your place in the course": "Your place \\u001b[31m in the course" * 9, "Yes, do it.": "Yes. " * 60}
    for _, text in watch(scenario(long), SCRIPT, render_text):
        assert max(map(len, text.splitlines())) <= 118
        assert re.fullmatch("[ -~\n]*", text), "no escape codes, whatever the texts hold"


def test_drawing_changes_nothing() -> None:
    drawn, undrawn = begin(scenario()), begin(scenario())
    play(drawn, SCRIPT, lambda: render_text(drawn))
    play(undrawn, SCRIPT)
    assert list(drawn.trace) == list(undrawn.trace)
