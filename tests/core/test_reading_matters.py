from __future__ import annotations

import pytest

from tests.core.made_reading import found

pytestmark = pytest.mark.unit

READ: list[tuple[str, list[str]]] = [
    ("hey, about the leaking dishwasher", ["open_matter = the leaking dishwasher"]),
    (
        "your guy was here last week and he left the cover off",
        ["open_matter = he left the cover off"],
    ),
    (
        "yeah so um the washing machine you delivered, it leaks, there's water all over",
        ["open_matter = the washing machine you delivered, it leaks, there's water all over"],
    ),
    (
        "one of your people said somebody would ring me and nobody did",
        ["open_matter = somebody would ring me and nobody did"],
    ),
    (
        "the alarm beeps every thirty seconds and I can't turn it off",
        ["open_matter = the alarm beeps every thirty seconds and I can't turn it off"],
    ),
    ("oh great, my internet is down again", ["open_matter = my internet is down again"]),
    (
        "somebody charged me twice for the same order",
        ["open_matter = somebody charged me twice for the same order"],
    ),
    (
        "my heating hasn't worked since Sunday",
        ["open_matter = my heating hasn't worked since Sunday"],
    ),
    ("the screen stays black", ["open_matter = the screen stays black"]),
    ("the door won't close", ["open_matter = the door won't close"]),
    (
        "I've been without hot water for three days",
        ["open_matter = I've been without hot water for three days"],
    ),
    ("nobody called me back", ["open_matter = nobody called me back"]),
    ("you sent me the wrong size", ["open_matter = you sent me the wrong size"]),
    (
        "there's a charge on my bill I don't recognise",
        ["open_matter = there's a charge on my bill I don't recognise"],
    ),
    ("my order came without the cable", ["open_matter = my order came without the cable"]),
    ("my bill went up by twenty dollars", ["open_matter = my bill went up by twenty dollars"]),
    (
        "I haven't had any heating since Sunday",
        ["open_matter = I haven't had any heating since Sunday"],
    ),
    ("the driver was really rude", ["open_matter = the driver was really rude"]),
    (
        "my internet is down | a: Sorry. | oh it works again now",
        ["not open_matter = my internet is down"],
    ),
    (
        "my phone line is dead. wait. no it's back, never mind",
        ["not open_matter = my phone line is dead"],
    ),
    (
        "the heating works again, you don't need to send the engineer",
        ["not open_matter = the heating"],
    ),
    (
        "what I told you last week about the flickering lights, that's fixed now",
        ["not open_matter = the flickering lights"],
    ),
    ("my parcel finally arrived", ["not open_matter = my parcel"]),
    (
        "a: I'll have someone call you tomorrow.",
        ["promise = have someone call the caller tomorrow (2026-03-20)"],
    ),
    ("a: I'm sending an engineer.", ["promise = sending an engineer"]),
    (
        "a: Your refund will be paid by Friday.",
        ["promise = the caller's refund will be paid by Friday (2026-03-20)"],
    ),
    ("a: I'll make sure it gets replaced.", ["promise = make sure it gets replaced"]),
    ("a: We'll get that fixed for you.", ["promise = get that fixed for the caller"]),
    (
        "a: You'll have your new card by Tuesday.",
        ["promise = let the caller have the caller's new card by Tuesday (2026-03-24)"],
    ),
    (
        "a: I promise you I'll call you tomorrow.",
        ["promise = call the caller tomorrow (2026-03-20)"],
    ),
    (
        "a: I've made an exception and let you keep the old price until June.",
        ["exception = let you keep the old price until June"],
    ),
    ("a: As a courtesy, I've waived the late fee.", ["exception = I've waived the late fee"]),
]

NOTHING = [
    "my neighbour says his internet is always down, he should change to you guys",
    "maybe it's the router, I don't know",
    "maybe the router is broken",
    "tell me what happens when my router breaks",
    "oh wonderful, another bill, just what I always wanted",
    "I want to cancel my contract",
    "I can't come to the phone",
    "sorry, I've got the wrong number",
    "my father died",
    "my mother is coming on Friday",
    "that day doesn't work for me",
    "I can't find the letter",
    "when the heating works again I'll call",
    "I hope the heating is fixed",
    "the problem is sorted",
    "they never text me",
    "a: I'll put you on hold for a moment.",
    "a: I'll need your account number.",
    "a: I'll see what I can do.",
    "a: I'll try to call you back.",
    "a: I will check that for you.",
    "a: We can't promise that it will be there by Friday.",
    "a: I've made an exception for you.",
    "I can't make it today",
]


@pytest.mark.parametrize(("lines", "facts"), READ, ids=[lines for lines, _ in READ])
def test_a_matter_its_end_and_a_promise_are_read(lines: str, facts: list[str]):
    assert found(lines) == facts


@pytest.mark.parametrize("lines", NOTHING)
def test_no_matter_and_no_promise_is_read(lines: str):
    assert found(lines) == []
