"""Which stretch of time a question asks about, in whose days, and what is left without it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from ringback.core.recall.timeframe import (
    MOST_FRAMES,
    TOLD_AFTER_DAYS,
    YEARS_BACK,
    Frame,
    asks_when,
    frames,
    tells_when,
    without_times,
)

pytestmark = pytest.mark.unit

WEDNESDAY = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


def days(question: str, at: datetime = WEDNESDAY, zone: str = "UTC") -> list[tuple[str, str]]:
    """Each frame's first day and the day after its last, as they are in the zone."""
    return [
        (frame.since_at.date().isoformat(), frame.until_at.date().isoformat())
        for frame in frames(question, at, zone)
    ]


def day(text: str) -> list[tuple[str, str]]:
    return [(text, (date.fromisoformat(text) + timedelta(days=1)).isoformat())]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What did I say today?", "2026-03-04"),
        ("What did I say this morning?", "2026-03-04"),
        ("What did I say yesterday?", "2026-03-03"),
        ("Who called last night?", "2026-03-03"),
        ("What was it the day before yesterday?", "2026-03-02"),
        ("What did I order last Tuesday?", "2026-03-03"),
        ("What did I order on Friday?", "2026-02-27"),
        ("What did I order last Wednesday?", "2026-02-25"),
        ("What happened 2 days ago?", "2026-03-02"),
        ("What happened three days ago?", "2026-03-01"),
        ("What did I say on 2026-02-14?", "2026-02-14"),
        ("What did I say on 14 February 2026?", "2026-02-14"),
        ("What did I say on February 14th, 2026?", "2026-02-14"),
        ("What did I say on the fourteenth of February 2026?", "2026-02-14"),
        ("我今天說了什麼?", "2026-03-04"),
        ("我昨天說了什麼?", "2026-03-03"),
        ("昨晚誰打來?", "2026-03-03"),
        ("前天呢?", "2026-03-02"),
        ("上週三我說了什麼?", "2026-02-25"),
        ("上星期天我说了什么?", "2026-03-01"),
        ("上禮拜五呢?", "2026-02-27"),
        ("三天前我說了什麼?", "2026-03-01"),
        ("2026年2月14日我說了什麼?", "2026-02-14"),
        ("去年十二月二十五號呢?", "2025-12-25"),
    ],
)
def test_a_day_is_a_frame_of_one_day(question: str, first: str):
    assert days(question) == day(first)


@pytest.mark.parametrize(
    ("question", "first", "after"),
    [
        ("What did I say this week?", "2026-03-02", "2026-03-09"),
        ("What did I say last week?", "2026-02-23", "2026-03-02"),
        ("What did I do last weekend?", "2026-02-28", "2026-03-02"),
        ("What did I do this month?", "2026-03-01", "2026-04-01"),
        ("What did I do last month?", "2026-02-01", "2026-03-01"),
        ("What did I do last year?", "2025-01-01", "2026-01-01"),
        ("What happened in 2024?", "2024-01-01", "2025-01-01"),
        ("What happened in December 2024?", "2024-12-01", "2025-01-01"),
        ("上週我說了什麼?", "2026-02-23", "2026-03-02"),
        ("上周末呢?", "2026-02-28", "2026-03-02"),
        ("上個月我訂了什麼?", "2026-02-01", "2026-03-01"),
        ("这个月呢?", "2026-03-01", "2026-04-01"),
        ("去年我買了什麼?", "2025-01-01", "2026-01-01"),
        ("前年呢?", "2024-01-01", "2025-01-01"),
        ("2024年12月呢?", "2024-12-01", "2025-01-01"),
        ("去年三月呢?", "2025-03-01", "2025-04-01"),
    ],
)
def test_a_stretch_begins_with_its_first_day_and_ends_before_the_next(question, first, after):
    assert days(question) == [(first, after)]


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("What was it two weeks ago?", "2026-02-18"),
        ("What was it a month ago?", "2026-02-02"),
        ("What was it a year ago?", "2025-03-04"),
        ("兩週前呢?", "2026-02-18"),
        ("三個月前呢?", "2025-12-04"),
        ("兩年前呢?", "2024-03-04"),
    ],
)
def test_so_long_ago_is_some_days_around_it(question: str, meant: str):
    ((first, after),) = days(question)

    assert first < meant < after
    assert first != meant


@pytest.mark.parametrize(
    "question",
    [
        "What is my account number?",
        "What happened a few days ago?",
        "Do you have anything for 0 days ago?",
        "我的帳號是多少?",
        "",
    ],
)
def test_a_question_without_a_time_that_can_be_told_has_no_frame(question: str):
    assert days(question) == []


