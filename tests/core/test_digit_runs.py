from __future__ import annotations

import pytest

from ringback.core.digit_runs import digit_run

pytestmark = pytest.mark.unit

RUNS = [
    ("four eight two one", "4821"),
    ("four eight um two one", "4821"),
    ("one two... three four", "1234"),
    ("one seven, uh, one seven oh four", "1704"),
    ("four eight to one", "4821"),
    ("four o two one", "4021"),
    ("4 o 2 1", "4021"),
    ("nought nine", "09"),
    ("48 to 52", "48"),
    ("four to midnight", "4"),
    ("4821 uh please", "4821"),
    ("four thousand eight hundred twenty one", "4821"),
    ("twelve thousand three hundred forty five", "12345"),
    ("one hundred twenty thousand and seven", "120007"),
    ("four thousand", "4000"),
]


@pytest.mark.parametrize(("text", "digits"), RUNS, ids=[text for text, _ in RUNS])
def test_a_run_goes_on_over_hesitation_and_starts_again(text: str, digits: str):
    run = digit_run(text, 0)

    assert run is not None
    assert run.digits == digits


@pytest.mark.parametrize("text", ["uh four", "to eight", "to be", ""])
def test_what_is_no_digit_begins_no_run(text: str):
    assert digit_run(text, 0) is None


def test_groups_are_joined_only_where_they_may_be():
    text = "(312) 555.0142"

    grouped, plain = digit_run(text, 1, is_grouped=True), digit_run(text, 1)

    assert grouped is not None
    assert grouped.digits == "3125550142"
    assert plain is not None
    assert plain.digits == "312"
