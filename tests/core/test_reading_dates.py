from __future__ import annotations

import pytest

from tests.core.made_reading import found

pytestmark = pytest.mark.unit

READ: list[tuple[str, list[str]]] = [
    (
        "a: I can send somebody on Thursday at three. | three in the afternoon? fine, Thursday at three",
        ["appointment = 2026-03-26T15:00-05:00"],
    ),
    (
        "a: I can offer you Thursday at nine or Friday at four. | um friday at four in the afternoon then",
        ["appointment = 2026-03-20T16:00-05:00"],
    ),
    ("the appointment is on Wednesday week at 3pm", ["appointment = 2026-04-01T15:00-05:00"]),
    ("my appointment is tomorrow at a quarter past nine", ["appointment = 2026-03-20T09:15-05:00"]),
    ("i'll be there at noon on friday", ["appointment = 2026-03-20T12:00-05:00"]),
    ("let's say monday at nine in the morning", ["appointment = 2026-03-23T09:00-05:00"]),
    (
        "a: How about Friday at two? | yes that works for me",
        ["appointment = 2026-03-20T14:00-05:00"],
    ),
    ("a: How about Friday at two? | Friday works for me", ["appointment = 2026-03-20T14:00-05:00"]),
    (
        "a: Shall I put you down for Tuesday at half nine? | perfect thanks",
        ["appointment = 2026-03-24T09:30-05:00"],
    ),
    (
        "a: So that's Friday at two in the afternoon? | correct",
        ["appointment = 2026-03-20T14:00-05:00"],
    ),
    ("a: Thursday at noon? | thursday noon is great", ["appointment = 2026-03-26T12:00-05:00"]),
    ("a: Would Monday work? | Monday is no good, Tuesday then", ["appointment = 2026-03-24"]),
    ("I can't do Monday but Tuesday is fine", ["appointment = 2026-03-24"]),
    ("can we do Monday instead of Friday", ["appointment = 2026-03-23"]),
    (
        "move my appointment from Friday to Monday at nine in the morning",
        ["appointment = 2026-03-23T09:00-05:00"],
    ),
    ("book me for Tuesday next week", ["appointment = 2026-03-24"]),
    ("10 am Friday works for me", ["appointment = 2026-03-20T10:00-05:00"]),
    ("can we say twenty past three on Friday", ["appointment = 2026-03-20T15:20-05:00"]),
    (
        "book me for Monday at six in the morning | a: Monday at six, you're booked.",
        ["appointment = 2026-03-23T06:00-05:00"],
    ),
    (
        "book me for Monday at six in the morning | a: You're booked for Monday.",
        ["appointment = 2026-03-23T06:00-05:00"],
    ),
    (
        "can someone come on Friday, please book it | a: What time? | at two",
        ["appointment = 2026-03-20T14:00-05:00"],
    ),
    (
        "Put me down for Friday at 2 pm. | a: Fine. | Sorry, make it three",
        ["appointment = 2026-03-20T15:00-05:00"],
    ),
    ("please cancel my appointment on Friday", ["not appointment = any"]),
    ("a: I've cancelled your appointment.", ["not appointment = any"]),
    ("a: We'll see you on Friday at two then.", ["appointment = 2026-03-20T14:00-05:00"]),
    ("a: I can do the 24th or the 25th. | the 25th please", ["appointment = 2026-03-25"]),
    ("a: Does Thursday suit you? | not really, Friday", ["appointment = 2026-03-20"]),
    (
        "a: Your appointment has been moved to Tuesday at 4 pm.",
        ["appointment = 2026-03-24T16:00-05:00"],
    ),
    ("tomorrow at noon then", ["appointment = 2026-03-20T12:00-05:00"]),
    (
        "a: Our next free slot is Tuesday at eleven. | that's fine",
        ["appointment = 2026-03-24T11:00-05:00"],
    ),
    ("a: Morning or afternoon on Friday? | Friday morning", ["appointment = 2026-03-20"]),
    (
        "a: When shall we come? | next Monday then, half past four",
        ["appointment = 2026-03-23T16:30-05:00"],
    ),
    (
        "a: When shall we come? | tomorrow then, ten thirty",
        ["appointment = 2026-03-20T10:30-05:00"],
    ),
    (
        "a: When? | let's say tuesday then, quarter to nine",
        ["appointment = 2026-03-24T08:45-05:00"],
    ),
    ("a: When shall we come? | Friday please at nine", ["appointment = 2026-03-20T09:00-05:00"]),
    ("a: When shall we come? | Friday then, two of us will be there", ["appointment = 2026-03-20"]),
    ("a: I can do the 24th or the 25th. | the second one", ["appointment = 2026-03-25"]),
]

NOTHING = [
    "one of your people said somebody would ring on Monday",
    "a: And the little one? | Milo's fine, we found out on Sunday",
    "a: How about Friday at two? | no I can't",
    "a: How about Friday at two? | yes but can we do three",
    "a: Friday or Saturday? | yes",
    "a: Your bill is due on Friday, okay? | okay",
    "a: When did it start? | on Friday",
    "can I cancel my appointment",
    "don't cancel my appointment",
    "I need it by Friday",
    "I called on Friday and the line was busy",
    "my birthday is on Friday",
    "I have a doctor's appointment on Friday so I can't",
    "the technician was here on Monday",
    "the bill comes on Friday, that's fine",
    "do I need to be home on Friday",
    "either thursday or friday, I don't mind",
    "Friday doesn't work for me",
    "a: What day suits you? | any day but Friday",
    "a: What day suits you? | maybe Thursday",
    "I'll call you on Friday",
    "the technician came on Friday",
    "a: Is this about your visit? | he came on Friday and left",
    "a: Our office is open on Monday. | okay",
    "a: Is it okay if the price changes on Monday? | yes",
    "I was told Friday at two",
]


@pytest.mark.parametrize(("lines", "facts"), READ, ids=[lines for lines, _ in READ])
def test_a_date_that_is_settled_is_read(lines: str, facts: list[str]):
    assert found(lines) == facts


@pytest.mark.parametrize("lines", NOTHING)
def test_no_date_is_read(lines: str):
    assert found(lines) == []
