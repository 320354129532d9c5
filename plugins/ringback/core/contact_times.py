"""When a caller wants to be called: a time of day, without a date."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.dates import ClockTime, read_time
from ringback.core.reading import AMBIGUOUS, ANSWERED, SURE, Found, Reading
from ringback.text import Span

_WHEN = r"(?:after|before|between|from)"
_CONTACT = re.compile(
    r"\b(?:(?P<not>don't|do not|never|not)\s+)?(?:(?:call|phone|ring|text|contact|reach)(?:\s+(?:me|us))?"
    r"(?:\s+back)?(?:\s+(?:at home|at work))?|send\s+(?:me\s+)?(?:the|a|your)\s+(?:text|message|e-?mail)"
    rf"|(?:call|text)s)(?:\s+(?:only|please|any ?time|just))*\s+(?P<when>{_WHEN})\s+",
    re.IGNORECASE,
)
_BEST = re.compile(
    r"\b(?:the )?(?:best|good|right|only) (?:time|hours?)(?:\s+(?:to (?:call|reach|ring|phone|contact|"
    r"get)(?: me)?|for (?:me|calls|a call)))?(?:\s+(?:is|would be)|'s)\s+(?:any ?time\s+|only\s+)?"
    rf"(?P<when>{_WHEN})\s+|\b(?:i can be reached|i(?:'m| am)\s+(?:only\s+)?(?:free|available|reachable|home|at home))"
    rf"\s+(?:only\s+)?(?P<when2>{_WHEN})\s+"
    rf"|\b(?:it's |it is )?(?:best|better|easiest) to (?:call|ring|phone|reach|text|contact)(?: me| us)?"
    rf"\s+(?P<when3>{_WHEN})\s+",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?:^|(?<=[.!?]\s)|[,.!?;]\s*|\b(?:please|but|only|just)\s+)"
    rf"(?P<not>(?:never|not|don't|nothing|no calls?)\s+)?(?:any ?time\s+)?(?P<when>{_WHEN})\s+",
    re.IGNORECASE,
)
_SPOKE_OF_CALLS = re.compile(
    r"\b(?:call(?:ed|s|ing)?|rang|ring(?:ing)?|phon(?:e|ed|ing)|text(?:ed|ing)?) me\b",
    re.IGNORECASE,
)
_ASKS_TIME = re.compile(
    r"\b(?:when|what time|which time|good time|best time|convenient time|what hours)\b[^.?]*"
    r"\b(?:call|reach|ring|phone|contact|get hold of|text) you\b"
    r"|\b(?:best|good|convenient) time (?:to (?:call|reach|ring|phone|contact)|for (?:a|the) call)\b",
    re.IGNORECASE,
)
_PARTS = (
    re.compile(
        r"(?<!n't )(?<!not )(?<!never )\b(?:call|phone|ring|text|contact|reach)(?: (?:me|us))?(?: back)?"
        r"(?: only| please)? (?:in the |on )?(?P<part>mornings|afternoons|evenings|weekends|weekdays)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?P<part>mornings|afternoons|evenings|weekends|weekdays) (?:are|work|would be|suit(?: me)?)"
        r" (?:best|better|good|fine|ok|okay|easiest)"
        r"(?: for (?:me|calls|a call)| to (?:call|ring|phone|reach|text)(?: me)?)\b",
        re.IGNORECASE,
    ),
)
_AND = re.compile(r"\s+(?:and|to|till|until|-)\s+", re.IGNORECASE)


def read_time_for_contact(reading: Reading, span: Span) -> Iterator[Found]:
    """Read "call me after six", "never before nine please", and a bare time when asked."""
    text = reading.text
    for pattern in (_CONTACT, _BEST):
        for cue in pattern.finditer(text, span.start, span.end):
            yield from _at(text, cue, SURE)
    yield from _in_part(text, span)
    is_asked = bool(_ASKS_TIME.search(reading.asked))
    if not is_asked and not _SPOKE_OF_CALLS.search(text, 0, span.end):
        return
    for cue in _BARE.finditer(text, span.start, span.end):
        if cue["not"] or is_asked:
            yield from _at(text, cue, ANSWERED)


def _at(text: str, cue: re.Match[str], confidence: float) -> Iterator[Found]:
    groups = cue.groupdict()
    named = (groups.get(name) for name in ("when", "when2", "when3"))
    when = next((one for one in named if one), "").lower()
    first = read_time(text, cue.end())
    if first is None:
        return
    value, end = f"{when} {first.clock}", first.end
    if when in {"between", "from"}:
        second = _second(text, first)
        if second is None:
            if when == "between":
                return
            value = f"after {first.clock}"
        else:
            first = _same_half(first, second)
            value, end = f"between {first.clock} and {second.clock}", second.end
    value = f"not {value}" if groups.get("not") else value
    is_clear = not first.is_ambiguous
    start = cue.start() + len(cue.group()) - len(cue.group().lstrip(" ,.!?;"))
    yield Found("contact_time", value, start, end, confidence if is_clear else AMBIGUOUS)


def _in_part(text: str, span: Span) -> Iterator[Found]:
    """Read a part of every day: "in the mornings", "evenings are best". One morning is a date."""
    for pattern in _PARTS:
        for match in pattern.finditer(text, span.start, span.end):
            part = match["part"].lower()
            yield Found("contact_time", f"in the {part}", match.start(), match.end(), ANSWERED)


def _second(text: str, first: ClockTime) -> ClockTime | None:
    joint = _AND.match(text, first.end)
    return read_time(text, joint.end()) if joint else None


def _same_half(first: ClockTime, second: ClockTime) -> ClockTime:
    """Of "between two and three in the afternoon", both are in the afternoon."""
    if second.is_ambiguous or not first.is_ambiguous:
        return first
    later = first.hour % 12 + 12
    hour = later if second.hour >= 12 and later <= second.hour and first.hour < 7 else first.hour
    return ClockTime(hour, first.minute, False, first.end)
