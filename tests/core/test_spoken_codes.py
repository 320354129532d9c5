from __future__ import annotations

import pytest

from ringback.core.spoken_codes import read_code

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("4821", "4821"),
        ("four eight double two", "4822"),
        ("4-8-2-1", "4821"),
        ("55810-7", "55810-7"),
        ("A-17", "A-17"),
        ("a17 please", "A17"),
        ("SO-2231-B", "SO-2231-B"),
        ("A 1 2 3", "A123"),
        ("AB 1234", "AB1234"),
        ("R as in Romeo, 4 4 1 7", "R4417"),
        ("4821, I think", "4821"),
    ],
)
def test_a_code_keeps_its_written_hyphens_and_no_others(said: str, code: str):
    found = read_code(said, 0)

    assert found is not None
    assert found.value == code


@pytest.mark.parametrize(
    "said", ["", "broken", "A B C", "7", "a mess", "4111 1111 1111 1111", "1" * 25]
)
def test_what_is_no_code_is_none(said: str):
    assert read_code(said, 0) is None


def test_a_code_ends_before_the_next_word():
    found = read_code("it is A-17 and more", 6)

    assert found is not None
    assert (found.start, found.end) == (6, 10)
