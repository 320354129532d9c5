"""An offered date counts once the caller points at it, where it is clear at which."""

from __future__ import annotations

import pytest

from tests.core.made_reading import found

pytestmark = pytest.mark.unit

TWO = "a: How about Friday at two in the afternoon or Monday at nine in the morning?"
FRIDAY, MONDAY = "appointment = 2026-03-20T14:00-05:00", "appointment = 2026-03-23T09:00-05:00"
LATER_FIRST = "a: I can offer you Monday at nine in the morning or Friday at two in the afternoon."
BOTH = "a: 週五下午兩點還是下週一上午九點?"


@pytest.mark.parametrize(
    ("lines", "fact"),
    [
        (f"{TWO} | the first one please", FRIDAY),
        (f"{TWO} | um, the second", MONDAY),
        (f"{TWO} | the latter works better for me", MONDAY),
        (f"{TWO} | I'll take the earlier one", FRIDAY),
        (f"{LATER_FIRST} | the earlier one", FRIDAY),
        (f"{LATER_FIRST} | the first one", MONDAY),
        ("a: How about Friday at two in the afternoon? | that one is fine", FRIDAY),
        ("a: I can come Friday at two in the afternoon. | the same time works", FRIDAY),
        (f"{BOTH} | 第二個好了", MONDAY),
        (f"{BOTH} | 前面那個", FRIDAY),
        (f"{BOTH} | 我要早一點的", FRIDAY),
        ("a: 那週五下午兩點可以嗎? | 就那個時間", FRIDAY),
    ],
)
def test_the_date_that_is_pointed_at_is_read(lines: str, fact: str):
    assert found(lines) == [fact]


@pytest.mark.parametrize(
    "lines",
    [
        f"{TWO} | that one",
        f"{TWO} | the third one",
        f"{TWO} | the second one?",
        f"{TWO} | the second one doesn't work",
        f"{TWO} | the same as last time",
        "a: How about Friday at two or at four? | that one",
        "a: How about Friday at two? | the second one",
        "a: Friday at two is full, Monday at nine is not. | that one",
        "a: What time suits you? | the same time as last week",
        "a: The bill of Friday the 20th is open. | that one",
        f"{BOTH} | 那個",
        f"{BOTH} | 跟上次一樣",
        f"{BOTH} | 第二個可以嗎",
        "a: 那週五下午兩點可以嗎? | 那個",
        "a: 您方便什麼時候? | 跟上次一樣",
        "the second one",
    ],
)
def test_nothing_is_read_where_it_is_not_clear_which_is_meant(lines: str):
    assert found(lines) == []


@pytest.mark.parametrize(
    "lines",
    [
        "a: What's your address? | same as last time",
        "my phone number is the same as last time",
        "a: 您的地址是? | 跟上次一樣",
        "a: 請問聯絡電話? | 跟之前一樣",
    ],
)
def test_nothing_is_kept_of_what_another_call_said(lines: str):
    assert found(lines) == []


def test_a_number_that_is_asked_about_may_be_pointed_at():
    assert found("a: Is your account number 4821? | yes, that one") == ["account_number = 4821"]