# Zones


@pytest.mark.parametrize(
    ("zone", "yesterday"),
    [("UTC", "2026-03-03"), ("Asia/Taipei", "2026-03-04"), ("America/New_York", "2026-03-03")],
)
def test_yesterday_is_the_askers(zone: str, yesterday: str):
    at = datetime(2026, 3, 4, 17, 0, tzinfo=UTC)  # 01:00 of the 5th in Taipei

    assert days("What did I say yesterday?", at, zone) == day(yesterday)


@pytest.mark.parametrize(
    ("at", "zone", "starts_at"),
    [
        (
            datetime(2026, 3, 4, 16, 0, tzinfo=UTC),
            "Asia/Taipei",
            datetime(2026, 3, 4, 16, tzinfo=UTC),
        ),
        (
            datetime(2026, 3, 4, 15, 59, 59, tzinfo=UTC),
            "Asia/Taipei",
            datetime(2026, 3, 3, 16, tzinfo=UTC),
        ),
        (
            datetime(2026, 3, 4, 5, 0, tzinfo=UTC),
            "America/New_York",
            datetime(2026, 3, 4, 5, tzinfo=UTC),
        ),
        (
            datetime(2026, 3, 4, 4, 59, 59, tzinfo=UTC),
            "America/New_York",
            datetime(2026, 3, 3, 5, tzinfo=UTC),
        ),
    ],
)
def test_a_day_begins_at_the_askers_midnight(at: datetime, zone: str, starts_at: datetime):
    (frame,) = frames("What did I say today?", at, zone)

    assert frame.since_at == starts_at


def test_a_day_on_which_the_clocks_change_has_its_own_length():
    monday = datetime(2026, 3, 9, 16, 0, tzinfo=UTC)

    (frame,) = frames("What did I say yesterday?", monday, "America/New_York")

    length = frame.until_at.astimezone(UTC) - frame.since_at.astimezone(UTC)
    assert length == timedelta(hours=23)


@pytest.mark.parametrize("zone", ["", "Mars/Olympus"])
def test_an_unknown_zone_counts_days_in_utc(zone: str):
    assert days("yesterday?", zone=zone) == day("2026-03-03")


# Months without a year


def test_a_month_without_a_year_is_that_month_of_each_of_the_last_years():
    found = days("What did I order in June?")

    assert found[0] == ("2025-06-01", "2025-07-01")
    assert len(found) == YEARS_BACK - 1  # June of this year is still to come


def test_the_running_month_counts():
    assert days("What did I order in March?")[0] == ("2026-03-01", "2026-04-01")


def test_a_day_of_a_month_without_a_year_is_never_ahead():
    assert days("What did I say on March 5th?")[0] == ("2025-03-05", "2025-03-06")


def test_months_without_a_year_are_read_in_chinese():
    assert days("六月份我訂了什麼?")[0] == ("2025-06-01", "2025-07-01")
    assert days("12月25日呢?")[0] == ("2025-12-25", "2025-12-26")


# What is no time


@pytest.mark.parametrize(
    "question",
    [
        "What did I say on 31 February 2026?",
        "What did I say on February 30th?",
        "What did I say on 2026-02-30?",
        "What did I say on 2026-13-01?",
        "What did I say on 9999-12-31?",
        "What did I say on 0001-01-01?",
        "2月31日我說了什麼?",
        "二月三十五號呢?",
    ],
)
def test_a_date_that_does_not_exist_is_no_time(question: str):
    assert days(question) == []


def test_the_29th_of_february_is_of_leap_years_only():
    assert days("What did I say on 29 February?") == day("2024-02-29")


@pytest.mark.parametrize(
    "question",
    [
        "May I ask what my number is?",
        "What may I bring?",
        "What is my number, and may I change it?",
        "Where did we march?",
        "Did we march and sing?",
        "What was the best march song?",
        "Who said that prices may rise?",
    ],
)
def test_may_and_march_as_verbs_are_no_months(question: str):
    assert days(question) == []
    assert without_times(question) == question


@pytest.mark.parametrize(
    "question",
    [
        "What did I say in May?",
        "What did I say last March?",
        "What did I say on May 5th?",
        "What did I say on the 5th of may?",
        "What did I say in march 2025?",
        "Was it the best March 5th?",
    ],
)
def test_may_and_march_are_months_behind_a_preposition_or_with_a_day_or_a_year(question: str):
    assert days(question) != []


