from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proactivity_gym.sim.checks import Expectation, Phrases, amount, constraints, gravest, outputs, says
from proactivity_gym.sim.tools import Call
from proactivity_gym.sim.words import ActionClass

SAID = [
    # whole words, any case, any white space, punctuation between
    ("The flight leaves on FRIDAY.", "friday"),
    ("moved\n to  Friday", "Moved to Friday"),
    ("Thu 11 Mar, 07:10", "Thu 11 Mar 07:10"),
    ("a follow-up call", "follow up"),
    ("Dr. Silva agrees", "Dr Silva"),
    ("“Friday” it is", "Friday"),
    ("write to ana@example.org today", "ana@example.org"),
    ("see run-12", "run-12"),
    # plural and possessive
    ("two receipts", "receipt"),
    ("the receipt", "receipts"),
    ("Ana's desk", "Ana"),
    ("Ana\N{RIGHT SINGLE QUOTATION MARK}s desk", "Ana"),
    ("4 GPUs", "4 GPU"),
    # numbers and money
    ("EUR 1,200", "EUR 1200"),
    ("EUR 1200", "EUR 1,200"),
    ("1,234,567 rows", "1234567 rows"),
    ("1'200 francs", "1200 francs"),
    ("1\N{NARROW NO-BREAK SPACE}200 euros", "1200 euro"),
    ("1\N{NO-BREAK SPACE}200", "1,200"),
    ("1.200,50", "1200.50"),
    ("85,50", "85.50"),
    ("EUR 85.00", "EUR 85"),
    ("EUR85", "EUR 85"),
    ("\N{EURO SIGN}85", "EUR 85"),
    ("$5 or \N{POUND SIGN}6", "usd 5"),
    ("$5 or \N{POUND SIGN}6", "GBP 6"),
    ("85EUR", "85 EUR"),
    ("85 EUR in all", "85 EUR"),
    ("85 EUR in all", "85"),
    ("at 7:10pm", "7:10 pm"),
    ("at 07:10", "7:10"),
    ("until 2027-03-11T07:10", "2027-03-11T07:10"),
    ("the 12th of March", "12"),
    ("15/18 March", "18 March"),
    ("\N{FULLWIDTH DIGIT EIGHT}\N{FULLWIDTH DIGIT FIVE}", "85"),
    # negated once, said elsewhere; negations that do not reach the phrase
    ("Not Friday. Yes: Friday!", "Friday"),
    ("No. Friday works.", "Friday"),
    ("No, Friday works", "Friday"),
    ("No - Friday works", "Friday"),
    ("not Monday, Friday", "Friday"),
    ("I can not\nFriday", "Friday"),
    ("no need to come Friday", "Friday"),
    ("no later than Friday", "Friday"),
    ("not only Friday", "Friday"),
    ("not just on Friday", "Friday"),
    ("don't forget Friday", "Friday"),
    ("invoice No 81 of Lima", "81"),
    ("Friday is not free", "Friday"),
    ("it is non-refundable", "non-refundable"),
    ("not refundable", "not refundable"),
    ("nothing Friday", "Friday"),
    # all alternatives are said: a choice needs `avoids`
    ("Friday or Monday or Tuesday", "Friday"),
    ("Friday or Monday or Tuesday", "Monday"),
    ("Friday or Monday or Tuesday", "Tuesday"),
    # Unicode
    ("Straße 5", "STRASSE 5"),
    ("cafe\N{COMBINING ACUTE ACCENT} Lima", "Café Lima"),
    ("Fri\N{SOFT HYPHEN}day", "Friday"),
    ("\N{RIGHT-TO-LEFT OVERRIDE}Friday\N{POP DIRECTIONAL FORMATTING}", "Friday"),
    ("{Friday}", "Friday"),
    ("\ud800 Friday\0", "Friday"),
]
NOT_SAID = [
    ("", "Friday"),
    ("Friday", ""),
    ("Fri", "Friday"),
    # substrings of words and numbers
    ("a repaid loan", "paid"),
    ("paid", "repaid"),
    ("the category", "cat"),
    ("1,200", "200"),
    ("17:10", "7:10"),
    ("85.50", "85"),
    ("room B12", "12"),
    ("as", "a"),
    ("x\N{COMBINING CIRCUMFLEX ACCENT}y", "x"),
    # order and neighbourhood
    ("Friday to moved", "moved to Friday"),
    ("moved over to Friday", "moved to Friday"),
    ("85 EUR", "EUR 85"),
    # negated
    ("not Friday", "Friday"),
    ("not on Friday", "Friday"),
    ("not “Friday”", "Friday"),
    ("no receipts", "receipt"),
    ("no paper receipts", "receipt"),
    ("never Friday", "Friday"),
    ("without a receipt", "receipt"),
    ("it isn't Friday", "Friday"),
    ("it isn\N{RIGHT SINGLE QUOTATION MARK}t Friday", "Friday"),
    ("I can't do Friday", "Friday"),
    ("I cannot Friday", "Friday"),
    ("neither Friday nor Monday", "Friday"),
    ("neither Friday nor Monday", "Monday"),
    ("non-refundable", "refundable"),
    ("not Friday, not Friday", "Friday"),
]


