"""How much of a sentence counts as heard."""

from __future__ import annotations

import pytest

from ringback.core.heard_part import as_written, heard_part, seconds_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "share", "heard"),
    [
        ("I have cancelled order 7714.", 1.0, "I have cancelled order 7714."),
        ("I have cancelled order 7714.", 0.0, ""),
        ("I have cancelled order 7714.", 0.4, "I have cancelled"),
        ("I have cancelled order 7714.", 2.0, "I have cancelled order 7714."),
        ("One two three four.", 0.5, "One two"),
        ("我已经取消了您的订单", 0.5, "我已经取消"),
        ("", 0.5, ""),
    ],
)
def test_a_sentence_is_cut_behind_the_last_word_of_which_half_was_heard(
    text: str, share: float, heard: str
):
    assert heard_part(text, share) == heard


def test_digits_take_longer_to_say_than_letters():
    assert seconds_of("1234") > seconds_of("abcd")


@pytest.mark.parametrize(
    ("words", "text", "written"),
    [
        ("您 的 套 餐", "您的套餐每月四十元。", "您的套餐"),
        ("Your plan costs", "Your plan costs 40 dollars.", "Your plan costs"),
        ("プ ラ ン は", "プランは月四十ドルです。", "プランは"),
        ("Your plan .", "Your plan.", "Your plan."),
        ("您 的 套 餐 。", "您的套餐。", "您的套餐。"),
        ("forty dollars", "40 dollars", "forty dollars"),  # it says what it made of the text
        ("Your plan costs", "Your plan", "Your plan costs"),
        ("", "Your plan", ""),
    ],
)
def test_timed_words_are_written_as_the_text_they_were_made_of(words: str, text: str, written: str):
    assert as_written(words, text) == written
