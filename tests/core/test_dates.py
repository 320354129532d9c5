from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings, strategies as st

from ringback.core.dates import find_dates, read_time

pytestmark = pytest.mark.unit

SAID = datetime(2026, 3, 19, 15, 0, tzinfo=UTC)  # Thursday, 10:00 in Chicago


def dates(text: str, at: datetime = SAID, zone: str = "America/Chicago") -> list[tuple[str, float]]:
    return [
        (found.value, round(found.confidence, 2))
        for found in find_dates(text, at, zone, start=0, end=len(text))
    ]


@pytest.mark.parametrize(
    ("text", "value", "confidence"),
    [
        ("today", "2026-03-19", 0.9),
        ("tonight", "2026-03-19", 0.9),
        ("this afternoon", "2026-03-19", 0.9),
        ("this afternoon at three", "2026-03-19T15:00-05:00", 0.9),
        ("tonight at eight", "2026-03-19T20:00-05:00", 0.9),
        ("tomorrow", "2026-03-20", 0.9),
        ("the day after tomorrow", "2026-03-21", 0.9),
        ("Friday", "2026-03-20", 0.9),
        ("this Saturday", "2026-03-21", 0.9),
        ("next Tuesday", "2026-03-24", 0.9),
        ("next Saturday", "2026-03-28", 0.6),
        ("Thursday", "2026-03-26", 0.6),
        ("this Thursday", "2026-03-19", 0.6),
        ("Friday the twentieth", "2026-03-20", 0.9),
        ("Friday, March 27th", "2026-03-27", 0.9),
        ("Friday the twenty-first", "2026-03-21", 0.4),
        ("March 25", "2026-03-25", 0.9),
        ("April the first", "2026-04-01", 0.9),
        ("the 2nd of April", "2026-04-02", 0.9),
        ("2 April 2027", "2027-04-02", 0.9),
        ("March 3", "2027-03-03", 0.4),
        ("the fifth", "2026-04-05", 0.7),
        ("the thirty-first", "2026-03-31", 0.7),
        ("in three days", "2026-03-22", 0.9),
        ("in two weeks", "2026-04-02", 0.9),
        ("in a week", "2026-03-26", 0.9),
        ("in 90 minutes", "2026-03-19T11:30-05:00", 0.9),
        ("in exactly 24 hours", "2026-03-20T10:00-05:00", 0.9),
        ("2026-05-01", "2026-05-01", 0.9),
        ("Friday at 2 pm", "2026-03-20T14:00-05:00", 0.9),
        ("Friday at 2:30 p.m.", "2026-03-20T14:30-05:00", 0.9),
        ("Friday 14:30", "2026-03-20T14:30-05:00", 0.9),
        ("Friday at two", "2026-03-20T14:00-05:00", 0.6),
        ("Friday at nine", "2026-03-20T09:00-05:00", 0.6),
        ("Friday at noon", "2026-03-20T12:00-05:00", 0.9),
        ("Friday at two in the afternoon", "2026-03-20T14:00-05:00", 0.9),
        ("Friday morning at eight thirty", "2026-03-20T08:30-05:00", 0.9),
        ("Friday at two o'clock in the afternoon", "2026-03-20T14:00-05:00", 0.9),
        ("Friday at quarter to nine", "2026-03-20T08:45-05:00", 0.6),
        ("Friday at quarter past twelve", "2026-03-20T12:15-05:00", 0.9),
        ("at two pm on Friday", "2026-03-20T14:00-05:00", 0.9),
        ("at half past nine on Friday", "2026-03-20T09:30-05:00", 0.6),
        ("Friday, two of us", "2026-03-20", 0.9),
        ("Friday at 9 Quill Lane", "2026-03-20", 0.9),
        ("Friday at 25", "2026-03-20", 0.9),
        ("Friday 3", "2026-03-20", 0.9),
        ("Friday night at two", "2026-03-20T02:00-05:00", 0.9),
    ],
)
def test_a_date_ahead_is_resolved_where_and_when_it_was_said(text, value, confidence):
    assert dates(text) == [(value, confidence)]


@pytest.mark.parametrize(
    "text",
    [
        "last Tuesday",
        "since Tuesday",
        "every Friday",
        "not on Friday",
        "2026-03-01",
        "2026-13-45",
        "March 45",
        "this morning at eight",
        "in some days",
        "in some hours",
        "the fifth floor",
        "at two",
        "June",
        "2 March 2025",
    ],
)
def test_what_is_past_or_no_date_gives_nothing(text):
    assert dates(text) == []


def test_a_time_that_the_clocks_skip_is_moved_on_and_doubted():
    eve = datetime(2026, 3, 28, 12, 0, tzinfo=UTC)

    assert dates("tomorrow at 2:30 am", eve, "Europe/Madrid") == [("2026-03-29T03:30+02:00", 0.6)]


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("six in the evening", "18:00"),
        ("around six", "18:00"),
        ("12 am", "00:00"),
        ("midnight", "00:00"),
        ("five forty-five", "17:45"),
        ("half past twelve", "12:30"),
        ("0:15", "00:15"),
    ],
)
def test_a_time_of_day_is_read(text, clock):
    read = read_time(text, 0)

    assert read is not None
    assert read.clock == clock


@pytest.mark.parametrize(
    "text", ["", "six people", "two hours", "13 pm", "half past banana", "24:30"]
)
def test_other_numbers_are_no_times(text):
    assert read_time(text, 0) is None


DAYS = st.sampled_from(
    ["today", "tomorrow", "Friday", "next Monday", "the 31st", "May 3", "the fifth", "in 3 weeks"]
)
TIMES = st.sampled_from(["", " at two", " at 9 am", " at noon", " evening"])
MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@settings(max_examples=200, deadline=None)
@given(DAYS, TIMES, MOMENTS, st.sampled_from(["UTC", "Asia/Tokyo", "America/Los_Angeles"]))
def test_a_resolved_date_is_never_past(day, time, at, zone):
    for value, _ in dates(day + time, at, zone):
        moment = datetime.fromisoformat(value)
        if moment.tzinfo:
            assert moment >= at.replace(second=0, microsecond=0)
        else:
            assert moment.date() >= at.astimezone(ZoneInfo(zone)).date()
