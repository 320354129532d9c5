from __future__ import annotations

import pytest

from ringback.text import (
    capped,
    folded,
    is_filler,
    one_line,
    ordinal,
    plain,
    sentences,
    spoken_digits,
)

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("words", "digits"),
    [
        ("four eight two one", "4821"),
        ("4821", "4821"),
        ("4-8-2-1", "4821"),
        ("4, 8, 2, 1", "4821"),
        ("four double two", "422"),
        ("triple seven", "777"),
        ("forty eight twenty one", "4821"),
        ("forty-eight", "48"),
        ("four hundred", "400"),
        ("four hundred and twelve", "412"),
        ("four hundred twenty", "420"),
        ("four hundred hundred", "400"),
        ("twelve forty", "1240"),
        ("oh four", "04"),
        ("eight double 2", "822"),
        ("forty 2", "402"),
    ],
)
def test_spoken_digits_are_read_however_they_are_said(words: str, digits: str):
    run = spoken_digits(words)

    assert run is not None
    assert run.digits.startswith(digits)


@pytest.mark.parametrize("words", ["oh", "hundred", "double trouble", "fourth", "to", ""])
def test_other_words_are_no_digits(words: str):
    assert spoken_digits(words) is None


def test_a_run_of_digits_ends_before_the_first_other_word():
    run = spoken_digits("four eight, thanks")

    assert run is not None
    assert (run.digits, run.start, run.end) == ("48", 0, 10)


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("third", 3),
        ("fifth", 5),
        ("21st", 21),
        ("twenty-first", 21),
        ("thirtieth", 30),
        ("ninth", 9),
    ],
)
def test_ordinals_are_numbers(word: str, number: int):
    assert ordinal(word) == number


@pytest.mark.parametrize("word", ["32nd", "0th", "five", "month", "north", "fortieth"])
def test_other_words_are_no_days(word: str):
    assert ordinal(word) is None


def test_plain_text_has_the_same_offsets():
    text = "it\u2019s \u201cfine\u201d \u2014 yes\u00a0"

    assert plain(text) == 'it\'s "fine" - yes '
    assert len(plain(text)) == len(text)


def test_one_line_loses_newlines_and_invisible_signs():
    assert one_line("a\u202eb\n\n c\u200b\x00d ") == "ab c d"


def test_folded_texts_differ_in_a_digit_and_in_a_not():
    assert folded("Text  me.") == folded("text me")
    assert folded("4821") != folded("4827")
    assert folded("call") != folded("not call")


def test_capped_text_ends_at_a_word():
    assert capped("one two three", 9) == "one two…"
    assert capped("one", 9) == "one"


def test_sentences_keep_their_offsets():
    text = " One. Two? Three p.m. more"

    assert [text[span.start : span.end] for span in sentences(text)] == [
        "One.",
        "Two?",
        "Three p.m. more",
    ]


@pytest.mark.parametrize("text", ["", "  ", "uh", "Uh, okay. Mm-hm.", "Hello? Good morning!"])
def test_hesitation_is_filler(text: str):
    assert is_filler(text)


def test_a_number_is_no_filler():
    assert not is_filler("4821")
