# ruff: noqa: RUF001 - Chinese signs are meant
"""Security codes, one-time codes and expiry dates: known by what the talk is about."""

from __future__ import annotations

import pytest

from tests.core.made_masking import written

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "said",
    [
        "my CVV is {123}",
        "CVC: {123}",
        "the CVV2 is {1234}.",
        "the security code is {123}, thanks",
        "the card security code is {one two three}",
        "the CVV on the back of my card is {123}",
        "the CVV for the blue Visa card here is {123}",
        "the three digits on the back are {one, two, three}",
        "the 3 digits on the back of the card: {987}",
        "the code on the back is {double one seven}",
        "card verification value {456} okay",
        "CVV is {12}, no sorry, {123}",
        "CVV is {123}, no wait, {124}",
        "CVV is {123}, no wait, {124}, sorry, {125}",
        "my verification code is {481 920}",
        "the one-time code is {481920}",
        "the one time passcode: {4 8 1 9 2 0}",
        "OTP {481920}",
        "my PIN is {4821} and I have 2 cards",
        "the SMS code says {four eight one nine two oh}",
        "two-factor code {481-920}",
        "安全碼是{123}",
        "安全码 {一二三} 谢谢",
        "背面三碼是{一二三}",
        "末三碼 {123}",
        "检查码是 {123}",
        "驗證碼是{四八一九二零}",
        "我的密碼是 {4821}",
        "a: And the security code? | it's {123}",
        "a: Could you read me the three digits on the back? | {one two three}",
        "a: 請問安全碼是？ | 好，{一二三}",
        "a: What's the code we texted you, the verification code? | {481 920}",
    ],
)
def test_a_security_code_is_masked_behind_its_label(said: str):
    plain = said.replace("{", "").replace("}", "")
    pieces = said.replace("a: ", "").replace("}", "{").split("{")
    pieces[1::2] = ["[security code]"] * len(pieces[1::2])

    assert written(plain) == "".join(pieces)


@pytest.mark.parametrize(
    "said",
    [
        "my area code is 555",
        "the postal code is 90210",
        "I see error code 403",
        "the order code is 4821",
        "my zip code is 10001",
        "confirmation code 55810",
        "the country code is 886",
        "use discount code 500",
        "the code is 1234",
        "I never got the verification code for order 4821",
        "the security code arrived at 10:30",
        "I changed my PIN in 2024",
        "my CVV was wrong twice, I paid 250 dollars",
        "郵遞區號是 10491",
        "the security guard told me that it would take about 300",
        "pin down the 404 problem",
    ],
)
def test_other_codes_stay(said: str):
    assert written(said) == said


@pytest.mark.parametrize(
    "said",
    [
        "card 4111 1111 1111 1111 expires {12/26}",
        "my card expires {twelve twenty-six}",
        "card 4111 1111 1111 1111, expiry date {oh four twenty eight}",
        "Visa, valid through {04 28}",
        "a: And the expiration date of the card? | {12/2026}",
        "the card expires {December 2026}",
        "卡號 4111 1111 1111 1111 有效期限 {12/26}",
        "a: 信用卡的到期日？ | {一二 二六}",
    ],
)
def test_an_expiry_date_is_masked_with_its_card(said: str):
    plain = said.replace("{", "").replace("}", "").replace("a: ", "")

    result = written(said.replace("{", "").replace("}", ""))

    before = plain.replace("4111 1111 1111 1111", "[card number]")
    assert result == before.replace(said.partition("{")[2].partition("}")[0], "[card expiry]")


@pytest.mark.parametrize(
    "said",
    ["my contract expires 12/26", "the offer is valid until 04 28", "我的合約到期日是 12/26"],
)
def test_an_expiry_date_of_something_else_stays(said: str):
    assert written(said) == said
