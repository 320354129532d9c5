"""What begins a turn's second sentence is read as if it began the turn."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ringback.core.extraction import extract
from ringback.records import Call, Role, Turn
from ringback.schemas import SUPPORT

pytestmark = pytest.mark.unit

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        ("This is Dana Whitfield speaking.", "name", "Dana Whitfield"),
        ("I'm Ignace.", "name", "Ignace"),
        ("Dana Whitfield here.", "name", "Dana Whitfield"),
        ("My account number is 4821.", "account_number", "4821"),
        ("Text me, please.", "contact_preference", "text"),
        ("Don't call me.", "contact_preference", "no calls"),
        ("My internet has been down since Sunday.", "open_matter", None),
        ("I live at 9 Quill Lane.", "address", None),
    ],
)
@pytest.mark.parametrize("before", ["", "Good evening. ", "Thank you! "])
def test_a_sentence_says_the_same_wherever_it_stands(
    before: str, said: str, key: str, value: str | None
):
    turn = Turn(Role.CALLER, before + said, at=AT, position=0)

    found = extract([turn], call=Call("c", "t", AT), schema=SUPPORT)

    values = [candidate.value for candidate in found if candidate.key == key]
    assert len(values) == 1
    assert value is None or values == [value]
