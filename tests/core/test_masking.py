# ruff: noqa: RUF001 - Chinese signs are meant
"""Payment cards, however they are grouped and worded; the state machine itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ringback.core.masking import Masked, Masker, Sensitive, allowed_by
from ringback.schemas import Field, Schema, ValueType
from ringback.schemas.declaration import ANYONE, Promotion
from tests.core.made_masking import masked, turn, turns_of, written

pytestmark = pytest.mark.unit

CARD = "[card number]"


@pytest.mark.parametrize(
    "said",
    [
        "4111111111111111",
        "4111 1111 1111 1111",
        "4111-1111-1111-1111",
        "4111.1111.1111.1111",
        "4111, 1111, 1111, 1111",
        "41 11 1111 111 11111",
        "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
        "4111  1111 - 1111/1111",
        "5500 0000 0000 0004",
        "2223 0031 2200 3222",
        "3782 822463 10005",
        "3056 930902 5904",
        "6011 1111 1111 1117",
        "3530 1113 3330 0000",
        "6240 0086 3140 1148",
        "4222222222222",
        "4111 1111 2021-11-18",
        "6212 3456 7890 0000 003",
        "6212345678900000003 12/26",
        "４１１１　１１１１　１１１１　１１１１",
        "٤١١١ ١١١١ ١١١١ ١١١١",
        "four one one one one one one one one one one one one one one one",
        "Four One One One, One One One One, One One One One, One One One One",
        "four triple one, double one double one, 1111 one one one one",
        "forty-one eleven eleven eleven eleven eleven eleven eleven",
        "forty one eleven, eleven eleven, eleven eleven, eleven eleven",
        "four hundred eleven 1 1111 1111 1111",
        "five five oh oh, oh oh oh oh, oh oh oh oh, oh oh oh four",
        "five five double oh, double oh double oh, zero zero zero zero, triple zero four",
        "4111 uh 1111 um 1111 and then 1111",
        "4111 dash 1111 dash 1111 dash 1111",
        "4111, okay, 1111, next 1111, and 1111",
        "四一一一 一一一一 一一一一 一一一一",
        "四幺幺幺幺幺幺幺幺幺幺幺幺幺幺幺",
        "五五〇〇 〇〇〇〇 零零零零 零零零四",
        "四一一一，然後 1111，呃 一一一一，再來 1111",
        "4111 1111 1111 1111 12/26 123",
        "4111 1111 1111 1111, twelve twenty-six, one two three",
    ],
)
@pytest.mark.parametrize("around", ["{}", "So, {}.", "Please charge {}, thank you!", "卡號是{}。"])
def test_a_card_is_masked_and_the_rest_stays(said: str, around: str):
    assert written(around.format(said)) == around.format(CARD)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("my card number is 4111 1111 1111 111", f"my card number is {CARD}"),
        ("the number on the front of my card: 4111 1111 1112", None),
        ("Visa number 4111 1111 1111 1112 okay", f"Visa number {CARD} okay"),
        ("我的卡號是 4111 1111 1111 1112", f"我的卡號是 {CARD}"),
        ("the card is 4111 1111 1111, ends in 1112", None),
        ("4111 1111, no sorry, 4111 1111 1111 1111", f"{CARD}, no sorry, {CARD}"),
        ("4111 1111 1111 1112, no sorry, 1111", f"{CARD}, no sorry, {CARD}"),
        ("4111 1112, wait, 1111 1111 1111", f"{CARD}, wait, {CARD}"),
        ("card number 4111 1112 sorry 1111 1111 111", f"card number {CARD} sorry {CARD}"),
        ("四一一一 一一一一，不對，四一一一 1111 1111 1111", f"{CARD}，不對，{CARD}"),
        (
            "4111 1111 is the first half and 1111 1111 is the second",
            f"{CARD} is the first half and {CARD} is the second",
        ),
        (
            "4111 1111, let me find my glasses, 1111 1111",
            f"{CARD}, let me find my glasses, {CARD}",
        ),
        ("4111, 1111, 1111, 1111 of course", f"{CARD} of course"),
        ("four one one one 1111 1111 one one one one more or less", f"{CARD} more or less"),
        ("no 4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", f"no {CARD}"),
        ("order number 55810, my card is 4111 1111 1111 one one one", None),
        (
            "order number 55810, my card is four one one one one one one one one one one one",
            f"order number 55810, my card is {CARD}",
        ),
        ("my tracking number is 4111 1111 1111 1111", f"my tracking number is {CARD}"),
        ("4111 1111 1111 1111 or 5500 0000 0000 0004", f"{CARD} or {CARD}"),
    ],
)
def test_a_card_is_masked_where_it_is_cut_short_corrected_or_interrupted(
    said: str, expected: str | None
):
    if expected is None:
        assert "4111" not in written(said)
    else:
        assert written(said) == expected


def test_a_turn_without_a_sensitive_number_is_the_same_object():
    said = turn("I have two of them, since 2019, on order 55810-7.")

    result = Masker().mask(said)

    assert result.turn is said
    assert result == Masked(said)


def test_a_masked_turn_keeps_everything_but_its_text():
    said = replace(turn("It is 4111 1111 1111 1111.", 7), speaker="dana", started_ms=5, ref="m1")

    result = Masker().mask(said)

    assert result.turn == replace(said, text=f"It is {CARD}.")
    assert result.kinds == (Sensitive.CARD,)


def test_masked_text_is_not_masked_again():
    for said in ("my CVV is 123", "my card number is 4111 1111 1111 1111, expires 12/26"):
        once = written(said)

        assert written(once) == once


def test_a_turn_that_is_said_anew_replaces_what_was_said_at_its_position():
    masker = Masker()
    masker.mask(turn("4111 1111", 0))
    masker.mask(turn("hello there", 0))

    result = masker.mask(turn("1111 1111", 1))

    assert result.turn.text == "1111 1111"
    assert result.amended == ()


def test_turns_without_a_position_are_all_kept():
    masker = Masker()
    masker.mask(turn("4111 1111", -1))

    result = masker.mask(turn("1111 1111", -1))

    assert [one.text for one in (*result.amended, result.turn)] == [CARD, CARD]


def test_kinds_say_what_was_masked_and_never_the_digits():
    result = Masker().mask(turn("4111 1111 1111 1111, the CVV is 123, my SSN is 123-45-6789"))

    assert result.kinds == (Sensitive.CARD, Sensitive.SSN, Sensitive.SECURITY_CODE)
    assert [kind.token for kind in result.kinds] == [
        "[card number]",
        "[social security number]",
        "[security code]",
    ]


@pytest.mark.parametrize(
    ("type_", "said", "stays"),
    [
        (ValueType.CARD, "card 4111 1111 1111 1111, expires 12/26", True),
        (ValueType.CARD, "the CVV is 123", False),
        (ValueType.NATIONAL_ID, "A123456789 and 123-45-6789", True),
        (ValueType.BANK_ACCOUNT, "GB82 WEST 1234 5698 7654 32", True),
        (ValueType.PHONE, "call me on 555 123 4567", True),
        (ValueType.TEXT, "card 4111 1111 1111 1111", False),
    ],
)
def test_what_a_schema_has_a_field_for_stays_but_never_a_security_code(
    type_: ValueType, said: str, stays: bool
):
    field = Field(key="it", label="it", sentence="it: {value}", sources=ANYONE, type=type_)

    allowed = allowed_by(Schema("shop", (field,)))

    assert (masked(turns_of(said), allowed) == [said]) is stays


def test_a_field_that_refuses_its_value_allows_nothing():
    field = Field(
        key="card",
        label="card",
        sentence="card: {value}",
        sources=ANYONE,
        type=ValueType.CARD,
        promotion=Promotion.REFUSED,
    )

    assert allowed_by(Schema("shop", (field,))) == frozenset()


def test_a_security_code_is_masked_even_if_it_is_passed_as_allowed():
    assert written("my CVV is 123", *Sensitive) == "my CVV is [security code]"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00" * 50,
        "\ud800 4111 \udfff 1111",
        "İ ǅ ﬁ ½ ² Ⅷ 〇",
        "[card number] [CVV] [" * 50,
        "one " * 3000,
        "a1" * 3000,
        "4111 no sorry " * 1000,
        "card number CVV " * 1000,
        "4111 1111 1111 1111 " * 1000,
        "一" * 3000,
        "( + - . / ) " * 1000,
    ],
)
def test_any_text_is_taken(text: str):
    masker = Masker()

    for position in range(3):
        result = masker.mask(turn(text, position))
        assert isinstance(result.turn.text, str)


@pytest.mark.parametrize("piece", ["4111 1111 1111 1111 ", "one ", "x1 ", "4 no sorry ", "到"])
def test_a_very_long_text_is_taken_in_reasonable_time(piece: str):
    text = piece * (100_000 // len(piece))
    masker = Masker()

    first, second = masker.mask(turn(text, 0)), masker.mask(turn("1111 CVV 123", 1))

    assert "4111" not in first.turn.text or "no sorry" in piece
    assert second.turn.text.endswith("CVV [security code]")
