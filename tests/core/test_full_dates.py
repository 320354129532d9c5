from __future__ import annotations

from datetime import date

import pytest

from ringback.core.full_dates import read_full_date, read_since

pytestmark = pytest.mark.unit

TODAY = date(2026, 3, 19)


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("the third of May 1980", date(1980, 5, 3)),
        ("3 May 1980", date(1980, 5, 3)),
        ("May 3rd, 1980", date(1980, 5, 3)),
        ("on May the third nineteen eighty", date(1980, 5, 3)),
        ("the twenty-first of Dec. 2004", date(2004, 12, 21)),
        ("June 1st two thousand and five", date(2005, 6, 1)),
        ("June 1st two thousand", date(2000, 6, 1)),
        ("1980-05-03", date(1980, 5, 3)),
        ("13/5/1980", date(1980, 5, 13)),
        ("5/13/1980", date(1980, 5, 13)),
        ("5/5/1980", date(1980, 5, 5)),
        ("1980年5月3日", date(1980, 5, 3)),
    ],
)
def test_a_date_with_its_year_is_that_day(said: str, day: date):
    found = read_full_date(said, 0, TODAY)

    assert found is not None
    assert (found.day, found.has_year, found.end) == (day, True, len(said))


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("the third of May", date(2026, 5, 3)),
        ("March 18", date(2027, 3, 18)),
        ("March 19", date(2026, 3, 19)),
        ("February 29", date(2028, 2, 29)),
    ],
)
def test_a_day_without_its_year_is_the_next_one(said: str, day: date):
    found = read_full_date(said, 0, TODAY)

    assert found is not None
    assert (found.day, found.has_year) == (day, False)


@pytest.mark.parametrize(
    "said",
    ["", "soon", "3/5/1980", "31 June 1980", "30 February", "1980-13-01", "May", "1850-01-01"],
)
def test_what_is_no_one_day_is_none(said: str):
    assert read_full_date(said, 0, TODAY) is None


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("January 15th 2024", date(2024, 1, 15)),
        ("January 2024", date(2024, 1, 1)),
        ("2019", date(2019, 1, 1)),
    ],
)
def test_since_when_may_be_a_month_or_a_year(said: str, day: date):
    found = read_since(said, 0, TODAY)

    assert found is not None
    assert found.day == day


@pytest.mark.parametrize("said", ["Tuesday", "May", "May 3", "I was ten", "19"])
def test_since_an_unknown_year_is_none(said: str):
    assert read_since(said, 0, TODAY) is None
