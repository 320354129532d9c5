"""When somebody wants to be called: hours and parts of every day, and what is neither."""

from __future__ import annotations

import pytest

from ringback.core.extraction import extract
from ringback.schemas import SUPPORT
from tests.core.made_call import CALL, view

pytestmark = pytest.mark.unit


def read(line: str) -> list[str]:
    found = extract(view(f"c: {line}").turns, call=CALL, schema=SUPPORT)
    return [one.value for one in found if one.key == "contact_time"]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("Please call me in the mornings.", "in the mornings"),
        ("Mornings are best for me.", "in the mornings"),
        ("you can reach me in the evenings", "in the evenings"),
        ("Only call after six.", "after 18:00"),
        ("I'm only free before noon.", "before 12:00"),
        ("It's best to ring between two and four.", "between 14:00 and 16:00"),
        ("Please don't call before nine.", "not before 09:00"),
        ("call me any time after 5 pm", "after 17:00"),
    ],
)
def test_a_time_for_contact_is_read_in_any_of_its_forms(line: str, value: str):
    assert read(line) == [value]


@pytest.mark.parametrize(
    "line",
    [
        "It drops in the evenings.",
        "I called you in the mornings all week.",
        "Don't call me in the mornings.",
        "Call me in the morning.",
        "The best time was before the move.",
        "Are mornings best for you?",
    ],
)
def test_what_is_no_time_for_contact_is_none(line: str):
    assert read(line) == []
