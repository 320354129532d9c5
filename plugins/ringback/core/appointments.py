"""Dates that caller and agent settle on: visits, bookings, calls back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.dates import DateFound, on_day, read_time
from ringback.core.offers import is_offered, repeats_day, says_yes
from ringback.core.reading import (
    AMBIGUOUS,
    ANY_VALUE,
    CORRECTION,
    SURE,
    Found,
    Reading,
    is_question,
    statements,
)
from ringback.core.settled_dates import behind_rejected, settled_date
from ringback.text import Span

_EXPERT = r"(?:engineer|technician|plumber|electrician|doctor|colleague)"
_VISITOR = rf"(?:{_EXPERT}|driver|team|fitter|mechanic|he|she|they|somebody|someone)"
_WANTS = re.compile(
    r"\b(?:appointment|booking|visit|slot|book|schedule|reschedule|reserve|put me (?:down|in)|pencil me"
    r"|sign me up|(?:come|stop|drop|swing) (?:by|in|over|out|round)|(?:engineer|technician|"
    r"plumber|electrician|doctor)|(?:call|phone|ring) me|works for me|suits me|make it"
    r"|move (?:it|that|me) to|change (?:it|that) to|let's (?:say|do|make it|go for|go with)"
    r"|(?:how|what) about|i(?:'ll| will) take|(?:can|could) (?:we|you|i) (?:do|make|come|have|say)"
    r"|(?:i|we) (?:can|could) (?:do|make|manage|come)|see you|(?:can|could) (?:i|we) get|i'd take"
    r"|i(?:'ll| will) be (?:there|in|home|at home|around)|(?:we|i) (?:agreed|settled) on|prefer|rather)\b",
    re.IGNORECASE,
)
_PRAISED = re.compile(
    r"(?:\s*,?\s*\b(?:then|actually|really|probably|also|instead)\b)?\s*,?\s*"
    r"(?:(?:'s|\b(?:that's|that is|is|would be|will be|sounds|looks))\s+(?:\w+\s+)?"
    r"(?:fine|good|great|perfect|better|best|okay|ok|ideal|lovely|easier|right)"
    r"|\b(?:works|suits|would work|would suit|will do|will work|then|please|it is))\b",
    re.IGNORECASE,
)
_REFUSES = re.compile(
    r"\b(?:can't|cannot|can not|couldn't|not|don't|won't|doesn't|didn't|isn't|never|cancel|"
    r"no longer|except|unless|instead of|was|were|had|did|missed|yesterday|ago|if|maybe|perhaps|possibly)\b",
    re.IGNORECASE,
)
_REPORTS = re.compile(
    r"\b(?:said|told|promised|supposed to|should have|would (?:call|ring|come|be|send)|heard|thought)\b"
    r"(?!\s+i(?:'d| would)\b)",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:came|went|found|bought|rang|got|left|saw|paid|began|broke|sent|took|gave|spoke|wrote|"
    r"started|called|ordered|happened|arrived|stopped|failed|noticed|talked|signed|opened|closed|"
    r"returned|received|dropped|installed|delivered|promised|moved in)\b[^,;]*$",
    re.IGNORECASE,
)
_BY = re.compile(r"\b(?:by|due|expires|until|before)\s+(?:(?:on|the)\s+)?$", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"\b(?:doctor'?s?|dentist'?s?|hospital|hair\w*|vet'?s?|job|business|other|another|school)\s+"
    r"(?:appointment|visit|meeting)\b|\bappointment (?:with (?:my|the|a)|at the)\b",
    re.IGNORECASE,
)
_ASKS_TIME = re.compile(
    r"\b(?:what|which) (?:time|hour)\b|\bmorning or (?:in the )?(?:afternoon|evening)\b|\bat what\b"
    r"|\btime (?:would|works|suits|is)\b|\bwhat about the time\b",
    re.IGNORECASE,
)
_TIME_LEAD = re.compile(
    r"^\W{0,8}(?:(?:um|uh|well|oh|no|sorry|yes|okay|maybe|say|let's say|at|around|about|it's|"
    r"(?P<moves>make it|make that|rather))\b[\s,]{0,3})*",
    re.IGNORECASE,
)
_TIME_TAIL = re.compile(
    r"[\s,.!?]*(?:(?:please|then|if possible|instead|would be (?:good|great|best)|is (?:fine|good)|"
    r"works(?: for me)?|thanks)[\s,.!?]*)?$",
    re.IGNORECASE,
)
MAX_PRAISE_LEAD = 3  # words before a date that is called good: "then I think Friday is fine"
_SAYS_NO = re.compile(
    r"^\W{0,8}(?:no|nope|not really|i'm afraid not|sorry|no sorry|no thanks)\b[\s,.]{1,4}",
    re.IGNORECASE,
)
_ASKS_FACT = re.compile(
    r"^\W{0,8}(?:and |so |but )*(?:is|was|are|were|did|does|do|when|what(?! about)|which|has|have|why)\b",
    re.IGNORECASE,
)
_ASKS_DATE = re.compile(
    r"\b(?:when\b(?!\s+(?:did|was|were|has|have|is your|are you|do you expect))|what (?:day|date|time)|"
    r"which (?:day|date|time)|day works|time works|date works|appointment)\b[^?]*\?",
    re.IGNORECASE,
)
_SETTLES = re.compile(
    r"\b(?:your|the) (?:new )?(?:appointment|booking|visit|slot)(?: is|'s| will be| has been)\b"
    r"|\b(?:i|we)(?:'ve| have)?(?: got)? (?:booked|scheduled|put you (?:down|in)|reserved|moved|made|"
    r"rescheduled|changed it|got you (?:down|in)|pencilled you in)\b"
    r"|\byou(?:'re| are) (?:all )?(?:booked|scheduled|down|confirmed|all set|set)\b"
    rf"|\b{_EXPERT}(?: will|'ll) (?:come|visit|be (?:there|with you)|see you|call)\b"
    rf"|\b{_VISITOR}(?: will|'ll| is going to) (?:come|visit|be (?:there|with you)|see you)\b"
    rf"|\b{_VISITOR} (?:is|are|'s) coming\b"
    r"|\bsee you (?:then )?(?:on|tomorrow|at|next)\b|\bwe(?:'ll| will) see you\b"
    r"|\b(?:that's|it's) (?:all )?(?:booked|confirmed|set|scheduled|arranged)\b"
    r"|^\W{0,8}(?:(?:okay|all right|alright|great|perfect|good|so|yes|right|fine|lovely)\b\W{0,4})*"
    r"(?:(?:booked|confirmed|scheduled|rescheduled|moved)\b|(?:\w+ ){1,5}(?:it is|then)\W*$)",
    re.IGNORECASE,
)
_THING = r"(?:my|the|that|this|our|your)\s+(?:\w+\s+){0,2}?(?:appointment|booking|visit|slot)\b"
_CANCELS = re.compile(
    rf"(?:\b(?:want to|like to|need to|have to|please|(?:can|could|would) you(?: please)?|must|gonna|to)\s+|^\W{{0,8}})"
    rf"(?:cancel|call off)\s+{_THING}",
    re.IGNORECASE,
)
_CANCELLED = re.compile(
    rf"\b(?:i|we)(?:'ve| have)? (?:just )?(?:cancelled|canceled)\s+{_THING}"
    rf"|\b{_THING}[^.,;?]{{0,30}}?\s(?:is|has been|'s been|was)\s+(?:now\s+)?(?:cancelled|canceled)\b",
    re.IGNORECASE,
)
_NOT_CANCELLED = re.compile(
    r"\b(?:don't|not|never|didn't|if|unless|cost|fee|how|whether|before)\b", re.IGNORECASE
)


def read(reading: Reading) -> Iterator[Found]:
    """Find the date that a caller's turn settles on or asks for, or that it is called off."""
    yield from _last(
        _cancelled(reading, span, _CANCELS) or _wanted(reading, span) or _timed(reading, span)
        for span in statements(reading.text)
    )