# Several


def test_two_times_in_one_question_are_two_frames():
    assert days("Was it yesterday or the day before yesterday?") == [
        *day("2026-03-03"),
        *day("2026-03-02"),
    ]


def test_two_times_in_one_chinese_question_are_two_frames():
    assert days("是昨天還是前天?") == [*day("2026-03-03"), *day("2026-03-02")]


def test_two_months_joined_by_and_are_both_read():
    found = days("What did I order in January 2025 and February 2025?")

    assert found == [("2025-01-01", "2025-02-01"), ("2025-02-01", "2025-03-01")]


@pytest.mark.parametrize("question", ["Was it 昨天?", "昨天 or yesterday's?"])
def test_a_question_in_both_languages_is_read_in_both(question: str):
    assert set(days(question)) == set(day("2026-03-03"))


# Frames


def test_a_frame_holds_its_first_moment_and_not_the_one_after_its_last():
    frame = Frame(WEDNESDAY, WEDNESDAY + timedelta(days=1))

    assert frame.holds(frame.since_at)
    assert frame.holds(frame.until_at - timedelta(microseconds=1))
    assert not frame.holds(frame.until_at)
    assert not frame.holds(frame.since_at - timedelta(microseconds=1))


def test_told_after_is_from_the_end_for_two_weeks():
    frame = Frame(WEDNESDAY, WEDNESDAY + timedelta(days=1))
    over_at = frame.until_at + timedelta(days=TOLD_AFTER_DAYS)

    assert frame.is_told_after(frame.until_at)
    assert not frame.is_told_after(frame.until_at - timedelta(seconds=1))
    assert frame.is_told_after(over_at - timedelta(seconds=1))
    assert not frame.is_told_after(over_at)


def test_a_moment_in_another_zone_is_within():
    (frame,) = frames("What did I say today?", WEDNESDAY, "Asia/Taipei")

    assert frame.holds(datetime(2026, 3, 4, 0, 30, tzinfo=ZoneInfo("Asia/Taipei")))
    assert frame.holds(datetime(2026, 3, 3, 11, 0, tzinfo=ZoneInfo("America/New_York")))


# Without times


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("What did I order last Tuesday?", "What did I order ?"),
        ("Who called on 2026-02-14 about the toll?", "Who called on about the toll?"),
        ("Which toll did I dispute in 2024?", "Which toll did I dispute ?"),
        ("May I ask about the toll?", "May I ask about the toll?"),
        ("上個月我訂了什麼?", "我訂了什麼?"),
        ("我昨天說了什麼?", "我說了什麼?"),
        ("What is my number?", "What is my number?"),
    ],
)
def test_a_topic_is_a_question_without_its_times(question: str, topic: str):
    assert " ".join(without_times(question).split()) == topic


# When


@pytest.mark.parametrize(
    "question",
    [
        "When did I move?",
        "What day was it?",
        "Which month did she start?",
        "How long ago was that?",
        "我什麼時候搬家的?",
        "他是哪天来的?",
        "几号出发?",
        "いつ引っ越しましたか",
        "언제 이사했어요?",
    ],
)
def test_who_asks_for_a_time_asks_when(question: str):
    assert asks_when(question)


@pytest.mark.parametrize(
    "question", ["What is my number?", "Is it whenever?", "我住哪裡?", "天氣好嗎?", ""]
)
def test_who_asks_for_something_else_does_not_ask_when(question: str):
    assert not asks_when(question)


@pytest.mark.parametrize(
    "text",
    [
        "I moved yesterday.",
        "It was two years ago.",
        "On Friday I was away.",
        "It was in June.",
        "The 5th suits me.",
        "We met in 2019.",
        "我昨天搬家。",
        "上個月開始的",
        "星期三可以",
        "3月5號",
    ],
)
def test_a_text_with_a_time_tells_when(text: str):
    assert tells_when(text)


@pytest.mark.parametrize("text", ["It may rain.", "My flat is 12.", "我很好", ""])
def test_a_text_without_a_time_tells_none(text: str):
    assert not tells_when(text)


def test_a_time_that_is_said_again_is_looked_for_once():
    assert frames("3月 3月 3月", WEDNESDAY) == frames("3月", WEDNESDAY)


def test_of_very_many_times_only_the_first_are_looked_for():
    many = " ".join(f"{month}月{day}日" for month in range(1, 13) for day in range(1, 29))

    assert len(frames(many, WEDNESDAY)) == MOST_FRAMES
