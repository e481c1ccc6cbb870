"""The format of scenarios: what is read, and that every kind of bad input gets one clear message."""

import pickle
from datetime import date, datetime, time
from typing import cast

import pytest
from pydantic import ValidationError

from proactivity_gym.sim.parsing import ScenarioError, json_schema, parse
from tests.sim.tiny import TEXT, Edit, edited, tiny


def test_a_scenario_is_read_as_it_is_written() -> None:
    scenario = tiny()
    assert (scenario.name, scenario.version, scenario.start, scenario.days) == ("Tiny", 1, date(2027, 3, 8), 2)
    assert [task.id for task in scenario.tasks] == ["form", "parcel", "card"]
    assert scenario.rhythms[1].start == time(9)
    assert scenario.records[1].at == datetime.fromisoformat("2027-03-08T09:30")
    assert scenario.draws["fee"].options == [40, 55]
    assert scenario.personas[0].priors[0].days_ago == 3


def test_what_is_left_out_has_its_default() -> None:
    scenario = tiny()
    form, offer = scenario.tasks[0], scenario.records[5]
    assert (form.resource, form.demand, form.review_min, form.reversible) == ("assistant", 1, 5, True)
    assert form.stretch == [1.0, 0.8, 0.9, 1.1, 1.2]
    assert (offer.status, offer.due, offer.links, offer.topic) == ("info", None, [], None)
    assert scenario.rhythms[0].days == []
    assert scenario.rhythms[0].personas == ["A", "B", "C"]
    assert scenario.personas[0].delegations[0].classes == ["draft", "commit", "consequential"]


def test_a_scenario_does_not_change() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        tiny().days = 3


BAD: list[tuple[Edit, str]] = [
    (("format = 1", "format = 2"), "format: write 1, not 2"),
    (
        ('title = "Opening', 'titel = "Opening'),
        "record.0 (hours).title: the key is required: add it\n"
        "tiny.toml: record.0 (hours).titel: no such key: did you mean 'title'?",
    ),
    (("[[record]]", "[[records]]"), "records: no such key: did you mean 'record'?"),
    (('role = "translator"\n', ""), "user.role: the key is required: add it"),
    (
        ('kind = "latent"', 'kind = "laten"'),
        "task.0 (form).kind: write 'request', 'latent' or 'noop', not 'laten'",
    ),
    (("work_min = 20", "work_min = 20.0"), "task.0 (form).work_min: write a whole number, not 20.0"),
    (("work_min = 20", 'work_min = "20"'), "task.0 (form).work_min: write a whole number, not '20'"),
    (
        ("work_min = 20", "work_min = 0"),
        "task.0 (form).work_min: write a number not below 1, not 0",
    ),
    (
        ("work_min = 20", "work_min = 20\nstretch = []"),
        "task.0 (form).stretch: give at least 1 item, not 0",
    ),
    (
        ("work_min = 20", "work_min = 20\nstretch = [1, nan]"),
        "task.0 (form).stretch.1: write a number not above 10, not nan",
    ),
    (("capacity = 1", "capacity = true"), "resource.0 (assistant).capacity: write a whole number, not True"),
    (("chance = 0.5", "chance = 0"), "record.5 (offer).chance: write a number greater than 0, not 0"),
    (
        ('evidence = ["parcel-note"]', "evidence = []"),
        "task.1 (parcel).evidence: give at least 1 item, not 0",
    ),
    (
        ('topics = ["parcel", "forms"]', f"topics = {[f't{i}' for i in range(12)]}"),
        "topics: give at most 11 items, not 12",
    ),
    (
        ('id = "hours"', 'id = "Hours there"'),
        "record.0 (Hours there).id: write a text that matches ^[a-z][a-z0-9-]*$, not 'Hours there'",
    ),
    (
        ("start = 2027-03-08", "start = 2027-03-08T10:00:00"),
        "start: write a date, not 2027-03-08T10:00:00",
    ),
    (
        ("at = 2027-03-08T09:30:00", "at = 2027-03-08"),
        "record.1 (parcel-note).at: write a date-time, not 2027-03-08",
    ),
    (("start = 23:00:00", 'start = "23:00"'), "rhythm.0.start: write it without quotes, as in 18:00:00, not '23:00'"),
    (
        ("end = 07:00:00", 'end = 07:00:00\ndays = ["monday"]'),
        "rhythm.0.days.0: write 'mon', 'tue', 'wed', 'thu', 'fri', 'sat' or 'sun' or a date, not 'monday'",
    ),
    (
        ('args = { to = "Rui"', "args = { to = 2027-03-09"),
        "task.1 (parcel).actions.0.args.to: write a text in quotes or a whole number or a number "
        "or true or false or a list, not 2027-03-09",
    ),
    (("[user]", "[[user]]"), "user: write a table, not [{"),
    (("[draw.fee]\noptions", "[draw]\nfee"), "draw.fee: write a table, not [40, 55]"),
    (('tool = "payments.pay"', 'tool = "pay"'), "task.0 (form).actions.0.tool: write a text that matches"),
    (('name = "Tiny"', 'name = "tiny"'), "name: write a text that matches ^[A-Z][A-Za-z0-9]*$, not 'tiny'"),
]


