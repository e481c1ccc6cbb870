import pytest

from proactivity_gym.sim.tools import ToolError
from tests.sim.apps.sample import minute, sample


def test_a_session_is_booked_and_given_up() -> None:
    world = sample()
    world.call("course.book", {"session": "lesson"})
    lesson = world.get("lesson")
    assert (lesson.status, lesson.fields) == ("done", {"booked": True})
    world.call("course.cancel", {"session": "lesson"})
    assert (lesson.status, lesson.fields) == ("cancelled", {"booked": False})


def test_practice_is_planned() -> None:
    world = sample()
    world.call("course.practice", {"test": "lesson", "at": "2027-03-12T08:00"})
    made = world.get("course-1")
    expected = ("Practice: Mock test", "open", minute("2027-03-12T08:00"), ("lesson",))
    assert (made.title, made.status, made.due, made.links) == expected


def test_answers_are_private_until_handed_in() -> None:
    world = sample()
    world.call("course.answer", {"form": "form", "body": "B2"})
    draft = world.get("course-1")
    assert (draft.title, draft.text, draft.status) == ("Answers: Exam form", "B2", "info")
    assert (draft.fields, draft.links, world.get("form").status) == ({"private": True}, ("form",), "open")
    world.call("course.submit", {"form": "form", "body": "B2"})
    made = world.get("course-2")
    assert (made.title, made.text, made.status) == ("Submission: Exam form", "B2", "done")
    assert world.get("form").status == "done"


def test_registration() -> None:
    world = sample()
    world.call("course.register", {"exam": "form", "date": "2027-05-08", "amount": 95})
    made = world.get("course-1")
    assert (made.title, made.status, made.fields) == (
        "Registration: Exam form",
        "done",
        {"date": "2027-05-08", "price": 95},
    )
    assert world.get("form").status == "done"


@pytest.mark.parametrize(
    ("tool", "arguments", "parameter"),
    [
        ("book", {"session": "none"}, "session"),
        ("cancel", {"session": "none"}, "session"),
        ("practice", {"test": "none", "at": "2027-03-12T08:00"}, "test"),
        ("practice", {"test": "lesson", "at": "2027-03-12"}, "at"),
        ("answer", {"form": "none", "body": ""}, "form"),
        ("submit", {"form": "none", "body": ""}, "form"),
        ("register", {"exam": "none", "date": "2027-05-08", "amount": 1}, "exam"),
        ("register", {"exam": "form", "date": "2027-02-30", "amount": 1}, "date"),
        ("register", {"exam": "form", "date": "8 May", "amount": 1}, "date"),
    ],
)
def test_impossible_calls_are_refused(tool: str, arguments: dict[str, object], parameter: str) -> None:
    world = sample()
    with pytest.raises(ToolError) as caught:
        world.call(f"course.{tool}", arguments)
    assert caught.value.parameter == parameter
    assert world.snapshot() == sample().snapshot()
