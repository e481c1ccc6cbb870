from proactivity_gym.reports.findings import Finding, Places


def test_a_finding_is_a_row() -> None:
    finding = Finding("f.toml", "error", "window", "window w", "no contest")
    assert finding.record() == {
        "source": "f.toml", "level": "error", "rule": "window", "where": "window w", "message": "no contest",
    }  # fmt: skip


def test_the_same_complaint_is_one_finding() -> None:
    places, found = Places(), list[tuple[str, str]]()
    for label in ("written", "test 1", "test 1", "test 2", "test 3"):
        places.add(("task t", "late"), "A", label)
    places.add(("task t", "late"), "B", "test 7")
    places.add(("task u", "late"), "A", "written")
    places.report(lambda where, message: found.append((where, message)))
    assert found == [
        ("task t", "late (persona A: written, test 1, test 2 and 1 more weeks; persona B: test 7)"),
        ("task u", "late (persona A: written)"),
    ]
