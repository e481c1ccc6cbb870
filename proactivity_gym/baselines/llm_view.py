"""The text of a situation taken apart again: its sections, its slots, and what the user is on record with.

What others wrote stands between marks, which are heeded here: a mail that looks like a section is none.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

_MARK = "<<<"
_OPENS = re.compile(_MARK + "([0-9]+)")
_TITLE = re.compile(r"[A-Z][A-Z ]*[A-Z](?: \([^)]*\))?")
_SLOT = re.compile(r"SLOT ([0-9]+): ([^;]*)")
_RECORD = re.compile(r"record (\S+) ")
_ASKED = ", user, topic "
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_OLDER = re.compile(r"\(([0-9]+) older ones left off\)")

SIGNALS = "OPEN SIGNALS"
DELEGATION = "DELEGATION"
RECORDS = "OTHER RECORDS"
EVENTS = "LAST EVENTS"
PRIORS = "PRIOR INTERACTIONS AND REACTIONS"

_CUTS: tuple[tuple[str, bool], ...] = ((RECORDS, True), (EVENTS, False), (PRIORS, False))
"""What goes first where room is short, and whether its oldest lines stand last."""
TEXT_LEFT_OFF = "(text left off for want of room: read the record with tools)"
_TALLY = "- "
"""How the lines of prior interactions begin that count them: they stay."""


@dataclass
class Section:
    """A part of a situation; the first has no title."""

    title: str
    lines: list[str]
    left_off: int = 0

    def text(self) -> str:
        """Return it as it stands in a prompt."""
        note = [f"({self.left_off} more left off for want of room)"] if self.left_off else []
        return "\n".join([*([self.title] if self.title else []), *self.lines, *note])


class View:
    """A situation."""

    def __init__(self, text: str) -> None:
        """Take a situation's text apart; a text of another kind is one section."""
        self.sections = _sections(text)
        self.now = self.sections[0].lines[0] if self.sections[0].lines else ""
        self.slots: Mapping[int, str] = dict(_slots(self._lines(SIGNALS)))
        """The record that each open slot shows."""

    def text(self) -> str:
        """Return the text."""
        return "\n\n".join(section.text() for section in self.sections)

    def changed(self, before: "View") -> str:
        """Return what differs from an earlier view: new lines, new or changed signals, and which slots are empty now.

        Records are left out: those that join the list were shown before.
        """
        parts = [Section(now.title, _news(before, now)) for now in self.sections if not now.title.startswith(RECORDS)]
        gone = [f"SLOT {slot} is empty now" for slot in before.slots if slot not in self.slots]
        found = [part.text() for part in parts if part.lines] + (["\n".join(gone)] if gone else [])
        return "\n\n".join(found)

    def said(self) -> str:
        """Return all that the user is on record with: statements, reactions, their own messages."""
        told = (_QUOTED.findall(line) for line in self._lines(EVENTS) if " the user " in _QUOTED.sub("", line))
        return "\n".join([*self._lines(DELEGATION), *(words[-1] for words in told if words), *_asked(self._lines(SIGNALS))])

    def shorten(self, characters: int) -> bool:
        """Leave off at least so many characters, as far as there are any to leave off; tell whether there were.

        Records go first, then events, then prior interactions (their counts stay), the oldest first; then texts of records
        among the signals, the longest first. Where even that is too little, the longest lines of all go, those of delegation
        last; the present time and the first line of each signal stay.
        """
        wanted = characters
        for title, oldest_last in _CUTS:
            section = self.section(title)
            while section and characters > 0 and (places := _dispensable(section)):
                line = section.lines.pop(places[-1 if oldest_last else 0])
                older = _OLDER.fullmatch(line)
                characters -= _length([line])
                section.left_off += int(older[1]) if older else 1
        signals = self._lines(SIGNALS)
        while characters > 0 and (place := _longest_text(signals)):
            characters -= _length(signals[place]) - _length([TEXT_LEFT_OFF])
            signals[place] = [TEXT_LEFT_OFF]
        while characters > 0 and (found := self._longest_line()):
            section, place = found
            characters -= _length(section.lines[place])
            section.left_off += 1
            del section.lines[place]
        return characters < wanted

    def section(self, title: str) -> Section | None:
        """Return the section whose title begins so."""
        return next((section for section in self.sections if section.title.startswith(title)), None)

    def _longest_line(self) -> tuple[Section, slice] | None:
        """Return where the longest line or text of others stands that may be left off if need be, those of delegation last."""
        found = [
            (section, place)
            for section in self.sections
            for place, foreign in _units(section.lines)
            if (foreign or not _SLOT.match("".join(section.lines[place]))) and (section.title or place.start)
        ]
        return max(found, key=lambda at: (at[0].title != DELEGATION, _length(at[0].lines[at[1]])), default=None)

    def _lines(self, title: str) -> list[str]:
        section = self.section(title)
        return section.lines if section else []


