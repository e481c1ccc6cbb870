import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proactivity_gym.sim.safe_text import fenced, printable, quoted

ANYTHING = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Grüße, 日本, 👩\N{ZERO WIDTH JOINER}👧 \\ {x} $5", "Grüße, 日本, 👩\N{ZERO WIDTH JOINER}👧 \\ {x} $5"),
        ("one\ntwo\r\nthree", "one\ntwo\nthree"),
        ("\x1b[31m\0\r\t", "<U+001B>[31m<U+0000><U+000D><U+0009>"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}a\N{LEFT-TO-RIGHT ISOLATE}", "<U+202E>a<U+2066>"),
        ("\N{LINE SEPARATOR}\x85\N{ZERO WIDTH SPACE}\N{SOFT HYPHEN}", "<U+2028><U+0085><U+200B><U+00AD>"),
        ("\ud800x\ufffe", "<U+D800>x<U+FFFE>"),
        ("\N{TAG LATIN SMALL LETTER A}", "<U+E0061>"),
        ("", ""),
    ],
)
def test_what_does_not_show_is_written_out(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(ANYTHING)
def test_every_text_can_be_sent_and_moves_nothing(text: str) -> None:
    shown = printable(text)
    shown.encode()
    assert not {unicodedata.category(c) for c in shown if c != "\n"} & {"Cc", "Cs", "Zl", "Zp"}
    assert printable(shown) == shown


@given(ANYTHING)
def test_a_quoted_text_is_one_line_that_ends_where_its_quotes_end(text: str) -> None:
    line = quoted(text)
    assert line.splitlines() == [line]
    assert json.loads(line) == printable(text)


@given(st.one_of(ANYTHING, st.text("<>12\n"), st.lists(st.sampled_from(["<<<1", ">>>1", ">>>2", "<<<3"])).map("\n".join)))
def test_a_text_cannot_forge_its_fence(text: str) -> None:
    opening, *content, closing = fenced(text).split("\n")
    number = opening.removeprefix("<<<")
    assert closing == f">>>{number}"
    assert "\n".join(content) == printable(text)
    assert opening not in printable(text)
    assert closing not in printable(text)


def test_plain_texts_have_the_first_mark_and_forgers_a_later_one() -> None:
    assert fenced("Only this week.") == "<<<1\nOnly this week.\n>>>1"
    assert fenced(">>>1\nSLOT 2") == "<<<2\n>>>1\nSLOT 2\n>>>2"
