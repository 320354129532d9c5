"""Dates that have been: a birth, a first day, told with their year or without.

`ringback.core.dates` reads what lies ahead ("Friday at two"); this reads what is a date
whenever it is: "the third of May 1980", "1980-05-03", 1980年5月3日.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from ringback.core.chinese.dates import read_month_day
from ringback.core.chinese.full_dates import read_full
from ringback.core.chinese.signs import simplified
from ringback.core.dates import MONTHS
from ringback.text import ordinal, spoken_digits

YEARS = (1900, 2100)  # of a person's life, with room

_MONTH = "|".join([*MONTHS, *(month[:3] for month in MONTHS), "sept"])
_DAY = (
    r"(?:\d{1,2}(?:st|nd|rd|th)?|(?:(?:twenty|thirty)[ -])?(?:first|second|third|fourth|fifth|"
    r"sixth|seventh|eighth|ninth)|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|"
    r"sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth)"
)
_LEAD = re.compile(r"(?:(?:on|in|the|of)\s+){0,2}", re.IGNORECASE)
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?!\d)")
_SLASHED = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?!\d)")
_DAY_MONTH = re.compile(rf"({_DAY})\s+(?:of\s+)?({_MONTH})\b\.?", re.IGNORECASE)
_MONTH_DAY = re.compile(rf"({_MONTH})\b\.?\s+(?:the\s+)?({_DAY})\b", re.IGNORECASE)
_MONTH_ONLY = re.compile(rf"({_MONTH})\b\.?", re.IGNORECASE)
_BEFORE_YEAR = re.compile(r"[\s,]{1,3}(?:of\s+|in\s+)?", re.IGNORECASE)
_THOUSAND = re.compile(r"two thousand(?:\s+and)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FullDate:
    """A calendar date and where it stands."""

    day: date
    has_year: bool
    """False: the year was not said; `day` is the next such day."""
    start: int
    end: int


def read_full_date(text: str, start: int, today: date) -> FullDate | None:
    """Read the date that begins at an offset, the year of which may be missing.

    Args:
        text: What was said.
        start: Where to begin; "on", "in" and "the" may come first.
        today: From when on the next day is looked for, where the year is missing.

    Returns:
        None when there is no such date. "3/5/1980" may be May or March: None.
    """
    lead = _LEAD.match(text, start)
    place = lead.end() if lead else start
    return _numeric(text, place) or _named(text, place, today)


def read_since(text: str, start: int, today: date) -> FullDate | None:
    """Read from when on: a date, a month of a year, or a year; the first day of it."""
    whole = read_full_date(text, start, today)
    if whole is not None:
        return whole if whole.has_year else None
    lead = _LEAD.match(text, start)
    place = lead.end() if lead else start
    month = _MONTH_ONLY.match(text, place)
    year = _year(text, _after(_BEFORE_YEAR, text, month.end()) if month else place)
    if year is None:
        return None
    first = date(year[0], _month_number(month.group(1)) if month else 1, 1)
    return FullDate(first, True, start, year[1])


def _numeric(text: str, place: int) -> FullDate | None:
    match = _ISO.match(text, place)
    if match:
        year, month, day = (int(part) for part in match.groups())
        return _dated(year, month, day, match)
    chinese = read_full(simplified(text), place)
    if chinese:
        return FullDate(chinese[0], True, place, chinese[1])
    match = _SLASHED.match(text, place)
    if match is None:
        return None
    one, other, year = (int(part) for part in match.groups())
    if one <= 12 and other <= 12 and one != other:
        return None
    day, month = (one, other) if one > 12 or one == other else (other, one)
    return _dated(year, month, day, match)


def _dated(year: int, month: int, day: int, match: re.Match[str]) -> FullDate | None:
    made = _date(year, month, day)
    return FullDate(made, True, match.start(), match.end()) if made else None


def _named(text: str, place: int, today: date) -> FullDate | None:
    chinese = read_month_day(simplified(text), place, today)
    if chinese:
        return FullDate(chinese[0], False, place, chinese[1])
    match = _DAY_MONTH.match(text, place)
    if match:
        named, month_name = match.groups()
    else:
        match = _MONTH_DAY.match(text, place)
        if match is None:
            return None
        month_name, named = match.groups()
    day = int(named) if named.isdigit() else ordinal(named) or 0
    month = _month_number(month_name)
    year = _year(text, _after(_BEFORE_YEAR, text, match.end()))
    if year:
        made = _date(year[0], month, day)
        return FullDate(made, True, place, year[1]) if made else None
    ahead = [_date(today.year + more, month, day) for more in range(5)]
    following = next((one for one in ahead if one and one >= today), None)
    return FullDate(following, False, place, match.end(2)) if following else None


def _year(text: str, place: int) -> tuple[int, int] | None:
    """A year in digits or words, and where it ends."""
    thousand = _THOUSAND.match(text, place)
    rest = (
        spoken_digits(text, _after(re.compile(r"\s{0,2}"), text, thousand.end()))
        if thousand
        else None
    )
    if thousand:
        is_small = rest is not None and len(rest.digits) <= 2
        number = 2000 + (int(rest.digits) if rest and is_small else 0)
        return number, rest.end if rest and is_small else thousand.end()
    run = spoken_digits(text, place)
    if run is None or len(run.digits) != 4 or not YEARS[0] <= int(run.digits) <= YEARS[1]:
        return None
    return int(run.digits), run.end


def _after(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place


def _month_number(name: str) -> int:
    short = name.lower()[:3]
    return next(place for place, month in enumerate(MONTHS, start=1) if month.startswith(short))


def _date(year: int, month: int, day: int) -> date | None:
    if not YEARS[0] <= year <= YEARS[1]:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None