def _dispensable(section: Section) -> list[int]:
    """Return which lines of a section may be left off."""
    tallied = section.title == PRIORS
    return [place for place, line in enumerate(section.lines) if not (tallied and line.startswith(_TALLY))]


def _longest_text(lines: Sequence[str]) -> slice | None:
    """Return where the longest text of others stands, marks included, if leaving it off saves something."""
    texts = [place for place, foreign in _units(lines) if foreign and _length(lines[place]) > 2 * len(TEXT_LEFT_OFF)]
    return max(texts, key=lambda place: _length(lines[place]), default=None)


def _units(lines: Sequence[str]) -> Iterator[tuple[slice, bool]]:
    """Yield where each line stands, and each text of others with its marks, and whether it is one of these."""
    start = 0
    for place, (_, foreign) in enumerate(marked(lines)):
        if foreign:
            continue
        if start < place:
            yield slice(start, place), True
        yield slice(place, place + 1), False
        start = place + 1
    if start < len(lines):
        yield slice(start, len(lines)), True


def _length(lines: Sequence[str]) -> int:
    return sum(len(line.encode("utf-8", "replace")) + 1 for line in lines)


def _news(before: View, now: Section) -> list[str]:
    """Return the lines of a section, or the whole signals, that an earlier view has not."""
    earlier = before.section(now.title) or Section(now.title, [])
    if now.title == SIGNALS:
        known = set(_blocks(earlier.lines))
        return [block for block in _blocks(now.lines) if block not in known]
    return [line for line in now.lines if line not in earlier.lines]


def _blocks(lines: Iterable[str]) -> Iterator[str]:
    """Yield the signals of their section, one text each."""
    block: list[str] = []
    for line, foreign in marked(lines):
        if block and not foreign and _SLOT.match(line):
            yield "\n".join(block)
            block = []
        block.append(line)
    if block:
        yield "\n".join(block)


def marked(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield lines with whether others wrote them, marks included."""
    closing = ""
    for line in lines:
        if closing:
            yield line, True
            closing = "" if line == closing else closing
            continue
        opening = _OPENS.fullmatch(line) if line.startswith(_MARK) else None
        closing = f">>>{opening[1]}" if opening else ""
        yield line, opening is not None


def _sections(text: str) -> list[Section]:
    found = [Section("", [])]
    lines = found[-1].lines
    blank = False
    for line, foreign in marked(text.rstrip("\n").split("\n")):
        if blank and not foreign and _TITLE.fullmatch(line):
            lines.pop()
            found.append(Section(line, []))
            lines = found[-1].lines
        else:
            lines.append(line)
        blank = not line and not foreign
    return found


def _slots(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    slot = 0
    for line, foreign in marked(lines):
        if foreign:
            continue
        if head := _SLOT.match(line):
            slot = int(head[1])
        elif slot and (record := _RECORD.match(line)):
            yield slot, record[1]
            slot = 0


def _asked(lines: Iterable[str]) -> Iterator[str]:
    """Yield what stands in signals that the user sent, and the user's answers in others."""
    theirs = False
    for line, foreign in marked(lines):
        if not foreign and (head := _SLOT.match(line)):
            theirs = _ASKED in f"{head[2]} "
        if (theirs and foreign) or (not foreign and line.startswith("the user's last answer here: ")):
            yield line
