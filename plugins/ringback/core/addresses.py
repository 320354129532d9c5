"""Where to write to: postal addresses as they are spoken; e-mail addresses see `emails`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.emails import read_email
from ringback.core.reading import ANSWERED, LIKELY, SURE, Found, Reading, last_said, statements
from ringback.core.relatives import ENGLISH, NAMED, person_ref
from ringback.records import SELF
from ringback.text import Span, spoken_digits

_STREET = (
    "street|st|lane|ln|road|rd|avenue|ave|drive|dr|court|ct|place|boulevard|blvd|way|close|"
    "square|terrace|crescent|circle|parkway|highway|row|hill|gardens|mews|alley|trail|grove|park|walk"
)
_UNIT = r"(?:apartment|apt|unit|flat|suite|number)"
_LIVES = re.compile(
    rf"\b(?:i|we|(?P<who>my\s+{ENGLISH}{NAMED}?))(?:'m| am| are|'re|'ve| have)?\s+(?:now\s+|still\s+|"
    r"just\s+|recently\s+)*(?:lives?|living|moved|staying)\s+(?:now\s+|over\s+)*(?:at|to|in|into|on)\s+"
    r"|\b(?:(?:my|our|the)\s+|(?=new\s))(?:(?:new|current|home|postal|mailing|street|billing|delivery|right|correct)\s+)*"
    r"address(?:\s+(?:is|was|would be)|'s|\s+has changed to|\s+changed to)(?:\s+now)?\s+"
    r"|\b(?:my|our) (?:place|house|flat|apartment)(?:\s+is|'s)\s+(?:at\s+)?",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"\b(?:(?:i|we)(?:'ve| have)?\s+(?:just\s+)?moved|new address|moved house|not at [\w ]{2,30} any ?more"
    r"|address (?:is|was|has|you have|on file))\b",
    re.IGNORECASE,
)
_NOW_AT = re.compile(
    r"\b(?:it's|it is|now|we're(?: now)? at|we are(?: now)? at|i'm(?: now)? at|the new (?:one|address)"
    r"(?: is|'s)|should be|it should be)\s+(?:now\s+|at\s+)*",
    re.IGNORECASE,
)
_ASKS_ADDRESS = re.compile(
    r"\b(?:your|what|which|the) (?:\w+ )?address\b|\bwhere do you live\b|\baddress,? please\b"
    r"|\bwhere (?:should|shall|do|can|may) (?:we|i) (?:send|deliver|ship|post|come)\b",
    re.IGNORECASE,
)
_ASKS_YOUR = re.compile(r"\byour\b[^.]*\?\s*$", re.IGNORECASE)
_ASKS_EMAIL = re.compile(r"\be[- ]?mail\b", re.IGNORECASE)
_LEAD = re.compile(
    r"\W{0,8}(?:(?:yes|yeah|it's|it is|sure|uh|um|that's|that is|that would be|to|at|well|so|okay)\b"
    r"[\s,]{0,3})*",
    re.IGNORECASE,
)
_UNIT_FIRST = re.compile(
    r"(?:(?P<unit>(?:flat|apartment|apt|unit|suite)\s+\w+),?\s+|number\s+)", re.IGNORECASE
)
_HOUSE_LETTER = re.compile(r"[a-z](?=\s)", re.IGNORECASE)
_REST = re.compile(
    rf"\s+((?:[A-Za-z'.]+\s+){{1,4}}?(?i:{_STREET}))\b\.?"
    rf"((?:,?\s+(?i:{_UNIT})\s+\w+)?)"
    r"((?:,\s+(?:in\s+)?[A-Z][a-z]+(?:\s[A-Z][a-z]+){0,2})?(?:,?\s+(?:[A-Z]{2}\s+)?\d{5}\b)?)",
)
_NO_STREET = re.compile(
    r"\b(?:no|not|and|is|the|my|wait|sorry|minutes|miles|in|of|on|at|a|from|times|people|by|per|to)\b",
    re.IGNORECASE,
)
_NOT_NOW = re.compile(
    r"\b(?:used to|old|previous|former|no longer|not at|wrong|was)\b[^,;]*$|\bimagine\b|\bif\b",
    re.IGNORECASE,
)


def read(reading: Reading) -> Iterator[Found]:
    """Find the caller's e-mail address and postal address in one of the caller's turns."""
    newest: dict[tuple[str, str], Found] = {}
    for span in statements(reading.text):
        for found in (read_email(reading, span), _postal(reading, span)):
            if found:
                newest[found.key, found.subject] = found
    yield from newest.values()


def _postal(reading: Reading, span: Span) -> Found | None:
    text = reading.text
    first = _stated(text, span) or _answered(reading, span)
    if first is None:
        return None
    return last_said(
        text, first, lambda found: found.end, lambda at: _at(text, at, SURE, first.subject)
    )


def _stated(text: str, span: Span) -> Found | None:
    """Read "I live at", "my address is", and "it's 31 Elm Court now" after a move."""
    for cue in _LIVES.finditer(text, span.start, span.end):
        subject = person_ref(re.sub(r"^my\s+", "", cue["who"], flags=re.I)) if cue["who"] else SELF
        found = _at(text, cue.end(), SURE, subject)
        if found and not _NOT_NOW.search(text[span.start : cue.end()]):
            return found
    moved = _MOVED.search(text, 0, span.end)
    if moved is None:
        return None
    for cue in _NOW_AT.finditer(text, max(span.start, moved.end()), span.end):
        found = _at(text, cue.end(), LIKELY, SELF)
        if found:
            return found
    return None


def _answered(reading: Reading, span: Span) -> Found | None:
    """A bare address after the agent asked for it, or for something that was misheard."""
    text = reading.text
    lead = _LEAD.match(text, span.start)
    start = lead.end() if lead else span.start
    if _ASKS_EMAIL.search(reading.asked):
        return None
    if _ASKS_ADDRESS.search(reading.asked):
        return _at(text, start, ANSWERED, SELF)
    if _ASKS_YOUR.search(reading.asked):  # "what's your red red?"
        found = _at(text, start, LIKELY, SELF)
        is_all = found and len(text[found.end : span.end].split()) <= 1
        return found if is_all else None
    return None


def _at(text: str, start: int, confidence: float, subject: str) -> Found | None:
    """A house number and a street with its kind; city and postcode if they follow."""
    unit = _UNIT_FIRST.match(text, start)
    house = spoken_digits(text, unit.end() if unit else start)
    if house is None or len(house.digits) > 5:
        return None
    letter = _HOUSE_LETTER.match(text, house.end)
    rest = _REST.match(text, letter.end() if letter else house.end)
    if rest is None or _NO_STREET.search(rest.group(1)):
        return None
    street = rest.group(1) if rest.group(1)[0].isupper() else rest.group(1).title()
    number = f"{house.digits}{letter.group() if letter else ''}"
    flat = f"{unit['unit']}, " if unit and unit["unit"] else ""
    value = f"{flat}{number} {street}{rest.group(2)}{rest.group(3)}"
    return Found("address", value, start, rest.end(), confidence, subject=subject)
