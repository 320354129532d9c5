from __future__ import annotations

import pytest

from ringback.core.quantities import read_quantity

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("500 mg", "500 mg"),
        ("500mg twice", "500 mg"),
        ("five hundred milligrams", "500 mg"),
        ("two point five ml", "2.5 ml"),
        ("1,000 units", "1000 units"),
        ("seventy-five kilos", "75 kg"),
        ("180 cm", "180 cm"),
        ("6 feet", "6 ft"),
        ("40 percent", "40 %"),
        ("34 years old", "34 years"),
        ("70公斤", "70 kg"),
        ("12 monkeys", "12"),
        ("7", "7"),
    ],
)
def test_a_quantity_is_a_number_with_its_plain_unit(said: str, value: str):
    found = read_quantity(said, 0)

    assert found is not None
    assert found.value == value


@pytest.mark.parametrize("said", ["", "mg", "many mg", "0123456789"])
def test_what_is_no_quantity_is_none(said: str):
    assert read_quantity(said, 0) is None


def test_a_quantity_ends_with_its_unit():
    found = read_quantity("take 500 mg of it", 5)

    assert found is not None
    assert (found.start, found.end) == (5, 11)
