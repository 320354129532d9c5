"""Account numbers and phone numbers, spoken as digits or as words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ringback.core.identity import normalise_handle
from ringback.core.reading import ANSWERED, SURE, Found, Reading, last_said, statements
from ringback.core.relatives import ENGLISH, NAMED, person_ref
from ringback.records import HandleKind
from ringback.text import Span, spoken_digits

ACCOUNT_DIGITS = (3, 20)
PHONE_DIGITS = (7, 15)  # ITU-T E.164: at most 15
CARD_DIGITS = (13, 19)  # ISO/IEC 7812

_ACCOUNT = re.compile(
    r"\b(?:(?:my|our|the|that's|it's)\s+)?(?:account|customer|client|contract|membership|member)"
    r"\s+(?:number|no\.?|id)(?:\s+(?:for|of)\s+(?:this|that|the)(?:\s+\w+)?)?"
    r"(?:\s+(?:is|was|would be|it's|should be)|'s)?[\s,:]+"
    r"|\b(?:my|our|it's|under)\s+account(?:\s+is)?[\s,:]+",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?:his|her|their|your|\w+'s|old|previous|former|wrong)\s+(?:\w+\s+)?$", re.IGNORECASE
)
_RELATIVES = re.compile(rf"\bmy\s+(?P<who>{ENGLISH}{NAMED}?)'s\s+$", re.IGNORECASE)
_PHONE = re.compile(
    r"\bmy\s+(?:(?:new|mobile|cell|cellphone|phone|telephone|home|work|callback|call back|"
    r"contact|current)\s+)*(?:number|phone|mobile|cell)(?:\s+(?:is|would be)|'s)(?:\s+now)?[\s,:]+"
    r"|\b(?:call|reach|ring|text|phone)\s+me(?:\s+back)?\s+(?:at|on)\s+(?:my\s+\w+\s+)?",
    re.IGNORECASE,
)
_NEGATED_FIRST = re.compile(r"not\s+", re.IGNORECASE)
_BUT = re.compile(r"[\s,.;]*(?:but|it's|it is|rather)\s+", re.IGNORECASE)
_AREA = re.compile(r"(?:area code|country code)\s+", re.IGNORECASE)
_PLUS = re.compile(r"(\+|plus\s+)\s*", re.IGNORECASE)
_UNIT_AFTER = re.compile(
    r"\s*(?:%|percent|dollars?|euros?|pounds?|cents?|days?|weeks?|months?|years?|hours?|"
    r"minutes?|times|o'clock|[ap]\.?m\b|\d*(?:st|nd|rd|th)\b)",
    re.IGNORECASE,
)
_GROUPING = re.compile(r"[\s().-]*")
_ASKS_ACCOUNT = re.compile(
    r"\b(?:account|customer|client|contract|member(?:ship)?) (?:number|id)\b", re.IGNORECASE
)
_ASKS_PHONE = re.compile(
    r"\b(?:phone|mobile|telephone|callback|contact|cell) number\b|\bnumber to reach you\b"
    r"|\bnumber can (?:i|we) (?:call|reach)",
    re.IGNORECASE,
)
_ANSWER_LEAD = re.compile(
    r"^\W{0,8}(?:(?:yes|yeah|sure|of course|okay|certainly|uh|um|it's|it is|that's|that is|"
    r"that would be|the number is)\b[\s,.:]*)*",
    re.IGNORECASE,
)
_NOT_THAT = re.compile(
    r"^\W{0,8}(?:(?:no|sorry|wait|actually|correction|i mean|it's|it is|that's|that should be|"
    r"make that|the number is)\b[\s,.:]*)+",
    re.IGNORECASE,
)


def read(reading: Reading) -> Iterator[Found]:
    """Find the account number and the phone number in one of the caller's turns.

    A relative's account number is found as theirs: "my mother's account number is".
    """
    newest: dict[tuple[str, str], Found] = {}
    for span in statements(reading.text):
        for found in (*_stated(reading.text, span), *_answered(reading, span)):
            newest[found.key, found.subject] = found
    yield from newest.values()


def _stated(text: str, span: Span) -> Iterator[Found]:
    for key, pattern in (("account_number", _ACCOUNT), ("phone", _PHONE)):
        for cue in pattern.finditer(text, span.start, span.end):
            before = text[span.start : cue.start()]
            relative = _RELATIVES.search(before)
            if _OTHERS.search(before) and relative is None:
                continue
            found = _number_at(text, cue.end(), key, SURE)
            if found:
                yield replace(found, subject=person_ref(relative["who"])) if relative else found


def _answered(reading: Reading, span: Span) -> Iterator[Found]:
    """A bare number after the agent asked for it; "no, 4827" after it was read back."""
    text = reading.text
    sentence = text[span.start : span.end]
    for key, asks in (("account_number", _ASKS_ACCOUNT), ("phone", _ASKS_PHONE)):
        lead = _ANSWER_LEAD.match(sentence) if asks.search(reading.asked) else None
        found = _number_at(text, span.start + lead.end(), key, ANSWERED) if lead else None
        if found and not text[found.end : span.end].strip(" .,!"):
            yield found
    lead = _NOT_THAT.match(sentence)
    for key in ("account_number", "phone") if lead else ():
        known = reading.known.get(key, "")
        found = _number_at(text, span.start + lead.end(), key, ANSWERED) if lead and known else None
        if found and len(found.value) == len(known):
            yield found


def _number_at(text: str, start: int, key: str, confidence: float) -> Found | None:
    """Read a number and follow the corrections behind it; "not 4812 but 4821" is 4821."""
    negation = _NEGATED_FIRST.match(text, start)
    if negation:
        wrong = _read(text, negation.end(), key, confidence)
        but = _BUT.match(text, wrong.end) if wrong else None
        return _read(text, but.end(), key, confidence) if but else None
    first = _read(text, start, key, confidence)
    if first is None:
        return None
    return last_said(
        text, first, lambda found: found.end, lambda at: _read(text, at, key, confidence)
    )


def _read(text: str, start: int, key: str, confidence: float) -> Found | None:
    return (
        _account(text, start, confidence)
        if key == "account_number"
        else _phone(text, start, confidence)
    )


def _account(text: str, start: int, confidence: float) -> Found | None:
    run = spoken_digits(text, start)
    if run is None or _UNIT_AFTER.match(text, run.end) or is_card_number(run.digits):
        return None
    if not ACCOUNT_DIGITS[0] <= len(run.digits) <= ACCOUNT_DIGITS[1]:
        return None
    return Found("account_number", run.digits, run.start, run.end, confidence)


def _phone(text: str, start: int, confidence: float) -> Found | None:
    """A phone number may be grouped by brackets, dots, spaces and pauses."""
    area = _AREA.match(text, start)
    begin = area.end() if area else start
    plus = _PLUS.match(text, begin)
    place = plus.end() if plus else begin
    digits, end = "", begin
    while run := spoken_digits(text, (_GROUPING.match(text, place) or plus).end()):  # type: ignore[union-attr]
        digits, end = digits + run.digits, run.end
        place = end
    if not PHONE_DIGITS[0] <= len(digits) <= PHONE_DIGITS[1]:
        return None
    handle = normalise_handle(HandleKind.PHONE, ("+" if plus else "") + digits)
    return Found("phone", handle.value, begin, end, confidence) if handle else None


def is_card_number(digits: str) -> bool:
    """A payment card's number: 13 to 19 digits that pass the Luhn check."""
    if not CARD_DIGITS[0] <= len(digits) <= CARD_DIGITS[1]:
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (2 if place % 2 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0
