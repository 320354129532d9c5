"""Dates and times of day, resolved when and where they were spoken.

Only dates that lie ahead are read: "last Tuesday" and "since Friday" give nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ringback.core.reading import AMBIGUOUS, SURE
from ringback.text import ordinal, spoken_digits

DOUBTFUL = 0.4  # below what is kept
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
OFFICE_STARTS = 7  # "at seven" is in the morning, "at six" in the evening, unless it is said
MAX_TIME_BEFORE = 60  # characters of a time that stands before its day
FAR_AHEAD_DAYS = 300  # a day and month this far ahead more likely meant one just gone

_WEEKDAY = "|".join(WEEKDAYS)
_MONTH = "|".join(MONTHS)
_NUMBER_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)"
_WORD_ORDINAL = (
    r"(?:(?:twenty|thirty)[ -])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)"
    r"|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth"
    r"|nineteenth|twentieth|thirtieth"
)
_ORDINAL = rf"(?:{_NUMBER_ORDINAL}|{_WORD_ORDINAL})"
_COUNT = r"(?:\d{1,3}|an?|[a-z]+(?:[ -][a-z]+)?)"
_DAY = re.compile(
    r"\b(?:"
    rf"(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})"
    r"|(?P<after_tomorrow>(?:the )?day after tomorrow)"
    r"|(?P<relative>today|tonight|tomorrow|this (?:morning|afternoon|evening))"
    rf"|(?:(?P<which>this|next|this coming|coming)\s+|(?P<in_next_week>next week,?\s+(?:on\s+)?)"
    rf"|(?P<week_from>a week (?:from|on)\s+))?(?P<weekday>{_WEEKDAY})"
    r"(?:(?P<next_week>\s+(?:of\s+)?next week)|(?P<week_after>\s+week)\b(?!\s+(?:before|after)))?"
    rf"(?:,?\s+(?:the\s+)?(?P<weekday_day>{_ORDINAL})(?:\s+of\s+(?P<weekday_month>{_MONTH}))?"
    rf"|,?\s+(?P<weekday_month2>{_MONTH})\s+(?:the\s+)?(?P<weekday_day2>{_ORDINAL}|\d{{1,2}}))?"
    rf"|(?P<month>{_MONTH})\s+(?:the\s+)?(?P<month_day>{_ORDINAL}|\d{{1,2}})(?:,?\s+(?P<year>20\d\d))?"
    rf"|(?:the\s+)?(?P<day>{_ORDINAL}|\d{{1,2}})\s+(?:of\s+)?(?P<day_month>{_MONTH})"
    r"(?:,?\s+(?P<day_year>20\d\d))?"
    rf"|the\s+(?P<bare_day>{_ORDINAL})(?!\s+(?!at\b|in\b|or\b|and\b|please\b|no\b|if\b|of this\b)[a-z])"
    rf"|in\s+(?:exactly\s+|about\s+)?(?P<count>{_COUNT})\s+(?P<unit>minute|hour|day|week)s?"
    r"(?:'s?\s+time)?"
    r")\b",
    re.IGNORECASE,
)
_PAST_BEFORE = re.compile(
    r"\b(?:last|past|since|until|till|before|every|each|not|not on|not the|previous|ago)\s+"
    r"(?:the\s+|on\s+)?$",
    re.IGNORECASE,
)
_PART = re.compile(
    r",?\s+(?:in the\s+|at\s+|during the\s+)?(morning|afternoon|evening|night)\b", re.IGNORECASE
)
_BEFORE_TIME = re.compile(
    r"(?:,?\s+(?:then|please|instead)\b)?(?:,?\s+(?:at|around|about|by|from)\s+|,\s*)",
    re.IGNORECASE,
)
_SURELY_A_TIME = re.compile(
    r"(?:half|(?:a )?quarter|\w+ (?:past|to)|\w+[- ]\w+ (?:past|to)) \w+|\w+[ :.](?:fifteen|thirty|forty|[0-5]\d)"
    r"|\w+ o'clock",
    re.IGNORECASE,
)
"""Said like this, it is no number of people or things."""
_TIME_BEFORE = re.compile(
    r"\b(?:at|around|about|by)\s+((?:half past |(?:a )?quarter past |(?:a )?quarter to )?[a-z0-9:.]+"
    r"(?:\s+(?:[ap]\.?\s?m\.?|o'clock|thirty|fifteen|forty-five|forty five))?)"
    r"\s+(?:on\s+|in the \w+\s+(?:on\s+)?)?$",
    re.IGNORECASE,
)
_CLEAR_TIME_BEFORE = re.compile(
    r"\b(\d{1,2}(?::\d\d)?\s?[ap]\.?m\.?|[a-z]+ [ap]\.?m\.?|(?:\d{1,2}|[a-z]+) o'clock|noon|midday"
    r"|(?:half|quarter|five|ten|twenty)(?: past| to)? [a-z]+)"
    r"\s+(?:on\s+)?$",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?P<special>noon|midday|midnight)"
    r"|(?P<relation>half past|(?:a )?quarter past|(?:a )?quarter to|half(?=\s(?!past|an?\b))|(?:five|ten|twenty[- ]five|"
    r"twenty) past|(?:twenty[- ]five|twenty) to)\s+(?P<base>[a-z]+|\d{1,2})"
    r"|(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d))?(?![\d-])"
    r"|(?P<word>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r"(?:\s+(?P<minutes>fifteen|thirty|forty[- ]five))?(?![a-z'-])",
    re.IGNORECASE,
)
_HALF = re.compile(r"\s*(?:o'clock)?\s*\b(?P<half>[ap])\.?\s?m\b\.?", re.IGNORECASE)
_HOUR_WORD = re.compile(r"\s*o'clock", re.IGNORECASE)
_NOT_A_TIME = re.compile(
    r"\s*(?:st|nd|rd|th)?\s*(?:days?|weeks?|hours?|minutes?|people|percent|%|dollars|euros|pounds|"
    r"times|of us|[A-Z][a-z]+ (?:street|lane|road|avenue))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ClockTime:
    """A time of day as it was said."""

    hour: int
    minute: int
    is_ambiguous: bool
    """Morning or afternoon was not said; the likelier one was taken."""
    end: int

    @property
    def clock(self) -> str:
        """As HH:MM."""
        return f"{self.hour:02}:{self.minute:02}"


@dataclass(frozen=True, slots=True)
class DateFound:
    """A date that lies ahead, with the words that give it."""

    value: str
    """ISO 8601: a date, or a date and time with its offset."""
    start: int
    end: int
    confidence: float


def zone_of(name: str) -> ZoneInfo | None:
    """A zone by its IANA name; None when it is not known here."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def find_dates(text: str, at: datetime, zone: str, *, start: int, end: int) -> Iterator[DateFound]:
    """Find dates ahead between two offsets.

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
        if _PAST_BEFORE.search(text[start : match.start()]):
            continue
        found = _resolve(text, match, local, end)
        if found:
            doubt = 1.0 if tz else AMBIGUOUS
            yield DateFound(found.value, found.start, found.end, found.confidence * doubt)


def _resolve(text: str, match: re.Match[str], local: datetime, limit: int) -> DateFound | None:
    if (match.group("unit") or "").lower() in {"minute", "hour"}:
        return _after_hours(match, local)
    read = _day(match, local)
    if read is None:
        return None
    day, confidence = read
    part, end = _part_of_day(text, match, limit)
    begin = match.start()
    clock = _time_after(text, end, part, limit)
    if clock:
        end = clock.end
        late = _PART.match(text, end, limit)
        if late and not part:
            part, end = late.group(1).lower(), late.end()
            clock = _in_part(clock, part)
    else:
        before = _time_before(text, match.start(), part)
        clock, begin = before or (None, begin)
    if day < local.date():
        return None
    if clock is None:
        return DateFound(day.isoformat(), begin, end, confidence)
    return _with_time(day, clock, local, DateFound("", begin, end, confidence))


def _after_hours(match: re.Match[str], local: datetime) -> DateFound | None:
    count = _count(match.group("count"))
    if count is None:
        return None
    unit = match.group("unit").lower()
    passed = timedelta(minutes=count) if unit == "minute" else timedelta(hours=count)
    then = (local.astimezone(UTC) + passed).astimezone(local.tzinfo)
    return DateFound(then.isoformat(timespec="minutes"), match.start(), match.end(), SURE)


def _count(words: str) -> int | None:
    if words.lower() in {"a", "an"}:
        return 1
    run = spoken_digits(words)
    return int(run.digits) if run and run.end == len(words) and len(run.digits) <= 3 else None


def _day(match: re.Match[str], local: datetime) -> tuple[date, float] | None:
    """The day that a match means, and how sure that is."""
    today = local.date()
    if match.group("iso"):
        try:
            return date.fromisoformat(match.group("iso")), SURE
        except ValueError:
            return None
    if match.group("after_tomorrow"):
        return today + timedelta(days=2), SURE
    if match.group("relative"):
        days = 1 if match.group("relative").lower() == "tomorrow" else 0
        return today + timedelta(days=days), SURE
    if match.group("count"):
        count = _count(match.group("count"))
        days = 7 if match.group("unit").lower() == "week" else 1
        return (today + timedelta(days=days * count), SURE) if count else None
    if match.group("weekday"):
        return _weekday(match, today)
    return _day_of_month(match, today)


def _weekday(match: re.Match[str], today: date) -> tuple[date, float] | None:
    number = WEEKDAYS.index(match.group("weekday").lower())
    named = match.group("weekday_day") or match.group("weekday_day2")
    if named:
        month = match.group("weekday_month") or match.group("weekday_month2")
        day = _next_day(_day_number(named), month, None, today)
        agrees = day is not None and day.weekday() == number
        return (day, SURE if agrees else DOUBTFUL) if day else None
    ahead = (number - today.weekday()) % 7
    which = (match.group("which") or "").lower()
    if which == "next":
        monday = today - timedelta(days=today.weekday()) + timedelta(days=7)
        day = monday + timedelta(days=number)
        return day, SURE if (day - today).days <= 7 else AMBIGUOUS
    if match.group("in_next_week") or match.group("next_week"):
        monday = today - timedelta(days=today.weekday()) + timedelta(days=7)
        return monday + timedelta(days=number), SURE
    if match.group("week_from"):
        return today + timedelta(days=(ahead or 7) + 7), SURE
    if match.group("week_after"):
        return today + timedelta(days=ahead + 7), SURE
    if ahead == 0:  # said on that very day: today or in a week?
        return (today, AMBIGUOUS) if which == "this" else (today + timedelta(days=7), AMBIGUOUS)
    return today + timedelta(days=ahead), SURE


def _day_of_month(match: re.Match[str], today: date) -> tuple[date, float] | None:
    named = match.group("month_day") or match.group("day") or match.group("bare_day")
    month = match.group("month") or match.group("day_month")
    year = match.group("year") or match.group("day_year")
    day = _next_day(_day_number(named), month, int(year) if year else None, today)
    if day is None:
        return None
    if not month:
        return day, AMBIGUOUS + 0.1
    return day, DOUBTFUL if not year and (day - today).days > FAR_AHEAD_DAYS else SURE


def _day_number(named: str) -> int:
    return int(named) if named.isdigit() else ordinal(named) or 0


def _next_day(number: int, month: str | None, year: int | None, today: date) -> date | None:
    """The first such day from today on; None when there is none within five years."""
    wanted = MONTHS.index(month.lower()) + 1 if month else None
    for ahead in range(0, 60):
        index = today.month - 1 + ahead
        in_year, in_month = today.year + index // 12, index % 12 + 1
        if (wanted and in_month != wanted) or (year and in_year != year):
            continue
        try:
            day = date(in_year, in_month, number)
        except ValueError:
            continue
        if day >= today:
            return day
    return None


def _part_of_day(text: str, match: re.Match[str], limit: int) -> tuple[str, int]:
    relative = (match.group("relative") or "").lower()
    if relative.startswith("this "):
        return relative.removeprefix("this "), match.end()
    if relative == "tonight":
        return "night", match.end()
    part = _PART.match(text, match.end(), limit)
    return (part.group(1).lower(), part.end()) if part else ("", match.end())


def _time_after(text: str, place: int, part: str, limit: int) -> ClockTime | None:
    lead = _BEFORE_TIME.match(text, place, limit)
    if lead is None:
        bare = re.compile(r"\s+").match(text, place, limit)
        clock = read_time(text, bare.end(), part) if bare else None
        return clock if clock and not clock.is_ambiguous else None
    clock = read_time(text, lead.end(), part)
    is_bare = lead.group().rstrip().endswith(",")
    if clock and is_bare and clock.is_ambiguous and not _SURELY_A_TIME.match(text, lead.end()):
        return None  # "Friday, two of us" is no time
    return clock


def _time_before(text: str, place: int, part: str) -> tuple[ClockTime, int] | None:
    """Read a time that stands before its day: "at two on Friday"."""
    said = text[max(0, place - MAX_TIME_BEFORE) : place]
    match = _TIME_BEFORE.search(said) or _CLEAR_TIME_BEFORE.search(said)
    begin = max(0, place - MAX_TIME_BEFORE)
    clock = read_time(text, begin + match.start(1), part) if match else None
    return (clock, begin + match.start()) if match and clock else None


def read_time(text: str, start: int, part: str = "") -> ClockTime | None:
    """Read the time of day that begins at an offset.

    Args:
        text: What was said.
        start: Where to begin.
        part: "morning", "afternoon", "evening" or "night", if it was said before.
    """
    lead = re.compile(r"(?:at|around|about)\s+", re.IGNORECASE).match(text, start)
    match = _CLOCK.match(text, lead.end() if lead else start)
    if match is None or _NOT_A_TIME.match(text, match.end()):
        return None
    if match.group("special"):
        hour = 0 if match.group("special").lower() == "midnight" else 12
        return ClockTime(hour, 0, False, match.end())
    read = _hour_and_minute(match)
    if read is None or read[0] > 23:
        return None
    return _half_of_day(text, match.end(), *read, part)


def _hour_and_minute(match: re.Match[str]) -> tuple[int, int] | None:
    if match.group("relation"):
        run = spoken_digits(match.group("base"))
        if run is None or not 1 <= int(run.digits) <= 12:
            return None
        relation = match.group("relation").lower()
        hour = int(run.digits) - (1 if relation.endswith("to") else 0)
        return hour or 12, _minutes_of(relation)
    if match.group("hour"):
        return int(match.group("hour")), int(match.group("minute") or 0)
    run = spoken_digits(match.group("word"))
    minutes = {"fifteen": 15, "thirty": 30}.get((match.group("minutes") or "").lower())
    return (int(run.digits), minutes or (45 if match.group("minutes") else 0)) if run else None


def _minutes_of(relation: str) -> int:
    """Minutes past the hour: of "half" 30, of "twenty to" 40."""
    words = relation.removesuffix("past").removesuffix("to").removeprefix("a ").strip()
    run = spoken_digits(words.replace("-", " "))
    minutes = {"half": 30, "quarter": 15}.get(words) or (int(run.digits) if run else 0)
    return 60 - minutes if relation.endswith("to") else minutes


def _half_of_day(text: str, end: int, hour: int, minute: int, part: str) -> ClockTime | None:
    half = _HALF.match(text, end)
    if half:
        if not 1 <= hour <= 12:
            return None
        is_after_noon = half.group("half").lower() == "p"
        return ClockTime(hour % 12 + (12 if is_after_noon else 0), minute, False, half.end())
    word = _HOUR_WORD.match(text, end)
    end = word.end() if word else end
    clock = ClockTime(hour, minute, True, end)
    late = _PART.match(text, end)
    if part or late:
        clock = _in_part(clock, part or (late.group(1).lower() if late else ""))
        return ClockTime(clock.hour, clock.minute, False, end if part or not late else late.end())
    if hour == 0 or hour > 12:
        return ClockTime(hour, minute, False, end)
    guessed = hour + 12 if hour < OFFICE_STARTS else hour
    return ClockTime(guessed, minute, hour != 12, end)


def _in_part(clock: ClockTime, part: str) -> ClockTime:
    hour = clock.hour % 12 if clock.hour <= 12 else clock.hour
    if part == "morning":
        hour = clock.hour % 12
    elif part == "night" and hour < 5:
        pass  # "two at night"
    elif hour < 12:
        hour += 12
    return ClockTime(hour, clock.minute, False, clock.end)


def on_day(day: str, clock: ClockTime, zone: str) -> str:
    """Put a day, as YYYY-MM-DD, and a time of day together in a zone."""
    at = time(clock.hour, clock.minute)
    when = datetime.combine(date.fromisoformat(day), at, tzinfo=zone_of(zone) or UTC)
    return when.isoformat(timespec="minutes")


def _with_time(day: date, clock: ClockTime, local: datetime, found: DateFound) -> DateFound | None:
    """Put day and time together in the zone; a time that the clocks skip is moved on."""
    naive = datetime.combine(day, time(clock.hour, clock.minute), tzinfo=local.tzinfo)
    real = naive.astimezone(UTC).astimezone(local.tzinfo)
    confidence = found.confidence
    if clock.is_ambiguous or real.replace(tzinfo=None) != naive.replace(tzinfo=None):
        confidence = min(confidence, AMBIGUOUS)
    if real < local:
        return None
    value = real.isoformat(timespec="minutes")
    return DateFound(value, found.start, found.end, confidence)
