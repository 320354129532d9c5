"""Runs of digits as people say them: with pauses, hesitation, false starts and mishearings.

`ringback.text.spoken_digits` reads digits that are said in one breath. A caller who reads
a number from a letter says "one seven, uh, one seven oh four"; a recogniser writes "four
eight to one". Both are one number. So is "four thousand eight hundred twenty one": 4821.
"""

from __future__ import annotations

import re
from types import MappingProxyType

from ringback.text import DIGITS, TEENS, TENS, SpokenDigits, spoken_digits

LONGEST_RUN = 24  # digits; what goes on is no number that anybody reads out

_HESITATION = re.compile(
    r"(?:[\s,.;-]{0,4}\b(?:uh|um|er|erm|uhm|hm|hmm|then|let me see|let's see|one sec|hang on)\b"
    r"[\s,.;-]{0,4}){1,4}|\s{0,2}\.{2,3}\s{0,2}",
    re.IGNORECASE,
)
_GROUPING = re.compile(r"[\s().-]{0,4}")
_HOMOPHONE = re.compile(r"\s(to|too|for|won|ate|o)\s(?=[a-z])", re.IGNORECASE)
_ZERO = re.compile(r"\s(o)\s(?=\d)", re.IGNORECASE)
_DIGITS = MappingProxyType({"to": "2", "too": "2", "for": "4", "won": "1", "ate": "8", "o": "0"})
_UNIT = "|".join(word for word, digit in DIGITS.items() if digit != "0")
_BELOW_100 = rf"(?:(?:{'|'.join(TENS)})(?:[\s-]+(?:{_UNIT}))?|{'|'.join(TEENS)}|{_UNIT})"
_BELOW_1000 = rf"(?:(?:{_UNIT})\s+hundred(?:\s+(?:and\s+)?{_BELOW_100})?|{_BELOW_100})"
_THOUSANDS = re.compile(
    rf"(?P<thousands>{_BELOW_1000})\s+thousand(?:,?\s+(?:and\s+)?(?P<rest>{_BELOW_1000}))?(?![\w'])",
    re.IGNORECASE,
)
_RESTART_DIGITS = 2  # said twice, so many are a false start and no chance


def digit_run(text: str, start: int, *, is_grouped: bool = False) -> SpokenDigits | None:
    """Read the number that begins exactly at an offset, over hesitation and false starts.

    "One two, uh, three" is 123; "one seven, uh, one seven oh four" is 1704. "To" is a two
    only between two number words.

    Args:
        text: What was said.
        start: Where the first digit begins.
        is_grouped: Brackets, dots and spaces may stand between groups, as in phone numbers.
    """
    first = _in_thousands(text, start) or spoken_digits(text, start)
    if first is None:
        return None
    digits, end = first.digits, first.end
    while len(digits) < LONGEST_RUN:
        following = _following(text, end, is_grouped=is_grouped)
        if following is None:
            break
        added, is_pause = following
        is_restart = len(digits) >= _RESTART_DIGITS and added.digits.startswith(digits)
        digits = added.digits if is_pause and is_restart else digits + added.digits
        end = added.end
    return SpokenDigits(digits, start, end)


def _in_thousands(text: str, start: int) -> SpokenDigits | None:
    """Read a number as a sum of money is said; None where more digits are said behind it."""
    match = _THOUSANDS.match(text, start)
    if match is None or spoken_digits(text, _behind(text, match.end())) is not None:
        return None
    thousands, rest = (spoken_digits(match[part] or "") for part in ("thousands", "rest"))
    if thousands is None:
        return None
    below = rest.digits.zfill(3) if rest else "000"
    return SpokenDigits(thousands.digits + below, start, match.end())


def _behind(text: str, place: int) -> int:
    gap = _GROUPING.match(text, place)
    return gap.end() if gap else place


def _following(text: str, end: int, *, is_grouped: bool) -> tuple[SpokenDigits, bool] | None:
    """What goes on with a run, and whether there was a pause before it."""
    pause = _HESITATION.match(text, end)
    if pause:
        run = spoken_digits(text, pause.end())
        return (run, True) if run else None
    homophone = _HOMOPHONE.match(text, end) if text[end - 1].isalpha() else _ZERO.match(text, end)
    if homophone:
        run = spoken_digits(text, homophone.end())
        if run is None:
            return None
        digit = _DIGITS[homophone.group(1).lower()]
        return SpokenDigits(digit + run.digits, end, run.end), False
    gap = _GROUPING.match(text, end) if is_grouped else None
    run = spoken_digits(text, gap.end()) if gap else None
    return (run, False) if run else None
