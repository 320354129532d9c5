"""Dates with their year in Chinese: 一九八五年十月三號, 民國七十四年十月三號."""

from __future__ import annotations

import re
from datetime import date

from ringback.core.chinese.signs import DAY_NUMBER, number_of

REPUBLIC = 1911  # the year before the Republic's first

_FULL = re.compile(
    rf"(?P<republic>民国)?\s?(?P<year>\d{{2,4}}"
    rf"|[零〇○一二三四五六七八九十百]{{2,5}})年\s?(?P<month>{DAY_NUMBER})月\s?(?P<day>{DAY_NUMBER})[日号]?"
)


def read_full(text: str, start: int) -> tuple[date, int] | None:
    """Read the date with its year that begins at an offset, and where it ends.

    Years may be the Republic's: 民国七十四年 is 1985.
    """
    match = _FULL.match(text, start)
    if match is None:
        return None
    year, month, day = (number_of(match[part]) or 0 for part in ("year", "month", "day"))
    year += REPUBLIC if match["republic"] else 0
    if year < REPUBLIC:
        return None
    try:
        return date(year, month, day), match.end()
    except ValueError:
        return None
