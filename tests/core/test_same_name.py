from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from ringback.core.same_name import may_be_one

pytestmark = pytest.mark.unit

ONE = [
    ("Dana Whitfield", "Dana"),
    ("Dana Whitfield", "Mrs Whitfield"),
    ("Whitfield, Dana", "Dana Whitfield"),
    ("Dana Whitfield", "Dana King"),
    ("Dana", "Diana"),
    ("Robert King", "Bob"),
    ("Katherine", "Kate"),
    ("Daniel", "Dan"),
    ("Jon", "John"),
    ("Sara", "Sarah"),
    ("Aurelio", "Orelio"),
    ("Ignace", "Ignatz"),
    ("Beatrix", "Beatrice"),
    ("José", "Jose"),
    ("O'Neill", "ONeil"),
    ("陳怡君", "陈怡君"),
    ("陳怡君", "怡君"),
    ("陳怡君", "陳宜君"),
    ("陳怡君", "鄭怡君"),
    ("陳志明", "阿明"),
    ("王大明", "王先生"),
    ("王先生", "王"),
    ("Beatrix", "陳怡君"),
]
TWO = [
    ("Aurelio", "Beatrix"),
    ("Mario", "Maria"),
    ("Paul", "Paula"),
    ("Dana Whitfield", "Tom Whitfield"),
    ("Rosa", "Rosie"),
    ("Ben Meyer", "Jon Meyer"),
    ("Jack", "Jane"),
    ("Liam", "Noah"),
    ("王先生", "王太太"),
    ("陳志明", "陳美麗"),
    ("陳志明", "林美麗"),
    ("王先生", "李先生"),
]


@pytest.mark.parametrize(("name", "other"), ONE)
def test_names_that_one_person_goes_by(name: str, other: str):
    assert may_be_one(name, other)
    assert may_be_one(other, name)


@pytest.mark.parametrize(("name", "other"), TWO)
def test_names_of_two_people(name: str, other: str):
    assert not may_be_one(name, other)
    assert not may_be_one(other, name)


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_two_texts_are_compared_the_same_in_either_order(name: str, other: str):
    assert may_be_one(name, name)
    assert may_be_one(name, other) == may_be_one(other, name)
