"""The world of an episode as it can be read, and what reading counts for."""

from collections.abc import Mapping

import pytest

from proactivity_gym.sim.tools import ToolError
from tests.sim.shop import DRAFT, EXECUTE, NOOP, PREPARE, SEND, SUGGEST, Scripted, Shop, matter, record

ERRAND = 'topic = "errands"'
ROUND = [matter("one", "08T08:00", ERRAND), record("later", "08T09:00"), record("old", "08T06:00").replace("at =", "due =")]


def ids(shop: Shop, app: str = "mail") -> list[object]:
    """Return the ids that a search finds."""
    return shop.found(app)


def evidence(shop: Shop) -> list[object]:
    """Return the records read, by number."""
    return [record for (record,) in shop.told("read", "record")]


# Reading


def test_records_appear_as_time_goes_by() -> None:
    shop = Shop(*ROUND)
    assert ids(shop) == ["old"]  # it was always there
    shop.until("08T08:00")
    assert ids(shop) == ["one-mail", "old"]
    shop.until("08T12:00")
    assert ids(shop) == ["later", "one-mail", "old"]


def test_what_has_not_appeared_cannot_be_read() -> None:
    shop = Shop(*ROUND)
    with pytest.raises(ToolError, match="no record 'one-mail'"):
        shop.episode.read("mail.read", {"id": "one-mail"})
    assert evidence(shop) == []


def test_a_record_counts_as_read_once_and_a_search_does_not_count() -> None:
    shop = Shop(*ROUND)
    shop.until("08T08:00")
    ids(shop)
    assert evidence(shop) == []
    for _ in range(2):
        mail = shop.episode.read("mail.read", {"id": "one-mail"})
        assert (mail["title"], mail["text"], mail["at"]) == ("A mail", "A question.", "2027-03-08T08:00")
    assert evidence(shop) == [0]
    assert shop.seen("read") == [("08T08:00", "read")]


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("mail.send", {"to": "Rui", "subject": "x", "body": "x"}, "only `read` tools"),
        ("mail.draft", {"to": "Rui", "subject": "x", "body": "x"}, "only `read` tools"),
        ("mail.shred", {}, "no such tool"),
        ("mail.read", {}, "missing"),
        ("mail.read", {"id": 7}, "must be text"),
        ("calendar.read", {"id": "old"}, "no record 'old' in calendar"),
    ],
)
def test_reading_does_not_write(tool: str, arguments: Mapping[str, object], message: str) -> None:
    shop = Shop(*ROUND)
    with pytest.raises(ToolError, match=message):
        shop.episode.read(tool, arguments)
    assert ids(shop) == ["old"]
    assert not shop.episode.trace.entries


def test_what_was_read_is_evidence_of_a_dismissal() -> None:
    shop = Shop(matter("one", "08T08:00", 'evidence = ["one-mail", "old"]'), *ROUND[1:], worker=Scripted())
    shop.until("08T08:00")
    shop.episode.read("mail.read", {"id": "old"})
    shop.take("one", NOOP)
    assert shop.told("dismiss", "evidence") == [(0.5,)]


# What was done shows


def test_commits_show_in_later_reads() -> None:
    shop = Shop(*ROUND)
    shop.until("08T08:00")
    assert ids(shop, "messages") == []
    shop.take("one", EXECUTE)
    assert ids(shop, "messages") == []
    shop.until("08T08:15")
    assert ids(shop, "messages") == ["messages-1"]
    sent = shop.episode.read("messages.read", {"id": "messages-1"})
    assert (sent["text"], sent["at"], sent["status"]) == ("Yes", "2027-03-08T08:15", "done")
    assert 0 in evidence(shop)  # the worker's; what a tool made is no evidence
    assert len(evidence(shop)) == 1


def test_a_world_looked_at_late_is_the_same() -> None:
    late, early = Shop(*ROUND), Shop(*ROUND)
    for shop in (late, early):
        shop.take("one", EXECUTE)
        if shop is early:
            ids(shop)
        shop.until("08T12:00")
        if shop is early:
            ids(shop)
        shop.finish()
    worlds = [shop.episode.reading.world(shop.episode.now).snapshot() for shop in (early, late)]
    assert worlds[0] == worlds[1]


def test_drafts_are_private_and_a_draft_sends_nothing() -> None:
    shop = Shop(matter("one", "08T08:00", f"actions = [{DRAFT}, {SEND}]"))
    shop.take("one", PREPARE)
    shop.until("08T08:15")
    assert ids(shop, "messages") == ["messages-1"]
    draft = shop.episode.read("messages.read", {"id": "messages-1"})
    assert draft["title"] == "Draft to Rui"
    assert draft["fields"] == {"to": "Rui", "private": True}
    shop.take("one", SUGGEST)
    shop.finish()
    assert ids(shop, "messages") == ["messages-2", "messages-1"]  # the draft is there already


def test_a_call_that_is_no_longer_possible_changes_nothing() -> None:
    clear = '{ tool = "reminders.clear", args = { id = "rent" } }'
    rent = record("rent", "08T12:00").replace('app = "mail"', 'app = "reminders"')
    shop = Shop(matter("one", "08T08:00", ERRAND, f"actions = [{clear}, {SEND}]"), rent)
    shop.take("one", EXECUTE)  # before there is such a reminder
    shop.until("08T12:00")
    assert shop.episode.read("reminders.read", {"id": "rent"})["status"] == "open"
    assert ids(shop, "messages") == ["messages-1"]


def test_what_says_that_a_matter_is_settled_shows_once_it_is_read() -> None:
    shop = Shop(matter("one"), record("done", "08T08:00", 'status = "done"'), record("open", "08T08:00"))
    shop.until("08T08:00")
    assert not shop.episode.reading.settled_seen((1, 2))
    shop.episode.read("mail.read", {"id": "open"})
    assert not shop.episode.reading.settled_seen((1, 2))
    shop.episode.read("mail.read", {"id": "done"})
    assert shop.episode.reading.settled_seen((1, 2))
    assert not shop.episode.reading.settled_seen((0, 2))


@pytest.mark.parametrize(("tool", "arguments"), [({}, {}), ([], {}), (5, {}), ("mail.read", None), ("mail.read", 5)])
def test_what_is_no_call_is_refused_in_words(tool: object, arguments: object) -> None:
    episode = Shop(*ROUND).episode
    with pytest.raises(ToolError, match="name a tool and give its arguments by name"):
        episode.read(tool, arguments)  # type: ignore[arg-type]