def read_agent(reading: Reading) -> Iterator[Found]:
    """Find the date that an agent's turn states as settled, or that it is called off."""
    yield from _last(
        _cancelled(reading, span, _CANCELLED) or _settled(reading, span)
        for span in statements(reading.text)
    )


def is_accepted(reading: Reading) -> bool:
    """A turn says yes to the date that was offered just before, or names its day again."""
    text = reading.text
    if says_yes(text):
        return True
    return any(
        repeats_day(reading, found)
        for span in statements(text)
        for found in (settled_date(reading, span),)
        if found and _is_wanted(reading, span, found) and not is_question(text)
    )


def _last(found: Iterator[Found | None]) -> Iterator[Found]:
    all_found = [each for each in found if each]
    if all_found:
        yield all_found[-1]


def _cancelled(reading: Reading, span: Span, cue: re.Pattern[str]) -> Found | None:
    sentence = reading.text[span.start : span.end]
    match = cue.search(sentence)
    if match is None or _NOT_CANCELLED.search(sentence):
        return None
    start, end = span.start + match.start(), span.start + match.end()
    start += len(match.group()) - len(match.group().lstrip())
    return Found("appointment", ANY_VALUE, start, end, SURE, is_withdrawal=True)


def _wanted(reading: Reading, span: Span) -> Found | None:
    text = reading.text
    sentence = text[span.start : span.end]
    if _ASKS_FACT.match(sentence) or _ELSEWHERE.search(sentence):
        return None
    refusal = _SAYS_NO.match(sentence)  # of what was offered: "not really, Friday"
    span = Span(span.start + (refusal.end() if refusal else 0), span.end)
    found = settled_date(reading, span)
    if found is None:
        return None
    span = Span(behind_rejected(reading, span, found), span.end)
    if not _is_wanted(reading, span, found):
        return None
    if repeats_day(reading, found):
        return None  # the offer says more
    said = _without_cues(text, span, found)
    lead = text[span.start : found.start]
    if _REFUSES.search(said) or _REPORTS.search(said) or _PAST.search(lead) or _BY.search(lead):
        return None
    confidence = found.confidence
    if is_question(sentence):  # asked for, not agreed
        confidence = min(confidence, AMBIGUOUS)
    return Found("appointment", found.value, found.start, found.end, confidence)


