# ruff: noqa: RUF001 - Chinese signs are meant
"""What is said in numbers and is nobody's secret: it stays as it is."""

from __future__ import annotations

import pytest

from tests.core.made_masking import written

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "said",
    [
        "my account number is 4821",
        "contract 55810-7",
        "order 100234567",
        "my order number is 1002345678",
        "order 123-45-6789",
        "the order number is 555 123 4567",
        "ticket 4111 1111 1111",
        "tracking number 1234 5678 9012 3456",
        "my tracking number is 9400 1000 0000 0000 0000 00",
        "serial number 4111 1111 1111 1112",
        "tracking number 94 4111 1111 1111 1111",
        "account 1234567812345678",
        "the label says A1234563",
        "reference 4111111111111112",
        "invoice 20260303-0017",
        "policy AB123456",
        "case 00012345",
        "訂單編號 1002345678",
        "合約 55810-7",
        "帳號是 4821",
        "on 2026-03-04",
        "on 3/4/2026 at 10:30",
        "March 4th, 2026 at two",
        "from 1999 to 2024",
        "born 04/12/1980",
        "二零二六年三月四日",
        "at half past ten, or 10:45 pm",
        "open 9 to 5, seven days",
        "it was $1,250.00",
        "I paid 250 dollars and 20 cents",
        "€4,111.11 for 12 months",
        "twenty-five percent",
        "付了 3500 元",
        "two of them",
        "just one moment",
        "one more thing",
        "that's the one",
        "this one and that one",
        "I have two dogs and three cats",
        "三個人，一下就好",
        "one two three four five",
        "one two three four five six seven eight nine ten",
        "1 2 3 4 5 6 7 8 9 10",
        "a hundred and twenty boxes",
        "1600 Pennsylvania Avenue, apartment 12, Washington, DC 20500",
        "中山路 123 號 4 樓",
        "zip 90210-1234",
        "version 2.10.3",
        "192.168.10.254",
        "room 404, extension 4821",
        "flight BR 12, seat 34A",
        "A123456788",
        "a123456789",
        "oh I see, oh no",
        "B12 and C3PO",
        "GB82 WEST 1234 5698 7654 33",
        "model 6011 and size 42",
        "I called 3 times in 2 days about 4 items",
        "my card is blocked since 2024",
        "the card ending in 1111",
        "the last four digits are 1111",
        "my social media account has 12000 followers",
        "my passport is in order, I was born in 1980",
        "末四碼 1111",
        "My phone is 3 years old",
        "uh um yes okay",
        "4111",
    ],
)
def test_what_is_no_personal_number_stays(said: str):
    assert written(said) == said
