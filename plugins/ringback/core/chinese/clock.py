"""Times of day in Chinese: 下午三點半, 晚上八點, 中午十二點一刻, 15:30."""

from __future__ import annotations

import re

from ringback.core.chinese.signs import number_of
from ringback.core.dates import OFFICE_STARTS, ClockTime

EVENING_STARTS = 5  # 晚上四點 is at night, 晚上五點 in the evening
NOON = 12

MIDDAY = frozenset({"中午", "正午"})
PART = r"(?:一?大早|早上|早晨|上午|清早|清晨|凌晨|中午|正午|下午|午后|傍晚|晚上|晚间|夜里|夜间|半夜|深夜|早|晚)"
PART_AT = re.compile(rf"(?P<part>{PART})[的\s]?")
_CLOCK = re.compile(
    r"(?P<written>\d{1,2})[::](?P<written_minute>[0-5]\d)(?!\d)"
    r"|(?P<hour>\d{1,2}|[一二两三四五六七八九十]{1,3})(?:点钟?|时(?!间|候|常|段))"
    r"(?:(?P<half>半)|(?P<quarter>[一三])刻|[零〇]?(?P<minute>[0-5]?\d"
    r"|[一二三四五六七八九十]{1,3})分"
    r"|(?P<bare_minute>[零〇][一二三四五六七八九]|[一二三四五]?十[一二三四五六七八九]?"
    r"|[0-5]\d)(?![月号日个位号\d点天])|整)?"
)


def read_clock(text: str, start: int, part: str = "") -> ClockTime | None:
    """Read the time of day that begins at an offset: 下午三点半, 晚上八点, 15:30.

    Args:
        text: What was said, in simplified signs.
        start: Where to begin.
        part: 早上, 下午, ..., if it was said before.
    """
    said = PART_AT.match(text, start)
    match = _CLOCK.match(text, said.end() if said else start)
    if match is None:
        return None
    hour, minute = _hour(match), _minute(match)
    if hour is None or minute is None or hour > 24 or minute > 59:
        return None
    return _in_part(hour, minute, said["part"] if said else part, match.end())


def _hour(match: re.Match[str]) -> int | None:
    return number_of(match["written"] or match["hour"])


def _minute(match: re.Match[str]) -> int | None:
    if match["half"]:
        return 30
    if match["quarter"]:
        return 15 if match["quarter"] == "一" else 45
    said = match["written_minute"] or match["minute"] or match["bare_minute"]
    return number_of(said) if said else 0


def _in_part(hour: int, minute: int, part: str, end: int) -> ClockTime | None:
    if not part:
        if hour > NOON or hour == 0:
            return ClockTime(hour, minute, False, end) if hour < 24 else None
        guessed = hour + NOON if hour < OFFICE_STARTS else hour
        return ClockTime(guessed, minute, hour != NOON, end)
    if hour > NOON:
        return ClockTime(hour, minute, False, end) if hour < 24 else None
    if part in MIDDAY:
        hour = hour + NOON if hour < 4 else hour
    elif part[0] in "早上清凌一大":
        if hour == NOON and part not in {"凌晨", "清晨"}:
            return ClockTime(hour, minute, True, end)
        hour %= NOON
    elif part in {"夜里", "夜间", "半夜", "深夜", "晚上", "晚间", "晚"}:
        if hour == NOON:
            return None  # midnight of which day?
        hour = hour + NOON if hour >= EVENING_STARTS else hour
    else:
        hour = hour + NOON if hour < NOON else hour
    return ClockTime(hour, minute, False, end)
