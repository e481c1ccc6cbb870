"""A small world with something in every app, and arguments that are right for every tool."""

from datetime import date
from typing import cast

from proactivity_gym.sim.clock import Clock
from proactivity_gym.sim.tools import Tool
from proactivity_gym.sim.world import Entry, World

CLOCK = Clock("Europe/Lisbon", date(2027, 3, 8))

OWN_ID = {
    "calendar": "meeting",
    "mail": "letter",
    "messages": "chat",
    "files": "settings",
    "reminders": "nudge",
    "travel": "flight",
    "payments": "bill",
    "compute": "run",
    "course": "lesson",
    "bookings": "visit",
    "shop": "oats",
    "forms": "lease",
    "bank": "purse",
    "devices": "meter",
    "health": "tablets",
}
RIGHT: dict[str, object] = {
    "query": "flight",
    "date": "2027-03-11",
    "title": "Dentist",
    "start": "2027-03-11T09:00",
    "end": "2027-03-11T10:30",
    "at": "2027-03-12T08:00",
    "note": "Something came up.",
    "to": "ana@example.org",
    "subject": "Thursday",
    "body": "It works for me.",
    "people": ["Rui", "Ana"],
    "offer": "offer",
    "booking": "flight",
    "amount": 120.5,
    "seat": "12A",
    "payee": "Garage Lima",
    "reference": "2027-81",
    "receipts": ["letter"],
    "claim": "costs",
    "config": "settings",
    "gpus": 4,
    "hours": 8,
    "checkpoint": "step-900",
    "pool": "run",
    "session": "lesson",
    "test": "lesson",
    "form": "form",
    "exam": "form",
    "slot": "evening",
    "item": "oats",
    "quantity": 1.5,
    "reason": "It came broken.",
    "attachments": ["settings"],
    "source": "purse",
    "target": "savings",
    "card": "card",
    "mandate": "mandate",
    "charge": "charge",
    "payer": "Rui",
    "setting": "19 °C",
    "reading": 4711.5,
    "pharmacy": "Lima",
}


def sample() -> World:
    """Return a new world on Tuesday at noon."""
    meeting = {"end": "2027-03-09T15:00", "people": ["Ana"]}
    flight = {"provider": "TAP", "reference": "QX3", "price": 90}
    offer = {"provider": "TAP", "reference": "QX9", "price": 120.5, "place": "Porto"}
    bill = {"payee": "Garage Lima", "amount": 120.5, "reference": "2027-81"}
    world = World(
        CLOCK,
        [
            Entry("meeting", "calendar", "Meeting", "Budget", due=minute("2027-03-09T14:00"), fields={**meeting}),
            Entry("letter", "mail", "Your flight", "It is late.", "changed", at=60, fields={"sender": "TAP"}),
            Entry("chat", "messages", "Ana", "Lunch?", "open", at=90, fields={"sender": "Ana"}),
            Entry("settings", "files", "Settings", "rate = 0.1", fields={"folder": "runs"}),
            Entry("nudge", "reminders", "Water the plants", "", "open", due=minute("2027-03-10T18:00")),
            Entry("flight", "travel", "Flight to Porto", "", "info", due=minute("2027-03-11T07:10"), fields={**flight}),
            Entry("offer", "travel", "Later flight", "", "open", due=minute("2027-03-11T11:00"), fields={**offer}),
            Entry("bill", "payments", "Garage bill", "", "open", at=30, fields={**bill}),
            Entry("costs", "payments", "Trip costs", "", "open", fields={"amount": 80}),
            Entry("run", "compute", "Ablation 3", "", "open", fields={"gpus": 4, "state": "failed"}),
            Entry("lesson", "course", "Mock test", "", "open", due=minute("2027-03-13T10:00")),
            Entry("form", "course", "Exam form", "", "open"),
            *_services(),
        ],
    )
    world.now = minute("2027-03-09T12:00")
    return world


def _services() -> list[Entry]:
    """Return what offices, shops, banks and practices hold."""
    slot = {"provider": "Caldas", "reference": "V2", "place": "At home", "end": "2027-03-11T19:00"}
    return [
        Entry("visit", "bookings", "Boiler visit", "", "open", due=minute("2027-03-10T08:00"), fields={"provider": "Caldas"}),
        Entry("evening", "bookings", "Evening slot", "", "open", due=minute("2027-03-11T18:00"), fields={**slot}),
        Entry("oats", "shop", "Oats", "", "info", fields={"seller": "Horta", "unit": "kg", "price": 3, "quantity": 4}),
        Entry("lease", "forms", "Lease", "", "open", fields={"issuer": "Casa Nova"}),
        Entry("purse", "bank", "Current account", "", "info", fields={"balance": 900}),
        Entry("savings", "bank", "Savings", "", "info", fields={"balance": 4000}),
        Entry("card", "bank", "Card", "", "info", fields={"account": "purse"}),
        Entry("mandate", "bank", "Direct debit of a gym", "", "open", fields={"payee": "Gym"}),
        Entry("charge", "bank", "Charge abroad", "", "open", fields={"payee": "Unknown", "amount": 61.2}),
        Entry("meter", "devices", "Gas meter", "", "open", fields={"unit": "m3"}),
        Entry("tablets", "health", "Tablets", "", "open", fields={"patient": "Ana", "shared": ["Eva", "Rui"]}),
    ]


def listed(world: World, tool: str, arguments: dict[str, object]) -> list[object]:
    """Return the ids of the records that a read lists, in its order."""
    lines = cast("list[dict[str, object]]", world.call(tool, arguments)["records"])
    return [line["id"] for line in lines]


def minute(wall: str) -> int:
    """Return the minute of a local date-time within March 2027, before clocks change."""
    day, _, time = wall.partition("T")
    hours, _, minutes = time.partition(":")
    return (int(day[-2:]) - 8) * 1440 + int(hours) * 60 + int(minutes)


def right(tool: Tool) -> dict[str, object]:
    """Return arguments with which the sample's tools do something."""
    return {name: OWN_ID[tool.app] if name == "id" else RIGHT[name] for name in tool.parameters}
