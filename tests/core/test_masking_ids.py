# ruff: noqa: RUF001 - Chinese signs are meant
"""National ids, social security numbers, IBANs and phone numbers."""

from __future__ import annotations

import pytest

from ringback.core.masking import Sensitive
from tests.core.made_masking import written

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("{123-45-6789}", Sensitive.SSN),
        ("it is {123 45 6789} okay", Sensitive.SSN),
        ("{123.45.6789}", Sensitive.SSN),
        ("my social is {123456789}", Sensitive.SSN),
        ("social security number {one two three, four five, six seven eight nine}", Sensitive.SSN),
        ("SSN: {123456789}", Sensitive.SSN),
        ("the last four of my social are {6789}", Sensitive.SSN),
        ("last 4 digits of my SSN: {six seven eight nine}", Sensitive.SSN),
        ("a: The last four of your social? | It's {6789}.", Sensitive.SSN),
        ("a: Your social security number? | {900 12 3456}", Sensitive.SSN),
        ("社會安全碼是 {123456789}", Sensitive.SSN),
        ("{A123456789}", Sensitive.NATIONAL_ID),
        ("身分證字號是{A123456789}，謝謝", Sensitive.NATIONAL_ID),
        ("身份證 {A 一二三四五六七八九}", Sensitive.NATIONAL_ID),
        ("it's {A one two three four five six seven eight nine}", Sensitive.NATIONAL_ID),
        ("my national ID is {a123456789}", Sensitive.NATIONAL_ID),
        ("{Ａ１２３４５６７８９}", Sensitive.NATIONAL_ID),
        ("{A800000014}", Sensitive.NATIONAL_ID),
        ("my ID number is {A123456780}", Sensitive.NATIONAL_ID),
        ("居留證是 {AC01234567}", Sensitive.NATIONAL_ID),
        ("{11010519491231002X}", Sensitive.NATIONAL_ID),
        ("身份证号是{110105 19491231 002X}。", Sensitive.NATIONAL_ID),
        ("{一一零一零五一九四九一二三一零零二 X}", Sensitive.NATIONAL_ID),
        ("{440524188001010014}", None),
        ("{A123456(3)}", Sensitive.NATIONAL_ID),
        ("my HKID is {A1234563}", Sensitive.NATIONAL_ID),
        ("passport number {X1234567}", Sensitive.NATIONAL_ID),
        ("my passport is {123456789}", Sensitive.NATIONAL_ID),
        ("護照號碼是 {300000001}", Sensitive.NATIONAL_ID),
        ("{GB82WEST12345698765432}", Sensitive.IBAN),
        ("{GB82 WEST 1234 5698 7654 32} please", Sensitive.IBAN),
        ("{gb82west12345698765432}", Sensitive.IBAN),
        ("{DE89 3704 0044 0532 0130 00}", Sensitive.IBAN),
        ("my IBAN is {DE89 3704 0044 0532 0130 01}", Sensitive.IBAN),
        (
            "{D E eight nine three seven oh four oh oh four four oh five three two oh one three "
            "oh oh oh}",
            Sensitive.IBAN,
        ),
        ("it's {+886 912 345 678}.", Sensitive.PHONE),
        ("{+1 (555) 123-4567}", Sensitive.PHONE),
        ("{(555) 123-4567} is mine", Sensitive.PHONE),
        ("{555-123-4567}", Sensitive.PHONE),
        ("{1-800-555-0199}", Sensitive.PHONE),
        ("{0912-345-678}", Sensitive.PHONE),
        ("{0912345678}", Sensitive.PHONE),
        ("{02-2345-6789}", Sensitive.PHONE),
        ("{138 1234 5678}", Sensitive.PHONE),
        ("my number is {5551234567}", Sensitive.PHONE),
        ("my new number is {555-0199}", Sensitive.PHONE),
        ("can you call {5551234567}?", Sensitive.PHONE),
        ("call me on {555 1234} tomorrow", Sensitive.PHONE),
        ("my phone number is {five five five one two three four five six seven}", Sensitive.PHONE),
        ("我的電話是{02 23456789}", Sensitive.PHONE),
        ("手机号码是{一三八一二三四五六七八}", Sensitive.PHONE),
        ("a: What's your phone number? | It's {555 1234567}.", Sensitive.PHONE),
    ],
)
def test_a_personal_number_is_masked(said: str, kind: Sensitive | None):
    plain = said.replace("{", "").replace("}", "")
    number = said.partition("{")[2].partition("}")[0]
    token = kind.token if kind else number

    assert written(plain) == plain.replace("a: ", "").replace(number, token)


@pytest.mark.parametrize(
    "said",
    [
        "my number is +1 555 123 4567",
        "call me on 0912-345-678",
        "a: your phone number? | 5551234567",
        "my phone number is five five five one two three four",
    ],
)
def test_a_phone_number_stays_where_the_schema_keeps_it(said: str):
    assert written(said, Sensitive.PHONE) == said.replace("a: ", "")


def test_a_card_is_masked_where_phone_numbers_are_kept():
    result = written("call me on 555 123 4567, card 4111 1111 1111 1111", Sensitive.PHONE)

    assert result == "call me on 555 123 4567, card [card number]"


def test_a_phone_number_that_is_kept_does_not_go_on_with_what_was_said_before_its_label():
    said = "I got 4111 1111 here, my phone number is 1111 1111"

    assert written(said, Sensitive.PHONE) == said
