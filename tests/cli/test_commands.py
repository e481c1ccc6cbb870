import pytest

from proactivity_gym.cli.commands import MisunderstoodError, understood


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("3 suggest idle", (3, 2, 1)),
        ("16 EXECUTE now", (16, 3, 0)),
        (" 1  prepare   due ", (1, 1, 3)),
        ("2 dismiss", (2, 0, 0)),
        ("2 snooze sleep", (2, 0, 2)),
        ("wait", (0, 0, 0)),
        ("3, suggest, idle", (3, 2, 1)),
        ("3,dismiss", (3, 0, 0)),
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
        ("3", "slot 3: say how: dismiss; or snooze"),
        ("3 suggest", "slot 3: say how: .*, not 'suggest'"),
        ("3 snooze now", "slot 3: say how"),
        ("3 noop now", "slot 3: say how"),
        ("read", "read needs a record: read RECORD"),
        ("read two records", "read needs a record"),
        ("search", "search needs an app and words: search mail invoice"),
        ("wait 3", "is no command"),
        ("search mail", "search needs an app and words"),
        ("²", "is no command"),
    ],
)
def test_what_is_no_command_is_explained(typed: str, said: str) -> None:
    with pytest.raises(MisunderstoodError, match=said):
        understood(typed)


@pytest.mark.parametrize(
    ("typed", "verb"), [("q", "quit"), ("exit", "quit"), ("quit", "quit"), ("?", "help"), ("look", "look")]
)
def test_words_have_short_forms(typed: str, verb: str) -> None:
    assert understood(typed).verb == verb


def test_what_is_sought_keeps_its_commas() -> None:
    assert understood("search mail, desk, today").words == ("mail", "desk, today")


def test_a_slot_of_any_length_is_told_apart() -> None:
    with pytest.raises(MisunderstoodError, match="There is no slot 999"):
        understood("9" * 5000 + " dismiss")
