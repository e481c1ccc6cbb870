import json
from datetime import date
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proactivity_gym.sim.clock import Clock
from proactivity_gym.sim.tools import Tool, ToolError
from proactivity_gym.sim.words import ActionClass
from proactivity_gym.sim.world import APPS, TOOLS, Entry, World, field_problems, is_tool_made
from tests.sim.apps.sample import CLOCK, listed, right, sample

COMMITS = [tool for tool in TOOLS.values() if tool.effect is not ActionClass.READ]
HOSTILE = [
    "{braces} %s ${x} @{draw.key} {{0}}",
    "NUL \0 and \x1b[31m",
    "lone \ud800 surrogate",
    "bidi \u202e and \u2066 isolate",
    "'; DROP TABLE mail; --",
    "\N{ZERO WIDTH JOINER}\N{FAMILY}\n\r\u2028",
    "",
]


def test_every_app_is_there_in_a_fixed_order() -> None:
    assert APPS == (
        "calendar", "mail", "messages", "files", "reminders", "travel", "payments", "compute", "course",
        "bookings", "shop", "forms", "bank", "devices", "health",
    )  # fmt: skip


@pytest.mark.parametrize("app", APPS)
def test_every_app_can_be_searched_and_read(app: str) -> None:
    assert TOOLS[f"{app}.search"].effect is TOOLS[f"{app}.read"].effect is ActionClass.READ
    assert list(TOOLS[f"{app}.search"].parameters) == ["query"]
    assert list(TOOLS[f"{app}.read"].parameters) == ["id"]


def test_unknown_tools_are_refused() -> None:
    with pytest.raises(ToolError, match=r"mail\.sing: there is no such tool: use one of calendar\.search") as caught:
        sample().call("mail.sing", {})
    assert caught.value.parameter is None


@pytest.mark.parametrize("tool", COMMITS, ids=lambda tool: tool.name)
def test_the_same_commit_changes_nothing_twice(tool: Tool) -> None:
    world = sample()
    first = world.call(tool.name, right(tool))
    once = world.snapshot()
    world.now += 60
    second = world.call(tool.name, right(tool))
    assert {**world.snapshot(), "now": once["now"]} == once
    assert (first["changed"], second["changed"]) == (True, False)
    assert second["id"] == first["id"]
    assert "nothing was changed" in str(second["note"])


@pytest.mark.parametrize("tool", COMMITS, ids=lambda tool: tool.name)
def test_a_fork_is_independent_both_ways(tool: Tool) -> None:
    world = sample()
    fork, before = world.fork(), world.snapshot()
    assert fork.snapshot() == before
    fork.call(tool.name, right(tool))
    assert world.snapshot() == before
    other = world.fork()
    world.call(tool.name, right(tool))
    assert other.snapshot() == before
    assert world.snapshot() == fork.snapshot()


def test_a_fork_shares_no_field_and_no_time() -> None:
    world = sample()
    fork = world.fork()
    people = cast("list[str]", fork.get("meeting").fields["people"])
    people.append("Eve")
    fork.get("meeting").fields["place"] = "Roof"
    fork.now += 5
    fork.add(Entry("extra", "mail", "Extra", ""))
    assert world.snapshot() == sample().snapshot()


def test_what_a_call_stores_is_not_what_it_was_given() -> None:
    world, people, receipts = sample(), ["Ana"], ["letter"]
    world.call("files.share", {"id": "settings", "people": people})
    world.call("payments.claim", {"title": "Trip", "amount": 5, "receipts": receipts})
    before = world.snapshot()
    people.append("Eve")
    receipts.append("chat")
    assert world.snapshot() == before


def test_ids_count_per_app_and_skip_those_taken() -> None:
    world = World(CLOCK, [Entry("mail-2", "mail", "Odd id", "")])
    send = {"to": "a", "subject": "s"}
    ids = [world.call("mail.send", {**send, "body": body})["id"] for body in ("x", "y", "z")]
    other = world.call("files.note", {"title": "t", "body": "b"})["id"]
    assert ids == ["mail-1", "mail-3", "mail-4"]
    assert other == "files-1"


@pytest.mark.parametrize(
    ("record_id", "expected"), [("mail-1", True), ("calendar-20", True), ("mail-", False), ("mail-1-b", False)]
)
def test_ids_of_tools_are_recognised(record_id: str, expected: bool) -> None:
    assert is_tool_made(record_id) is expected
    assert not is_tool_made(f"e{record_id}")


