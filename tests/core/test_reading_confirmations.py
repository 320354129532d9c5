"""A mere yes to what the agent read back states it; to anything else it states nothing."""

from __future__ import annotations

import pytest

from ringback.core.extraction import extract
from ringback.records import Source
from ringback.schemas import SUPPORT
from tests.core.made_call import CALL, view

pytestmark = pytest.mark.unit


def read(asked: str, answered: str) -> list[tuple[str, str, str]]:
    found = extract(view(f"a: {asked}", f"c: {answered}").turns, call=CALL, schema=SUPPORT)
    assert all(one.source is Source.CALLER for one in found)
    return [(one.key, one.value, one.evidence.words) for one in found]


@pytest.mark.parametrize(
    ("asked", "answered", "key", "value"),
    [
        ("Your account number is 4821, is that right?", "Yes.", "account_number", "4821"),
        ("So your account number is four eight two one?", "Yes, that's right", "account_number", "4821"),
        ("is your account number still 4821?", "yeah", "account_number", "4821"),
        ("Your phone number is 555 010 0199, right?", "yes please", "phone", "5550100199"),
        ("your email is dana at example dot com correct?", "correct", "email", "dana@example.com"),
    ],
)  # fmt: skip
def test_what_is_read_back_and_confirmed_is_the_callers_word(asked, answered, key, value):
    assert read(asked, answered) == [(key, value, answered.rstrip())]


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("Your account number is 4821, is that right?", "No."),
        ("Your account number is 4821, is that right?", "Okay."),
        ("Your account number is 4821, is that right?", "Yes, but it is my wife's."),
        ("Is your account number 4821 or 4822?", "Yes."),
        ("So your account number would be 4821 in the new system.", "Yes."),
        ("Your order number is 9921, right?", "Yes."),
        ("Do you have your account number?", "Yes."),
        ("Anything else?", "Yes."),
    ],
)
def test_what_is_not_clearly_confirmed_is_nobodys(asked, answered):
    assert read(asked, answered) == []
