"""Random cards, wordings and turns: nothing of the number is left, everything else is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from ringback.core.masking import Masker
from ringback.records import Role
from ringback.text import spoken_digits
from tests.core.made_masking import masked, turn

pytestmark = pytest.mark.unit

NAMES = "zero one two three four five six seven eight nine".split()  # noqa: SIM905
CHINESE = "零一二三四五六七八九"
FILLERS = ["uh", "um", "and", "then", "okay", "and then", "next", "uh,"]
INTERJECTIONS = ["mm-hm", "okay", "go on", "yes?", "uh-huh, got it"]
OPENINGS = ["", "My card is ", "Sure, it's ", "Please charge ", "卡號是 "]
CLOSINGS = ["", ", thank you.", " please", "."]
LEFT = 6  # digits in a row that must not be left


def luhn_digit(digits: str) -> str:
    values = [int(digit) for digit in digits]
    total = sum(value * 2 - 9 * (value > 4) for value in values[::-2]) + sum(values[-2::-2])
    return str(-total % 10)


@st.composite
def cards(draw: st.DrawFn) -> str:
    prefix, length = draw(
        st.sampled_from([("4", 16), ("51", 16), ("2223", 16), ("37", 15), ("6011", 16), ("36", 14)])
    )
    rest = draw(
        st.text("0123456789", min_size=length - 1 - len(prefix), max_size=length - 1 - len(prefix))
    )
    return prefix + rest + luhn_digit(prefix + rest)


@st.composite
def wordings(draw: st.DrawFn, digits: str) -> str:
    """A few digits as somebody may say them."""
    how = draw(st.sampled_from(["digits", "spaced", "words", "chinese"]))
    if how == "digits":
        return digits
    if how == "spaced":
        return " ".join(digits)
    signs = NAMES if how == "words" else CHINESE
    return (" " if how == "words" else "").join(signs[int(digit)] for digit in digits)


@st.composite
def pieces(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A card, and groups of it in words, in order."""
    card = draw(cards())
    groups, rest = [], card
    while rest:
        size = draw(st.integers(1, 6))
        groups.append(draw(wordings(rest[:size])))
        rest = rest[size:]
    return card, groups


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, list[tuple[Role, str]], str, str]:
    """A card, the turns in which it is said, and what stands before and behind it."""
    card, groups = draw(pieces())
    opening, closing = draw(st.sampled_from(OPENINGS)), draw(st.sampled_from(CLOSINGS))
    is_one_speaker = draw(st.booleans())
    said, text, role, cuts = [], opening, Role.CALLER, 0
    for place, group in enumerate(groups):
        if place and cuts < 3 and draw(st.integers(0, 3)) == 0:
            said.append((role, text))
            text, cuts = "", cuts + 1
            if not is_one_speaker:
                role = draw(st.sampled_from(Role))
            elif draw(st.booleans()):
                said.append((Role.AGENT, draw(st.sampled_from(INTERJECTIONS))))
        elif place:
            filler = f" {draw(st.sampled_from(FILLERS))} "
            text += draw(st.sampled_from([" ", " ", "-", ", ", filler]))
        text += group
    return card, [*said, (role, text + closing)], opening, closing


def said_digits(text: str) -> str:
    """Every number of a text in digits, with what lies between as one sign."""
    text = text.translate(str.maketrans(CHINESE, "0123456789"))
    parts, place = [], 0
    while place < len(text):
        run = spoken_digits(text, place)
        parts.append(run.digits if run else "")
        place = run.end if run else place + 1
    return "".join(parts)


@given(calls())
def test_no_six_digits_of_a_card_are_left(call: tuple[str, list[tuple[Role, str]], str, str]):
    card, said, opening, closing = call

    texts = masked([turn(text, position, role) for position, (role, text) in enumerate(said)])

    left = said_digits(" ".join(texts))
    assert not any(card[at : at + LEFT] in left for at in range(len(card) - LEFT + 1)), texts
    assert texts[0].startswith(opening)
    assert texts[-1].endswith(closing)
    for (_, before), after in zip(said, texts, strict=True):
        assert after == before if before in INTERJECTIONS else re.search(r"\[card number\]", after)


@given(calls())
def test_a_turn_is_a_token_between_what_stood_around_it(
    call: tuple[str, list[tuple[Role, str]], str, str],
):
    _, said, opening, closing = call

    texts = masked([turn(text, position, role) for position, (role, text) in enumerate(said)])

    expected = ["[card number]" if t not in INTERJECTIONS else t for _, t in said]
    expected[0] = opening + expected[0]
    expected[-1] += closing
    assert texts == expected


@given(st.text())
def test_any_text_is_taken(text: str):
    masker = Masker()

    for position in range(2):
        masker.mask(turn(text, position))


WORDS = ["hello", "my", "card", "number", "is", "the", "code", "CVV", "SSN", "no", "sorry", "好", "卡號", "身分證", "and", "uh"]  # fmt: skip


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=12), max_size=6))
def test_text_without_numbers_is_the_same_object(call: list[list[str]]):
    masker = Masker()

    for position, said in enumerate(call):
        one = turn(" ".join(said), position)
        assert masker.mask(one).turn is one