def test_created_records_appear_now() -> None:
    world = sample()
    entry = world.get(str(world.call("files.note", {"title": "t", "body": "b"})["id"]))
    assert entry.at == world.now


def test_ids_are_unique_and_apps_known() -> None:
    world = sample()
    with pytest.raises(ValueError, match="already a record 'letter'"):
        world.add(Entry("letter", "mail", "Again", ""))
    with pytest.raises(ValueError, match="'x': there is no app 'fridge': use one of calendar, mail"):
        world.add(Entry("x", "fridge", "Milk", ""))
    with pytest.raises(ValueError, match="already a record"):
        World(CLOCK, [Entry("a", "mail", "", ""), Entry("a", "files", "", "")])
    with pytest.raises(KeyError):
        world.get("nobody")


def test_entries_are_sorted_newest_first() -> None:
    entries = [
        Entry("b", "mail", "", ""),
        Entry("a", "mail", "", ""),
        Entry("due", "mail", "", "", due=5),
        Entry("later-due", "mail", "", "", due=9),
        Entry("old", "mail", "", "", at=-10),
        Entry("new", "mail", "", "", at=10),
        Entry("file", "files", "", "", at=11),
    ]
    expected = ["new", "old", "later-due", "due", "a", "b"]
    assert [entry.id for entry in World(CLOCK, entries).entries("mail")] == expected
    assert [entry.id for entry in World(CLOCK, reversed(entries)).entries("mail")] == expected


def test_a_snapshot_is_json_and_canonical() -> None:
    world = sample()
    assert json.loads(json.dumps(world.snapshot())) == world.snapshot()
    entries = [entry for app in APPS for entry in sample().entries(app)]
    twin = World(Clock("Europe/Lisbon", date(2027, 3, 8)), reversed(entries))
    twin.now = world.now
    assert json.dumps(twin.snapshot()) == json.dumps(world.snapshot())
    assert twin.clock.zone.key == "Europe/Lisbon"


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_survives(text: str) -> None:
    world = sample()
    sent = world.call("mail.send", {"to": text, "subject": text, "body": text})
    read = world.call("mail.read", {"id": sent["id"]})
    assert (read["title"], read["text"], read["fields"]) == (text, text, {"to": text})
    assert sent["id"] in listed(world, "mail.search", {"query": text})
    assert json.loads(json.dumps(world.fork().snapshot())) == world.snapshot()


@given(text=st.text(alphabet=st.characters()))
def test_any_text_survives(text: str) -> None:
    world = sample()
    made = world.call("files.note", {"title": text, "body": text})
    assert world.call("files.read", {"id": made["id"]})["text"] == text
    assert world.call("messages.search", {"query": text})["left_off"] == 0


@pytest.mark.parametrize(
    ("app", "fields", "problems"),
    [
        ("calendar", {"end": "2027-03-11T10:00", "place": "Roof", "people": ["Ana"]}, []),
        ("travel", {"price": 90}, []),
        ("travel", {"price": 90.5, "provider": "TAP"}, []),
        ("travel", {"price": "90"}, ["price: it must be a number, not '90'"]),
        ("compute", {"gpus": True}, ["gpus: it must be a whole number, not True"]),
        ("compute", {"gpus": 4.0}, ["gpus: it must be a whole number, not 4.0"]),
        ("mail", {"to": 5, "sender": None}, ["sender: it must be text, not None", "to: it must be text, not 5"]),
        ("calendar", {"people": "Ana"}, ["people: it must be a list of texts, not 'Ana'"]),
        ("mail", {"cc": "Ana"}, ["cc: records of mail have no such field: remove it or use one of sender, to"]),
        ("reminders", {"due": "x"}, ["due: records of reminders have no such field: remove it or use one of none"]),
        ("fridge", {}, [f"there is no app 'fridge': use one of {', '.join(APPS)}"]),
    ],
)
def test_fields_of_written_records(app: str, fields: dict[str, object], problems: list[str]) -> None:
    assert field_problems(app, fields) == problems


def test_the_sample_has_good_fields() -> None:
    for app in APPS:
        assert all(field_problems(app, entry.fields) == [] for entry in sample().entries(app))
