"""Which stretch of time a question asks about: "last Tuesday", "in March", 上個月."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from ringback.core.dates import MONTHS, WEEKDAYS, zone_of
from ringback.text import ordinal, spoken_digits

YEARS_BACK = 5  # a month without a year may be any of so many
MOST_FRAMES = 20  # of one question: each is looked for by itself
TOLD_AFTER_DAYS = 14  # what happened then was often told within two weeks after

_WEEKDAY = "|".join(WEEKDAYS)
_MONTH = "|".join(MONTHS)
_ORDINAL = r"(?:\d{1,2}(?:st|nd|rd|th)?|(?:(?:twenty|thirty)[ -])?[a-z]+(?:st|nd|rd|th))"
_ENGLISH = re.compile(
    r"\b(?P<iso>(?:19|20)\d\d-\d\d-\d\d)\b"
    r"|\b(?P<before_yesterday>(?:the )?day before yesterday)\b"
    r"|\b(?P<day>yesterday|last night|today|this morning|tonight)\b"
    r"|\b(?P<which>last|this|past)\s+(?P<unit>week|weekend|month|year)\b"
    rf"|\b(?:last|on|this|past)\s+(?P<weekday>{_WEEKDAY})\b(?:,?\s+the\s+(?P<that_day>{_ORDINAL}))?"
    r"|\b(?P<count>\d{1,3}|an?|[a-z]+)\s+(?P<back>day|week|month|year)s?\s+ago\b"
    rf"|\b(?:(?P<day_before>{_ORDINAL})\s+(?:of\s+)?)?(?P<month>{_MONTH})\b"
    rf"(?:\s+(?:the\s+)?(?P<day_after>{_ORDINAL})(?!\d))?(?:,?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d))?\b"
    r"|\b(?:in|of|during|since)\s+(?P<only_year>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_MAY_BE_A_VERB = frozenset({"may", "march"})  # a month with a preposition, a day or a year
_CHINESE = re.compile(
    r"(?P<word>前天|昨天|昨晚|今天|今早|今晚)"
    r"|(?P<which>上|這|这|本)個?个?(?P<unit>週末|周末|星期(?![一二三四五六日天])"
    r"|週(?![一二三四五六日])|周(?![一二三四五六日])|禮拜(?![一二三四五六日天])|礼拜(?![一二三四五六日天])|月)"
    r"|上個?个?(?:週|周|星期|禮拜|礼拜)(?P<weekday>[一二三四五六日天])"
    r"|(?P<named_year>去年|今年|前年)(?![幾几多]|\d*月|[一二三四五六七八九十]+月)"
    r"|(?:(?P<year>(?:19|20)\d\d|去|今|前)年)?(?P<month>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月"
    r"(?:份|(?P<month_day>[0-3]?\d|[一二三四五六七八九十]{1,3})[日號号])?"
    r"|(?P<count>\d{1,3}|[一二兩两三四五六七八九十]{1,3})個?个?(?P<back>天|週|周|星期|禮拜|礼拜|月|年)(?:前|以前|之前)"
)
_CHINESE_DAYS = {"前天": 2, "昨天": 1, "昨晚": 1, "今天": 0, "今早": 0, "今晚": 0}
_CHINESE_YEARS = {"前": 2, "去": 1, "今": 0}
_SIGNS = {sign: number for number, sign in enumerate("一二三四五六七八九", start=1)} | {
    "兩": 2,
    "两": 2,
}
_UNITS = {"天": "day", "月": "month", "年": "year"}
_WHEN = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:date|day|month|year|time)\b|\bhow (?:long ago|recently)\b"
    r"|什麼時候|什么时候|何時|何时|哪天|哪一天|幾號|几号|幾月|几月|いつ|언제",
    re.IGNORECASE,
)
_TIME_SAID = re.compile(
    rf"\b(?:yesterday|today|tonight|tomorrow|ago|recently|last \w+|next \w+|this (?:past |coming )?"
    rf"(?:week|weekend|month|year|morning|afternoon|evening|summer|winter|spring|fall)|"
    rf"(?-i:March|May)|(?:{_WEEKDAY})s?|(?:{'|'.join(m for m in MONTHS if m not in _MAY_BE_A_VERB)})|"
    r"(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th)|\d+ (?:days?|weeks?|months?|years?))\b"
    r"|[昨今明前後后]天|[上下這这]個?个?[週周月]|星期|禮拜|礼拜|\d+[月號号日年點点]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Frame:
    """A stretch of time, aware; `until_at` is not part of it."""

    since_at: datetime
    until_at: datetime

    def holds(self, at: datetime) -> bool:
        """It was within."""
        return self.since_at <= at < self.until_at

    def is_told_after(self, at: datetime) -> bool:
        """It was soon after: when what happened is talked about."""
        return self.until_at <= at < self.until_at + timedelta(days=TOLD_AFTER_DAYS)


def asks_when(question: str) -> bool:
    """The answer is a date or a time."""
    return bool(_WHEN.search(question))


def tells_when(text: str) -> bool:
    """A time is spoken of, by a date or by words such as "last week"."""
    return bool(_TIME_SAID.search(text))


def frames(question: str, at: datetime, zone: str = "UTC") -> tuple[Frame, ...]:
    """Read which stretches of time a question asks about.

    Args:
        question: E.g. "What did I say last Tuesday?", English or Chinese.
        at: When it is asked, aware.
        zone: Whose days are meant, an IANA name.

    Returns:
        None for a question without a time. A month without a year gives that month of each
        of the last years, newest first: any of them fits. Each once, and at most
        `MOST_FRAMES`: the first that it names.
    """
    local = at.astimezone(zone_of(zone) or UTC)
    found: list[Frame] = []
    for match in _ENGLISH.finditer(question):
        found += _frames(_english(match, local.date()), local)
    for match in _CHINESE.finditer(question):
        found += _frames(_chinese(match, local.date()), local)
    return tuple(dict.fromkeys(found))[:MOST_FRAMES]


def without_times(question: str) -> str:
    """The question without the words for its stretch of time: they are arithmetic, not topic."""
    said = _ENGLISH.sub(lambda match: "" if _is_time(match) else match[0], question)
    return _CHINESE.sub("", said)


def _frames(days: Iterator[tuple[date, date]], local: datetime) -> Iterator[Frame]:
    for first, after in days:
        since_at = datetime.combine(first, time(), local.tzinfo)
        yield Frame(since_at, datetime.combine(after, time(), local.tzinfo))


def _english(match: re.Match[str], today: date) -> Iterator[tuple[date, date]]:
    if not _is_time(match):
        return iter(())
    if match["iso"]:
        return _iso(match["iso"])
    if match["before_yesterday"]:
        return _day(today - timedelta(days=2))
    if match["day"]:
        is_past = match["day"].lower() in {"yesterday", "last night"}
        return _day(today - timedelta(days=int(is_past)))
    if match["unit"]:
        return _unit(match["unit"].lower(), today, is_last=match["which"].lower() != "this")
    if match["weekday"]:
        back = (today.weekday() - WEEKDAYS.index(match["weekday"].lower())) % 7 or 7
        that_day = ordinal(_as_ordinal(match["that_day"] or ""))
        if that_day and (today - timedelta(days=back + 7)).day == that_day:
            back += 7  # "last Monday, the sixteenth" on the Tuesday after the next
        return _day(today - timedelta(days=back))
    if match["count"]:
        return _back(_count(match["count"]), match["back"].lower(), today)
    if match["only_year"]:
        return _year(int(match["only_year"]))
    month = MONTHS.index(match["month"].lower()) + 1
    return _month(month, _day_of_month(match), int(match["year"]) if match["year"] else None, today)


def _is_time(match: re.Match[str]) -> bool:
    """Not "may" and "march" as verbs."""
    month = match["month"]
    if month is None or month.lower() not in _MAY_BE_A_VERB:
        return True
    if match["year"] or _day_of_month(match):  # not "and may I", which ends as "second" does
        return True
    before = match.string[: match.start("month")].rstrip().lower()
    return month[0].isupper() and before.endswith(("in", "of", "during", "last", "since", "this"))


def _chinese(match: re.Match[str], today: date) -> Iterator[tuple[date, date]]:
    if match["word"]:
        return _day(today - timedelta(days=_CHINESE_DAYS[match["word"]]))
    if match["weekday"]:
        weekday = "一二三四五六日".index(match["weekday"].replace("天", "日"))
        monday = today - timedelta(days=today.weekday() + 7)
        return _day(monday + timedelta(days=weekday))
    if match["unit"]:
        return _unit(_unit_of(match["unit"]), today, is_last=match["which"] == "上")
    if match["named_year"]:
        return _year(today.year - _CHINESE_YEARS[match["named_year"][0]])
    if match["count"]:
        return _back(_number(match["count"]), _unit_of(match["back"]), today)
    said_year = match["year"]
    year = None
    if said_year:
        back = _CHINESE_YEARS.get(said_year)
        year = int(said_year) if back is None else today.year - back
    day = _number(match["month_day"]) if match["month_day"] else None
    return _month(_number(match["month"]), day, year, today)


def _unit_of(sign: str) -> str:
    return "weekend" if sign in {"週末", "周末"} else _UNITS.get(sign, "week")


def _day(day: date) -> Iterator[tuple[date, date]]:
    yield day, day + timedelta(days=1)


def _iso(text: str) -> Iterator[tuple[date, date]]:
    try:
        day = date.fromisoformat(text)
    except ValueError:  # a date that does not exist: no stretch of time
        return
    yield day, day + timedelta(days=1)


def _unit(unit: str, today: date, *, is_last: bool) -> Iterator[tuple[date, date]]:
    if unit == "year":
        yield from _year(today.year - int(is_last))
        return
    if unit == "month":
        first = today.replace(day=1)
        if is_last:
            first = (first - timedelta(days=1)).replace(day=1)
        yield first, _next_month(first)
        return
    monday = today - timedelta(days=today.weekday() + 7 * int(is_last))
    starts = monday + timedelta(days=5) if unit == "weekend" else monday
    yield starts, monday + timedelta(days=7)


def _year(year: int) -> Iterator[tuple[date, date]]:
    yield date(year, 1, 1), date(year + 1, 1, 1)


def _back(count: int, unit: str, today: date) -> Iterator[tuple[date, date]]:
    """So long ago, give or take as much as people do."""
    days = count * {"day": 1, "week": 7, "month": 30, "year": 365}[unit]
    slack = {"day": 0, "week": 3, "month": 15, "year": 180}[unit]
    if 0 < days < 365 * 100:
        around = today - timedelta(days=days)
        yield around - timedelta(days=slack), around + timedelta(days=slack + 1)


def _month(
    month: int, day: int | None, year: int | None, today: date
) -> Iterator[tuple[date, date]]:
    years = [year] if year else [today.year - back for back in range(YEARS_BACK)]
    for one in years:
        try:
            first = date(one, month, day or 1)
        except ValueError:  # 31 February
            continue
        if year is not None or first <= today:
            yield first, first + timedelta(days=1) if day else _next_month(first)


def _next_month(first: date) -> date:
    return (first.replace(day=1) + timedelta(days=32)).replace(day=1)


def _day_of_month(match: re.Match[str]) -> int | None:
    days = (ordinal(_as_ordinal(match[side] or "")) for side in ("day_before", "day_after"))
    return next((day for day in days if day), None)


def _as_ordinal(word: str) -> str:
    return f"{word}th" if word.isdigit() else word


def _count(word: str) -> int:
    if word.lower() in {"a", "an"}:
        return 1
    run = spoken_digits(word.lower())
    return int(run.digits) if run and len(run.digits) <= 3 else 0


def _number(signs: str) -> int:
    if signs.isdigit():
        return int(signs)
    tens, ten, ones = signs.partition("十")
    if not ten:
        return _SIGNS.get(signs, 0)
    return 10 * _SIGNS.get(tens, 1) + _SIGNS.get(ones, 0)
