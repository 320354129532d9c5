"""Account numbers and phone numbers where one is expected, with what takes them back."""

from __future__ import annotations

import re

from ringback.core.digit_runs import digit_run
from ringback.core.identity import normalise_handle
from ringback.core.reading import CORRECTION, Found, last_said
from ringback.records import HandleKind

ACCOUNT_DIGITS = (3, 20)
PHONE_DIGITS = (7, 15)  # ITU-T E.164: at most 15
CARD_DIGITS = (13, 19)  # ISO/IEC 7812

_NEGATED_FIRST = re.compile(r"not\s+", re.IGNORECASE)
_BUT = re.compile(r"[\s,.;]{0,4}(?:(?:but|it's|it is|rather|no)\s+)?", re.IGNORECASE)
_LEAD_IN = re.compile(
    r"[\s,.]{0,4}(?:(?:uh|um|er|erm|let me see|let's see|hang on|one sec|one moment|i think|"
    r"i believe|number)\b[\s,.]{0,4}){0,4}",
    re.IGNORECASE,
)
_LETTERS = re.compile(
    r"(?P<spelled>(?:[A-Za-z](?:\s+(?:as in|for|like)\s+[A-Za-z]{2,15})?[\s,.-]{1,3}){1,4})"
    r"(?:(?:dash|hyphen)\s+)?(?=\w)|(?P<written>(?-i:[A-Z]{1,4})(?:-|\s)?)(?=\d)",
    re.IGNORECASE,
)
_AS_IN = re.compile(r"\b([a-z])\s+(?:as in|for|like)\s+[a-z]{2,15}", re.IGNORECASE)
_AREA = re.compile(r"(?:area code|country code)\s+", re.IGNORECASE)
_PLUS = re.compile(r"(\+|plus\s+)\s*", re.IGNORECASE)
_GROUPING = re.compile(r"[\s().-]{0,6}")
_UNIT_AFTER = re.compile(
    r"\s*(?:%|percent|dollars?|euros?|pounds?|cents?|days?|weeks?|months?|years?|hours?|"
    r"minutes?|times|people|digits?|o'clock|[ap]\.?m\b|\d*(?:st|nd|rd|th)\b)",
    re.IGNORECASE,
)
_BREAK = r"[\s,.;-]{0,4}"
_DOUBT = rf"(?:(?:oh|no|wait|sorry|hang on|hold on|actually|uh|um|er)\b{_BREAK})"
_OTHER_THING = (
    r"(?:old|previous|wrong|pin|password|phone|mobile|cell|fax|order|invoice|card|postcode|"
    r"zip|birthday|passport|reference|ticket|case|tracking|meter|serial|policy|house|office)"
)
_RETRACTED = re.compile(
    rf"{_BREAK}{_DOUBT}{{1,4}}(?:that's|that is|that was|it's|this is)\s+"
    r"(?:my|the|an?|his|her|their|our|your|from)\s+"
    r"(?!(?:right|correct|new|number|one|account|customer)\b)\w"
    rf"|{_BREAK}{_DOUBT}{{0,4}}(?:that's|that is|that was|it's|this is)\s+"
    rf"(?:not\s+(?:it|mine|right|the)\b|wrong\b|(?:my|the|an?|his|her|their|our|your)\s+{_OTHER_THING}\b)"
    rf"|{_BREAK}{_DOUBT}{{0,4}}(?:forget|scratch|ignore|strike|delete)\s+(?:that|it)\b",
    re.IGNORECASE,
)
_OWN_PHONE = re.compile(
    r"[\s,.;-]{0,4}(?:that's|that is|it's|this is)\s+(?:my|our|the)\s+(?:cell|mobile|phone|home|work|"
    r"office|land)",
    re.IGNORECASE,
)


def number_at(text: str, start: int, key: str, confidence: float) -> Found | None:
    """Read a number and follow the corrections behind it; "not 4812 but 4821" is 4821.

    Returns:
        None where the words behind it take it back: "no, that's my PIN", "forget that".
    """
    begin = _after(_LEAD_IN, text, start)
    negation = _NEGATED_FIRST.match(text, begin)
    if negation:
        wrong = _read(text, negation.end(), key, confidence)
        but = _BUT.match(text, wrong.end) if wrong else None
        return _read(text, but.end(), key, confidence) if but else None
    first = _read(text, begin, key, confidence)
    if first is None:
        return None
    last = last_said(
        text,
        first,
        lambda found: found.end,
        lambda at: _read(text, _after(_LEAD_IN, text, at), key, confidence),
    )
    return None if is_taken_back(text, last) or _is_put_right(text, last) else last


def is_taken_back(text: str, found: Found) -> bool:
    """The words behind a number say that it is another one."""
    if found.key == "phone" and _OWN_PHONE.match(text, found.end):
        return False
    return bool(_RETRACTED.match(text, found.end))


def _is_put_right(text: str, found: Found) -> bool:
    """A part of it is corrected, nobody knows which: "555 0142, no wait, 43"."""
    cue = CORRECTION.match(text, found.end)
    return cue is not None and digit_run(text, cue.end()) is not None


def _read(text: str, start: int, key: str, confidence: float) -> Found | None:
    read = _account if key == "account_number" else _phone
    return read(text, start, confidence)


def _account(text: str, start: int, confidence: float) -> Found | None:
    """Digits, or a few letters and digits: "A B dash one seven oh four" is AB1704."""
    letters, place = _letters(text, start)
    run = digit_run(text, place)
    if run is None or _UNIT_AFTER.match(text, run.end) or is_card_number(run.digits):
        return None
    value = letters + run.digits
    if not ACCOUNT_DIGITS[0] <= len(value) <= ACCOUNT_DIGITS[1] or len(run.digits) < 2:
        return None
    return Found("account_number", value, start, run.end, confidence)


def _letters(text: str, start: int) -> tuple[str, int]:
    match = _LETTERS.match(text, start)
    if match is None:
        return "", start
    said = match["written"] or _AS_IN.sub(r"\1", match["spelled"])
    letters = re.sub(r"[^A-Za-z]", "", said)
    if letters in {"a", "i", "I"}:  # "it's a four digit number", "I, 4821"
        return "", start
    return letters.upper(), match.end()


def _phone(text: str, start: int, confidence: float) -> Found | None:
    """A phone number may be grouped by brackets, dots, spaces and pauses."""
    begin = _after(_AREA, text, start)
    plus = _PLUS.match(text, begin)
    place = _after(_GROUPING, text, plus.end() if plus else begin)
    run = digit_run(text, place, is_grouped=True)
    if run is None or not PHONE_DIGITS[0] <= len(run.digits) <= PHONE_DIGITS[1]:
        return None
    handle = normalise_handle(HandleKind.PHONE, ("+" if plus else "") + run.digits)
    return Found("phone", handle.value, begin, run.end, confidence) if handle else None


def is_card_number(digits: str) -> bool:
    """A payment card's number: 13 to 19 digits that pass the Luhn check."""
    if not CARD_DIGITS[0] <= len(digits) <= CARD_DIGITS[1] or not digits.isdecimal():
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (2 if place % 2 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def _after(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place
