"""Dates and times of day in Chinese, resolved when and where they were spoken.

As in `ringback.core.dates`, only what lies ahead is read: 上週三 and 從禮拜六開始 give nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

from ringback.core.chinese.clauses import CORRECTION
from ringback.core.chinese.clock import MIDDAY, NOON, PART, PART_AT, read_clock
from ringback.core.chinese.signs import DAY_NUMBER, number_of
from ringback.core.dates import (
    DOUBTFUL,
    FAR_AHEAD_DAYS,
    WEEKDAYS,
    ClockTime,
    DateFound,
    zone_of,
)
from ringback.core.reading import AMBIGUOUS, SURE

_WORDS = {"大后": 3, "后": 2, "明": 1, "今": 0}
_WEEKS = {"上": -1, "这": 0, "本": 0, "下": 1}
_DAY = re.compile(
    r"(?<![\d-])(?P<iso>\d{4}-\d{2}-\d{2})(?![\d-])"
    r"|(?P<word>大后|(?<!以)(?<!之)后|明|今)(?:[天日](?!后)|(?=[早晚](?!餐|点|饭)))"
    rf"|(?P<which>(?:上上|上|下下|下|这|本)?个?)(?:周|星期"
    rf"|礼拜)(?P<weekday>[一二三四五六日天1-6])(?!个)"
    rf"|(?:(?P<year>20\d\d|二[零〇][一二三四五六七八九][零〇一二三四五六七八九]|今"
    rf"|明)年[的\s]?)?(?P<month>{DAY_NUMBER})月(?:份的?)?\s?(?P<day>{DAY_NUMBER})(?:[号日]"
    rf"|(?![\d个号]))"
    rf"|(?P<which_month>上个?|下个?|这个?|本)月的?(?P<month_day>{DAY_NUMBER})[号日]"
    rf"|(?<![路街巷弄段第月\d一二三四五六七八九十])(?P<bare>{DAY_NUMBER})[号日](?!线|楼|出口|机|室"
    rf"|码|门|房|公车|桌)"
    r"|(?<![\d/])(?P<slash_month>\d{1,2})/(?P<slash_day>\d{1,2})(?![\d/])"
    r"|(?P<count>半|\d{1,3}|[一二两三四五六七八九十]{1,3})\s?个?(?P<half>半)?(?P<unit>小时|钟头"
    r"|分钟|天|日|周|星期|礼拜|个?月)(?:以后|之后|后)"
    rf"|\b(?P<english>(?:(?P<english_which>this|next)\s+)?(?P<english_day>{'|'.join(WEEKDAYS)}"
    rf"|tomorrow|today))\b",
    re.IGNORECASE,
)
_PAST_BEFORE = re.compile(r"(?:从|自从|打从|自|每|每个|除了|上次|直到|not|last|since)\s?$")
_SINCE = re.compile(r"\s?(?:开始|起|以来|那天|当天就|就开始)")
_TIME_GAP = re.compile(
    r"[\s,]{0,2}(?:[吧的啊那]|好了|约|大概|大约|也?可以|也行)?[\s,]{0,2}(?:在|约|大概|大约"
    r"|差不多)?\s?"
)
_CLOCK_START = re.compile(rf"{PART}|[0-9一二两三四五六七八九十]")


def find_dates(text: str, at: datetime, zone: str, *, start: int, end: int) -> Iterator[DateFound]:
    """Find dates ahead between two offsets of a text in simplified signs.

    Args:
        text: What was said.
        at: When it was said, aware.
        zone: The caller's zone; one that is not known reads as UTC, with doubt.
        start: The first offset to look at.
        end: The offset to stop before.
    """
    tz = zone_of(zone)
    local = at.astimezone(tz or UTC)
    for match in _DAY.finditer(text, start, end):
        if _PAST_BEFORE.search(text[max(0, match.start() - 5) : match.start()]):
            continue
        if _SINCE.match(text, match.end()):
            continue
        found = _resolved(text, match, local, end)
        if found:
            yield replace(found, confidence=found.confidence * (1.0 if tz else AMBIGUOUS))


def read_month_day(text: str, start: int, today: date) -> tuple[date, int] | None:
    """Read the next day of a month and a day that begin at an offset: 五月二十号."""
    match = _DAY.match(text, start)
    if match is None or not match["month"]:
        return None
    read = _of_year(match, today)
    return (read[0], match.end()) if read else None


def clocks(text: str, at: datetime, zone: str) -> frozenset[str]:
    """Times of day that a text in simplified signs says, as HH:MM."""
    said = {found.value[11:16] for found in find_dates(text, at, zone, start=0, end=len(text))}
    part = ""
    for match in _CLOCK_START.finditer(text):
        named = PART_AT.match(text, match.start())
        part = named["part"] if named else part
        for clock in (read_clock(text, match.start()), read_clock(text, match.start(), part)):
            if clock is not None:
                said.add(clock.clock)
    return frozenset(said)


def _resolved(text: str, match: re.Match[str], local: datetime, limit: int) -> DateFound | None:
    unit = match["unit"] or ""
    if unit in {"小时", "钟头", "分钟"}:
        return _after_hours(match, local)
    read = _day(match, local.date())
    if read is None or read[0] < local.date():
        return None
    day, confidence = read
    part, end = _part_after(text, match.end())
    clock, found_end = _clock_after(text, end, part, limit)
    if clock is None and part in MIDDAY:
        clock, found_end = ClockTime(NOON, 0, False, end), end
    end = found_end if clock else (match.end() if not part else end)
    bare = DateFound(day.isoformat(), match.start(), end, confidence)
    return _with_time(day, clock, local, bare) if clock else bare


def _part_after(text: str, place: int) -> tuple[str, int]:
    gap = _TIME_GAP.match(text, place)
    part = PART_AT.match(text, gap.end() if gap else place)
    return (part["part"], part.end("part")) if part else ("", place)


def _clock_after(text: str, place: int, part: str, limit: int) -> tuple[ClockTime | None, int]:
    """The time behind a day, and what corrects it: 下午三点半…不对,四点."""
    gap = _TIME_GAP.match(text, place)
    clock = read_clock(text, gap.end() if gap else place, part)
    if clock is None or clock.end > limit:
        return None, place
    while cue := CORRECTION.match(text, clock.end):
        said = PART_AT.match(text, cue.end())
        part = said["part"] if said else part
        better = read_clock(text, cue.end(), part)
        if better is None:
            break
        clock = better
    return clock, clock.end


def _after_hours(match: re.Match[str], local: datetime) -> DateFound | None:
    count = 0.5 if match["count"] == "半" else float(number_of(match["count"]) or 0)
    count += 0.5 if match["half"] else 0
    if not count:
        return None
    passed = timedelta(minutes=count) if match["unit"] == "分钟" else timedelta(hours=count)
    then = (local.astimezone(UTC) + passed).astimezone(local.tzinfo)
    return DateFound(then.isoformat(timespec="minutes"), match.start(), match.end(), SURE)


def _day(match: re.Match[str], today: date) -> tuple[date, float] | None:
    """The day that a match means, and how sure that is."""
    if match["iso"]:
        try:
            return date.fromisoformat(match["iso"]), SURE
        except ValueError:
            return None
    if match["word"]:
        return today + timedelta(days=_WORDS[match["word"]]), SURE
    if match["weekday"] or match["english"]:
        return _weekday(match, today)
    if match["count"]:
        return _after_days(match, today)
    if match["which_month"]:
        return _of_month(match, today)
    return _of_year(match, today)


def _weekday(match: re.Match[str], today: date) -> tuple[date, float] | None:
    if match["english"]:
        word = match["english_day"].lower()
        if word in {"tomorrow", "today"}:
            return today + timedelta(days=1 if word == "tomorrow" else 0), SURE
        number = WEEKDAYS.index(word)
        weeks = {"next": 1, "this": 0}.get((match["english_which"] or "").lower())
    else:
        said = match["weekday"]
        number = 6 if said in "日天" else (number_of(said) or 1) - 1
        which = (match["which"] or "").replace("个", "")
        weeks = sum(_WEEKS[sign] for sign in which) if which else None
    monday = today - timedelta(days=today.weekday())
    if weeks is not None:
        day = monday + timedelta(days=number + 7 * weeks)
        return (day, SURE) if day >= today else None
    ahead = (number - today.weekday()) % 7
    return today + timedelta(days=ahead or 7), SURE if ahead else AMBIGUOUS


def _after_days(match: re.Match[str], today: date) -> tuple[date, float] | None:
    count = number_of(match["count"]) if match["count"] != "半" else None
    if not count or match["half"]:
        return None
    if match["unit"].endswith("月"):
        index = today.month - 1 + count
        return _made(today.year + index // 12, index % 12 + 1, today.day, AMBIGUOUS)
    days = count * (1 if match["unit"] in "天日" else 7)
    return today + timedelta(days=days), SURE


def _of_month(match: re.Match[str], today: date) -> tuple[date, float] | None:
    index = today.month - 1 + _WEEKS[match["which_month"][0]]
    number = number_of(match["month_day"]) or 0
    return _made(today.year + index // 12, index % 12 + 1, number, SURE)


def _of_year(match: re.Match[str], today: date) -> tuple[date, float] | None:
    month = number_of(match["month"] or match["slash_month"] or "")
    number = number_of(match["day"] or match["slash_day"] or match["bare"]) or 0
    year = {"今": today.year, "明": today.year + 1}.get(
        match["year"] or "", number_of(match["year"] or "")
    )
    if month and year:
        return _made(year, month, number, SURE)
    for ahead in range(24):
        index = today.month - 1 + ahead
        if month and index % 12 + 1 != month:
            continue
        read = _made(today.year + index // 12, index % 12 + 1, number, SURE)
        if read and read[0] >= today:
            is_far = (read[0] - today).days > FAR_AHEAD_DAYS
            return read[0], DOUBTFUL if is_far else SURE if month else AMBIGUOUS + 0.1
    return None


def _made(year: int, month: int, day: int, confidence: float) -> tuple[date, float] | None:
    try:
        return date(year, month, day), confidence
    except ValueError:
        return None


def _with_time(day: date, clock: ClockTime, local: datetime, found: DateFound) -> DateFound | None:
    """Put day and time together in the zone; a time that the clocks skip is moved on."""
    naive = datetime.combine(day, time(clock.hour, clock.minute), tzinfo=local.tzinfo)
    real = naive.astimezone(UTC).astimezone(local.tzinfo)
    is_moved = real.replace(tzinfo=None) != naive.replace(tzinfo=None)
    confidence = (
        min(found.confidence, AMBIGUOUS) if clock.is_ambiguous or is_moved else found.confidence
    )
    if real < local:
        return None
    return DateFound(real.isoformat(timespec="minutes"), found.start, found.end, confidence)
