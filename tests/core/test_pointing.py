"""Words that point, and what of some values they point at."""

from __future__ import annotations

import pytest

from ringback.core.pointing import Aim, Pointer, pointed_at, pointer

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "words",
    [
        "the same as last time",
        "Same time as yesterday.",
        "same as before",
        "like always",
        "my usual time",
        "the last one's",
        "跟上次一樣",
        "和之前一样",
        "上次那個號碼",
        "老樣子",
    ],
)
def test_what_another_call_said_is_not_in_this_one(words: str):
    assert pointer(words) == Pointer(Aim.ELSEWHERE)


@pytest.mark.parametrize(
    "words",
    ["that one", "this time", "the same day", "that same slot", "那個時間", "同一個", "一樣的時間"],
)
def test_what_was_just_said_is_pointed_at(words: str):
    assert pointer(words) == Pointer(Aim.CALL)


@pytest.mark.parametrize(
    ("words", "place", "is_by_time"),
    [
        ("the first one", 0, False),
        ("second", 1, False),
        ("the latter", -1, False),
        ("the later one", -1, True),
        ("第二個", 1, False),
        ("前者", 0, False),
        ("晚一點的", -1, True),
    ],
)
def test_one_of_several_is_counted(words: str, place: int, is_by_time: bool):
    assert pointer(words) == Pointer(Aim.CHOICE, place, is_by_time)


@pytest.mark.parametrize(
    "words", ["Friday", "one", "the first of May", "that one thing about my router", "上次斷線", ""]
)
def test_words_that_name_something_point_at_nothing(words: str):
    assert pointer(words) is None


@pytest.mark.parametrize(
    ("words", "options", "expected"),
    [
        ("that one", ["a"], "a"),
        ("that one", ["a", "b"], None),
        ("that one", [], None),
        ("the second one", ["a", "b"], "b"),
        ("the second one", ["a"], None),
        ("the third one", ["a", "b"], None),
        ("the latter", ["b", "a"], "a"),
        ("the later one", ["b", "a"], "b"),
        ("the same as last time", ["a"], None),
    ],
)
def test_only_what_is_clear_is_taken(words: str, options: list[str], expected: str | None):
    pointing = pointer(words)

    assert pointing is not None
    assert pointed_at(pointing, options, time_of=str) == expected


def test_what_is_no_date_is_not_earlier_than_anything():
    pointing = pointer("the earlier one")

    assert pointing is not None
    assert pointed_at(pointing, ["a", "b"]) is None
