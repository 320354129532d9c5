# ruff: noqa: RUF001 - Chinese punctuation is what is tested
from __future__ import annotations

import time

import pytest
from hypothesis import given, settings, strategies as st

from ringback.core.cleaning import cleaned
from ringback.text import Span

pytestmark = pytest.mark.unit

CLEANED = [
    # fillers
    ("Um, I want to cancel.", "I want to cancel."),
    ("I, um, want to cancel.", "I, want to cancel."),
    ("I um want to uh cancel", "I want to cancel"),
    ("I want it, um.", "I want it."),
    ("I want it uh, now", "I want it, now"),
    ("My number is, er, 4821.", "My number is, 4821."),
    ("my number is four uh eight um two one", "my number is four eight two one"),
    ("Uh... I have a question", "I have a question"),
    ("Uh. Um. I have a question", "I have a question"),
    ("Um, Dana Whitfield.", "Dana Whitfield."),
    ("It is, you know, broken.", "It is, broken."),
    ("You know, it is broken.", "it is broken."),
    ("it's you know broken", "it's broken"),
    ("It broke, you know.", "It broke."),
    ("I was, like, so angry", "I was, so angry"),
    ("Like, I was angry", "I was angry"),
    # stutters
    ("I I I want to cancel", "I want to cancel"),
    ("my my account", "my account"),
    ("My my account", "my account"),
    ("I, I want to cancel", "I want to cancel"),
    ("I-I-I want to cancel", "I want to cancel"),
    ("can can you hear me", "can you hear me"),
    ("w- we moved", "we moved"),
    ("s-s-sorry about it", "sorry about it"),
    ("I uh I want to cancel", "I want to cancel"),
    ("I want I want to cancel", "I want to cancel"),
    ("can you, can you help me", "can you help me"),
    # false starts
    ("my acc- my account is locked", "my account is locked"),
    ("my acc- account is locked", "my account is locked"),
    ("I want to, I need to cancel", "I need to cancel"),
    ("Hello. I want to, I need to cancel", "Hello. I need to cancel"),
    ("My account is, my account number is 4821", "my account number is 4821"),
    # Chinese
    ("呃，我想取消", "我想取消"),
    ("嗯，對，我的帳號是4821。", "對，我的帳號是4821。"),
    ("我呃想取消", "我想取消"),
    ("那個，我想問一下", "我想問一下"),
    ("那个那个我想问一下", "我想问一下"),
    ("就是說，我的訂單沒到", "我的訂單沒到"),
    ("我想，就是說，取消", "我想，取消"),
    ("我我我想取消", "我想取消"),
    ("我我想取消", "我想取消"),
    ("因為我我想取消", "因為我想取消"),
    ("我要，我要取消", "我要取消"),
    ("那那個帳號", "那個帳號"),
    ("我的我的帳號", "我的帳號"),
    ("我想要我想要退貨", "我想要退貨"),
    ("取消那個那個訂單", "取消那個訂單"),
]
KEPT = [
    "",
    "uh",
    "嗯。",
    "uh-huh",
    "mm-hm, uh-uh",
    "I was in the ER",
    "Er ist um neun Uhr da",
    "Eu tenho um problema",
    "Do you know my number?",
    "as you know the line is down",
    "you know what it is",
    "I would like a refund",
    "It looks like rain",
    "very very slow",
    "no no no",
    "No, no, no wait",
    "bye bye",
    "yes yes",
    "please please help",
    "It had had a fault",
    "I know that that is wrong",
    "I told you you can call",
    "I turned it on on Monday",
    "four four one",
    "22",
    "one one two two",
    "double four, double four",
    "four to to one",
    "4 4 8 8",
    "it is A A B",
    "my name is h i i k",
    "New York New York",
    "Duran Duran",
    "4812, no wait, 4821",
    "my name is Dan- no wait, Dana",
    "my name is Dan- no wait Dana",
    "a two- or two-day trip",
    "the third, sorry, the fifth",
    "I don't want to, I need to think",
    "I want to, I just can't",
    "I wait I wait",
    "I want no, I want no plan",
    "a two- or three-day trip",
    "pre- and post-paid",
    "e-mail and T-shirt",
    "order B-12, B-13",
    "so it was, was it",
    "you can, can you",
    "yours and hers, her number",
    "the 4821, the 4822",
    "慢慢來",
    "謝謝，謝謝",
    "媽媽的帳號",
    "對對對",
    "看看",
    "那個帳號是我的",
    "也就是說，我要退款",
    "請給我我的帳號",
    "那是你的，你的帳號呢",
    "一一二二",
    "這是我，我的帳號是4821",
]


@pytest.mark.parametrize(("text", "clean"), CLEANED)
def test_hesitations_stutters_and_false_starts_go(text: str, clean: str):
    assert cleaned(text).text == clean


@pytest.mark.parametrize("text", KEPT)
def test_what_is_meant_stays(text: str):
    result = cleaned(text)

    assert result.text == text
    assert result.origin == tuple(range(len(text)))


def test_words_cited_from_the_clean_text_are_found_in_the_turn():
    text = "Um, my my number is four uh eight two one."
    result = cleaned(text)
    start = result.text.index("four")

    span = result.original_span(start, start + len("four eight two one"))

    assert text[span.start : span.end] == "four uh eight two one"
    assert result.original_span(0, 2) == Span(7, 9)


@pytest.mark.parametrize(("start", "end"), [(0, 0), (2, 1), (-1, 2), (0, 99)])
def test_a_span_outside_the_text_is_nowhere(start: int, end: int):
    with pytest.raises(ValueError, match="not in the cleaned text"):
        cleaned("Um, hello").original_span(start, end)


PIECES = st.sampled_from(
    [
        "I",
        "my",
        "um",
        "uh",
        "er",
        "like",
        "you",
        "know",
        "w-",
        "we",
        "acc-",
        "account",
        "is",
        "to",
        "want",
        "need",
        ",",
        ".",
        "?",
        "-",
        "...",
        "4821",
        "four",
        "no",
        "wait",
        "a",
        "b",
        "the",
        "The",
        "我",
        "我的",
        "呃",
        "嗯",
        "那個",
        "就是說",
        "想",
        "取消",
        "，",
        "、",
        "。",
        "I-I",
        "s-s-sorry",
        "very",
        "bye",
    ]
)


@settings(max_examples=500, deadline=None)
@given(st.one_of(st.lists(PIECES, max_size=14).map(" ".join), st.lists(PIECES).map("".join)))
def test_signs_are_only_taken_out_and_cleaning_again_takes_out_nothing(text: str):
    result = cleaned(text)

    assert len(result.origin) == len(result.text)
    assert all(a < b for a, b in zip(result.origin, result.origin[1:], strict=False))
    assert "".join(text[place] for place in result.origin) == result.text
    assert cleaned(result.text).text == result.text


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.lists(PIECES, max_size=14).map(" ".join), st.text(max_size=60)))
def test_no_digit_and_no_correction_is_lost(text: str):
    result = cleaned(text).text

    for word in ("4", "8", "four", "wait"):
        assert result.count(word) == text.count(word)


@pytest.mark.parametrize(
    "piece",
    ["I ", "w- ", "uh, ", "my a ", "我", "那個", ", ", "i want to, ", "a-", "I - ", "那個，", "-"],
)
def test_a_long_strange_turn_costs_little_time(piece: str):
    started = time.process_time()

    cleaned((piece * 4_000)[:4_000])
    cleaned(piece + " " * 4_000 + piece)

    assert time.process_time() - started < 0.5
