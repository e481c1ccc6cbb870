"""Mail and messages."""

import pytest

from proactivity_gym.sim.tools import ToolError
from proactivity_gym.sim.world import Entry
from tests.sim.apps.sample import sample


def test_a_sent_mail_is_done() -> None:
    world = sample()
    result = world.call("mail.send", {"to": "ana@example.org", "subject": "Hi", "body": "Text"})
    assert result == {"id": "mail-1", "title": "Hi", "status": "done", "changed": True, "note": "done"}
    expected = Entry("mail-1", "mail", "Hi", "Text", "done", world.now, None, {"to": "ana@example.org"})
    assert world.get("mail-1") == expected


def test_mails_that_differ_are_all_sent() -> None:
    world, mail = sample(), {"to": "ana@example.org", "subject": "Hi", "body": "Text"}
    for change in ({}, {"to": "rui@example.org"}, {"subject": "Ho"}, {"body": "Other"}):
        assert world.call("mail.send", {**mail, **change})["changed"] is True


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("mail.draft", {"to": "Ana", "subject": "Hi", "body": "Text"}), ("messages.draft", {"to": "Ana", "body": "Text"})],
)
def test_drafts_are_private_and_apart_from_what_is_sent(tool: str, arguments: dict[str, object]) -> None:
    world = sample()
    draft = world.get(str(world.call(tool, arguments)["id"]))
    sent = world.get(str(world.call(tool.replace("draft", "send"), arguments)["id"]))
    assert (draft.status, draft.text, draft.fields) == ("info", "Text", {"to": "Ana", "private": True})
    assert (sent.status, sent.text, sent.fields) == ("done", "Text", {"to": "Ana"})


def test_a_reply_goes_to_the_sender() -> None:
    world = sample()
    reply = world.get(str(world.call("mail.reply", {"id": "letter", "body": "Thanks"})["id"]))
    assert (reply.title, reply.fields, reply.links) == ("Re: Your flight", {"to": "TAP"}, ("letter",))


def test_a_reply_to_a_mail_without_sender_goes_to_nobody() -> None:
    world = sample()
    world.add(Entry("odd", "mail", "Odd", ""))
    reply = world.get(str(world.call("mail.reply", {"id": "odd", "body": "Who?"})["id"]))
    assert reply.fields == {"to": ""}


def test_only_mails_are_answered() -> None:
    with pytest.raises(ToolError, match=r"mail\.reply: id: there is no record 'chat' in mail"):
        sample().call("mail.reply", {"id": "chat", "body": "Yes"})
