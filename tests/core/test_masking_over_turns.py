"""Numbers that run over turns, interjections, and numbers that are read back."""

from __future__ import annotations

import pytest

from ringback.core.masking import Masker
from tests.core.made_masking import turn, written

pytestmark = pytest.mark.unit

CARD = "[card number]"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("my card is 4111 1111 | 1111 1111", f"my card is {CARD} | {CARD}"),
        ("it's 4111 1111 | a: mm-hm | 1111 1111 ok?", f"it's {CARD} | mm-hm | {CARD} ok?"),
        (
            "four one one one | a: yes? | one one one one | a: go on | 1111 | a: okay | 1111",
            f"{CARD} | yes? | {CARD} | go on | {CARD} | okay | {CARD}",
        ),
        ("4111 1111 1111 | a: take your time | 1111", f"{CARD} | take your time | {CARD}"),
        (
            "4111 1111 | a: Got it, and the rest of the card number? | 1111 1111",
            f"{CARD} | Got it, and the rest of the card number? | {CARD}",
        ),
        (
            "4111 1111 | a: 4111 1111 | 1111 1111 | a: 1111 1111",
            f"{CARD} | {CARD} | {CARD} | {CARD}",
        ),
        ("4111 1111 | a: 1111 1111", f"{CARD} | {CARD}"),
        (
            "a: Your card number, please? | 4111 1111 | a: yes | 1111 111 that's it",
            f"Your card number, please? | {CARD} | yes | {CARD} that's it",
        ),
        ("卡號是四一一一一一一一 | a: 好的 | 一一一一一一一一", f"卡號是{CARD} | 好的 | {CARD}"),
        (
            "4111 1111 1111 1111 | a: So that is 4111 1111 1111 1111, correct?",
            f"{CARD} | So that is {CARD}, correct?",
        ),
        (
            "4111 1111 1111 1111 | a: 4111 1111 1111? | a: ending in 1111",
            f"{CARD} | {CARD}? | ending in 1111",
        ),
        (
            "5500 0000 0000 0004 | a: five five zero zero | a: zero zero zero zero, right?",
            f"{CARD} | {CARD} | {CARD}, right?",
        ),
        ("my SSN is 123-45-6789 | a: 123456789?", None),
        (
            "a: The security code? | one two three | a: one two three, thank you",
            "The security code? | [security code] | [security code], thank you",
        ),
        (
            "my social is 123 | a: okay | 45 | a: yes | 6789",
            "my social is [social security number] | okay | [social security number] | yes | "
            "[social security number]",
        ),
        (
            "a: What is the one-time code? | 481 | 920",
            "What is the one-time code? | [security code] | [security code]",
        ),
        (
            "A 1234 | a: yes | 56789",
            "[national id] | yes | [national id]",
        ),
        (
            "GB82 WEST 1234 | a: go on | 5698 7654 32",
            "[IBAN] | go on | [IBAN]",
        ),
        ("my number is 555 | a: uh-huh | 123 4567", None),
        ("4111 1111 | a: Line 12 is free | 1111 1111", f"{CARD} | Line 12 is free | {CARD}"),
    ],
)
def test_a_number_is_masked_in_every_turn_it_runs_over(call: str, expected: str | None):
    if expected is None:
        assert not any(sign.isdigit() for sign in written(call))
    else:
        assert written(call) == expected


@pytest.mark.parametrize(
    "call",
    [
        "a: The card ending in 1111? | yes | a: The card ending in 1111 was charged.",
        "order 4111 1111 | a: and the amount? | 1111 1112",
        "4111 1111 | a: and your order number? | 1111 1111",
        "I am at gate 123 | a: What a day! | a: And the rest?",
        "a: And the CVV? | well | a: yes? | well | a: hm | well | 405 Main Road",
        "a: Your account number? | 4821 | a: and the postal code? | 90210",
        "4155551 234 it is | 402 Main Road",  # 13 digits that pass for an old Visa card
        "4155551 234 | 402 Main Road",
        "I paid 4111 | a: dollars? | yes, 1111 dollars less than in 2019",
    ],
)
def test_numbers_of_several_turns_stay_where_they_are_no_sensitive_number(call: str):
    assert written(call) == call.replace("a: ", "")


@pytest.mark.parametrize(
    ("number", "token"),
    [
        ("4111 1111 1111 1111", CARD),
        ("My CVV is 123", "My CVV is [security code]"),
        ("the last four of my SSN are 6789", None),
        ("SSN 123-45-6789", "SSN [social security number]"),
    ],
)
def test_a_number_ends_when_it_has_been_said(number: str, token: str | None):
    result = written(f"{number} | a: Where do you live? | 405 Main Road")

    assert result.endswith(" | 405 Main Road")
    assert token is None or result.startswith(token)


def test_what_looked_like_a_phone_number_may_turn_out_to_be_part_of_a_card():
    assert written("4 | 00000 000000 | 0002") == f"{CARD} | {CARD} | {CARD}"


def test_the_last_four_may_be_said_again_and_again():
    call = "5555 5555 5555 4444 | a: The card ending in 4444? | yes | a: The last four are 4444."

    assert written(call).partition(" | ")[2] == call.replace("a: ", "").partition(" | ")[2]


def test_a_question_is_answered_after_other_words():
    call = "a: And the CVV? | Sure, hold on, let me get it, it's 123"

    assert written(call).endswith("let me get it, it's [security code]")


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (
            "a: The last four of your social and your date of birth? | 6789, April 12th",
            "[social security number], April 12th",
        ),
        ("a: The card number, expiry and code on the back? | 4111 1111 1111 1112, 123", CARD),
        ("a: Your phone number and your PIN? | 4821", "[security code]"),
        ("a: Your PIN and your phone number? | 4821", "[security code]"),
    ],
)
def test_a_question_may_ask_for_several_numbers(call: str, answer: str):
    assert written(call).partition(" | ")[2] == answer


def test_what_equals_a_security_code_stays_where_it_was_said_before_the_code():
    call = "I am at gate 123 | a: And the CVV? | 123 | a: 123"

    code = "[security code]"
    assert written(call) == f"I am at gate 123 | And the CVV? | {code} | {code}"


def test_another_question_ends_the_one_before():
    call = "a: What's the CVV? | a: Sorry, first your postal code? | it's 90210"

    assert written(call).endswith("it's 90210")


def test_earlier_turns_are_amended_once():
    masker = Masker()
    first = masker.mask(turn("card 4111 1111", 0))
    second = masker.mask(turn("1111 1111", 1))
    third = masker.mask(turn("thanks", 2))

    assert first.turn.text == "card 4111 1111"
    assert [(one.position, one.text) for one in second.amended] == [(0, f"card {CARD}")]
    assert third.amended == ()


def test_what_was_said_too_long_ago_is_not_joined():
    call = " | ".join(["4111 1111", *["well"] * 12, "1111 1111"])

    assert written(call) == call


def test_a_long_turn_keeps_what_was_masked_in_it_when_it_is_amended():
    call = "5500 0000 0000 0004 " + "x 1 y " * 100 + "and 4111 1111 | 1111 1111"

    first, second = written(call).split(" | ")

    assert first.startswith(f"{CARD} x 1 y")
    assert first.endswith(f"x 1 y and {CARD}")
    assert second == CARD


def test_a_number_is_kept_masked_where_only_a_part_of_it_may_go_on():
    call = "5500 0000 0000 0004 " + "word 7 " * 60 + "and 4111 1111 | 1111 1111"

    first, _ = written(call).split(" | ")

    assert first == f"{CARD} " + "word 7 " * 60 + f"and {CARD}"
