import pytest

from proactivity_gym.reports import findable
from tests.reports.studies import reported
from tests.sim.edits import SEND, SETTLING
from tests.sim.tiny import Edit

KNOWN = 'evidence = ["parcel-note"]'
EDIT = (SEND, 'tool = "files.edit"\nargs = { id = "hours", body = "Open." }\nfree = ["body"]')
"""The solution names a record that the evidence does not hold."""
ATTACH = (SEND, 'tool = "forms.submit"\nargs = { form = "parcel-note", body = "x", attachments = ["hours", "offer"] }')
LINKED = ('title = "Parcel"\n', 'title = "Parcel"\nlinks = ["hours"]\n')


def test_every_record_of_the_small_scenario_can_be_found() -> None:
    assert reported(findable.check, variations=5) == []


def test_a_record_to_which_no_evidence_leads_is_reported_once() -> None:
    ((where, message),) = reported(findable.check, EDIT)
    assert where == "task parcel"
    assert message.startswith("files.edit takes the record hours as `id`, to which no evidence leads")
    assert message.endswith("(persona A: written)")


def test_each_id_of_a_list_is_looked_at() -> None:
    found = reported(findable.check, ATTACH)
    assert [message.split(", to which")[0] for _, message in found] == [
        "forms.submit takes the record hours as `attachments`",
        "forms.submit takes the record offer as `attachments`",
    ]


@pytest.mark.parametrize(
    "edits",
    [
        [EDIT, (KNOWN, 'evidence = ["parcel-note", "hours"]')],
        [EDIT, LINKED],
        [EDIT, (KNOWN, 'evidence = ["card-done"]'), LINKED],
    ],
    ids=["evidence", "linked by evidence", "linked by the signal's record"],
)
def test_what_the_reader_comes_by_is_known(edits: list[Edit]) -> None:
    assert reported(findable.check, *edits) == []


def test_weeks_in_which_nothing_is_to_be_done_need_no_ids() -> None:
    ((_, message),) = reported(findable.check, EDIT, *SETTLING, variations=20)
    weeks = message.count("test") + int(message.rpartition("and ")[2].split(" ")[0])
    assert weeks < 20