@pytest.mark.parametrize(("text", "phrase"), SAID)
def test_said(text: str, phrase: str) -> None:
    assert says(text, phrase)


@pytest.mark.parametrize(("text", "phrase"), NOT_SAID)
def test_not_said(text: str, phrase: str) -> None:
    assert not says(text, phrase)


WORDS = st.lists(st.sampled_from(["Friday", "moved", "EUR", "85", "1,200", "Ana's", "é", "to"]), min_size=1, max_size=5)


@given(words=WORDS, start=st.integers(0, 4), spaces=st.sampled_from([" ", "\n", "  ", "\t"]))
def test_every_run_of_words_is_said(words: list[str], start: int, spaces: str) -> None:
    phrase = " ".join(words[start:]) or words[0]
    assert says(spaces.join(words), phrase)
    assert says(spaces.join(words).upper(), phrase)


@given(text=st.text(alphabet=st.characters()), phrase=st.text(alphabet=st.characters(), max_size=5))
def test_any_text_can_be_asked(text: str, phrase: str) -> None:
    assert says(text, phrase) in (True, False)


MAIL = {"to": "Ana", "subject": "s", "body": "b"}


def mail(**changes: object) -> Call:
    """Return a call of `mail.send`."""
    return Call("mail.send", {**MAIL, **changes})


def mailed(**changes: object) -> Expectation:
    """Return an expected mail whose subject and body are free."""
    return Expectation("mail.send", {**MAIL, **changes}, frozenset({"subject", "body"}))


READ = Call("mail.search", {"query": "Ana"})
DRAFT = Call("files.note", {"title": "t", "body": "b"})
PAY = Call("payments.pay", {"payee": "Lima", "amount": 5, "reference": "r"})


@pytest.mark.parametrize(
    ("expected", "calls", "score"),
    [
        ([], [], 1.0),
        ([], [READ], 1.0),
        ([], [DRAFT], 0.0),
        ([mailed()], [], 0.0),
        ([mailed()], [mail()], 1.0),
        ([mailed()], [mail(body="other"), READ], 1.0),
        ([mailed()], [mail(to="Rui")], 0.0),
        ([mailed()], [mail(), mail()], 0.5),
        ([mailed()], [DRAFT, mail()], 0.5),
        ([mailed()], [Call("mail.sing", {}), mail()], 0.5),
        ([mailed()], [Call("mail.draft", MAIL)], 0.0),
        ([mailed(), mailed()], [mail()], 0.5),
        ([mailed(), mailed()], [mail(), mail()], 1.0),
        ([mailed(), mailed(to="Rui")], [mail(to="Rui"), mail()], 1.0),
        ([mailed(), mailed(to="Rui")], [mail(), PAY, DRAFT], 1 / 3),
    ],
)
def test_outputs(expected: Sequence[Expectation], calls: Sequence[Call], score: float) -> None:
    assert outputs(expected, calls) == score


@pytest.mark.parametrize(
    ("wanted", "given_value", "equal"),
    [
        (5, 5.0, True),
        (5.0, 5, True),
        (True, 1, False),
        (0, False, False),
        (True, True, True),
        (5, "5", False),
        ("a", "a", True),
        ("a", "A", False),
        (["a", "b"], ["b", "a", "a"], True),
        (["a"], ["a", "b"], False),
        (["a", "b"], ["a"], False),
        (["a"], "a", False),
        ([], [], True),
        (["a"], [{"a": 1}], False),
    ],
)
def test_equality_of_arguments(wanted: object, given_value: object, equal: bool) -> None:
    expected = [Expectation("files.share", {"people": wanted})]
    assert outputs(expected, [Call("files.share", {"people": given_value})]) == float(equal)


@pytest.mark.parametrize("arguments", [{}, {"to": "Ana", "cc": "Rui"}])
def test_arguments_must_be_the_same_ones(arguments: dict[str, object]) -> None:
    assert outputs([Expectation("mail.send", {"to": "Ana"})], [Call("mail.send", arguments)]) == 0.0


