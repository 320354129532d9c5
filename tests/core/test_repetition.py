from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from ringback.core.repetition import MAX_CHARACTERS, blanked, loops, once, words_of

pytestmark = pytest.mark.unit

DOWN = "my internet is down"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (". ".join([DOWN] * 28) + ".", DOWN + "."),
        (" ".join([DOWN] * 4), DOWN),
        (", ".join([DOWN] * 5) + " and I want a refund", f"{DOWN} and I want a refund"),
        (" ".join([DOWN] * 6) + " my inter", DOWN),
        (" ".join([DOWN] * 6) + " my internet", DOWN),
        (f"Hello, {', '.join([DOWN] * 4)}. It is bad.", f"Hello, {DOWN}. It is bad."),
        ("I want I want I want I want to cancel", "I want to cancel"),
        (
            "my name is Dana and I want and I want and I want and I want to cancel",
            "my name is Dana and I want to cancel",
        ),
        (f"{' '.join(['I want to cancel'] * 4)} I want help", "I want to cancel I want help"),
        ("My number is 4821. " * 5, "My number is 4821."),
        ("我要取消我要取消我要取消我要取消", "我要取消"),
        ("我要取消。" * 6, "我要取消。"),
    ],
)
def test_what_is_said_over_and_over_is_left_once(text: str, left: str):
    assert once(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "no no no no",
        "no, no, no, no, I said no",
        f"{DOWN} {DOWN} {DOWN}",
        "5 5 5 5 5 5 5 5 5 5 5 5",
        "four four four four four four four four",
        "oh five oh five oh five oh five",
        "12 34 12 34 12 34 12 34",
        "zero zero dash zero zero dash zero zero dash zero zero dash",
        "A B A B A B A B",
        "nine and nine and nine and nine and nine",
        "nine uh nine uh nine uh nine uh",
        "八八八八八八八八八八八八",
        "一二一二一二一二一二一二",
        "好的好的好的好的",
        "謝謝謝謝",
        " said in between ",
        "",
    ],
)
def test_numbers_letters_and_people_are_no_loop(text: str):
    assert loops(text) == ()
    assert blanked(text) == once(text) == text


def test_what_is_left_stays_where_it_was():
    text = f"Hello. {DOWN} {DOWN} {DOWN} {DOWN}. Call me."

    left = blanked(text)

    assert len(left) == len(text)
    assert left.index(DOWN) == text.index(DOWN)
    assert left.index("Call me.") == text.index("Call me.")
    assert left.count("internet") == 1
    assert left[text.index(DOWN) + len(DOWN)] == "."


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(["my", "my net", "is down", "我要", "取消", ".", ",", "4", "a"])))
def test_nothing_but_what_was_said_before_is_left_out(pieces: list[str]):
    text = " ".join(pieces)

    left = blanked(text)

    assert len(left) == len(text)
    assert set(words_of(left)) == set(words_of(text))
    assert all(a in (b, " ", ".") for a, b in zip(left, text, strict=True))
    spans = loops(text)
    assert all(a.end <= b.start for a, b in pairwise(spans))


@pytest.mark.parametrize("piece", ["a b ", "my net ", "我", "我要", "a b c d e f g ", ". "])
def test_a_long_strange_text_costs_little_time(piece: str):
    started = time.process_time()

    loops(piece * MAX_CHARACTERS)

    assert time.process_time() - started < 0.5
