"""A transcript that came late stands where it was spoken."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ringback.core import extraction, hearing
from ringback.core.spoken_order import in_spoken_order
from ringback.records import Call, Role, Turn
from ringback.schemas import GENERAL

pytestmark = pytest.mark.unit

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)


def turn(line: str, position: int, started_ms: int | None, ended_ms: int | None) -> Turn:
    role = Role.CALLER if line.startswith("c:") else Role.AGENT
    return Turn(role, line[3:], at=AT, position=position, started_ms=started_ms, ended_ms=ended_ms)


def texts(*turns: Turn) -> list[str]:
    return [one.text for one in in_spoken_order(turns)]


def test_what_had_ended_before_a_question_began_comes_before_it():
    asked = turn("a: Is your address 9 Quill Lane?", 1, 2_600, 4_000)
    late = turn("c: no, I moved to Lodz last year", 2, 500, 2_000)

    assert texts(turn("a: Hello.", 0, 0, 400), asked, late) == [
        "Hello.",
        "no, I moved to Lodz last year",
        "Is your address 9 Quill Lane?",
    ]


def test_turns_that_overlap_stay_as_they_are():
    long = turn("a: And then we will send somebody.", 0, 1_000, 5_000)

    assert texts(long, turn("c: Wait.", 1, 500, 1_200)) == [
        "And then we will send somebody.",
        "Wait.",
    ]


@pytest.mark.parametrize(
    "late", [turn("c: Yes.", 1, None, None), turn("c: Yes.", -1, 0, 100)], ids=["times", "place"]
)
def test_without_times_or_places_the_order_stays(late: Turn):
    assert texts(turn("a: Right?", 0, 2_000, 3_000), late) == ["Right?", "Yes."]


def test_a_late_yes_confirms_the_question_before_it_and_not_the_next():
    turns = [
        turn("a: Your account number is 4821, is that right?", 0, 0, 1_000),
        turn("a: Is your booking reference 7733?", 1, 2_600, 4_000),
        turn("c: Yes, that's right.", 2, 1_200, 2_000),
    ]
    call = Call("c-1", "acme", AT)

    found = extraction.extract(hearing.heard(turns).turns, call=call, schema=GENERAL)

    confirmed = [(one.key, one.value) for one in found if one.source == "statement by the caller"]
    assert confirmed == [("account_number", "4821")]