@pytest.mark.parametrize(("edit", "message"), BAD, ids=[message.partition(":")[0] for _, message in BAD])
def test_bad_input_gets_one_clear_message(edit: Edit, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        tiny(edit)
    complaint = str(caught.value)
    assert complaint.startswith(f"tiny.toml: {message}")
    assert complaint.count("\n") == message.count("\n")


def test_a_text_that_is_no_toml_is_refused() -> None:
    with pytest.raises(ScenarioError, match=r"tiny.toml: not valid TOML: .*at line 2.*Mend the line named here"):
        tiny(("format = 1", "format ="))


def test_a_date_time_in_quotes_is_told_to_lose_them() -> None:
    with pytest.raises(ScenarioError, match="at: write it without quotes, as in 2027-03-08T18:00:00, not '2027-03-08T09:30'"):
        tiny(("at = 2027-03-08T09:30:00", 'at = "2027-03-08T09:30"'))


@pytest.mark.parametrize(
    ("edit", "key"),
    [
        (("work_min = 20", "work_min = 20\nrevew_min = 5"), "review_min"),
        (("[draw.fee]\n", "[draw.fee]\noption = [1]\n"), "options"),
        (('role = "translator"', 'role = "translator"\nroles = "x"'), "role"),
    ],
)
def test_an_unknown_key_gets_a_suggestion_of_its_table(edit: Edit, key: str) -> None:
    with pytest.raises(ScenarioError, match=f"no such key: did you mean '{key}'"):
        tiny(edit)


def test_complaints_come_in_parts_too() -> None:
    with pytest.raises(ScenarioError) as caught:
        tiny(("days = 2\n", ""))
    assert caught.value.complaints == (("days", "the key is required: add it"),)
    assert pickle.loads(pickle.dumps(caught.value)).complaints == caught.value.complaints


def test_several_faults_are_told_at_once() -> None:
    with pytest.raises(ScenarioError) as caught:
        tiny(("days = 2", "days = 20"), ("capacity = 1", "capacity = 0"))
    assert [line.split(": ")[1] for line in str(caught.value).splitlines()] == [
        "days",
        "resource.0 (assistant).capacity",
    ]


def test_ids_and_keys_that_hide_something_stand_in_quotes() -> None:
    with pytest.raises(ScenarioError) as caught:
        tiny(('id = "assistant"', f'id = "a\\u001b[2J\\n{"x" * 5000}"'), ("days = 2", 'days = 2\n"\\u202ekey" = 1'))
    said = str(caught.value)
    assert said.replace("\n", "").isprintable()
    assert len(said) < 1000
    assert r"resource.0 ('a\x1b[2J\nx" in said
    assert r"'\u202ekey': no such key" in said


def test_an_entry_that_is_no_table_is_named_by_its_number() -> None:
    with pytest.raises(ScenarioError, match=r"x.toml: group.0: write a table, not 3"):
        parse(
            edited(('[[group]]\nid = "desk"\nshift = [0, 10]\n', ""), ("format = 1", "group = [3]\nformat = 1")),
            "x.toml",
        )


def test_the_schema_has_the_keys_of_the_file_and_says_what_they_mean() -> None:
    schema = json_schema()
    properties = cast("dict[str, dict[str, object]]", schema["properties"])
    assert str(schema["$schema"]).startswith("https://json-schema.org/")
    assert {"record", "task", "persona", "draw"} <= properties.keys()
    assert "records" not in properties
    assert schema["additionalProperties"] is False
    tables = cast("dict[str, dict[str, dict[str, dict[str, object]]]]", schema["$defs"])
    assert "class" in tables["Signal"]["properties"]
    assert tables["Record"]["properties"]["at"]["description"] == "When it appears; absent: it is there from the start."


def test_the_schema_knows_every_key_of_the_example() -> None:
    properties = cast("dict[str, object]", json_schema()["properties"])
    keys = {line.strip("[]").partition(".")[0] for line in TEXT.splitlines() if line.startswith("[")}
    assert keys <= properties.keys()