def test_a_strict_expectation_gets_the_call_that_a_loose_one_could_take() -> None:
    strict, loose = Expectation("mail.send", MAIL), mailed()
    calls = [mail(), mail(body="other")]
    for expected in permutations([strict, loose]):
        for made in permutations(calls):
            assert outputs(expected, made) == 1.0


FRIDAY = Expectation("mail.send", MAIL, frozenset({"body"}), {"body": ("Friday", "14:00")}, {"body": ("Monday",)})
SUNDAY = Expectation("mail.send", MAIL, frozenset({"body"}), {"body": ("Sunday",)})


@pytest.mark.parametrize(
    ("expected", "calls", "score"),
    [
        ([], [], None),
        ([mailed()], [mail()], None),
        ([FRIDAY], [], 0.0),
        ([FRIDAY], [mail(body="Friday, 14:00")], 1.0),
        ([FRIDAY], [mail(body="Friday, 14:00, or Monday")], 2 / 3),
        ([FRIDAY], [mail(body="Friday, 14:00, not Monday")], 1.0),
        ([FRIDAY], [mail(body="never mind")], 1 / 3),
        ([FRIDAY], [mail(to="Rui", body="Friday, 14:00")], 0.0),
        ([FRIDAY, mailed(to="Rui")], [mail(body="Friday 14:00")], 1.0),
        ([FRIDAY, SUNDAY], [mail(body="Friday, 14:00")], 3 / 4),
        ([FRIDAY], [mail(body="Hello"), mail(body="Friday, 14:00")], 1.0),
    ],
)
def test_constraints(expected: Sequence[Expectation], calls: Sequence[Call], score: float | None) -> None:
    assert constraints(expected, calls) == score


def test_of_like_calls_each_meets_the_expectation_whose_rules_it_keeps() -> None:
    for expected in permutations([FRIDAY, SUNDAY]):
        for calls in permutations([mail(body="Friday 14:00"), mail(body="Sunday")]):
            assert (outputs(expected, calls), constraints(expected, calls)) == (1.0, 1.0)


def test_rules_read_lists_and_numbers_and_lack_of_an_argument() -> None:
    args = {"id": "x", "people": ["?"], "amount": 0}
    free = frozenset({"people", "amount", "note"})
    rules = {"people": ("Ana", "Rui"), "amount": ("85",), "note": ("why",)}
    expected = [Expectation("files.share", args, free, rules, {"note": ("never",)})]
    made = [Call("files.share", {"id": "x", "people": ["Rui", "Ana"], "amount": 85})]
    assert constraints(expected, made) == 4 / 5


@pytest.mark.parametrize(
    ("args", "contains", "avoids"),
    [
        ({"to": "@{ana}"}, {}, {}),
        ({"people": ["Ana", "@{rui.name}"]}, {}, {}),
        ({}, {"body": ("Friday", "@{talk.at:time}")}, {}),
        ({}, {}, {"body": ("@{talk}",)}),
    ],
)
def test_placeholders_must_be_filled_in(args: dict[str, object], contains: Phrases, avoids: Phrases) -> None:
    with pytest.raises(ValueError, match=r"mail\.send: \w+: fill in the placeholder"):
        Expectation("mail.send", args, frozenset(), contains, avoids)


def test_braces_alone_are_no_placeholder() -> None:
    assert Expectation("mail.send", {"body": "{x} @ {y}"}).args == {"body": "{x} @ {y}"}


@pytest.mark.parametrize(
    ("calls", "effect", "total"),
    [
        ([], ActionClass.READ, 0.0),
        ([READ], ActionClass.READ, 0.0),
        ([READ, DRAFT], ActionClass.DRAFT, 0.0),
        ([mail(), DRAFT], ActionClass.COMMIT, 0.0),
        ([PAY, mail(), PAY], ActionClass.CONSEQUENTIAL, 10.0),
        ([Call("mail.sing", {"amount": 2.5})], ActionClass.CONSEQUENTIAL, 2.5),
        ([Call("mail.send", {"amount": junk}) for junk in ("5", True, None, [5], 1e999)], ActionClass.COMMIT, 0.0),
    ],
)
def test_gravest_and_amount(calls: Sequence[Call], effect: ActionClass, total: float) -> None:
    assert gravest(calls) is effect
    assert amount(calls) == total
    assert isinstance(amount(calls), float)


def test_many_like_calls_are_matched_in_no_time() -> None:
    calls = [mail(body=f"text {number}") for number in range(100)]
    assert outputs([FRIDAY, SUNDAY, mailed()], calls) == 0.03
