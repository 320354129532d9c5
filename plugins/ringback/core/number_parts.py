"""A part of a number that is put right: "no, the last digit is a 7"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from types import MappingProxyType

from ringback.core.digit_runs import digit_run
from ringback.core.reading import ANSWERED, CORRECTION, Found, Reading
from ringback.text import DIGITS, Span, ordinal

KEYS = ("account_number", "phone")

_COUNT = rf"(?:{'|'.join(DIGITS)}|\d)"
_THING = r"(?:\s+(?:of|in|on)\s+(?:my|the|that)\s+(?:(?P<account>account|customer|client|member)|(?P<phone>phone|mobile|cell))(?:\s+number)?)?"
_BECOMES = (
    r"(?:'s|\s+(?:is|are|was|were|should be|needs to be|must be))"
    r"(?:\s+(?:actually|really|supposed to be))?\s+(?:an?\s+)?"
)
_PART = re.compile(
    rf"\b(?:the\s+)?(?P<which>last|final|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)"
    rf"(?:\s+(?P<count>{_COUNT}))?\s+(?:digits?|numbers?|figures?){_THING}{_BECOMES}"
    rf"|\b(?:it|the number|(?:my|the) account number|that)\s+(?:should\s+)?(?:(?P<ends>ends?)|(?P<starts>starts?|begins?))"
    r"\s+(?:in|with)\s+(?:an?\s+)?",
    re.IGNORECASE,
)
_NOT_THAT = re.compile(r"[\s,]{0,3}not\s+(?:an?\s+)?", re.IGNORECASE)
_CLOSED = re.compile(
    r"\s*(?:[.,!;]|$|\b(?:instead|please|actually|though|sorry|thanks)\b)", re.IGNORECASE
)
_DENIES = re.compile(
    r"^\W{0,8}(?:(?:oh|um|uh|well|sorry)\W{1,3})*(?:no|nope|not quite|almost|nearly|actually|"
    r"that's (?:not right|wrong)|wrong)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Part:
    """Which digits of a number are others than was thought."""

    which: int
    """From 0; below it, from the end: -1 is the last."""
    digits: str
    """What they are; several run on from `which`, or up to the end."""
    wrong: str = ""
    """What they are not, if that was said."""


def with_part(value: str, part: Part) -> str | None:
    """Put a part of a number right.

    Returns:
        None where the number has no such digits, or never had what was called wrong: then
        another number is meant.
    """
    first = len(value) - len(part.digits) if part.which < 0 else part.which
    end = first + len(part.digits)
    is_counted_from_front = part.which >= 0
    if first < 0 or end > len(value) or not value[first:end].isdigit():
        return None
    if is_counted_from_front and not value.isdigit():  # "the second digit" of AB1704, of +44
        return None
    if part.wrong and part.wrong != value[first:end]:
        return None
    return value[:first] + part.digits + value[end:]


def part_in(words: str) -> Part | None:
    """The part that words put right: "the last digit is a 7"; None for other words."""
    cue = _PART.search(words)
    read = _part(words, cue, len(words)) if cue else None
    return read[0] if read else None


def put_right(reading: Reading, span: Span, said: Found | None, back: Found | None) -> Found | None:
    """Read what puts a part of the caller's number right, in one sentence.

    It counts where a number is being checked: the agent has just read it back, or the
    caller says no, or takes it back in the same turn.

    Args:
        reading: The turn.
        span: The sentence.
        said: The caller's own number of this turn, if there is one.
        back: The number that the agent has just read back.
    """
    cue = _PART.search(reading.text, span.start, span.end)
    read = _part(reading.text, cue, span.end) if cue else None
    if cue is None or read is None:
        return None
    part, end = read
    old = said or back or _only_known(reading, cue)
    if old is None or not _is_of(cue, old.key) or not _is_checked(reading, cue, said, back):
        return None
    value = with_part(old.value, part)
    if value is None:
        return None
    return replace(old, value=value, start=cue.start(), end=end, confidence=ANSWERED)


def _part(text: str, cue: re.Match[str], limit: int) -> tuple[Part, int] | None:
    run = digit_run(text, cue.end())
    if run is None or run.end > limit:
        return None
    wrong, end = "", run.end
    denial = _NOT_THAT.match(text, end, limit)
    if denial:
        other = digit_run(text, denial.end())
        if other is None:
            return None
        wrong, end = other.digits, other.end
    if not _CLOSED.match(text, end, limit) or len(run.digits) != _count(cue, run.digits):
        return None
    return Part(_which(cue), run.digits, wrong), end


def _count(cue: re.Match[str], digits: str) -> int:
    """How many digits there must be; "it ends in four two" takes as many as are said."""
    if cue["ends"] or cue["starts"]:
        return len(digits)
    return int(DIGITS.get((cue["count"] or "one").lower(), cue["count"] or "1"))


def _which(cue: re.Match[str]) -> int:
    if cue["ends"] or (cue["which"] or "").lower() in {"last", "final"}:
        return -1
    return (ordinal(cue["which"].lower()) or 1) - 1 if cue["which"] else 0


def _is_of(cue: re.Match[str], key: str) -> bool:
    named = MappingProxyType({"account_number": cue["account"], "phone": cue["phone"]})
    return bool(named[key]) or not any(named.values())


def _is_checked(
    reading: Reading, cue: re.Match[str], said: Found | None, back: Found | None
) -> bool:
    if back is not None and said is None:
        return True
    if said is not None:
        behind = CORRECTION.match(reading.text, said.end)
        return behind is not None and behind.end() >= cue.start()
    is_asked_else = "?" in reading.asked or any(sign.isdigit() for sign in reading.asked)
    return bool(_DENIES.match(reading.text)) and not is_asked_else


def _only_known(reading: Reading, cue: re.Match[str]) -> Found | None:
    """The one number of this call that may be meant."""
    known = [key for key in KEYS if key in reading.known and _is_of(cue, key)]
    if len(known) != 1:
        return None
    return Found(known[0], reading.known[known[0]], 0, 0, ANSWERED)
