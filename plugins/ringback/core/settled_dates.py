"""The one date that a sentence settles on, of those that it names, corrects and rejects."""

from __future__ import annotations

import re
from itertools import pairwise

from ringback.core.dates import DateFound, find_dates
from ringback.core.reading import CORRECTION, Reading
from ringback.text import Span

_REJECTED = re.compile(
    r"[\s,]{0,3}(?:(?:is|was|are|'s)\s+(?:no good|not \w+|bad|out|impossible|full|too \w+)"
    r"|(?:doesn't|does not|won't|will not|wouldn't|isn't|didn't)\s+(?:really\s+)?\w+(?:\s+for me)?"
    r"|i can't|i cannot|i'm (?:busy|away|working|out))\b",
    re.IGNORECASE,
)
_REJECTS = re.compile(
    r"\b(?:can't (?:do|make|come)(?: it)?|cannot (?:do|make|come)|instead of|rather than|any \w+ but|except(?: for)?|apart from|other than|not(?: on)?)\s+"
    r"(?:on\s+)?$",
    re.IGNORECASE,
)
_FROM = re.compile(r"\bfrom\s+(?:the\s+)?$", re.IGNORECASE)
_TO = re.compile(r"\s+to\s+(?:the\s+)?", re.IGNORECASE)


def settled_date(reading: Reading, span: Span) -> DateFound | None:
    """The one date of a sentence; the last of those that correct each other, else None.

    A date that is rejected ("not Monday", "Monday is no good") does not count, nor the one
    that an appointment is moved from.
    """
    text = reading.text
    dates = [
        one
        for one in find_dates(text, reading.at, reading.zone, start=span.start, end=span.end)
        if not _is_rejected(text, span, one)
    ]
    for one, other in pairwise(dates):
        between = text[one.end : other.start]
        is_moved = _FROM.search(text[span.start : one.start]) and _TO.fullmatch(between)
        if not is_moved and not CORRECTION.match(f"{between} "):
            return None
    return dates[-1] if dates else None


def behind_rejected(reading: Reading, span: Span, found: DateFound) -> int:
    """Where a sentence goes on behind what it rejects: "not Monday, Tuesday"."""
    text = reading.text
    rejected = [
        one
        for one in find_dates(text, reading.at, reading.zone, start=span.start, end=found.start)
        if _is_rejected(text, span, one)
    ]
    if not rejected:
        return span.start
    behind = _REJECTED.match(text, rejected[-1].end, found.start)
    return behind.end() if behind else rejected[-1].end


def _is_rejected(text: str, span: Span, found: DateFound) -> bool:
    lead = text[span.start : found.start]
    return bool(_REJECTED.match(text, found.end, span.end) or _REJECTS.search(lead))
