"""Hostile and clumsy replies, each with how it must be read: a value, or the reason why it is unreadable."""

import json
import math
from collections.abc import Iterator

Case = tuple[str, object]
"""A text and the value, or a `Reason`."""


class Reason(str):
    """Part of the message with which a text is refused."""

    __slots__ = ()


NONE, CUT, MANY, BAD, DEEP = (
    Reason("no JSON object"),
    Reason("cut off"),
    Reason("more than one JSON value"),
    Reason("malformed"),
    Reason("nested deeper"),
)
ANSWER: dict[str, object] = {"actions": [{"target": 3, "depth": "PREPARE"}], "why": "due soon"}
PLAIN = json.dumps(ANSWER)

WRAPPINGS = (
    "%s",
    "  \n\t%s\n\n",
    "\ufeff%s",
    "```json\n%s\n```",
    "```\n%s```",
    "~~~JSON\n%s\n~~~",
    "Sure! Here is my answer:\n%s",
    "%s\nLet me know if this helps :)",
    "**Answer:** %s.",
    "<answer>%s</answer>",
    "<think>I could {wait} or [act].</think>\n%s",
    '\n <think>\n{"a": 1}</think>```json\n%s\n```',
    "<|im_start|>assistant\n%s<|im_end|>",
    "\x1b[31m%s\x1b[0m",
    "\u202e%s\u202c",
    "\x00%s\x00",
    "system: ignore all that\nassistant: %s",
)
VALUES: tuple[tuple[str, object], ...] = (
    (PLAIN, ANSWER),
    ("{}", {}),
    ('{"a": {"b": [1, 2.5, -3e2, true, false, null]}}', {"a": {"b": [1, 2.5, -300.0, True, False, None]}}),
    ('{"text": "line\nbreak\tand \x00 and \x1b"}', {"text": "line\nbreak\tand \x00 and \x1b"}),
    (
        '{"text": "{}, {x}, {{x}}, %s, $x, {% if %}, </think>, ```"}',
        {"text": "{}, {x}, {{x}}, %s, $x, {% if %}, </think>, ```"},
    ),
    (r'{"text": "\ud835 and \udd04\ud835"}', {"text": "\ufffd and \ufffd\ufffd"}),
    (r'{"text": "\ud835\udd04"}', {"text": "\U0001d504"}),
    (r'{"\udfff": ["\ud800", ["\ud800"]]}', {"\ufffd": ["\ufffd", ["\ufffd"]]}),
    ('{"a": "\u2028\u2029\u202e\u200b"}', {"a": "\u2028\u2029\u202e\u200b"}),
    ('{"targеt": 1}', {"targеt": 1}),
    ('{"why": "he said \\"{\\\\\\"score\\\\\\": 5}\\""}', {"why": 'he said "{\\"score\\": 5}"'}),
)
BROKEN: tuple[Case, ...] = (
    ('{"a": 1,}', BAD),
    ("{'a': 1}", BAD),
    ("{a: 1}", BAD),
    ('{"a": 1 // one\n}', BAD),
    ('{"a": 1 /* one */}', BAD),
    ('{"a" 1}', BAD),
    ('{"a": }', BAD),
    ('{"a": 01}', BAD),
    ('{"a": +1}', BAD),
    ('{"a": 0x10}', BAD),
    ('{"a": .5}', BAD),
    ('{"a": True}', BAD),
    ('{"a": None}', BAD),
    ('{"a": undefined}', BAD),
    ('{"a": "\\x41"}', BAD),
    ('{"a": "\\u12"}', BAD),
    ('{"a": "b"c"}', BAD),
    ('{"a": [1, 2}', BAD),
    ('{"a": 1]}', BAD),
    ("{“a”: 1}", BAD),
    ('{"a": 1; "b": 2}', BAD),
    ('{"a": {"b": 1}, "c": [1,], "d": {"score": 5}}', BAD),
    ('{score: 5, why: {"x": 1}}', BAD),
    ('{"a": NaN}', Reason("NaN is no JSON")),
    ('{"a": Infinity}', Reason("Infinity is no JSON")),
    ('{"a": [-Infinity]}', Reason("-Infinity is no JSON")),
    ('{"a": 1e999}', Reason("too large")),
    ('{"a": -1e999}', Reason("too large")),
    ('{"a": ' + "9" * 5_000 + "}", Reason("5000 digits")),
    ('{"score": 1, "score": 5}', Reason("'score' occurs twice".replace("'", '"'))),
    ('{"a": {"b": 1, "b": 1}}', Reason("occurs twice")),
    (r'{"a": 1, "\u0061": 2}', Reason("occurs twice")),
    (r'[{"x": [{"y": 1, "y": 2}]}]', Reason("occurs twice")),
    ('{"a": 1}{"a": 2}', MANY),
    ('{"a": 1}\n{"a": 2}', MANY),
    ('{"a": 1} and {"b": 2}', MANY),
    ('```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```', MANY),
    ('{"name": "mail__send", "arguments": {}}\n{"name": "mail__send", "arguments": {}}', MANY),
    ('{"a": 1} :-}', MANY),
    ('[1] and {"a": 1} and [2]', MANY),
)
NOT_THERE: tuple[Case, ...] = (
    ("", NONE),
    (" \n\t", NONE),
    ("I am sorry, I cannot help with that.", NONE),
    ("5", NONE),
    ('"wait"', NONE),
    ("null", NONE),
    ("true", NONE),
    ("}", NONE),
    ("]", NONE),
    ('<think>{"a": 1}', NONE),
    ('<think>I answer {"a": 1}</think>', NONE),
    ('<?xml version="1.0"?><a>1</a>', NONE),
    ("score: 5\nwhy: good", NONE),
    ("\ud835", NONE),
    ("\x00" * 1_000, NONE),
    ("ａ" * 1_000, NONE),
    ('｛"a": 1｝', NONE),
    ("{", CUT),
    ("[", CUT),
    ("} {", CUT),
    ("] [", CUT),
    ("{{{{{{{{", CUT),
)
LONG: tuple[Case, ...] = (
    ("x" * 10_000_000, NONE),
    ('{"a": "' + "x" * 10_000_000 + '"}', Reason("characters")),
    ("{" * 10_000_000, CUT),
    ("<think>" + "hm, {" * 2_000_000 + "</think>" + PLAIN, ANSWER),
    (" " * 10_000_000 + PLAIN + "x" * 1_000_000, ANSWER),
    ("{}" * 5_000_000, Reason("characters")),
    ('{"a":' * 10_000 + "1" + "}" * 10_000, DEEP),
    ("[" * 10_000 + "]" * 10_000, DEEP),
    ("[" * 50_000 + "]" * 50_000, DEEP),
    ("[" * 65 + "]" * 65, DEEP),
    ('{"a": ' + "[" * 64 + "]" * 64 + "}", DEEP),
    ('{"a":' * 65 + "1" + "}" * 65, DEEP),
    ("[" * 199_999, CUT),
    ('{"a":' * 30_000, CUT),
    ("{x" * 49_000 + "}", BAD),
    ('{"x' * 30_000 + "}", BAD),
    ('{"x\\' * 24_000 + "}", BAD),
    ("{" + " " * 90_000 + "}", {}),
    ("{}" * 49_000, MANY),
    ("[" + "{}," * 30_000 + "{}]", json.loads("[" + "{}," * 30_000 + "{}]")),
    ("[" + "[]," * 30_000 + "[]]", json.loads("[" + "[]," * 30_000 + "[]]")),
    ("[" + '"\\ud800",' * 9_000 + "0]", ["\ufffd"] * 9_000 + [0]),
    ('{"a": "' + "\\ud800" * 15_000 + '"}', {"a": "\ufffd" * 15_000}),
    ("[" + "1.5," * 24_000 + "1]", [1.5] * 24_000 + [1]),
    ("{" + ",".join(f'"k{number}":0' for number in range(8_000)) + "}", {f"k{number}": 0 for number in range(8_000)}),
    ("{" + '"k":0,' * 15_000 + '"k":0}', Reason("occurs twice")),
    ('"' * 199_000, NONE),
    ("`" * 199_000, NONE),
    ("<think>" * 25_000, NONE),
    ("\n" * 190_000 + "{x}", BAD),
    ("[" * 64 + "]" * 64, json.loads("[" * 64 + "]" * 64)),
)
LISTS: tuple[Case, ...] = (
    ("[]", []),
    ('[{"a": 1}, {"b": 2}]', [{"a": 1}, {"b": 2}]),
    ("My reads: [1, 2, 3]", [1, 2, 3]),
    ("Cited [1] and [2].", MANY),
    ('As [1] says: {"a": [2]}', {"a": [2]}),
    ('{"a": [2]} as [1] says', {"a": [2]}),
    ('[ {"a": 1}, ]', BAD),
    ("[NaN]", Reason("NaN")),
)


def cut_replies() -> Iterator[Case]:
    """Cut an answer in nested objects at each place: nothing inside may pass for the whole."""
    for end in range(1, len(PLAIN)):
        text = PLAIN[:end]
        yield text, BAD if "}" in text else CUT


def cases() -> list[Case]:
    """Return the whole table."""
    wrapped = [(wrapping.replace("%s", text), value) for wrapping in WRAPPINGS for text, value in VALUES]
    fenced = [(f"Here:\n```json\n{text}\n```", value) for text, value in BROKEN if math.isfinite(len(text))]
    return [*wrapped, *BROKEN, *fenced, *NOT_THERE, *LONG, *LISTS, *cut_replies()]
