import pytest

from proactivity_gym.sim.tools import ToolError
from tests.sim.apps.sample import sample


def test_answers_are_private_until_handed_in() -> None:
    world = sample()
    world.call("forms.answer", {"form": "lease", "body": "Two tenants"})
    draft = world.get("forms-1")
    assert (draft.title, draft.text, draft.status) == ("Answers: Lease", "Two tenants", "info")
    assert (draft.fields, draft.links, world.get("lease").status) == ({"private": True}, ("lease",), "open")


def test_a_form_goes_in_with_what_is_attached() -> None:
    world = sample()
    world.call("forms.submit", {"form": "lease", "body": "Two tenants", "attachments": ["settings", "letter"]})
    made = world.get("forms-1")
    assert (made.title, made.text, made.status) == ("Submission: Lease", "Two tenants", "done")
    assert made.links == ("lease", "settings", "letter")
    assert world.get("lease").status == "done"


def test_nothing_need_be_attached() -> None:
    world = sample()
    world.call("forms.submit", {"form": "lease", "body": "", "attachments": []})
    assert world.get("forms-1").links == ("lease",)


@pytest.mark.parametrize("form", ["lease", "settings"])
def test_forms_and_files_are_signed(form: str) -> None:
    world = sample()
    world.call("forms.sign", {"form": form})
    assert (world.get(form).status, world.get(form).fields["signed"]) == ("done", True)


def test_withdrawing_keeps_the_first_reason() -> None:
    world = sample()
    world.call("forms.withdraw", {"form": "lease", "reason": "We stay."})
    again = world.call("forms.withdraw", {"form": "lease", "reason": "We move."})
    assert (again["status"], again["changed"]) == ("cancelled", False)
    assert world.get("lease").fields["reason"] == "We stay."


@pytest.mark.parametrize(
    ("tool", "arguments", "parameter"),
    [
        ("answer", {"form": "none", "body": ""}, "form"),
        ("submit", {"form": "none", "body": "", "attachments": []}, "form"),
        ("submit", {"form": "lease", "body": "", "attachments": ["settings", "none"]}, "attachments"),
        ("sign", {"form": "none"}, "form"),
        ("withdraw", {"form": "none", "reason": ""}, "form"),
    ],
)
def test_unknown_records_are_refused(tool: str, arguments: dict[str, object], parameter: str) -> None:
    world = sample()
    with pytest.raises(ToolError, match=rf"forms\.{tool}: {parameter}: there is no record"):
        world.call(f"forms.{tool}", arguments)
    assert world.snapshot() == sample().snapshot()
