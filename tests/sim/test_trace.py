"""Rows and entries: what is recorded flat is told by name."""

import json

from proactivity_gym.sim.scoring import HANDLERS
from proactivity_gym.sim.trace import FIELDS, NAMES, Trace, row_of
from proactivity_gym.sim.words import SignalStatus


def test_every_name_says_its_particulars_in_their_order() -> None:
    assert list(FIELDS) == list(NAMES)
    for name, fields in FIELDS.items():
        told = NAMES[name].rpartition("(")[2].rstrip(")")
        assert [part.partition(":")[0] for part in told.split(", ") if part] == list(fields)


def test_what_scoring_looks_at_has_a_name() -> None:
    assert HANDLERS.keys() < FIELDS.keys()


def test_entries_are_spelt_out_as_they_come() -> None:
    trace = Trace()
    assert (len(trace), list(trace)) == (0, [])
    trace.cells.extend((7, "signal", 3, 0, -1, SignalStatus.RETURNED))
    assert list(trace) == [(7, "signal", {"signal": 3, "slot": 0, "task": -1, "status": 1})]
    trace.cells.extend((8, "gone", 3, 0))
    trace.cells.extend((9, "end"))
    assert [entry[:2] for entry in trace.entries] == [(7, "signal"), (8, "gone"), (9, "end")]
    assert trace.entries[1:] == [(8, "gone", {"signal": 3, "slot": 0}), (9, "end", {})]
    assert len(trace) == 3


def test_words_become_plain_numbers() -> None:
    trace = Trace()
    trace.cells.extend((7, "signal", 3, 0, -1, SignalStatus.RETURNED))
    trace.cells.extend((7, "credit", 1, 2, 0.5, True))
    assert [[type(value) for value in data.values()] for _, _, data in trace] == [[int] * 4, [int, int, float, bool]]
    assert json.dumps(trace.entries[1][2]) == '{"job": 1, "task": 2, "tc": 0.5, "late": true}'


def test_an_entry_becomes_its_row_again() -> None:
    assert row_of((7, "gone", {"slot": 0, "signal": 3})) == (7, "gone", 3, 0)
    assert row_of((7, "gone", {"slot": 0})) == (7, "gone", None, 0)
