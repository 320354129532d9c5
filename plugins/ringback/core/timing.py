"""The check on time: dates instead of "tomorrow", and none that cannot be."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from types import MappingProxyType

from ringback.core.dates import WEEKDAYS, find_dates, zone_of
from ringback.core.full_dates import read_full_date
from ringback.core.ground import Ground, Verdict, dropped, passed, repaired
from ringback.core.reading import ANY_VALUE, SURE
from ringback.core.validity import expires_at
from ringback.records import Candidate, Kind
from ringback.schemas import Field
from ringback.schemas.declaration import ValueType
from ringback.text import spoken_digits

_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_ISO_LENGTH = len("2026-03-06")
_WEEKDAY = "|".join(WEEKDAYS)
_DEICTIC = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|day (?:after tomorrow|before yesterday)"
    rf"|(?:this|next|last|coming) (?:week|weekend|month|year|morning|afternoon|evening|night|{_WEEKDAY})"
    r"|in (?:\w+ ){1,2}(?:minutes?|hours?|days?|weeks?)|\w+ (?:days?|weeks?) ago)\b"
    r"|[今明後后昨前]天|[下上]個?(?:週|周|星期|月)",
    re.IGNORECASE,
)
_ANY_WEEKDAY = re.compile(rf"\b(?:{_WEEKDAY})\b", re.IGNORECASE)
_UNSETTLED = re.compile(rf"\b(?:some|any|an?|every|each)\s+(?:{_WEEKDAY})\b", re.IGNORECASE)
_LEAD = re.compile(r"(?:on|at|by|until|for|about|around|the)\b", re.IGNORECASE)
_BACK = re.compile(
    r"\b(?P<before>day before )?(?P<yesterday>yesterday)\b"
    rf"|\blast (?P<weekday>{_WEEKDAY})\b"
    r"|\b(?P<count>\w+) (?P<unit>day|week)s? ago\b",
    re.IGNORECASE,
)
_CHINESE_DAYS = MappingProxyType(
    {"今天": 0, "明天": 1, "後天": 2, "后天": 2, "昨天": -1, "前天": -2}
)


def time_consistent(candidate: Candidate, ground: Ground) -> Verdict:
    """Its dates are dates, resolved when and where they were spoken, and can be."""
    field = ground.field
    if candidate.value == ANY_VALUE:
        return passed(candidate)
    verdict = _with_date(candidate, field, ground.call.zone)
    now = verdict.candidate
    if now is None or field is None:
        return verdict
    day = iso_day(now.value)
    is_ahead = field.is_agreed or Kind.TASK in (field.kind, now.kind)
    if is_ahead and day is not None and day < _said_on(now, ground.call.zone):
        return dropped("it was said of what is to come, and lies in the past")
    ends_at = expires_at(now, field)
    if now.valid_from is not None and ends_at is not None and ends_at <= now.valid_from:
        return dropped("it would end before it begins")
    return verdict


def iso_day(value: str) -> date | None:
    """The day of a value that is a date, or a date and time; None for any other."""
    if not _ISO.match(value):
        return None
    try:
        return datetime.fromisoformat(value).date()
    except ValueError:
        return None


def days_back(text: str, today: date) -> set[date]:
    """Days that words such as "yesterday" and "two weeks ago" mean."""
    days = set()
    for match in _BACK.finditer(text):
        if match["yesterday"]:
            days.add(today - timedelta(days=2 if match["before"] else 1))
        elif match["weekday"]:
            back = (today.weekday() - WEEKDAYS.index(match["weekday"].lower())) % 7 or 7
            days.add(today - timedelta(days=back))
        elif count := _count(match["count"]):
            days.add(today - timedelta(days=count * (7 if match["unit"].lower() == "week" else 1)))
    return days | {today + timedelta(days=by) for word, by in _CHINESE_DAYS.items() if word in text}


def _with_date(candidate: Candidate, field: Field | None, zone: str) -> Verdict:
    """Put a date beside words that mean another day tomorrow, or in their place."""
    value = candidate.value
    is_date = field is not None and field.type is ValueType.DATE
    if is_date and _ISO.match(value):
        return passed(candidate) if iso_day(value) else dropped("there is no such date")
    if not is_date and (_ISO.search(value) or not _is_relative(candidate, field)):
        return passed(candidate)
    is_all = is_date or not _LEAD.sub("", _ANY_WEEKDAY.sub("", _DEICTIC.sub("", value))).strip(" .")
    found = _date_in(value, candidate.observed_at, zone)
    if found is None:
        return dropped("it names no one day") if is_all else passed(candidate)
    day, confidence = found
    return repaired(
        candidate,
        "a date was put in the place of words that depend on when they are read",
        value=day if is_all else f"{value} ({day})",
        confidence=min(candidate.confidence, confidence),
    )


def _is_relative(candidate: Candidate, field: Field | None) -> bool:
    """A phrase of ours that means another day tomorrow.

    Somebody's own words stay as they were said. A weekday by itself is a date only in what
    is bound in time: "on Fridays" and "Friday" may be a habit.
    """
    if field is not None and (field.type is not ValueType.TEXT or field.is_quoted):
        return False
    is_bound = {Kind.EVENT, Kind.TASK} & {candidate.kind, field.kind if field else candidate.kind}
    if _DEICTIC.search(candidate.value):
        return True
    return bool(is_bound) and bool(_ANY_WEEKDAY.search(candidate.value))


def _date_in(value: str, at: datetime, zone: str) -> tuple[str, float] | None:
    """The one date that a phrase names, and how sure that is."""
    if _UNSETTLED.search(value):
        return None
    today = at.astimezone(zone_of(zone) or UTC).date()
    full = read_full_date(value, 0, today)
    if full is not None and full.has_year:
        return full.day.isoformat(), SURE
    ahead = {
        found.value: found.confidence
        for found in find_dates(value, at, zone, start=0, end=len(value))
    }
    found = ahead or {day.isoformat(): SURE for day in days_back(value, today)}
    return next(iter(found.items())) if len(found) == 1 else None


def _said_on(candidate: Candidate, zone: str) -> date:
    return candidate.observed_at.astimezone(zone_of(zone) or UTC).date()


def _count(word: str) -> int:
    if word.lower() in {"a", "an"}:
        return 1
    run = spoken_digits(word)
    return int(run.digits) if run and run.end == len(word) and len(run.digits) <= 3 else 0
