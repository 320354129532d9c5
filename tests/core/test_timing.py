"""The check on time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from ringback.records import Check, Outcome
from tests.core.made_checks import AT, checked, is_untouched, read, turns_of

pytestmark = pytest.mark.unit


def test_time_passes_a_date():
    turns = turns_of("c: Can somebody come on Friday?")

    assert is_untouched(read(turns, "visit", "2026-03-06", "Friday"), turns)


@pytest.mark.parametrize(
    ("key", "line", "value", "expected"),
    [
        (
            "visit",
            "c: Come tomorrow at two in the afternoon.",
            "tomorrow at two in the afternoon",
            "2026-03-04T14:00-06:00",
        ),
        ("visit", "c: Come on Friday.", "on Friday", "2026-03-06"),
        ("birthday", "c: It was yesterday.", "yesterday", "2026-03-02"),
        (
            "birthday",
            "c: It was the day before yesterday.",
            "the day before yesterday",
            "2026-03-01",
        ),
        ("birthday", "c: It was last Friday.", "last Friday", "2026-02-27"),
        ("birthday", "c: It was two weeks ago.", "two weeks ago", "2026-02-17"),
        ("birthday", "c: It was a day ago.", "a day ago", "2026-03-02"),
        ("birthday", "c: 昨天。", "昨天", "2026-03-02"),
        ("birthday", "c: On the third of May 1980.", "the third of May 1980", "1980-05-03"),
        (
            "promise",
            "a: I will call you on Friday.",
            "call on Friday",
            "call on Friday (2026-03-06)",
        ),
        ("note", "c: I fly tomorrow.", "flies tomorrow", "flies tomorrow (2026-03-04)"),
    ],
)
def test_time_repairs_words_that_mean_another_day_tomorrow(
    key: str, line: str, value: str, expected: str
):
    turns = turns_of(line)

    result, one = checked(turns, read(turns, key, value, line[3:]))

    assert result is not None
    assert (one.name, one.outcome, result.value) == ("time", Outcome.REPAIRED, expected)


def test_time_resolves_a_day_where_the_caller_is():
    late = replace(turns_of("c: Call me tomorrow.")[0], at=datetime(2026, 3, 10, 4, 30, tzinfo=UTC))

    result, _ = checked((late,), read((late,), "visit", "tomorrow", "tomorrow"))

    assert result is not None
    assert result.value == "2026-03-10"  # in Chicago it is still the ninth


def test_time_leaves_an_uncertain_date_uncertain():
    turns = turns_of("c: Come on Tuesday.")  # said on a Tuesday

    result, _ = checked(turns, read(turns, "visit", "Tuesday", "Tuesday"))

    assert result is not None
    assert (result.value, result.confidence) == ("2026-03-10", 0.6)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("note", "likes to be called on Friday"),  # a habit, for all we know
        ("note", "back from next week on"),  # no one day, but more than that is said
        ("matter", "my bill is due tomorrow"),  # somebody's own words
        ("promise", "call back on Friday (2026-03-06)"),
        ("tier", "none"),
    ],
)
def test_time_leaves_alone_what_is_no_date_of_ours(key: str, value: str):
    turns = turns_of(f"c: {value}")

    assert is_untouched(read(turns, key, value, value), turns)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("visit", "2026-02-30", "there is no such date"),
        ("visit", "some Friday", "it names no one day"),
        ("visit", "Friday or Saturday", "it names no one day"),
        ("visit", "one day", "it names no one day"),
        ("birthday", "many days ago", "it names no one day"),
        ("note", "next week", "it names no one day"),
        ("visit", "2026-03-02", "it was said of what is to come, and lies in the past"),
    ],
)
def test_time_drops_what_is_no_day_or_has_been(key: str, value: str, reason: str):
    turns = turns_of(f"c: {value}")

    result, one = checked(turns, read(turns, key, value, value))

    assert result is None
    assert one == Check("time", Outcome.DROPPED, reason)


def test_time_drops_what_would_end_before_it_begins():
    turns = turns_of("c: I have the trial from June on.")
    trial = read(turns, "trial", "trial", "trial", valid_from=AT + timedelta(days=90))

    result, one = checked(turns, trial)

    assert result is None
    assert one == Check("time", Outcome.DROPPED, "it would end before it begins")
    assert is_untouched(replace(trial, valid_from=AT + timedelta(days=9)), turns)
