from __future__ import annotations

import pytest

from ringback.core.value_types import fitted
from ringback.schemas import ValueType
from tests.core.made_statements import made_field

pytestmark = pytest.mark.unit

ZONE = "America/Chicago"
FITS = [
    (ValueType.TEXT, " as it is ", " as it is "),
    (ValueType.CODE, "a-17", "A-17"),
    (ValueType.CODE, "four eight two one", "4821"),
    (ValueType.CODE, "harbour", "harbour"),
    (ValueType.CODE, "the blue one", None),
    (ValueType.CODE, "4111111111111111", None),  # a payment card has a type of its own
    (ValueType.NUMBER, "500 mg", "500 mg"),
    (ValueType.NUMBER, "two spoons", "2 spoons"),
    (ValueType.NUMBER, "a few", None),
    (ValueType.DATE, "2026-03-06", "2026-03-06"),
    (ValueType.DATE, "2026-03-06T14:00", "2026-03-06T14:00-06:00"),
    (ValueType.DATE, "2026-03-06T14:00+01:00", "2026-03-06T14:00+01:00"),
    (ValueType.DATE, "2026-02-30", None),
    (ValueType.DATE, "tomorrow", None),
    (ValueType.PHONE, "+1 (555) 010-0199", "+15550100199"),
    (ValueType.PHONE, "anonymous", None),
    (ValueType.EMAIL, " Rosa@Example.org", "rosa@example.org"),
    (ValueType.EMAIL, "rosa at example", None),
    (ValueType.CHOICE, "Gold.", "gold"),
    (ValueType.CHOICE, "silver", None),
    (ValueType.PERSON, " Dana  Whitfield, ", "Dana Whitfield"),
    (ValueType.PERSON, "4821", None),
    (ValueType.PERSON, "-", None),
    (ValueType.CARD, "4111 1111 1111 1111", "4111111111111111"),
    (ValueType.CARD, "4111 1111 1111 1112", None),
    (ValueType.CARD, "Dana Whitfield", None),
    (ValueType.NATIONAL_ID, "a 123456789", "A123456789"),
    (ValueType.NATIONAL_ID, "unknown", None),
    (ValueType.NATIONAL_ID, "12/34", None),
    (ValueType.BANK_ACCOUNT, "DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
    (ValueType.BANK_ACCOUNT, "DE89 3704 0044 0532 0130 01", None),
]


@pytest.mark.parametrize(("type_", "value", "expected"), FITS)
def test_a_value_is_put_into_the_form_of_its_type_or_is_none(
    type_: ValueType, value: str, expected: str | None
):
    choices = ("gold", "none") if type_ is ValueType.CHOICE else ()
    field = made_field("thing", type=type_, choices=choices)

    assert fitted(value, field, ZONE) == expected


def test_a_zone_that_is_not_known_reads_as_utc():
    field = made_field("thing", type=ValueType.DATE)

    assert fitted("2026-03-06T14:00", field, "Mars/Olympus") == "2026-03-06T14:00+00:00"
