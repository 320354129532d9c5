"""Dates that caller and agent settle on: visits, bookings, calls back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ringback.core.dates import DateFound, find_dates
from ringback.core.reading import (
    AMBIGUOUS,
    CORRECTION,
    Found,
    Reading,
    is_question,
    statements,
)
from ringback.text import Span

_WANTS = re.compile(
    r"\b(?:appointment|booking|visit|slot|book|schedule|reschedule|reserve|put me down|pencil me"
    r"|sign me up|(?:come|stop|drop|swing) (?:by|in|over|out|round)|(?:engineer|technician|"
    r"plumber|electrician|doctor)|(?:call|phone|ring) me|works for me|suits me|(?:is|would be|"
    r"will be|'s) (?:fine|good|great|perfect|better|best|okay|ok)|make it|move (?:it|that) to"
    r"|let's (?:say|do|make it))\b",
    re.IGNORECASE,
)
_REFUSES = re.compile(
    r"\b(?:can't|cannot|can not|couldn't|not|don't|won't|doesn't|didn't|isn't|never|cancel|"
    r"no longer|except|unless|instead of|was|were|had|did|missed|yesterday|ago)\b",
    re.IGNORECASE,
)
_ASKS_FACT = re.compile(
    r"^\W{0,8}(?:and |so |but )*(?:is|was|are|were|did|does|do|when|what|which|has|have|why)\b",
    re.IGNORECASE,
)
_ASKS_DATE = re.compile(
    r"\b(?:when|what (?:day|date|time)|which (?:day|date|time)|day works|time works|"
    r"date works|appointment)\b[^?]*\?",
    re.IGNORECASE,
)
_SETTLES = re.compile(
    r"\b(?:your|the) (?:new )?(?:appointment|booking|visit|slot)(?: is|'s| will be)\b"
    r"|\b(?:i|we)(?:'ve| have)? (?:booked|scheduled|put you down|reserved|moved|made)\b"
    r"|\byou(?:'re| are) (?:booked|scheduled|down|confirmed|all set)\b"
    r"|\b(?:engineer|technician|plumber|electrician|doctor|colleague)(?: will|'ll) "
    r"(?:come|visit|be (?:there|with you)|see you|call)\b",
    re.IGNORECASE,
)


def read(reading: Reading) -> Iterator[Found]:
    """Find the date that a caller's turn settles on or asks for."""
    yield from _last(_wanted(reading, span) for span in statements(reading.text))


def read_agent(reading: Reading) -> Iterator[Found]:
    """Find the date that an agent's turn states as settled."""
    yield from _last(
        _settled(reading, span)
        for span in statements(reading.text)
        if _SETTLES.search(reading.text, span.start, span.end)
    )


def _last(found: Iterator[Found | None]) -> Iterator[Found]:
    all_found = [each for each in found if each]
    if all_found:
        yield all_found[-1]


def _wanted(reading: Reading, span: Span) -> Found | None:
    sentence = reading.text[span.start : span.end]
    is_asked = bool(_ASKS_DATE.search(reading.asked)) or "appointment" in reading.known
    if not (_WANTS.search(sentence) or is_asked) or _ASKS_FACT.match(sentence):
        return None
    found = settled_date(reading, span)
    if found is None or _REFUSES.search(_without_cues(reading.text, span, found)):
        return None
    confidence = found.confidence
    if is_question(sentence):  # asked for, not agreed
        confidence = min(confidence, AMBIGUOUS)
    return Found("appointment", found.value, found.start, found.end, confidence)


def _without_cues(text: str, span: Span, found: DateFound) -> str:
    """The sentence up to the date's end, with "no wait" and the like taken out."""
    return CORRECTION.sub(" ", text[span.start : found.end])


def _settled(reading: Reading, span: Span) -> Found | None:
    sentence = reading.text[span.start : span.end]
    found = settled_date(reading, span)
    if found is None or is_question(sentence):
        return None
    if re.search(r"\b(?:not|n't|never|cancel\w*|was|were)\b", sentence, re.IGNORECASE):
        return None
    return Found("appointment", found.value, found.start, found.end, found.confidence)


def settled_date(reading: Reading, span: Span) -> DateFound | None:
    """The one date of a sentence; the last of those that correct each other, else None."""
    dates = list(find_dates(reading.text, reading.at, reading.zone, start=span.start, end=span.end))
    for one, other in pairwise(dates):
        between = reading.text[one.end : other.start]
        if not CORRECTION.match(f"{between} "):
            return None
    return dates[-1] if dates else None
