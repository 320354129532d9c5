"""Dates that an agent offers: "how about Friday at two?"; they count once the caller says yes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.dates import DateFound, find_dates
from ringback.core.reading import Found, Reading
from ringback.core.settled_dates import settled_date
from ringback.text import sentences

_SOMEBODY = r"(?:somebody|someone|an? (?:engineer|technician|plumber|fitter|\w+ engineer)|the \w+|him|her|them)"
_DATED = (
    r"(?:(?:on|this|next|the)\s+){0,2}(?:\w+day|tomorrow|\w+(?:th|st|nd|rd|first|second|third))\b"
)
_OFFERS = re.compile(
    r"\b(?:(?:how|what) about|would\b.*\b(?:work|suit|be (?:ok|okay|fine|good|all right|alright|better|"
    r"convenient))|(?:shall|should|can|could) (?:i|we) (?:put|book|come|do|say|make|schedule|call|offer|move)"
    r"|(?:i|we) (?:can|could) (?:offer|do|book|put|come|give|make|schedule|fit|move|be)"
    rf"|(?:shall|should|can|could|i|we) (?:i|we|can|could) send {_SOMEBODY}"
    r"|(?:i|we) have (?:a slot|an opening|something|\w+day|tomorrow)|there's (?:a slot|an opening|room)"
    r"|(?:would|do) you (?:like|want|prefer)|(?:\w+day|tomorrow) is (?:free|available|open)"
    r"|(?:next|first|earliest)\b[\w ]{0,30} is|morning or (?:in the )?(?:afternoon|evening))\b"
    r"|^\W{0,8}(?:(?:okay|right|all right|great)\W{1,3})?so,?\s+(?:that's|that is|it's|we're|i have)\b[^?]*(?:\?|right|correct)\W*$"
    rf"|^\W{{0,8}}(?:(?:and|so|or|well)\s+)?(?:does|do|is|are)\s+{_DATED}[^?]*\b(?:work|suit|okay|ok|all right|alright|good|"
    r"fine|convenient)\b"
    rf"|^\W{{0,8}}(?:(?:and|so|or|then|okay|maybe)\s+)?{_DATED}[^?]{{0,40}}\?\s*$",
    re.IGNORECASE,
)
_ACCEPTS = re.compile(
    r"^\W{0,8}(?:(?:oh|um|uh|well|ah|hm|and|so)\b\W{0,4})*(?:yes|yeah|yep|yup|sure|ok|okay|perfect|great|fine|"
    r"good|lovely|excellent|super|brilliant|wonderful|alright|all right|absolutely|definitely|"
    r"(?:that|it|this)(?:'s| is| would be| sounds| will be|'ll be) (?:\w+ )?(?:fine|good|great|perfect|"
    r"okay|ok|lovely|best|ideal)|(?:that|it|this) (?:works|suits|will do|would work|will work|'ll do)|"
    r"works for me|suits me|sounds (?:good|great|fine|perfect)|i'll take (?:it|that|that one)|correct|that's (?:right|correct)|exactly|right|"
    r"let's do (?:it|that)|please do|go ahead)\b",
    re.IGNORECASE,
)
_HESITATES = re.compile(
    r"\b(?:but|no|not|can't|cannot|don't|won't|wait|later|earlier|another|other|rather|instead|"
    r"what|how|which|if|maybe|check|think|sorry|unless|only|actually)\b|\?",
    re.IGNORECASE,
)
_BY = re.compile(r"\b(?:by|due|expires|until|before|not|can't|cannot)\b", re.IGNORECASE)


def read_offer(reading: Reading) -> Iterator[Found]:
    """Find the one date that an agent's turn offers: it counts once the caller accepts."""
    text = reading.text
    found = [
        settled_date(reading, span)
        for span in sentences(text)
        if _OFFERS.search(text[span.start : span.end])
    ]
    dates = [one for one in found if one]
    if (
        len(dates) == 1
        and len(list(find_dates(text, reading.at, reading.zone, start=0, end=len(text)))) == 1
    ):
        (one,) = dates
        if not _BY.search(text[: one.start]):
            yield Found("appointment", one.value, one.start, one.end, one.confidence)


def is_offered(asked: str, reading: Reading) -> bool:
    """The agent's words offer a date, or several."""
    dates = find_dates(asked, reading.at, reading.zone, start=0, end=len(asked))
    return bool(_OFFERS.search(asked)) and next(dates, None) is not None


def says_yes(text: str) -> bool:
    """A turn agrees to what was asked just before, and says nothing else."""
    return bool(_ACCEPTS.match(text)) and not _HESITATES.search(text)


def repeats_day(reading: Reading, found: DateFound) -> bool:
    """It names the day of the agent's offer, and leaves out the time that was offered."""
    asked = reading.asked
    offered = [*find_dates(asked, reading.at, reading.zone, start=0, end=len(asked))]
    return (
        len(offered) == 1
        and "T" not in found.value
        and offered[0].value.startswith(f"{found.value}T")
    )