def _is_wanted(reading: Reading, span: Span, found: DateFound) -> bool:
    text = reading.text
    if _WANTS.search(text, span.start, span.end):
        return True
    is_praised = _PRAISED.match(text, found.end, span.end)
    if is_praised and len(text[span.start : found.start].split()) <= MAX_PRAISE_LEAD:
        return True
    return "appointment" in reading.known or _is_asked(reading)


def _is_asked(reading: Reading) -> bool:
    """The agent asks for a date, or offers one or several."""
    asked = reading.asked
    if _ASKS_DATE.search(asked):
        return True
    return is_offered(asked, reading)


def _without_cues(text: str, span: Span, found: DateFound) -> str:
    """The sentence up to the date's end, with "no wait" and the like taken out."""
    return CORRECTION.sub(" ", text[span.start : found.end])


def _settled(reading: Reading, span: Span) -> Found | None:
    sentence = reading.text[span.start : span.end]
    if not _SETTLES.search(sentence) or is_question(sentence):
        return None
    found = settled_date(reading, span)
    if found is None or re.search(
        r"\b(?:not|n't|never|cancel\w*|was|were)\b", sentence, re.IGNORECASE
    ):
        return None
    if _is_said_better(reading.known.get("appointment", ""), found):
        return None
    return Found("appointment", found.value, found.start, found.end, found.confidence)


def _is_said_better(known: str, found: DateFound) -> bool:
    """The caller said the same day with its time, or the same time with its half of the day."""
    day, _, clock = known.partition("T")
    new_day, _, new_clock = found.value.partition("T")
    if not clock or day != new_day:
        return False
    if not new_clock:
        return True
    is_same = (int(clock[:2]) - int(new_clock[:2])) % 12 == 0 and clock[2:5] == new_clock[2:5]
    return is_same and found.confidence <= AMBIGUOUS and clock[:5] != new_clock[:5]


def _timed(reading: Reading, span: Span) -> Found | None:
    """A time for the day that was said before: "at two", "make it three"."""
    text, known = reading.text, reading.known.get("appointment", "")
    day = known.partition("T")[0]
    asks = _ASKS_TIME.search(reading.asked)
    cue = _TIME_LEAD.match(text[span.start : span.end])
    is_moved = bool(cue and cue["moves"])
    if not day or cue is None or not (is_moved or (asks and "T" not in known)):
        return None
    clock = read_time(text, span.start + cue.end())
    if clock is None or not _TIME_TAIL.match(text[clock.end : span.end]):
        return None
    value = on_day(day, clock, reading.zone)
    start = span.start + cue.end()
    confidence = AMBIGUOUS if clock.is_ambiguous else SURE
    return Found("appointment", value, start, clock.end, confidence)
